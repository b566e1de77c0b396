/** The first reading of a file: what all its rows together say about order, separators, spacing and symbols. Decides nothing. */
import { DAY } from '../../../shared/time.ts';
import { dayNumber } from '../../../shared/zone.ts';
import { type Header, unusedColumns } from './columns.ts';
import { numberEvidence, type StyleVerdict } from './number.ts';
import { microsStamp } from './ownExport.ts';
import type { CsvRecord } from './records.ts';
import { type DateOrder, type EpochUnit, orderedDate, readStamp, undecidedDate } from './stamp.ts';

export const MAX_SYMBOLS = 10_000;
const MAX_OPENS = 2000;

/** What the stamps say, read in one date order. */
export interface StampStats {
  rows: number;
  instants: number;
  /** Dates without a time of day, spreadsheet days among them. */
  dates: number;
  serials: number;
  /** Every stamp is exactly at midnight, of its own clock or of UTC. */
  midnights: boolean;
  up: number;
  down: number;
  /** Smallest step between neighbours of one symbol, microseconds; null: none. */
  step: bigint | null;
  readonly units: Set<EpochUnit>;
  /** First wall clocks after a gap of a day or more. */
  readonly opens: { readonly date: string; readonly ofDay: bigint }[];
}

export interface Survey {
  readonly records: number;
  /** Rows as wide as the header, and the width most others have. */
  readonly fitting: number;
  readonly otherWidth: number | null;
  readonly numbers: StyleVerdict;
  /** By date order; only `dmy` where no date depends on it. */
  readonly stamps: ReadonlyMap<DateOrder, StampStats>;
  /** A date that depends on the order, and for each order how many such dates it can't read and how many it puts on a weekend. */
  readonly undecided: { readonly example: string; readonly dotted: boolean; readonly orders: ReadonlyMap<DateOrder, { readonly failures: number; readonly weekends: number }> } | null;
  readonly symbols: ReadonlySet<string>;
  /** Values of Stooq's `<PER>` and Databento's `rtype`. */
  readonly periods: ReadonlySet<string>;
  /** All prices are integers; all have four decimals. */
  readonly integers: boolean;
  readonly fourDecimals: boolean;
  /** Some row of the column of trade prices holds one: quotes of contracts leave it empty or 0. */
  readonly priced: boolean;
  readonly unused: readonly string[];
  /** Some dates depend on the order, and some do not. */
  readonly mixed: boolean;
}

const PRICES = ['open', 'high', 'low', 'close', 'price', 'bid', 'ask'] as const;
const ORDERS: readonly DateOrder[] = ['dmy', 'mdy'];
const ORDERS_SHORT: readonly DateOrder[] = ['dmy', 'mdy', 'ymd'];

/** A row's cells without the empty ones past the header's width. */
export function rowWidth(cells: readonly string[], width: number): number {
  let length = cells.length;
  while (length > width && (cells[length - 1] ?? '').trim() === '') length -= 1;
  return length;
}

const newStats = (): StampStats => ({ rows: 0, instants: 0, dates: 0, serials: 0, midnights: true, up: 0, down: 0, step: null, units: new Set(), opens: [] });

function statsOf(read: typeof readStamp): { readonly stats: StampStats; readonly see: (symbol: string, text: string, order: DateOrder, clock: string | null) => void } {
  const stats = newStats();
  const before = new Map<string, bigint | undefined>();
  /** Not in `before` yet: most files hold one symbol. */
  let latest: { symbol: string; at: bigint | undefined } = { symbol: '', at: undefined };
  return {
    stats,
    see(symbol, text, order, clock) {
      const stamp = read(text, order, clock);
      if (stamp.kind === 'bad') return;
      stats.rows += 1;
      let at: bigint;
      if (stamp.kind === 'instant') {
        at = stamp.time;
        stats.instants += 1;
        if (stamp.unit) stats.units.add(stamp.unit);
      } else {
        at = dayNumber(stamp.date) * DAY + (stamp.ofDay ?? 0n);
        if (stamp.ofDay === null) stats.dates += 1;
        if (stamp.serial) stats.serials += 1;
      }
      if (stats.midnights && at % DAY !== 0n) stats.midnights = false;
      const last = symbol === latest.symbol ? latest.at : before.get(symbol);
      if (symbol !== latest.symbol) before.set(latest.symbol, latest.at);
      latest = { symbol, at };
      if (last === undefined) return;
      const step = at > last ? at - last : last - at;
      if (at > last) stats.up += 1;
      else if (at < last) stats.down += 1;
      if (step > 0n && (stats.step === null || step < stats.step)) stats.step = step;
      if (step >= DAY && at > last && stamp.kind === 'local' && stamp.ofDay !== null && stats.opens.length < MAX_OPENS) stats.opens.push({ date: stamp.date, ofDay: stamp.ofDay });
    },
  };
}

