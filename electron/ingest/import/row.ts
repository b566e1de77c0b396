/** One record to a checked row by the plan, or the reason why it is none. */
import { type Decimal, fromScaled } from '../../../shared/decimal.ts';
import type { IndexId, Resolution } from '../../../shared/rowKey.ts';
import { DAY, type EpochMicros, floorMod, micros, MIN_MICROS, SECOND } from '../../../shared/time.ts';
import { atLocalFirst, localDate } from '../../../shared/zone.ts';
import { checkPrices } from '../sourceBar.ts';
import { columnName, type Role } from './columns.ts';
import { localOrder, type Resolved } from './localOrder.ts';
import { readNumber } from './number.ts';
import { microsStamp, type Origin, originOf } from './ownExport.ts';
import { fileIndex, PERIODS, type Plan, type ImportOptions, stooqPeriod } from './plan.ts';
import type { CsvRecord } from './records.ts';
import { readStamp } from './stamp.ts';
import { rowWidth } from './survey.ts';
import { exactId, indexOf } from './symbols.ts';

interface RowBase {
  readonly line: number;
  readonly index: IndexId;
  readonly time: EpochMicros;
  readonly volume: Decimal | null;
}

export interface BarRow extends RowBase {
  readonly kind: 'bar';
  /** Null where neither the file nor the user tells it: such bars can be shown, not written. */
  readonly period: Resolution | null;
  /** `YYYY-MM-DD`, days only. */
  readonly sessionDate: string | null;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
}

export interface TickRow extends RowBase {
  readonly kind: 'tick';
  /** 0..999 below the microsecond. */
  readonly nanos: number;
  readonly price: Decimal;
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  /** Of our own exports. */
  readonly origin?: Origin;
}

export type ImportRow = BarRow | TickRow;
type Outcome = { readonly row: ImportRow } | Reason | null;

interface Reason {
  readonly reason: string;
}

const UNDEF_PRICE = '9223372036854775807';

const startsWithDigit = (text: string): boolean => text.charCodeAt(0) >= 48 && text.charCodeAt(0) <= 57;

/** The end of a bar whose last millisecond or microsecond is written in place of it (10:00:59.999). */
function endOf(time: EpochMicros): bigint {
  const left = floorMod(time, SECOND);
  return left === 999_000n ? time + 1000n : left === 999_999n ? time + 1n : time;
}

export interface RowReader {
  /** Null for the header. */
  readonly read: (record: CsvRecord) => Outcome;
  /** Rows whose wall clock occurred twice, told apart by their order. */
  readonly twice: () => number;
}

