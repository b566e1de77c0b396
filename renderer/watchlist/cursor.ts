/** Where a key takes the list's cursor. */
import type { ListItem } from '../store/arrangement.ts';

/** Id of the row that `key` leads to, over group titles; undefined where the key is not of the list or there is no row. */
export function moveCursor(items: readonly ListItem[], active: string | null, key: string, page: number): string | undefined {
  const ids = items.flatMap((item) => (item.kind === 'index' ? [item.id] : []));
  const last = ids.length - 1;
  const at = active === null ? -1 : ids.indexOf(active);
  const goal = { ArrowDown: at + 1, ArrowUp: at < 0 ? last : at - 1, Home: 0, End: last, PageDown: at + page, PageUp: at - page }[key];
  return goal === undefined ? undefined : ids[Math.max(0, Math.min(last, goal))];
}
