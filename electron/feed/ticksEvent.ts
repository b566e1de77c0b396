/** What a read did to a charted index, as events: news and backfill apart, oldest first. */
import type { TicksEvent, TickView } from '../../shared/channels.ts';
import type { Tick } from '../../shared/quote.ts';
import type { Effects } from './effects.ts';

export const tickView = (tick: Tick): TickView => ({
  eventMicros: String(tick.time), sequence: tick.sequence, price: tick.price, volume: tick.volume, source: tick.source, ingestMicros: tick.ingest === null ? null : String(tick.ingest),
});

/** `filling`: ticks of spans that had not been read fill a gap; else they came since the last poll and are news. */
export function ticksEvents(index: string, effects: Effects, filling: boolean): TicksEvent[] {
  const news = [...effects.added, ...effects.corrected, ...(filling ? [] : effects.backfill)].sort(oldestFirst);
  const events: TicksEvent[] = [];
  if (filling && effects.backfill.length > 0) events.push({ index, ticks: effects.backfill.map(tickView), removed: [], backfill: true });
  if (news.length > 0 || effects.removed.length > 0) {
    events.push({ index, ticks: news.map(tickView), removed: effects.removed.map((tick) => ({ eventMicros: String(tick.time), sequence: tick.sequence })), backfill: false });
  }
  return events;
}

const oldestFirst = (a: Tick, b: Tick): number => (a.key > b.key ? -1 : a.key < b.key ? 1 : 0);
