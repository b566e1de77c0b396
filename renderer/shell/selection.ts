/** Which index is shown where the user chose none, or one that is gone. */
import type { IndexView, QuoteView } from '../../shared/channels.ts';
import type { Arrangement } from '../store/arrangement.ts';

/** Trading now, at an exchange whose hours are known. */
export const tradesByCalendar = (quote: QuoteView | undefined, info: IndexView | undefined): boolean =>
  (quote?.state === 'live' || quote?.state === 'quiet') && info?.mic != null;

/**
 * The first listed of `wanted`; else the first that trades by an exchange's calendar, else the first with a price, else the first. Null for an empty list.
 * What no calendar knows (a CFD that trades all night) is nobody's first look at the market.
 */
export function firstChoice(
  arrangement: Arrangement, wanted: readonly (string | null)[], quoteOf: (id: string) => QuoteView | undefined, infoOf: (id: string) => IndexView | undefined,
): string | null {
  const ids = arrangement.items.flatMap((item) => (item.kind === 'index' ? [item.id] : []));
  const listed = new Set(ids);
  return (
    wanted.find((id) => id !== null && listed.has(id)) ??
    ids.find((id) => tradesByCalendar(quoteOf(id), infoOf(id))) ?? ids.find((id) => quoteOf(id)?.price != null) ?? ids[0] ?? null
  );
}
