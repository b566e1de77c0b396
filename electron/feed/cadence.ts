/** How often an index prints, learned per hour of its day: the expected interval that states are judged by. */
import type { Tick } from '../../shared/quote.ts';
import { HOUR } from '../../shared/time.ts';

const HOUR_MICROS = Number(HOUR);
const KEPT = 256; // gaps per hour: enough for a p99, fixed memory
const NEEDED = 20;
const LONGEST_MS = 600_000; // longer is an outage or a break, not a rhythm

export interface Cadence {
  /** A gap between two neighbouring events of one session, by event time in microseconds. */
  learn(from: bigint, to: bigint): void;
  /**
   * p99 of the gaps of the hour that holds `time`, in milliseconds. Until it knows 20, the last hour that does: an index that prints every
   * twenty seconds must not look stalled for the first minutes of each hour. Null until any hour knows 20.
   */
  expectedMs(time: bigint): number | null;
}

export function createCadence(): Cadence {
  const hours = new Map<number, { gaps: Float64Array; count: number; p99: number | null }>();
  // A double tells the hour: it is off by less than a second for all years.
  const hourOf = (time: bigint): number => ((Math.floor(Number(time) / HOUR_MICROS) % 24) + 24) % 24;
  return {
    learn(from, to) {
      const gap = Number(to - from) / 1000;
      if (gap <= 0 || gap > LONGEST_MS) return;
      const hour = hourOf(to);
      let kept = hours.get(hour);
      if (!kept) hours.set(hour, (kept = { gaps: new Float64Array(KEPT), count: 0, p99: null }));
      kept.gaps[kept.count % KEPT] = gap;
      kept.count += 1;
      if (kept.count === NEEDED || kept.count % 64 === 0) kept.p99 = p99(kept.gaps.subarray(0, Math.min(kept.count, KEPT)));
    },
    expectedMs(time) {
      const now = hourOf(time);
      for (let back = 0; back < 24; back += 1) {
        const kept = hours.get((now - back + 24) % 24);
        if (kept && kept.count >= NEEDED) return kept.p99;
      }
      return null;
    },
  };
}

/** Gaps that a read tells: between neighbours of a span, and from the newest tick known before to each newer one. */
export function learnGaps(cadence: Cadence, { backfill, added, before }: { readonly backfill: readonly Tick[]; readonly added: readonly Tick[]; readonly before: Tick | null }): void {
  for (let at = 1; at < backfill.length; at += 1) {
    const [from, to] = [backfill[at - 1], backfill[at]];
    if (from && to) cadence.learn(from.time, to.time);
  }
  let last = before;
  for (const tick of added) {
    if (last !== null && tick.time <= last.time) continue; // late
    if (last !== null) cadence.learn(last.time, tick.time);
    last = tick;
  }
}

function p99(gaps: Float64Array): number {
  const sorted = gaps.slice().sort();
  return sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0;
}
