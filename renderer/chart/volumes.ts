/** Volumes of the live tail's ticks, where any come: few indices have one. */
import type { TickView } from '../../shared/channels.ts';
import { identityOf } from './mergeHistory.ts';
import { readMicros } from './wireNumbers.ts';

/** Older ones are forgotten: history brings them in its bars. */
const MOST = 20_000;

export interface Volumes {
  put(tick: TickView): void;
  /** Null where none is known. */
  readonly of: (time: number, sequence: number) => string | null;
}

export function createVolumes(): Volumes {
  const known = new Map<string, string>();
  return {
    put({ eventMicros, sequence, volume }) {
      const time = volume === null ? undefined : readMicros(eventMicros);
      if (time === undefined || volume === null) return;
      known.set(identityOf(time, sequence), volume);
      if (known.size > MOST) for (const oldest of known.keys()) {
        known.delete(oldest);
        break;
      }
    },
    of: (time, sequence) => (known.size === 0 ? null : (known.get(identityOf(time, sequence)) ?? null)),
  };
}
