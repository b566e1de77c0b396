/** How old a shown price is, on desk time; closed markets tell the time of their last print instead. */
import type { QuoteView } from '../../shared/channels.ts';
import type { EpochMicros } from '../../shared/time.ts';

/** Milliseconds from event to desk time less skew, never below 0; null without an event. `now` undefined: as the host last said. */
export function ageMs(quote: Pick<QuoteView, 'eventMicros' | 'skewMs' | 'ageMs'>, now: EpochMicros | undefined): number | null {
  if (quote.eventMicros === null) return null;
  if (now === undefined) return quote.ageMs === null ? null : Math.max(0, quote.ageMs);
  return Math.max(0, Number(now - BigInt(quote.eventMicros)) / 1000 - (quote.skewMs ?? 0));
}
