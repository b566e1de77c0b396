/** Lists as they are kept between visits: JSON, read with limits. What can't be read costs only itself. */
import { COLUMN_IDS, type ColumnId } from './columns.ts';
import { ALL_LIST, DENSITIES, GROUPINGS, LIST_LIMITS, type Lists, NO_LISTS, type SortColumn, TREND_WINDOWS, type WatchList } from './lists.ts';

const MOST_TEXT = 2_000_000;
const isId = (value: unknown): value is string => typeof value === 'string' && /^[A-Z0-9^._-]{1,24}$/.test(value);
const isListId = (value: unknown): value is string => typeof value === 'string' && /^[a-z0-9]{1,24}$/.test(value);
const record = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {});
const oneOf = <T extends string>(names: readonly T[], value: unknown, otherwise: T): T => names.find((name) => name === value) ?? otherwise;
const ids = (value: unknown): string[] => (Array.isArray(value) ? [...new Set(value.slice(0, LIST_LIMITS.members).filter(isId))] : []);

function parseColumns(value: unknown): readonly ColumnId[] {
  const columns = Array.isArray(value) ? [...new Set(value.slice(0, 50))].flatMap((name) => COLUMN_IDS.find((column) => column === name) ?? []) : [];
  return columns.length === 0 ? ALL_LIST.columns : columns;
}

function parseSort(value: unknown): WatchList['sort'] {
  const { by, down } = record(value);
  const names: readonly SortColumn[] = ['index', 'state', ...COLUMN_IDS];
  const column = names.find((name) => name === by && name !== 'trend');
  return column === undefined ? null : { by: column, down: down === true };
}

/** A list out of foreign JSON; null where it has no id or name. */
export function parseList(value: unknown): WatchList | null {
  const given = record(value);
  const name = typeof given['name'] === 'string' ? given['name'].replaceAll(/\p{Cc}/gu, '').trim().slice(0, LIST_LIMITS.name) : '';
  if (!isListId(given['id']) || name === '') return null;
  return {
    id: given['id'], name, all: given['id'] === ALL_LIST.id, ids: ids(given['ids']), columns: parseColumns(given['columns']), sort: parseSort(given['sort']),
    group: oneOf(GROUPINGS, given['group'], ALL_LIST.group), pinTrouble: given['pinTrouble'] !== false, trend: oneOf(TREND_WINDOWS, given['trend'], ALL_LIST.trend),
  };
}

/** Always whole: with the list of all indices, and a current one that is there. */
export function parseLists(text: string | null): Lists {
  if (text === null || text.length > MOST_TEXT) return NO_LISTS;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return NO_LISTS;
  }
  const given = record(value);
  const found = new Map<string, WatchList>();
  for (const one of Array.isArray(given['lists']) ? given['lists'].slice(0, LIST_LIMITS.lists) : []) {
    const list = parseList(one);
    if (list !== null && !found.has(list.id)) found.set(list.id, list);
  }
  const lists = [...found.values()];
  const whole = found.has(ALL_LIST.id) ? lists : [ALL_LIST, ...lists];
  const pairs = Object.entries(record(given['pairs'])).slice(0, LIST_LIMITS.pairs).filter((pair): pair is [string, string] => isId(pair[0]) && (pair[1] === '' || isId(pair[1])));
  return {
    lists: whole, current: whole.find(({ id }) => id === given['current'])?.id ?? ALL_LIST.id,
    density: oneOf(DENSITIES, given['density'], NO_LISTS.density), pairs: Object.fromEntries(pairs),
  };
}
