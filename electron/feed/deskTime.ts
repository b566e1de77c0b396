/** Desk time as the feed judges by it: less the skew that is known, and whether it ran on as it did before. */
import type { Clock } from '../../shared/clock.ts';
import { micros } from '../../shared/time.ts';

/** The wall clock ran on this much more than the machine's: it slept. */
const SLEPT_MS = 10_000;
/** Desk time that differs by more than this from what elapsed was set. */
const STEP_MS = 100;

export interface DeskTime {
  /** Less the skew. */
  readonly clock: Clock;
  /** Milliseconds that the given clock is ahead, null while unknown. */
  skewMs: number | null;
  /** Desk seconds per elapsed second; while paused, those before the pause. */
  readonly pace: number;
  /** `changed`: another speed, a pause; `stepped`: set to another time; what was decided to change later changes at another time then. */
  look(): 'same' | 'changed' | 'stepped' | 'slept';
}

export function createDeskTime(given: Clock): DeskTime {
  let pace = given.speed() || 1;
  let last = { desk: given.now(), elapsed: given.elapsed(), speed: given.speed() };
  const time: DeskTime & { skewMs: number | null } = {
    clock: {
      // a desk may go over to a replay and back
      get kind() {
        return given.kind;
      },
      now: () => (time.skewMs === null || time.skewMs === 0 ? given.now() : micros(given.now() - BigInt(time.skewMs) * 1000n)),
      elapsed: () => given.elapsed(), speed: () => given.speed(), note: () => given.note(),
    },
    skewMs: null,
    get pace() {
      return pace;
    },
    look() {
      const [desk, elapsed, speed] = [given.now(), given.elapsed(), given.speed()];
      const drift = Number(desk - last.desk) / 1000 - (elapsed - last.elapsed) * last.speed;
      const otherSpeed = speed !== last.speed;
      last = { desk, elapsed, speed };
      if (speed > 0) pace = speed;
      if (given.kind === 'wall' && drift > SLEPT_MS) return 'slept';
      if (otherSpeed) return 'changed';
      return Math.abs(drift) > STEP_MS * Math.max(1, speed) ? 'stepped' : 'same';
    },
  };
  return time;
}
