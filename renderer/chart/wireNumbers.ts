/** Decimal text of the wire to doubles, quickly and strictly: what a chart's pixels are made from. */
import type { HistoryAnswer } from '../../shared/channels.ts';
import { parseDecimal, toPixelNumber } from '../../shared/decimal.ts';

const ZERO = 48;
const POINT = 46 - ZERO;

/**
 * Plain digits with at most one point and at most 15 digits beside it, or NaN. Stricter than Number(), and quicker: a history has 20,000
 * of them. The first nine digits fit a small integer, whose arithmetic costs least.
 */
function plainNumber(text: string): number {
  const length = text.length;
  if (length === 0 || length > 16) return Number.NaN;
  let point = -1;
  let head = 0;
  let tail = 0;
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) {
      if (digit !== POINT || point >= 0) return Number.NaN;
      point = i;
    } else if (i < SMALL) head = head * 10 + digit;
    else tail = tail * 10 + digit;
  }
  const value = length <= SMALL ? head : head * (TENS[length - SMALL - (point >= SMALL ? 1 : 0)] ?? Number.NaN) + tail;
  if (point < 0) return value > Number.MAX_SAFE_INTEGER ? Number.NaN : value;
  const places = length - point - 1;
  // Both are exact doubles, so their quotient is the double nearest to the decimal, as Number() gives.
  return point === 0 || places === 0 ? Number.NaN : value / (TENS[places] ?? Number.NaN);
}
const SMALL = 9;
const TENS = Array.from({ length: 17 }, (_, power) => 10 ** power);

/** Microseconds as a double, exact in the years 1685..2255; undefined for anything else. */
export function readMicros(text: string): number | undefined {
  const value = plainNumber(text);
  if (Number.isSafeInteger(value) && !text.includes('.')) return value;
  const other = /^-\d{1,16}$/.test(text) ? Number(text) : Number.NaN; // before 1970
  return Number.isSafeInteger(other) ? other : undefined;
}

/** A price as a double, for pixels only; undefined when it is no decimal text. Most are plain and short, the rest takes the full grammar. */
export function readPrice(text: string): number | undefined {
  const value = plainNumber(text);
  if (!Number.isNaN(value)) return value;
  const parsed = parseDecimal(text);
  return parsed === undefined ? undefined : toPixelNumber(parsed);
}

/** What an answer's text says, by position: microseconds, and prices for pixels. */
export interface Numbers {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** An answer whose text was read as it arrived, part by part: so a long one holds nobody up at its end. */
export interface ReadHistory extends HistoryAnswer {
  readonly numbers?: Numbers;
}

/** All times and values of an answer that is in order and readable throughout, as nearly every one is; else undefined. */
export function readAnswer({ times, sequences, prices }: HistoryAnswer): Numbers | undefined {
  const read: { times: number[]; values: number[] } = { times: [], values: [] };
  let newest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < times.length; i++) {
    const time = plainNumber(times[i] ?? '');
    const value = plainNumber(prices[i] ?? '');
    if (!Number.isSafeInteger(time) || time < newest || (time === newest && (sequences[i] ?? 0) <= (sequences[i - 1] ?? 0)) || Number.isNaN(value)) return undefined;
    read.times.push(time);
    read.values.push(value);
    newest = time;
  }
  return read;
}
