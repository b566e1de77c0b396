/** The desk clock of a replay: starts on the replayed day, runs at 1 to 60 times, pauses, jumps. Pure over `elapsed`. */
import type { Clock } from '../../shared/clock.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { type EpochMicros, micros } from '../../shared/time.ts';

export const MIN_SPEED = 1;
export const MAX_SPEED = 60;
export const DEFAULT_SPEED = 10;
/** Where nobody writes as the clock goes: what is stored can be read at this pace. */
export const MAX_STORED_SPEED = 600;

export interface ReplayClock extends Clock {
  readonly kind: 'replay';
  /** The speed it runs at when not paused; `speed()` is 0 while paused. */
  chosenSpeed(): number;
  paused(): boolean;
  /** Refuses a speed outside 1 to its highest with BAD_INPUT and then changes nothing. Desk time does not step. */
  set(change: { readonly speed?: number | undefined; readonly paused?: boolean | undefined }): Result<null>;
  /** Steps desk time; pass a note for the screen where users see it jump. */
  jump(to: EpochMicros, note?: string | null): void;
  /** Elapsed milliseconds until desk time reaches `time`: 0 when it has, null while paused. */
  until(time: EpochMicros): number | null;
  /** Told after each set or jump. Returns the unsubscriber. */
  onChange(listener: () => void): () => void;
}

/** `elapsed`: milliseconds that never step back; `highest` speed 60 where absent. Throws RangeError for a speed outside 1 to that: its caller parsed it. */
export function createReplayClock(options: {
  readonly start: EpochMicros;
  readonly elapsed: () => number;
  readonly speed?: number;
  readonly highest?: number;
  readonly paused?: boolean;
  readonly note?: string | null;
}): ReplayClock {
  const { elapsed, highest = MAX_SPEED } = options;
  const isSpeed = (given: number): boolean => Number.isFinite(given) && given >= MIN_SPEED && given <= highest;
  let speed = options.speed ?? DEFAULT_SPEED;
  if (!isSpeed(speed)) throw new RangeError(`not a replay speed: ${speed} (${MIN_SPEED}..${highest})`);
  let paused = options.paused ?? false;
  let note = options.note ?? null;
  // Desk time at one elapsed instant: every change starts a new straight line from here.
  let desk: bigint = options.start;
  let since = elapsed();
  const listeners = new Set<() => void>();

  const now = (): EpochMicros => (paused ? micros(desk) : micros(desk + BigInt(Math.floor((elapsed() - since) * 1000 * speed))));
  const restart = (at: bigint): void => {
    since = elapsed();
    desk = at;
  };
  const changed = (): void => {
    for (const listener of listeners) listener();
  };

  return {
    kind: 'replay',
    now,
    elapsed,
    speed: () => (paused ? 0 : speed),
    chosenSpeed: () => speed,
    paused: () => paused,
    note: () => note,
    set(change) {
      if (change.speed !== undefined && !isSpeed(change.speed)) {
        return failed(problem('BAD_INPUT', `replay speed ${change.speed} is out of range`, `choose ${MIN_SPEED} to ${highest}`));
      }
      restart(now());
      speed = change.speed ?? speed;
      paused = change.paused ?? paused;
      changed();
      return ok(null);
    },
    jump(to, why) {
      restart(to);
      if (why !== undefined) note = why;
      changed();
    },
    until(time) {
      if (now() >= time) return 0;
      return paused ? null : Number(time - now()) / (1000 * speed);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
