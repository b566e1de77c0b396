/** A vendor's bar as its file has it: checked, exact, with the line it stood on. */
import { compare, type Decimal, decimal, parseDecimal } from '../../shared/decimal.ts';
import type { Resolution } from '../../shared/rowKey.ts';
import type { EpochMicros } from '../../shared/time.ts';

export interface SourceBar {
  /** Line in the file, from 1. */
  readonly line: number;
  /** The vendor's start; a 1d bar starts at the first instant of its session date in the exchange's zone. */
  readonly start: EpochMicros;
  /** Null: its file does not tell. */
  readonly period: Resolution | null;
  /** `YYYY-MM-DD` in the file's zone. */
  readonly date: string;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  /** Null where the file has no such column. */
  readonly volume: Decimal | null;
}

/** A print of a file. */
export interface FileTick {
  readonly line: number;
  readonly start: EpochMicros;
  /** `YYYY-MM-DD` in the file's zone. */
  readonly date: string;
  readonly price: Decimal;
}

/** A line that gave no bar, or one that was reported; none is dropped without a word. */
export interface Rejected {
  readonly line: number;
  readonly reason: string;
}

export interface Prices {
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
}

const ZERO = decimal('0');
const FIELDS = ['open', 'high', 'low', 'close'] as const;

/** Text of four prices to exact prices, or the reason why they are none. A negative price is legal (oil in April 2020). */
export function parsePrices(text: Readonly<Record<(typeof FIELDS)[number], string | undefined>>): Prices | string {
  const read: Partial<Record<(typeof FIELDS)[number], Decimal>> = {};
  for (const field of FIELDS) {
    const raw = text[field]?.trim();
    if (raw === undefined) return 'short row';
    const price = parseDecimal(raw);
    if (price === undefined) return /^nan$/i.test(raw) ? 'NaN' : `${field} is not a decimal: ${JSON.stringify(raw.slice(0, 40))}`;
    read[field] = price;
  }
  const { open, high, low, close } = read;
  if (open === undefined || high === undefined || low === undefined || close === undefined) return 'short row';
  return checkPrices({ open, high, low, close });
}

/** The checks that hold for every vendor. An open or close outside low..high is kept: real files have such bars. */
export function checkPrices(prices: Prices): Prices | string {
  // rounding never swaps two numbers: only doubles that are equal need their digits compared
  const [high, low] = [Number(prices.high), Number(prices.low)];
  if (high < low || (high === low && compare(prices.high, prices.low) < 0)) return 'high < low';
  return FIELDS.every((field) => prices[field] === ZERO) ? 'all-zero bar' : prices;
}
