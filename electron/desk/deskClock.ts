/** The desk's clock outside a replay: the machine's, or a test clock that starts at `--now` and runs on. */
import { performance } from 'node:perf_hooks';
import type { Clock } from '../../shared/clock.ts';
import { type EpochMicros, fromMillis, micros } from '../../shared/time.ts';

/** Elapsed milliseconds that no clock change moves. */
export const elapsed = (): number => performance.now();

/** `testNow` null: the wall clock. */
export function deskClock(testNow: EpochMicros | null): Clock {
  const running = { elapsed, speed: () => 1, note: () => null };
  if (testNow === null) return { ...running, kind: 'wall', now: () => fromMillis(Date.now()) };
  const since = elapsed();
  return { ...running, kind: 'test', now: () => micros(testNow + BigInt(Math.floor((elapsed() - since) * 1000))) };
}
