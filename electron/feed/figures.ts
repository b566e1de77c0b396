/** What the reading costs and how long it takes, in fixed memory. */
import type { Percentiles } from '../../shared/channels.ts';
import { rateMeter, sampleWindow } from './percentiles.ts';
import type { Meter } from './reads.ts';

/** Reads of one row that an SSD node serves per second. */
export const NODE_READS_PER_SECOND = 17_000;

export interface Figures {
  readonly meter: Meter;
  /** Call about once a second; `elapsed` in milliseconds. */
  sample(elapsed: number): void;
  skipped(polls: number): void;
  view(): {
    /** Key ranges asked for per second: a limit-1 scan is one, a delta request one per index. */
    readonly readsPerSecond: number;
    readonly rowsPerSecond: number;
    readonly nodeShare: number;
    readonly readMs: Percentiles | null;
    readonly errors: number;
    readonly skippedPolls: number;
  };
}

export function createFigures(): Figures {
  const [reads, rows, latency] = [rateMeter(), rateMeter(), sampleWindow()];
  let [errors, skippedPolls, readsPerSecond, rowsPerSecond] = [0, 0, 0, 0];
  let readMs: Percentiles | null = null;
  return {
    meter(ranges, rowCount, elapsedMs, error) {
      if (error?.code === 'CANCELLED') return;
      reads.add(ranges);
      rows.add(rowCount);
      if (error) errors += 1;
      else latency.add(elapsedMs);
    },
    sample(elapsed) {
      readsPerSecond = round(reads.perSecond(elapsed));
      rowsPerSecond = round(rows.perSecond(elapsed));
      readMs = latency.percentiles();
    },
    skipped(polls) {
      skippedPolls += polls;
    },
    // A range that brings many rows costs as many: the larger of both.
    view: () => ({ readsPerSecond, rowsPerSecond, nodeShare: Math.max(readsPerSecond, rowsPerSecond) / NODE_READS_PER_SECOND, readMs, errors, skippedPolls }),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
