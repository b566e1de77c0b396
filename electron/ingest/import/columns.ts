/** Which column is what, by the names of a header line in any order and several languages. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';

export const ROLES = ['date', 'time', 'open', 'high', 'low', 'close', 'volume', 'symbol', 'period', 'price', 'bid', 'ask'] as const;
export type Role = (typeof ROLES)[number];
export type Columns = Readonly<Partial<Record<Role, number>>>;

// The first name of a role that is there wins: tick counts before contracts that brokers leave 0, units before turnover.
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  date: ['window_start', 'ts_event', 'timestamp', 'datetime', 'date time', 'date/time', 'unix', 'unix timestamp', 'gmt time', 'utc time', 'utc', 'time (utc)', 'timestamp (utc)', 'date (utc)', 'date (gmt)', 'local time', 'open time', 'opentime', 'date', 'day', 'datum', 'data', 'fecha', 'trading day', 't'],
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

/** A header cell as the names above are written. */
export const columnName = (cell: string): string => cell.trim().replace(/^[<["]+|[>\]"]+$/g, '').trim().toLowerCase();

export interface Header {
  readonly line: number;
  readonly names: readonly string[];
  readonly columns: Columns;
  /** `bars`: open, high, low and close are there. */
  readonly kind: 'bars' | 'ticks';
}

/** Reads a line as a header; null where it names no time or no price. BAD_INPUT where two columns carry the same name. */
export function readHeader(cells: readonly string[], line: number, file: string): Result<Header | null> {
  const names = cells.map(columnName);
  const columns: Partial<Record<Role, number>> = {};
  for (const role of ROLES) {
    const found = NAMES[role].find((name) => names.includes(name));
    if (found === undefined) continue;
    const at = names.indexOf(found);
    if (names.indexOf(found, at + 1) !== -1) {
      return failed(problem('BAD_INPUT', `${file}: line ${line} names two columns ${JSON.stringify(found)} (${at + 1} and ${names.indexOf(found, at + 1) + 1})`, 'rename one of them'));
    }
    columns[role] = at;
  }
  if (columns.date === undefined && columns.time !== undefined) {
    columns.date = columns.time; // a lone "time" holds the date too
    delete columns.time;
  }
  if (columns.date === undefined) return ok(null);
  // a stamp that is whole needs no clock of its own beside it; `readStamp` sees only what it needs
  if (names[columns.date] !== 'date' && !/^(?:day|datum|data|fecha|trading day)$/.test(names[columns.date] ?? '')) delete columns.time;
  const { open, high, low } = columns;
  if (open !== undefined && high !== undefined && low !== undefined) {
    if (columns.close === undefined && columns.price !== undefined) columns.close = columns.price; // Investing.com's close is "Price"
    if (columns.close === undefined) return ok(null);
    delete columns.price; // beside a close, another price column is one that nothing is read from
    return ok({ line, names, columns, kind: 'bars' });
  }
  if (columns.price === undefined && columns.close !== undefined) columns.price = columns.close;
  for (const role of ['open', 'high', 'low', 'close'] as const) delete columns[role];
  return ok(columns.price === undefined && columns.bid === undefined ? null : { line, names, columns, kind: 'ticks' });
}

/** Names of the columns that nothing is read from. */
export function unusedColumns(header: Header): string[] {
  const used = new Set(Object.values(header.columns));
  return header.names.filter((name, at) => name !== '' && !used.has(at));
}
