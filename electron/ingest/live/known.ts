/**
 * What the table holds of our slot, as far as the writer knows: nobody else writes there, so what was read or written once need not be read
 * again, and an instant that is newer than everything of ours holds nothing yet. Pure, bounded.
 */
import type { IndexId } from '../../../shared/rowKey.ts';
import type { EpochMicros } from '../../../shared/time.ts';

export interface Held {
  readonly values: string;
  /** Newest version time of its cells. */
  readonly version: bigint;
  /** It is, or also is, in family `h`. */
  readonly kept: boolean;
}

export interface Instant {
  /** By n. */
  readonly events: Map<number, Held>;
  /** First n that no event ever had. */
  next: number;
  /** Writes under way: it must not be forgotten meanwhile. */
  pending: number;
}

export interface Known {
  /** What is known of an instant; undefined: it must be read first. */
  instant(index: IndexId, time: EpochMicros): Instant | undefined;
  /** As found by reading. */
  found(index: IndexId, time: EpochMicros, events: ReadonlyMap<number, Held>): Instant;
  /** Whether the newest instant of an index was found out. */
  knows(index: IndexId): boolean;
  /** Nothing of our slot is newer than `time` (null: the index has no tick). */
  newest(index: IndexId, time: EpochMicros | null): void;
  /** Lets go of the oldest instants beyond the bound. */
  trim(): void;
}

export function createKnown(bound = 50_000): Known {
  const instants = new Map<string, Instant>();
  const newest = new Map<IndexId, EpochMicros | null>();
  const keyOf = (index: IndexId, time: EpochMicros): string => `${index} ${time}`;

  function keep(key: string, instant: Instant): Instant {
    instants.set(key, instant);
    return instant;
  }

  return {
    instant(index, time) {
      const key = keyOf(index, time);
      const known = instants.get(key);
      if (known) {
        instants.delete(key); // to the young end
        return keep(key, known);
      }
      const last = newest.get(index);
      if (last === undefined || (last !== null && time <= last)) return undefined;
      newest.set(index, time);
      return keep(key, { events: new Map(), next: 0, pending: 0 });
    },
    found(index, time, events) {
      let next = 0;
      for (const n of events.keys()) if (n >= next) next = n + 1;
      return keep(keyOf(index, time), { events: new Map(events), next, pending: 0 });
    },
    knows: (index) => newest.has(index),
    newest(index, time) {
      if (!newest.has(index)) newest.set(index, time);
    },
    trim() {
      let over = instants.size - bound;
      for (const [key, instant] of instants) {
        if (over <= 0) return;
        if (instant.pending > 0) continue;
        instants.delete(key);
        over -= 1;
      }
    },
  };
}
