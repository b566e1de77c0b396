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

/** What to do with a bar whose open or close lies outside its low..high: reject its row, or keep it as it is written. */
export type Outside = 'reject' | 'keep';

/** Text of four prices to exact prices, or the reason why they are none. A negative price is legal (oil in April 2020). */
export function parsePrices(text: Readonly<Record<(typeof FIELDS)[number], string | undefined>>, outside: Outside): Prices | string {
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
  return checkPrices({ open, high, low, close }, outside);
}

/** The checks that hold for every vendor. Without a margin: a vendor that rounds, rounds all four alike, and never swaps two. */
export function checkPrices(prices: Prices, outside: Outside): Prices | string {
  const { open, high, low, close } = prices;
  const [o, h, l, c] = [Number(open), Number(high), Number(low), Number(close)];
  // rounding never swaps two numbers: only doubles that are equal need their digits compared
  const below = (a: number, exactA: Decimal, b: number, exactB: Decimal): boolean => a < b || (a === b && exactA !== exactB && compare(exactA, exactB) < 0);
  if (below(h, high, l, low)) return 'high < low';
  if (FIELDS.every((field) => prices[field] === ZERO)) return 'all-zero bar';
  if (outside === 'keep') return prices;
  if (below(o, open, l, low) || below(h, high, o, open)) return outsideReason('open', prices);
  return below(c, close, l, low) || below(h, high, c, close) ? outsideReason('close', prices) : prices;
}

const outsideReason = (field: 'open' | 'close', prices: Prices): string => `${field} ${prices[field]} is outside low ${prices.low} to high ${prices.high}: correct the row, or --outside keep takes it as written`;
