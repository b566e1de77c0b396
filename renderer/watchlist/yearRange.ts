/** Low and high of 52 weeks up to now: the days before, today's range and the last price. */
import { type Decimal, max, min, parseDecimal } from '../../shared/decimal.ts';
import type { RowValues } from './columns.ts';

export interface YearRange {
  readonly low: Decimal;
  readonly high: Decimal;
}

/** Null where the days before do not reach back 52 weeks: a shorter range is not shown as that of a year. */
export function yearRange({ quote, reference }: Pick<RowValues, 'quote' | 'reference'>): YearRange | null {
  const past = reference?.range;
  if (!past?.whole) return null;
  let [low, high] = [parseDecimal(past.low), parseDecimal(past.high)];
  if (low === undefined || high === undefined) return null;
  for (const text of [quote?.day?.low, quote?.day?.high, quote?.price]) {
    const price = parseDecimal(text ?? '');
    if (price === undefined) continue;
    [low, high] = [min(low, price), max(high, price)];
  }
  return { low, high };
}