export function rowReader(file: string, plan: Plan, options: ImportOptions): RowReader {
  const { header, width, zone } = plan;
  const { columns } = header;
  const fixed = options.index ?? fileIndex(plan.vendor, file);
  const locals = new Map<string, (date: string, ofDay: bigint) => Resolved>();
  let twice = 0;
  const wordy = !startsWithDigit(header.names[0] ?? '');
  const ids = new Map<string, IndexId | null>();
  /** At most MAX_SYMBOLS of them: the plan refuses more. */
  function idOf(symbol: string): IndexId | null {
    let found = ids.get(symbol);
    if (found === undefined) ids.set(symbol, (found = (header.own ? exactId : indexOf)(symbol)));
    return found;
  }

  const cell = (cells: readonly string[], role: Role): string | null => (columns[role] === undefined ? null : (cells[columns[role]] ?? ''));

  function read({ line, cells, bad: unreadable }: CsvRecord): Outcome {
    if (unreadable !== undefined) return { reason: unreadable };
    if (line <= header.line) return line === header.line ? null : { reason: 'preamble line: skip' };
    const size = rowWidth(cells, width);
    if (size !== width) {
      const filled = cells.filter((text) => text.trim() !== '');
      if (filled.length === 0) return null;
      if (filled[0]?.trimStart().startsWith('<') === true) return { reason: 'markup instead of data: the download may be cut here' };
      if (filled.length === 1 && readStamp(filled[0] ?? '', 'dmy').kind === 'bad') return { reason: 'footer line: skip' };
      return { reason: size < width ? 'short row' : `long row: ${size} fields, ${width} columns` };
    }
    if (cells.every((text) => text.trim() === '')) return null;
    if (header.line > 0 && !(wordy && startsWithDigit(cells[0] ?? '')) && cells.every((text, at) => columnName(text) === (header.names[at] ?? ''))) return { reason: 'the header again: skip' };
    const symbol = cell(cells, 'symbol');
    const index = fixed ?? (symbol === null ? null : idOf(symbol));
    if (index === null) return { reason: `not an index id: ${JSON.stringify((symbol ?? '').slice(0, 40))}` };
    const per = cell(cells, 'period');
    const period = plan.period ?? (per === null ? null : stooqPeriod(per));
    if (per !== null && period === null) return { reason: `bars of period ${JSON.stringify(per.slice(0, 20))} are not kept` };
    return header.kind === 'bars' ? bar(line, cells, index, period) : tick(line, cells, index);
  }

  function number(cells: readonly string[], role: Role): Decimal | null | Reason {
    const text = cell(cells, role);
    if (text === null) return null;
    if (plan.scaled && role !== 'volume') {
      if (text.trim() === UNDEF_PRICE) return { reason: 'UNDEF_PRICE (int64 max) is a null' };
      return /^-?\d{1,19}$/.test(text.trim()) ? fromScaled(BigInt(text.trim()), 9) : bad(role, text);
    }
    const found = readNumber(text, plan.style);
    if (found.kind === 'number') return found.value;
    return found.kind === 'absent' ? null : found.kind === 'nan' ? { reason: 'NaN' } : bad(role, text);
  }
  const bad = (role: Role, text: string): Reason => ({ reason: `${role} is not a number: ${JSON.stringify(text.slice(0, 40))}` });
  const isReason = (value: Decimal | null | Reason): value is Reason => value !== null && typeof value === 'object';

  function when(cells: readonly string[], index: IndexId, daily: boolean, ties: boolean): { time: EpochMicros; nanos: number; date: string | null } | string {
    const stamp = header.own ? microsStamp(cell(cells, 'date') ?? '') : readStamp(cell(cells, 'date') ?? '', plan.order, daily ? null : cell(cells, 'time'));
    if (stamp.kind === 'bad') return stamp.reason;
    if (daily) {
      const home = plan.dayZone(index);
      if (home === null) return `the zone of ${index}'s exchange is not known`;
      // vendors stamp days at UTC midnight or at the exchange's
      const date = stamp.kind === 'local' ? stamp.date : localDate(floorMod(stamp.time, DAY) === 0n ? 'UTC' : home, stamp.time);
      try {
        return { time: atLocalFirst(home, date, 0n), nanos: 0, date };
      } catch {
        return 'outside the years 1 to 9999';
      }
    }
    if (stamp.kind === 'instant') return { time: stamp.time, nanos: stamp.nanos, date: null };
    if (stamp.ofDay === null && !stamp.serial) return 'no time of day';
    if (zone === null) return 'a local time in a file of instants';
    let resolve = locals.get(index);
    if (!resolve) locals.set(index, (resolve = localOrder(zone, plan.descending, ties)));
    const found = resolve(stamp.date, stamp.ofDay ?? 0n);
    if ('reason' in found) return found.reason;
    if (found.twice) twice += 1;
    return { time: found.time, nanos: stamp.nanos, date: null };
  }

  function bar(line: number, cells: readonly string[], index: IndexId, period: Resolution | null): Outcome {
    const daily = plan.daily || period === '1d';
    const at = when(cells, index, daily, true);
    if (typeof at === 'string') return { reason: at };
    const [open, high, low, close] = [number(cells, 'open'), number(cells, 'high'), number(cells, 'low'), number(cells, 'close')];
    if (open === null && high === null && low === null && close === null) return { reason: 'null row (holiday): skip and count, not an error' };
    if (isReason(open)) return open;
    if (isReason(high)) return high;
    if (isReason(low)) return low;
    if (isReason(close)) return close;
    if (open === null || high === null || low === null || close === null) return { reason: 'a price is missing' };
    const prices = checkPrices({ open, high, low, close }, options.outside ?? 'reject');
    if (typeof prices === 'string') return { reason: prices };
    const volume = number(cells, 'volume');
    if (isReason(volume)) return volume;
    const time = options.stamp === 'end' && period !== null && period !== '1d' ? endOf(at.time) - PERIODS[period] : at.time;
    if (time < MIN_MICROS) return { reason: 'outside the years 1 to 9999' };
    return { row: { kind: 'bar', line, index, time: micros(time), period: daily ? '1d' : period, sessionDate: at.date, ...prices, volume } };
  }

  function tick(line: number, cells: readonly string[], index: IndexId): Outcome {
    const at = when(cells, index, false, false);
    if (typeof at === 'string') return { reason: at };
    const [last, bid, ask, volume] = [number(cells, 'price'), number(cells, 'bid'), number(cells, 'ask'), number(cells, 'volume')];
    if (isReason(last)) return last;
    if (isReason(bid)) return bid;
    if (isReason(ask)) return ask;
    if (isReason(volume)) return volume;
    const price = columns.price === undefined ? bid : last;
    if (price === null) return { reason: 'no price' };
    if (!header.own) return { row: { kind: 'tick', line, index, time: at.time, nanos: at.nanos, price, bid, ask, volume } };
    const origin = originOf(cells, header.own);
    return typeof origin === 'string' ? { reason: origin } : { row: { kind: 'tick', line, index, time: at.time, nanos: 0, price, bid: null, ask: null, volume, origin } };
  }

  return { read, twice: () => twice };
}
