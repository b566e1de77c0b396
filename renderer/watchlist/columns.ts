/** The columns a list can have: what each holds, as exact text, how wide it is, and which gives way first. */
import type { IndexView, QuoteView, ReferenceView } from '../../shared/channels.ts';
import { parseDecimal, percentChange } from '../../shared/decimal.ts';
import { delayWords } from '../state/notes.ts';
import { stateWords } from '../state/words.ts';
import { rangePercent } from './rangePercent.ts';
import { yearRange } from './yearRange.ts';

/** All that a row knows. */
export interface RowValues {
  readonly id: string;
  readonly quote: QuoteView | undefined;
  readonly info: IndexView | undefined;
  readonly reference: ReferenceView | undefined;
}

export const COLUMN_IDS = [
  'trend', 'last', 'percent', 'points', 'open', 'high', 'low', 'range', 'age', 'status', 'fromOpen', 'fromHour', 'fromWeek', 'fromMonth', 'fromYear', 'year', 'delay', 'source',
] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

export interface Column {
  readonly id: ColumnId;
  /** Over the column. */
  readonly title: string;
  /** In full, for choosing and for screen readers. */
  readonly name: string;
  readonly kind: 'price' | 'signed' | 'percent' | 'bar' | 'trend' | 'age' | 'text';
  /** Pixels; `narrow` in a list of 440 or less. */
  readonly width: number;
  readonly narrow: number;
  /** Where room is short the least kept goes first, among equals the rightmost. */
  readonly keep: number;
  /** Exact decimal text (of a percentage: in percent), an instant in microseconds for the age, words for text; null: none. */
  readonly value: (row: RowValues) => string | null;
  /** Values are numbers: sorted and copied as such. */
  readonly numeric: boolean;
  /** Needs prices of the past from the host. */
  readonly past?: boolean;
}

/** Percent from an earlier price to the last one, four places; null without either. */
export function percentFrom(from: string | null | undefined, row: RowValues): string | null {
  const [base, last] = [parseDecimal(from ?? ''), parseDecimal(row.quote?.price ?? '')];
  return base === undefined || last === undefined ? null : (percentChange(base, last) ?? null);
}

const at = (percent: number | undefined): string | null => (percent === undefined ? null : percent.toFixed(1));

const percent = (id: ColumnId, title: string, name: string, from: (row: RowValues) => string | null | undefined, past = true): Column =>
  ({ id, title, name, kind: 'percent', width: 60, narrow: 56, keep: 50, value: (row) => percentFrom(from(row), row), numeric: true, past });
const price = (id: ColumnId, title: string, name: string, value: Column['value'], keep = 50): Column => ({ id, title, name, kind: 'price', width: 78, narrow: 76, keep, value, numeric: true });

const ALL: readonly Column[] = [
  { id: 'trend', title: 'trend', name: 'Trend line', kind: 'trend', width: 46, narrow: 46, keep: 40, value: () => null, numeric: false },
  price('last', 'last', 'Last price', ({ quote }) => quote?.price ?? null, 100),
  { id: 'percent', title: '%', name: 'Change in percent', kind: 'percent', width: 54, narrow: 50, keep: 90, value: ({ quote }) => quote?.changePercent ?? null, numeric: true },
  { id: 'points', title: 'points', name: 'Change in points', kind: 'signed', width: 64, narrow: 62, keep: 20, value: ({ quote }) => quote?.change ?? null, numeric: true },
  price('open', 'open', 'Open', ({ quote }) => quote?.day?.open ?? null),
  price('high', 'high', 'Day\'s high', ({ quote }) => quote?.day?.high ?? null),
  price('low', 'low', 'Day\'s low', ({ quote }) => quote?.day?.low ?? null),
  {
    id: 'range', title: 'range', name: 'Place in the day\'s range', kind: 'bar', width: 40, narrow: 40, keep: 10, numeric: true,
    value: ({ quote }) => (quote?.day && quote.price !== null ? at(rangePercent(quote.price, quote.day.low, quote.day.high)) : null),
  },
  { id: 'age', title: 'age', name: 'Age', kind: 'age', width: 52, narrow: 50, keep: 80, value: ({ quote }) => quote?.eventMicros ?? null, numeric: true },
  { id: 'status', title: 'status', name: 'State in words', kind: 'text', width: 108, narrow: 96, keep: 50, value: ({ quote }) => (quote ? stateWords(quote) : 'no data'), numeric: false },
  percent('fromOpen', 'open %', 'Change from the open', ({ quote }) => quote?.day?.open, false),
  percent('fromHour', '1h %', 'Change from an hour ago', ({ reference }) => reference?.hour?.price),
  percent('fromWeek', '1w %', 'Change from a week ago', ({ reference }) => reference?.week?.price),
  percent('fromMonth', '1m %', 'Change from a month ago', ({ reference }) => reference?.month?.price),
  percent('fromYear', '1y %', 'Change from a year ago', ({ reference }) => reference?.year?.price),
  {
    id: 'year', title: '52 wk', name: 'Place in the range of 52 weeks', kind: 'bar', width: 46, narrow: 46, keep: 50, numeric: true, past: true,
    value(row) {
      const range = yearRange(row);
      return range && row.quote?.price != null ? at(rangePercent(row.quote.price, range.low, range.high)) : null;
    },
  },
  { id: 'delay', title: 'delay', name: 'Declared delay', kind: 'text', width: 50, narrow: 50, keep: 50, value: ({ info }) => (info && info.delayMs > 0 ? delayWords(info.delayMs) : null), numeric: false },
  { id: 'source', title: 'source', name: 'Source', kind: 'text', width: 90, narrow: 80, keep: 50, value: ({ quote }) => quote?.source ?? null, numeric: false },
];
const BY_ID = new Map(ALL.map((column) => [column.id, column]));

export function columnOf(id: ColumnId): Column {
  const column = BY_ID.get(id);
  if (!column) throw new Error(`no column ${id}`);
  return column;
}

export const DEFAULT_COLUMNS: readonly ColumnId[] = ['trend', 'last', 'percent', 'points', 'range', 'age'];

export const NARROW = 440;
const STATE_WIDTH = 14;
const INDEX_LEAST = 56;

export interface Fitted {
  readonly columns: readonly Column[];
  readonly left: readonly Column[];
  /** As `grid-template-columns`. */
  readonly template: string;
  readonly narrow: boolean;
}

/** The columns that fit into a list of `width` pixels, in the list's order, and those left out. The last price always stays. */
export function fitColumns(ids: readonly ColumnId[], width: number): Fitted {
  const narrow = width <= NARROW;
  const [padding, gap] = narrow ? [16, 4] : [22, 5];
  const wide = (column: Column): number => (narrow ? column.narrow : column.width) + gap;
  const kept = ids.map(columnOf);
  let sum = padding + STATE_WIDTH + gap + INDEX_LEAST + kept.reduce((total, column) => total + wide(column), 0);
  const left: Column[] = [];
  while (sum > width && kept.length > 1) {
    const least = kept.reduce((low, column, place) => (column.keep <= (kept[low]?.keep ?? Infinity) ? place : low), 0);
    const [gone] = kept.splice(least, 1);
    if (!gone) break;
    left.push(gone);
    sum -= wide(gone);
  }
  return { columns: kept, left, narrow, template: [`${STATE_WIDTH}px`, `minmax(${INDEX_LEAST}px, 1fr)`, ...kept.map((column) => `${narrow ? column.narrow : column.width}px`)].join(' ') };
}
