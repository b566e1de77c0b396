/** Rows written as a clock reaches them: in order, in batches, each retried with its own version time until the store takes it. */
import type { Clock } from '../../shared/clock.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import type { EpochMicros } from '../../shared/time.ts';
import type { WriteRow, Writer } from '../bigtable/reader.ts';

/** A row that must not be there before its time. */
export interface Due {
  readonly time: EpochMicros;
  /** `ingest`: the desk clock's time when it is written. */
  readonly row: (ingest: EpochMicros) => WriteRow;
}

export interface Pace {
  /** By time, oldest first. */
  readonly due: readonly Due[];
  readonly clock: Clock;
  readonly writer: Writer;
  readonly version: () => bigint;
  /** Comes back when the clock may have reached `time`, or a little earlier: speed and pause can change meanwhile. Never rejects. */
  readonly reach: (time: EpochMicros, nth: number) => Promise<void>;
  readonly sleep: Sleep;
  /** Most elapsed time to keep trying one batch. */
  readonly patienceMs: number;
  readonly onWritten?: (written: number, to: EpochMicros) => void;
  /** The store's trouble, once when it begins; null when writing works again. */
  readonly onProblem?: (problem: Problem | null) => void;
  readonly signal: AbortSignal;
}

/** Resolves after `ms`, or at once when the signal aborts; never rejects. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export const BATCH = 1000;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1000;

export const CANCELLED: Problem = problem('CANCELLED', 'writing was stopped', 'start it again to go on');

/** Ends with the data: how many rows were written, or why it stopped. */
export async function pace(options: Pace): Promise<Result<number>> {
  const { due, clock, signal } = options;
  let next = 0;
  while (next < due.length) {
    const now = clock.now();
    const batch = reached(due, next, now);
    if (signal.aborted) return failed(CANCELLED);
    const upcoming = due[next];
    const last = batch.at(-1);
    if (last === undefined) {
      if (upcoming) await options.reach(upcoming.time, next);
      continue;
    }
    const written = await writeAll(batch.map((one) => one.row(now)), options);
    if (!written.ok) return written;
    next += batch.length;
    options.onWritten?.(next, last.time);
  }
  return ok(next);
}

function reached(due: readonly Due[], from: number, now: EpochMicros): readonly Due[] {
  let to = from;
  while (to - from < BATCH) {
    const one = due[to];
    if (one === undefined || one.time > now) break;
    to += 1;
  }
  return due.slice(from, to);
}

/** Writes until every row is there, with one version for all tries: a late first try can't undo anything. */
export async function writeAll(
  rows: readonly WriteRow[],
  options: Pick<Pace, 'writer' | 'version' | 'clock' | 'sleep' | 'patienceMs' | 'onProblem' | 'signal'>,
): Promise<Result<number>> {
  const version = options.version();
  const begun = options.clock.elapsed();
  let left = rows;
  let troubled = false;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
    const outcome = await options.writer.write(left, version);
    const error = outcome.failed[0]?.error;
    if (error === undefined) {
      if (troubled) options.onProblem?.(null);
      return ok(rows.length);
    }
    if (!troubled) options.onProblem?.(error);
    troubled = true;
    if (options.signal.aborted) return failed(CANCELLED);
    const elapsed = options.clock.elapsed() - begun;
    if (elapsed >= options.patienceMs || (!error.retryable && options.patienceMs !== Infinity)) return failed(error);
    const keys = new Set(outcome.failed.map(({ key }) => key));
    left = left.filter((row) => keys.has(row.key));
    await options.sleep(pause, options.signal);
  }
}
