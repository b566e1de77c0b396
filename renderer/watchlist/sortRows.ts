/** The order of rows by a column: exact, without a value last whichever way, equal ones in the list's own order. */
import type { FeedState } from '../../shared/channels.ts';
import { compare, parseDecimal } from '../../shared/decimal.ts';
import { columnOf, type RowValues } from './columns.ts';
import type { SortColumn, WatchList } from './lists.ts';

const RANK: Readonly<Record<FeedState, number>> = { disconnected: 0, stalled: 1, nodata: 2, quiet: 3, live: 4, closed: 5 };

interface Key {
  readonly id: string;
  readonly place: number;
  readonly text: string | null;
  /** Order of doubles is that of the decimals wherever they differ. */
  readonly number: number;
}

const valueOf = (by: SortColumn, row: RowValues): string | null =>
  by === 'index' ? row.id : by === 'state' ? String(RANK[row.quote?.state ?? 'nodata']) : columnOf(by).value(row);

function exactly(a: string, b: string): number {
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  return x === undefined || y === undefined ? 0 : compare(x, y);
}

/** `ids` in the order that `sort` asks for. An older price has the greater age. */
export function sortIds(ids: readonly string[], sort: NonNullable<WatchList['sort']>, rowOf: (id: string) => RowValues): string[] {
  const numeric = sort.by === 'state' || (sort.by !== 'index' && columnOf(sort.by).numeric);
  const sign = sort.down === (sort.by === 'age') ? 1 : -1;
  const keys = ids.map((id, place): Key => {
    const text = valueOf(sort.by, rowOf(id));
    return { id, place, text, number: numeric && text !== null ? Number(text) : 0 };
  });
  keys.sort((a, b) => {
    if (a.text === null || b.text === null) return a.text === b.text ? a.place - b.place : a.text === null ? 1 : -1;
    const order = numeric ? a.number - b.number || exactly(a.text, b.text) : a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
    return order * sign || a.place - b.place;
  });
  return keys.map(({ id }) => id);
}