/** Reads all rows after the header. `width`: the header's, trailing unnamed columns apart. */
export async function survey(records: AsyncIterable<readonly CsvRecord[]>, header: Header, width: number): Promise<Survey> {
  const { columns } = header;
  const numbers = numberEvidence();
  const byOrder = new Map<DateOrder, ReturnType<typeof statsOf>>();
  const under = (order: DateOrder): ReturnType<typeof statsOf> => {
    let found = byOrder.get(order);
    if (!found) byOrder.set(order, (found = statsOf(header.own ? microsStamp : readStamp)));
    return found;
  };
  const failures = new Map<DateOrder, { failures: number; weekends: number }>();
  const symbols = new Set<string>();
  const periods = new Set<string>();
  const widths = new Map<number, number>();
  const rtype = header.names.indexOf('rtype');
  let lastSymbol: string | null = null;
  const dates: { example: { text: string; dotted: boolean } | null } = { example: null };
  let [count, fitting, integers, fourDecimals, priced, decided] = [0, 0, true, true, false, false];
  const priceColumns = PRICES.flatMap((role) => columns[role] ?? []);
  under('dmy');
  const see = ({ line, cells, bad }: CsvRecord): void => {
    count += 1;
    if (line <= header.line || bad !== undefined) return;
    const size = rowWidth(cells, width);
    if (size !== width) {
      if (widths.size < 100 || widths.has(size)) widths.set(size, (widths.get(size) ?? 0) + 1);
      return;
    }
    fitting += 1;
    for (const column of priceColumns) {
      const cell = cells[column] ?? '';
      numbers.see(cell);
      if (integers && cell.includes('.')) integers = false;
      if (fourDecimals && !/\.\d{4}$/.test(cell)) fourDecimals = false;
    }
    if (!priced && columns.price !== undefined) priced = /[1-9]/.test(cells[columns.price] ?? '');
    if (columns.volume !== undefined) numbers.see(cells[columns.volume] ?? '');
    const symbol = columns.symbol === undefined ? '' : (cells[columns.symbol] ?? '').trim();
    if (columns.symbol !== undefined && symbol !== lastSymbol && symbols.size <= MAX_SYMBOLS) symbols.add((lastSymbol = symbol));
    if (columns.period !== undefined && periods.size < 100) periods.add((cells[columns.period] ?? '').trim());
    if (rtype !== -1 && periods.size < 100) periods.add((cells[rtype] ?? '').trim());
    const text = cells[columns.date ?? 0] ?? '';
    const clock = columns.time === undefined ? null : (cells[columns.time] ?? '');
    const date = undecidedDate(text);
    if (!date) {
      decided = true;
      under('dmy').see(symbol, text, 'dmy', clock);
      return;
    }
    const orders = date.year.length === 2 ? ORDERS_SHORT : ORDERS;
    const readings = orders.map((order) => orderedDate(date, order));
    if (readings.every((reading) => reading === null)) return; // no order reads it: a bad row, no evidence
    dates.example ??= { text, dotted: date.separator === '.' };
    for (const [i, order] of orders.entries()) {
      const tally = failures.get(order) ?? { failures: 0, weekends: 0 };
      failures.set(order, tally);
      const reading = readings[i];
      if (reading === null || reading === undefined) tally.failures += 1;
      else {
        if (isWeekend(reading)) tally.weekends += 1;
        under(order).see(symbol, text, order, clock);
      }
    }
  };
  for await (const some of records) for (const record of some) see(record);
  const { example } = dates;
  let otherWidth: number | null = null;
  for (const [size, rows] of widths) if (rows > (widths.get(otherWidth ?? -1) ?? 0)) otherWidth = size;
  return {
    records: count, fitting, otherWidth, numbers: numbers.verdict(), symbols, periods, integers, fourDecimals, priced, unused: unusedColumns(header), mixed: decided && example !== null,
    stamps: new Map([...byOrder].map(([order, { stats }]) => [order, stats])),
    undecided: example === null ? null : { example: example.text, dotted: example.dotted, orders: failures },
  };
}

/** 1970-01-01 was a Thursday. */
function isWeekend(date: string): boolean {
  const day = Number(((dayNumber(date) % 7n) + 7n) % 7n);
  return day === 2 || day === 3;
}
