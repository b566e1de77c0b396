/** Ticks ahead of their time, kept back until it comes: written at once they would stay "latest" and hide the truth. Pure, bounded. */
import type { EpochMicros } from '../../../shared/time.ts';
import type { LiveTick } from './liveTick.ts';

export interface Quarantine {
  /** False: no room. */
  add(tick: LiveTick): boolean;
  /** Takes out those whose time has come, oldest first; of one instant in the order they came. */
  due(now: EpochMicros): LiveTick[];
  next(): EpochMicros | null;
  list(): readonly LiveTick[];
}

export function createQuarantine(bound: number): Quarantine {
  // few and rare: a sorted list
  let waiting: LiveTick[] = [];
  return {
    add(tick) {
      if (waiting.length >= bound) return false;
      let [low, high] = [0, waiting.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        const other = waiting[middle];
        if (other && other.time <= tick.time) low = middle + 1;
        else high = middle;
      }
      waiting.splice(low, 0, tick);
      return true;
    },
    due(now) {
      let count = 0;
      for (const tick of waiting) {
        if (tick.time > now) break;
        count += 1;
      }
      const taken = waiting.slice(0, count);
      if (count > 0) waiting = waiting.slice(count);
      return taken;
    },
    next: () => waiting[0]?.time ?? null,
    list: () => waiting,
  };
}
