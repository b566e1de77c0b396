/** Reads the queued spans page by page, several indices in one request, while polling goes on. */
import type { Clock } from '../../shared/clock.ts';
import type { EpochMicros } from '../../shared/time.ts';
import type { Row } from '../bigtable/reader.ts';
import { absorbGap } from './absorb.ts';
import { trailingOf } from './entry.ts';
import { type FillJob, takeJobs } from './fill.ts';
import { horizonAt } from './horizon.ts';
import type { AskedRange } from './ranges.ts';
import { readDelta, type ReadContext } from './reads.ts';
import type { Effects } from './effects.ts';

const JOBS_PER_REQUEST = 50;
const RETRY_MS = 250;

export interface FillerContext {
  readonly clock: Clock;
  readonly queue: FillJob[];
  readonly deadlineMs: number;
  readonly read: Pick<ReadContext, 'reader' | 'meter'>;
  readonly onPage: (job: FillJob, effects: Effects) => void;
  /** The span is read, or `whole` false: its budget is spent. */
  readonly onDone: (job: FillJob, whole: boolean) => void;
  readonly flush: () => void;
}

export interface Filler {
  /** Works the queue off unless it does so already; ends by itself when the queue is empty. */
  run(signal: AbortSignal): void;
  /** Gaps not yet filled, those of a request in flight included. */
  readonly pendingGaps: number;
}

export function createFiller(context: FillerContext): Filler {
  const { clock, queue } = context;
  let running: AbortSignal | null = null;
  let inFlight: readonly FillJob[] = [];

  async function page(signal: AbortSignal): Promise<boolean> {
    const jobs = takeJobs(queue, JOBS_PER_REQUEST).filter((job) => job.track === job.entry.track && job.range.start < job.range.end);
    if (jobs.length === 0) return true;
    inFlight = jobs;
    const horizon = horizonAt(clock.now());
    const asked = jobs.map((job): AskedRange => ({ ...job.range, track: job.track, part: 'below', audited: false }));
    const outcome = await readDelta({ ...context.read, deadlineMs: context.deadlineMs, signal }, asked);
    inFlight = [];
    if (signal.aborted) {
      queue.push(...jobs);
      return false;
    }
    for (const [at, answered] of outcome.answered.entries()) {
      const job = jobs[at];
      if (!job || job.entry.track !== job.track) continue;
      if (answered.readTo !== null) absorbPage(job, answered.rows, answered.readTo, horizon);
      if (answered.readTo === null || answered.readTo < job.range.end) {
        job.range = { start: answered.readTo ?? job.range.start, end: job.range.end };
        if (job.budget > 0) queue.push(job);
        else context.onDone(job, false);
      } else context.onDone(job, true);
    }
    context.flush();
    return outcome.error === null;
  }

  function absorbPage(job: FillJob, rows: readonly Row[], to: string, horizon: EpochMicros): void {
    const { track } = job.entry;
    job.budget -= rows.length;
    track.counts.rows += rows.length;
    context.onPage(job, absorbGap(track, { rows, from: job.range.start, to }, horizon, trailingOf(job.entry, clock.speed())));
  }

  return {
    run(signal) {
      if (running === signal || queue.length === 0) return;
      running = signal;
      const loop = async (): Promise<void> => {
        while (queue.length > 0 && !signal.aborted) {
          if (!(await page(signal)) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
        if (running === signal) running = null;
      };
      void loop();
    },
    get pendingGaps() {
      return queue.filter((job) => job.kind === 'gap').length + inFlight.filter((job) => job.kind === 'gap').length;
    },
  };
}
