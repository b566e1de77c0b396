/** Which column is what, by the names of a header line in any order and several languages. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import { splitZone, zoneOfWord } from './headerZone.ts';
import { type OwnColumns, ownHeader } from './ownExport.ts';

export const ROLES = ['date', 'time', 'open', 'high', 'low', 'close', 'volume', 'symbol', 'period', 'price', 'bid', 'ask'] as const;
export type Role = (typeof ROLES)[number];
export type Columns = Readonly<Partial<Record<Role, number>>>;

// The first name of a role that is there wins: tick counts before contracts that brokers leave 0, units before turnover.
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  date: ['window_start', 'ts_event', 'timestamp', 'datetime', 'date time', 'date/time', 'unix', 'unix timestamp', 'gmt time', 'utc time', 'utc', 'local time', 'date', 'day', 'datum', 'data', 'fecha', 'trading day', 't'],
  time: ['time', 'zeit', 'uhrzeit', 'czas', 'hora', 'heure'],
  open: ['open', 'o', 'erster', 'eröffnung', 'eroffnung', 'eroeffnung', 'öffnen', 'otwarcie', 'apertura', 'ouverture', '1. open'],
  high: ['high', 'h', 'hoch', 'tageshoch', 'najwyzszy', 'máximo', 'maximo', 'haut', 'plus haut', 'max', '2. high'],
  low: ['low', 'l', 'tief', 'tagestief', 'najnizszy', 'mínimo', 'minimo', 'bas', 'plus bas', 'min', '3. low'],
  close: ['close', 'c', 'close/last', 'schlusskurs', 'schluss', 'letzter', 'zuletzt', 'zamkniecie', 'cierre', 'clôture', 'cloture', 'último', 'ultimo', 'last', '4. close'],
  volume: ['tickvol', 'tick volume', 'stuecke', 'stücke', 'stück', 'volume', 'vol', 'vol.', 'v', 'volumen', 'umsatz', 'wolumen', 'volumem', 'size', '5. volume'],
  symbol: ['ticker', 'symbol', 'sym', 'instrument'],
  period: ['per'],
  price: ['price', 'last', 'value', 'kurs'],
  bid: ['bid', 'bid price', 'bidprice'],
  ask: ['ask', 'ask price', 'askprice', 'offer'],
};

/** Stamps where no column of the names above is one, or the clock beside a bare date. A bar's start is taken before its end. */
const PLAIN = ['ts'];
const STARTS = ['open time', 'opentime', 'open_time', 'start', 'start time', 'start_time', 'starttime', 'bar start', 'bar_start'];
const ENDS = ['close time', 'closetime', 'close_time', 'end', 'end time', 'end_time', 'endtime', 'bar end', 'bar_end'];
const BARE_DATE = /^(?:date|day|datum|data|fecha|trading day)$/;

