/**
 * A feed's own schedule without its idle time: a clock that jumps to the next waking as soon as every read has been answered. The feed does all
 * that it does in as many seconds, as hot as a peer that works without a pause.
 */
import type { Reader } from '../../electron/bigtable/reader.ts';
import type { Clock } from '../../shared/clock.ts';
import { micros } from '../../shared/time.ts';

export interface QuickTime {
  readonly clock: Clock;
  readonly reader: Reader;
  readonly later: (wake: () => void, ms: number) => () => void;
  /** Milliseconds since 1970 on this clock. */
  now(): number;
  /** Lets `ms` pass: every waking in them, each after all reads of the one before. */
  pass(ms: number): Promise<void>;
}

export function quickTime(reader: Reader, start: number): QuickTime {
  let elapsed = 0;
  let waking: { readonly at: number; readonly wake: () => void } | null = null;
  let reading = 0;
  let idle: (() => void) | null = null;
  const settled = async (): Promise<void> => {
    // What follows an answer may ask again at once.
    for (let turn = 0; turn < 2; turn += 1) {
      if (reading > 0) await new Promise<void>((resolve) => (idle = resolve));
      await new Promise((resolve) => setImmediate(resolve));
      if (reading > 0) turn = -1;
    }
  };
  return {
    clock: { kind: 'wall', now: () => micros(BigInt(Math.round((start + elapsed) * 1000))), elapsed: () => elapsed, speed: () => 1, note: () => null },
    reader: {
      ...reader,
      async read(request) {
        reading += 1;
        const outcome = await reader.read(request);
        reading -= 1;
        if (reading === 0) idle?.();
        return outcome;
      },
    },
    later(wake, ms) {
      const mine = { at: elapsed + ms, wake };
      waking = mine;
      return () => {
        if (waking === mine) waking = null;
      };
    },
    now: () => start + elapsed,
    async pass(ms) {
      const end = elapsed + ms;
      for (await settled(); waking !== null && waking.at <= end; await settled()) {
        const { at, wake } = waking;
        waking = null;
        elapsed = at;
        wake();
      }
      elapsed = end;
    },
  };
}
