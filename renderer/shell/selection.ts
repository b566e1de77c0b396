/** Which index is shown where the user chose none, or one that is gone. */
import type { QuoteView } from '../../shared/channels.ts';
import type { Arrangement } from '../store/arrangement.ts';

export const isOpen = (quote: QuoteView | undefined): boolean => quote?.state === 'live' || quote?.state === 'quiet';

/** The first listed of `wanted`; else the first that trades, else the first with a price, else the first. Null for an empty list. */
export function firstChoice(arrangement: Arrangement, wanted: readonly (string | null)[], quoteOf: (id: string) => QuoteView | undefined): string | null {
  const ids = arrangement.items.flatMap((item) => (item.kind === 'index' ? [item.id] : []));
  const listed = new Set(ids);
  return (
    wanted.find((id) => id !== null && listed.has(id)) ??
    ids.find((id) => isOpen(quoteOf(id))) ?? ids.find((id) => quoteOf(id)?.price != null) ?? ids[0] ?? null
  );
}
