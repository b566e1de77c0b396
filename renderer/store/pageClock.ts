/** Desk time on the page: the last heartbeat, counted on by the page's own monotonic clock, so that ages grow even when the host is dead. */
import type { ClockView } from '../../shared/channels.ts';
import { type EpochMicros, MAX_MICROS, MIN_MICROS, parseMicros } from '../../shared/time.ts';

/** Beats that disagree with the running count by less than this (desk ms per unit of speed) are delivery jitter, more is a jump. */
const JITTER_MS = 1000;

export interface PageClock {
  beat(view: ClockView): void;
  /** Desk time now; undefined before the first beat. */
  now(): EpochMicros | undefined;
  /** Milliseconds since the last beat, or since the clock was made. */
  silentMs(): number;
}

const clamp = (value: bigint): EpochMicros => (value < MIN_MICROS ? MIN_MICROS : value > MAX_MICROS ? MAX_MICROS : (value as EpochMicros));

/** `elapsed`: milliseconds from any origin that never step back, such as performance.now. */
export function createPageClock(elapsed: () => number): PageClock {
  let base: EpochMicros | undefined;
  let speed = 0;
  let turn = 0;
  let baseAt = elapsed();
  let heardAt = baseAt;
  const now = (): EpochMicros | undefined =>
    base === undefined ? undefined : clamp(base + BigInt(Math.round((elapsed() - baseAt) * speed * 1000)));
  return {
    now,
    silentMs: () => elapsed() - heardAt,
    beat(view) {
      const predicted = now();
      const told = parseMicros(view.nowMicros);
      const rate = view.paused ? 0 : view.speed;
      const set = (view.turn ?? 0) !== turn;
      turn = view.turn ?? 0;
      heardAt = elapsed();
      const difference = predicted === undefined ? undefined : Number(told - predicted) / 1000;
      // Slew small differences away, so that no shown age ever jumps back by a late beat; follow jumps (replay, resume) at once, and what a page asked of the clock.
      base = !set && predicted !== undefined && difference !== undefined && rate === speed && Math.abs(difference) < JITTER_MS * Math.max(1, rate)
        ? clamp(predicted + BigInt(Math.round(difference * 100)))
        : told;
      baseAt = heardAt;
      speed = rate;
    },
  };
}
