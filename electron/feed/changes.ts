/** Whether the screen must hear of a value again: anything but its age changed. */
import type { QuoteView } from '../../shared/channels.ts';

export function sameQuote(a: QuoteView, b: QuoteView): boolean {
  return (
    a.key === b.key && a.price === b.price && a.state === b.state && a.reason === b.reason && a.phase === b.phase && a.eventMicros === b.eventMicros &&
    a.change === b.change && a.changePercent === b.changePercent && a.ingestMicros === b.ingestMicros && a.sequence === b.sequence &&
    a.baseNote === b.baseNote && a.nextOpen === b.nextOpen && a.delayMs === b.delayMs && a.skewMs === b.skewMs &&
    a.base?.price === b.base?.price && a.base?.date === b.base?.date && a.base?.kind === b.base?.kind &&
    a.day?.open === b.day?.open && a.day?.high === b.day?.high && a.day?.low === b.day?.low &&
    a.flags.length === b.flags.length && a.flags.every((flag, i) => flag === b.flags[i])
  );
}
