/** Age of a price as text; for a closed market the time of its last print on the exchange's clock. */
import type { QuoteView } from '../../shared/channels.ts';
import type { EpochMicros } from '../../shared/time.ts';
import { ageMs } from '../state/age.ts';
import { showAge, showEventTime } from '../state/shown.ts';

export type Aged = Pick<QuoteView, 'state' | 'eventMicros' | 'skewMs' | 'ageMs' | 'flags'>;

export function ageText(quote: Aged | undefined, zone: string | undefined, now: EpochMicros | undefined): string {
  if (!quote || quote.eventMicros === null) return '';
  if (quote.state === 'closed' && zone !== undefined) return showEventTime(zone, quote.eventMicros, now);
  const age = ageMs(quote, now);
  return age === null ? '' : showAge(age);
}
