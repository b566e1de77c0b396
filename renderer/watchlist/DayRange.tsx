/** Where the last price lies between the session's low and high. */
import type { QuoteView } from '../../shared/channels.ts';

/** 0..100, for pixels only; undefined without a range. */
export function rangePercent(price: string, low: string, high: string): number | undefined {
  const [at, from, to] = [Number(price), Number(low), Number(high)];
  if (!(to > from)) return undefined;
  return Math.max(0, Math.min(100, ((at - from) / (to - from)) * 100));
}

export function DayRange({ quote }: { readonly quote: QuoteView | undefined }) {
  if (!quote?.day || quote.price === null) return null;
  const at = rangePercent(quote.price, quote.day.low, quote.day.high);
  if (at === undefined) return null;
  return (
    <span className="bar" role="img" aria-label={`at ${Math.round(at)} % of the day's range`}>
      <span className="mark" style={{ left: `${at}%` }} />
    </span>
  );
}