/** A header cell as the names above are written. */
export const columnName = (cell: string): string => cell.trim().replace(/^[<["]+|[>\]"]+$/g, '').trim().toLowerCase();

export interface Header {
  readonly line: number;
  readonly names: readonly string[];
  readonly columns: Columns;
  /** `bars`: open, high, low and close are there. */
  readonly kind: 'bars' | 'ticks';
  /** What the name of the stamp says that it is of a bar; left out: nothing. */
  readonly stamps?: 'start' | 'end';
  /** In brackets behind the name of a stamp, as written: `EST`. */
  readonly zoneWord?: string;
  /** Of our own exports. */
  readonly own?: OwnColumns;
}

/** Reads a line as a header; null where it names no time or no price. BAD_INPUT where two columns carry the same name. */
export function readHeader(cells: readonly string[], line: number, file: string): Result<Header | null> {
  const names = cells.map(columnName);
  const own = ownHeader(names, line, file);
  if (!own.ok || own.value) return own;
  const columns: Partial<Record<Role, number>> = {};
  for (const role of ROLES) {
    const found = NAMES[role].find((name) => names.includes(name));
    if (found === undefined) continue;
    const at = names.indexOf(found);
    if (names.indexOf(found, at + 1) !== -1) return twice(file, line, found, at, names.indexOf(found, at + 1));
    columns[role] = at;
  }
  const stamp = findStamp(cells, names, columns, line, file);
  if (!stamp.ok) return stamp;
  if (columns.date === undefined) return ok(null);
  // a stamp that is whole needs no clock of its own beside it; `readStamp` sees only what it needs
  if (!stamp.value.bareDate) delete columns.time;
  const { zoneWord, stamps } = stamp.value;
  const told = { ...(zoneWord === undefined ? {} : { zoneWord }), ...(stamps === undefined ? {} : { stamps }) };
  const { open, high, low } = columns;
  if (open !== undefined && high !== undefined && low !== undefined) {
    if (columns.close === undefined && columns.price !== undefined) columns.close = columns.price; // Investing.com's close is "Price"
    if (columns.close === undefined) return ok(null);
    delete columns.price; // beside a close, another price column is one that nothing is read from
    return ok({ line, names, columns, kind: 'bars', ...told });
  }
  if (columns.price === undefined && columns.close !== undefined) columns.price = columns.close;
  for (const role of ['open', 'high', 'low', 'close'] as const) delete columns[role];
  return ok(columns.price === undefined && columns.bid === undefined ? null : { line, names, columns, kind: 'ticks', ...told });
}

const twice = (file: string, line: number, name: string, a: number, b: number): Result<never> =>
  failed(problem('BAD_INPUT', `${file}: line ${line} names two columns ${JSON.stringify(name)} (${a + 1} and ${b + 1})`, 'rename one of them'));

interface StampColumns {
  readonly bareDate: boolean;
  readonly stamps?: 'start' | 'end' | undefined;
  readonly zoneWord?: string | undefined;
}

/** Completes `columns` with the date and its clock. */
function findStamp(cells: readonly string[], names: readonly string[], columns: Partial<Record<Role, number>>, line: number, file: string): Result<StampColumns> {
  const words: string[] = [];
  for (const role of ['date', 'time'] as const) {
    const found = columns[role] === undefined ? bracketed(cells, NAMES[role], line, file) : ok(null);
    if (!found.ok) return found;
    if (found.value === null) continue;
    columns[role] = found.value.at;
    if (!words.includes(found.value.word)) words.push(found.value.word);
  }
  // two words contradict each other, and mean no one zone together
  const zoneWord = words.length === 0 ? undefined : words.join(' / ');
  if (columns.date === undefined && columns.time !== undefined) {
    columns.date = columns.time; // a lone "time" holds the date too
    delete columns.time;
  }
  const named = columns.date === undefined ? '' : (splitZone(names[columns.date] ?? '')?.name ?? names[columns.date] ?? '');
  const bareDate = BARE_DATE.test(named);
  if (columns.date !== undefined && (!bareDate || columns.time !== undefined)) return ok({ bareDate, zoneWord });
  const late = [...PLAIN, ...STARTS, ...ENDS].find((name) => names.includes(name));
  if (late === undefined) return ok({ bareDate, zoneWord });
  const at = names.indexOf(late);
  if (names.indexOf(late, at + 1) !== -1) return twice(file, line, late, at, names.indexOf(late, at + 1));
  columns[bareDate ? 'time' : 'date'] = at;
  return ok({ bareDate, zoneWord, stamps: STARTS.includes(late) ? 'start' : ENDS.includes(late) ? 'end' : undefined });
}

/** The column whose name has a zone in brackets behind it: of several, the one in UTC. */
function bracketed(cells: readonly string[], wanted: readonly string[], line: number, file: string): Result<{ readonly at: number; readonly word: string } | null> {
  const split = cells.map((cell) => splitZone(cell.trim().replaceAll('"', '')));
  for (const name of wanted) {
    const found = split.flatMap((one, at) => (one !== null && columnName(one.name) === name ? [{ at, word: one.word }] : []));
    const [first, second] = found;
    if (first === undefined) continue;
    const utc = found.find(({ word }) => zoneOfWord(word) === 'UTC');
    if (second !== undefined && utc === undefined) return twice(file, line, name, first.at, second.at);
    return ok(utc ?? first);
  }
  return ok(null);
}

/** Names of the columns that nothing is read from. */
export function unusedColumns(header: Header): string[] {
  const used = new Set<number | null>([...Object.values(header.columns), ...Object.values(header.own ?? {})]);
  return header.names.filter((name, at) => name !== '' && !used.has(at));
}
