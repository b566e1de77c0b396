/** Where a key takes the list's cursor. */
import type { ShownItem } from './listItems.ts';

/** Key of the row that `key` leads to, over group titles; undefined where the key is not of the list or there is no row. */
export function moveCursor(items: readonly ShownItem[], active: string | null, key: string, page: number): string | undefined {
  const keys = items.flatMap((item) => (item.kind === 'group' ? [] : [item.key]));
  const last = keys.length - 1;
  const at = active === null ? -1 : keys.indexOf(active);
  const goal = { ArrowDown: at + 1, ArrowUp: at < 0 ? last : at - 1, Home: 0, End: last, PageDown: at + page, PageUp: at - page }[key];
  return goal === undefined ? undefined : keys[Math.max(0, Math.min(last, goal))];
}

/** The index that `id` is to be put before so that it stands one row higher or lower in its group; null: at the end; undefined: it can't. */
export function stepTarget(items: readonly ShownItem[], order: readonly string[], id: string, by: -1 | 1): string | null | undefined {
  const rows = items.filter((item) => item.kind !== 'companion');
  const other = rows[rows.findIndex((item) => item.key === id) + by];
  if (other?.kind !== 'index') return undefined;
  return by < 0 ? other.id : after(order, other.id, id);
}

/** The same for the gap above the item at `place`, where a row was dropped. */
export function dropTarget(items: readonly ShownItem[], order: readonly string[], id: string, place: number): string | null | undefined {
  const below = items[place];
  if (below?.kind === 'index') return below.id;
  const above = items.slice(0, place).findLast((item) => item.kind !== 'companion');
  return above?.kind === 'index' ? after(order, above.id, id) : undefined;
}

const after = (order: readonly string[], id: string, moved: string): string | null => {
  const rest = order.filter((one) => one !== moved);
  return rest[rest.indexOf(id) + 1] ?? null;
};
