/** Lists of indices as the user keeps them: members, order, columns, sort and groups. Pure edits: each gives a new whole. */
import { type ColumnId, DEFAULT_COLUMNS } from './columns.ts';

export const GROUPINGS = ['region', 'state', 'none'] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const DENSITIES = ['compact', 'normal', 'comfortable'] as const;
export type Density = (typeof DENSITIES)[number];
export const TREND_WINDOWS = ['1h', '1D', '1W'] as const;
export type TrendWindow = (typeof TREND_WINDOWS)[number];
export type SortColumn = ColumnId | 'index' | 'state';

export const LIST_LIMITS = { lists: 50, members: 2_000, name: 40, pairs: 500 } as const;

export interface WatchList {
  readonly id: string;
  readonly name: string;
  /** Every index of the desk; `ids` is then the order of those that were moved, the others follow. */
  readonly all: boolean;
  readonly ids: readonly string[];
  readonly columns: readonly ColumnId[];
  readonly sort: { readonly by: SortColumn; readonly down: boolean } | null;
  readonly group: Grouping;
  /** Stalled and disconnected ones on top, whatever the order. */
  readonly pinTrouble: boolean;
  readonly trend: TrendWindow;
}

export interface Lists {
  /** Never empty. */
  readonly lists: readonly WatchList[];
  readonly current: string;
  readonly density: Density;
  /** The user's companions, before those of the registry; empty text: none. */
  readonly pairs: Readonly<Record<string, string>>;
}

export const ALL_LIST: WatchList = { id: 'all', name: 'All', all: true, ids: [], columns: DEFAULT_COLUMNS, sort: null, group: 'region', pinTrouble: true, trend: '1D' };
export const NO_LISTS: Lists = { lists: [ALL_LIST], current: ALL_LIST.id, density: 'normal', pairs: {} };

export const currentList = (lists: Lists): WatchList => lists.lists.find(({ id }) => id === lists.current) ?? lists.lists[0] ?? ALL_LIST;

/** Changes the current list. */
export function editList(lists: Lists, change: Partial<Omit<WatchList, 'id'>>): Lists {
  const { id } = currentList(lists);
  return { ...lists, lists: lists.lists.map((list) => (list.id === id ? { ...list, ...change } : list)) };
}

/** A name that no list has: the wanted one, else with a number. */
function freeName(lists: Lists, wanted: string): string {
  const name = wanted.trim().slice(0, LIST_LIMITS.name) || 'List';
  const taken = new Set(lists.lists.map((list) => list.name));
  if (!taken.has(name)) return name;
  for (let at = 2; ; at += 1) {
    const numbered = `${name.slice(0, LIST_LIMITS.name - 4)} ${at}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** A new list, shown at once; it looks as the current one does. Unchanged at the limit. */
export function createList(lists: Lists, name: string, ids: readonly string[], id: string): Lists {
  if (lists.lists.length >= LIST_LIMITS.lists || lists.lists.some((list) => list.id === id)) return lists;
  const { columns, group, pinTrouble, trend } = currentList(lists);
  const list: WatchList = { id, name: freeName(lists, name), all: false, ids: [...new Set(ids)].slice(0, LIST_LIMITS.members), columns, sort: null, group, pinTrouble, trend };
  return { ...lists, lists: [...lists.lists, list], current: id };
}

export function renameList(lists: Lists, name: string): Lists {
  const list = currentList(lists);
  const wanted = name.trim();
  if (wanted === '' || wanted === list.name) return lists;
  return editList(lists, { name: freeName({ ...lists, lists: lists.lists.filter(({ id }) => id !== list.id) }, wanted) });
}

/** The list of all indices stays. */
export function deleteList(lists: Lists): Lists {
  const gone = currentList(lists);
  if (gone.all) return lists;
  const at = lists.lists.indexOf(gone);
  const left = lists.lists.filter((list) => list !== gone);
  return { ...lists, lists: left, current: (left[Math.max(0, at - 1)] ?? ALL_LIST).id };
}

/** Adds to the end of a list of chosen indices; that of all has them. */
export function addIndices(lists: Lists, ids: readonly string[], to = lists.current): Lists {
  const list = lists.lists.find(({ id }) => id === to);
  if (!list || list.all || ids.every((id) => list.ids.includes(id))) return lists;
  const added = { ...list, ids: [...new Set([...list.ids, ...ids])].slice(0, LIST_LIMITS.members) };
  return { ...lists, lists: lists.lists.map((one) => (one === list ? added : one)) };
}

export function removeIndex(lists: Lists, id: string): Lists {
  const list = currentList(lists);
  return list.all || !list.ids.includes(id) ? lists : editList(lists, { ids: list.ids.filter((one) => one !== id) });
}

/**
 * Puts `id` before `target` (null: at the end). `shown` is the list's whole order now: it becomes the user's own, and a sort ends, which would undo
 * the move at once.
 */
export function moveIndex(lists: Lists, shown: readonly string[], id: string, target: string | null): Lists {
  if (id === target || !shown.includes(id) || (target !== null && !shown.includes(target))) return lists;
  const rest = shown.filter((one) => one !== id);
  const at = target === null ? rest.length : rest.indexOf(target);
  return editList(lists, { ids: [...rest.slice(0, at), id, ...rest.slice(at)].slice(0, LIST_LIMITS.members), sort: null });
}

/** A press on a column's head: down, up, the list's own order again; texts go up first. */
export function sortBy(lists: Lists, by: SortColumn, firstDown: boolean): Lists {
  const { sort } = currentList(lists);
  if (sort?.by !== by) return editList(lists, { sort: { by, down: firstDown } });
  return editList(lists, { sort: sort.down === firstDown ? { by, down: !firstDown } : null });
}

/** Shows or hides a column; a shown one goes to the right end. The last one stays. */
export function toggleColumn(lists: Lists, column: ColumnId): Lists {
  const { columns } = currentList(lists);
  if (!columns.includes(column)) return editList(lists, { columns: [...columns, column] });
  return columns.length === 1 ? lists : editList(lists, { columns: columns.filter((one) => one !== column) });
}

/** Moves a shown column by one place to the left (-1) or right (1). */
export function moveColumn(lists: Lists, column: ColumnId, by: -1 | 1): Lists {
  const columns = [...currentList(lists).columns];
  const [from, to] = [columns.indexOf(column), columns.indexOf(column) + by];
  const other = columns[to];
  if (from < 0 || other === undefined) return lists;
  [columns[from], columns[to]] = [other, column];
  return editList(lists, { columns });
}

/** The user's companion of an index; null: as the registry says. */
export function pairIndex(lists: Lists, id: string, companion: string | null): Lists {
  const { [id]: _, ...rest } = lists.pairs;
  if (companion === null) return { ...lists, pairs: rest };
  return Object.keys(rest).length >= LIST_LIMITS.pairs ? lists : { ...lists, pairs: { ...rest, [id]: companion === id ? '' : companion } };
}
