/** How a chart may look: only live and quiet values carry the colours of a running market. Pure. */
import type { QuoteView } from '../../shared/channels.ts';
import { assertNever } from '../../shared/result.ts';
import { clockLabel } from './timeLabels.ts';

export type Look = 'live' | 'closed' | 'stalled' | 'disconnected';

/** `stale`: the host says, or its silence, that nothing may look live, whatever the quote said last. */
export function lookOf(stale: boolean, quote: Pick<QuoteView, 'state'> | undefined): Look {
  if (quote === undefined) return 'disconnected';
  switch (quote.state) {
    case 'live': case 'quiet': return stale ? 'disconnected' : 'live';
    case 'closed': return stale ? 'disconnected' : 'closed';
    case 'stalled': return 'stalled';
    case 'disconnected': case 'nodata': return 'disconnected';
    default: return assertNever(quote.state);
  }
}

/** `stalled, newest price of 11:12:07`; null where the chart looks as the market is. */
export function troubleOf(look: Look, quote: Pick<QuoteView, 'state' | 'eventMicros'> | undefined, zone: string): string | null {
  if (look === 'live' || look === 'closed') return null;
  const time = quote?.eventMicros ? clockLabel(zone, Number(quote.eventMicros) / 1000, true) : null;
  if (look === 'stalled') return time === null ? 'stalled' : `stalled, newest price of ${time}`;
  if (quote?.state === 'nodata') return 'no data';
  return time === null ? 'disconnected' : `disconnected, last good price of ${time}`;
}
