/** Age of a price, counted by the page; for a closed market the time of its last print on the exchange's clock. */
import type { QuoteView } from '../../shared/channels.ts';
import { ageMs } from '../state/age.ts';
import { showAge, showEventTime } from '../state/shown.ts';
import { usePulse } from '../store/hooks.ts';

interface Props {
  readonly quote: Pick<QuoteView, 'state' | 'eventMicros' | 'skewMs' | 'ageMs' | 'flags'> | undefined;
  readonly zone: string | undefined;
}

export function Age({ quote, zone }: Props) {
  const text = usePulse(({ now }) => {
    if (!quote || quote.eventMicros === null) return '';
    if (quote.state === 'closed' && zone !== undefined) return showEventTime(zone, quote.eventMicros, now);
    const age = ageMs(quote, now);
    return age === null ? '' : showAge(age);
  });
  return text;
}
