/** A desk clock on vitest's fake timers. */
import type { Clock } from '../../../shared/clock.ts';
import { type EpochMicros, micros } from '../../../shared/time.ts';

export interface FakeClock extends Clock {
  /** Moves desk time alone. */
  jump(to: EpochMicros): void;
  setSpeed(speed: number): void;
}

export function fakeClock(start: EpochMicros, kind: Clock['kind'] = 'test'): FakeClock {
  let [desk, at, speed] = [start, performance.now(), 1];
  const now = (): EpochMicros => micros(desk + BigInt(Math.round((performance.now() - at) * 1000 * speed)));
  const settle = (to: EpochMicros): void => {
    desk = to;
    at = performance.now();
  };
  return {
    kind, now, elapsed: () => performance.now(), speed: () => speed, note: () => null,
    jump: settle,
    setSpeed(next) {
      settle(now());
      speed = next;
    },
  };
}
