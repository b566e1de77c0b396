/** The newest event time of each index; what comes behind it is late. One for all writers of a process. */
import type { IndexId } from '../../../shared/rowKey.ts';
import type { EpochMicros } from '../../../shared/time.ts';

export interface Watermarks {
  /** Tells whether `time` lies behind what came before it, and moves the watermark. */
  pass(index: IndexId, time: EpochMicros): boolean;
  /** What the table held before the first write: only the first word counts. */
  start(index: IndexId, time: EpochMicros | null): void;
  /** Whether `time` lies behind what the table held at the start. */
  behindStart(index: IndexId, time: EpochMicros): boolean;
}

export function createWatermarks(): Watermarks {
  const passed = new Map<IndexId, EpochMicros>();
  const started = new Map<IndexId, EpochMicros | null>();
  return {
    pass(index, time) {
      const last = passed.get(index);
      if (last !== undefined && time < last) return true;
      if (last === undefined || time > last) passed.set(index, time);
      return false;
    },
    start(index, time) {
      if (!started.has(index)) started.set(index, time);
    },
    behindStart(index, time) {
      const last = started.get(index);
      return last !== undefined && last !== null && time < last;
    },
  };
}
