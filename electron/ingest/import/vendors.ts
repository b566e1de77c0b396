/** What is documented of each vendor's files: how to know them, their zone, date order and number style. */
import type { Resolution } from '../../../shared/rowKey.ts';
import type { Columns, Header } from './columns.ts';
import type { DateOrder } from './stamp.ts';

export interface Vendor {
  /** As `--format` takes it and `q:s` tells it. */
  readonly name: string;
  /** The vendor's documented zone; null: the file says it itself, or nobody does. */
  readonly zone: string | null;
  readonly order: DateOrder | null;
  /** Prices are written with a decimal point, always; else the file's cells decide. */
  readonly point: boolean;
  readonly period: Resolution | null;
  /** Files with a header line: whether it is this vendor's. */
  readonly header?: (names: ReadonlySet<string>, file: string) => boolean;
  /** Files without one: the columns, where a first row fits. */
  readonly headerless?: (cells: readonly string[], delimiter: string | null) => { readonly columns: Columns; readonly kind: Header['kind']; readonly width: number } | null;
}

const has = (names: ReadonlySet<string>, ...wanted: readonly string[]): boolean => wanted.every((name) => names.has(name));
const PLAIN = /^-?\d+(?:\.\d+)?$/;
const numbers = (cells: readonly string[]): boolean => cells.every((cell) => PLAIN.test(cell.trim()));

/** By rising generality; the first that fits is the one. `generic` fits every header that names a time and a price. */
export const vendors: readonly Vendor[] = [
  { name: 'stooq', zone: null, order: 'ymd', point: true, period: null, header: (names) => has(names, 'ticker', 'per', 'date', 'time') },
  { name: 'mt5', zone: null, order: 'ymd', point: true, period: null, header: (names) => has(names, 'date', 'time') && (names.has('tickvol') || has(names, 'bid', 'ask', 'flags')) },
  { name: 'massive', zone: null, order: null, point: true, period: null, header: (names) => has(names, 'ticker', 'window_start') },
  { name: 'databento', zone: null, order: null, point: true, period: null, header: (names) => has(names, 'ts_event', 'rtype') },
  { name: 'yahoo', zone: null, order: 'ymd', point: true, period: null, header: (names) => has(names, 'date', 'open', 'high', 'low', 'close', 'adj close', 'volume') },
  { name: 'investing', zone: null, order: null, point: false, period: null, header: (names) => has(names, 'price', 'open', 'high', 'low') && (names.has('change %') || names.has('vol.')) },
  { name: 'nasdaq', zone: null, order: 'mdy', point: true, period: '1d', header: (names) => names.has('close/last') },
  { name: 'barchart', zone: null, order: 'mdy', point: true, period: null, header: (names) => has(names, 'time', 'last', '%chg') },
  { name: 'mplfinance', zone: 'America/New_York', order: 'mdy', point: true, period: null, header: (_names, file) => file.startsWith('mplfinance_') },
  { name: 'alphavantage', zone: 'America/New_York', order: 'ymd', point: true, period: null, header: (names) => names.size === 6 && has(names, 'timestamp', 'open', 'high', 'low', 'close', 'volume') },
  {
    name: 'histdata', zone: '-05:00', order: 'ymd', point: true, period: '1m',
    headerless: (cells) => (cells.length === 6 && /^\d{8} \d{6}$/.test(cells[0] ?? '') && numbers(cells.slice(1)) ? { columns: { date: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 }, kind: 'bars', width: 6 } : null),
  },
  {
    name: 'histdata-tick', zone: '-05:00', order: 'ymd', point: true, period: null,
    headerless: (cells) => (cells.length === 4 && /^\d{8} \d{9}$/.test(cells[0] ?? '') && numbers(cells.slice(1)) ? { columns: { date: 0, bid: 1, ask: 2, volume: 3 }, kind: 'ticks', width: 4 } : null),
  },
  {
    name: 'mt4', zone: null, order: 'ymd', point: true, period: null,
    headerless: (cells) => (cells.length === 7 && /^\d{4}\.\d{2}\.\d{2}$/.test(cells[0] ?? '') && /^\d{2}:\d{2}(?::\d{2})?$/.test(cells[1] ?? '') && numbers(cells.slice(2)) ? { columns: { date: 0, time: 1, open: 2, high: 3, low: 4, close: 5, volume: 6 }, kind: 'bars', width: 7 } : null),
  },
  { name: 'frontrow', zone: null, order: null, point: true, period: null, header: (names) => has(names, 'eventmicros', 'sequence', 'price') },
  { name: 'generic', zone: null, order: null, point: false, period: null, header: () => true },
];

/** Names that `--format` takes; the last six are read by code of their own. */
export const formatNames: readonly string[] = ['auto', ...vendors.map(({ name }) => name), 'alphavantage-json', 'massive-json', 'json', 'json-lines', 'lean-trade', 'lean-quote'];

/** JSON formats and what of CSV is written as JSON too. */
export const jsonFormats: ReadonlySet<string> = new Set(['alphavantage-json', 'massive-json', 'json', 'json-lines']);
