/**
 * Settled rows into the table, each event once: what is there is read before anything is written, so that the same file again,
 * two that overlap, or one cut short and run again end with the same rows. One import of an index at a time.
 */
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import type { IndexId } from '../../../shared/rowKey.ts';
import { type EpochMicros, SECOND } from '../../../shared/time.ts';
import type { Reader, Writer } from '../../bigtable/reader.ts';
import { barWrites } from './barWrites.ts';
import { identityWrites, isOwn } from './identityWrites.ts';
import { checkInstant } from './oneInstant.ts';
import { registerIndex } from './registerIndex.ts';
import type { ImportRow } from './row.ts';
import type { Prepared } from './storedPages.ts';
import { tickWrites } from './tickWrites.ts';

export interface WriteRows {
  /** In the spool's order, alone or some at once. What they throw is thrown, once the batches under way are written. */
  readonly rows: Iterable<ImportRow> | AsyncIterable<readonly ImportRow[]>;
  /** `q:s` of ticks: the format. Ticks of other sources are never taken for the file's own. */
  readonly source: string;
  /** Ticks for ever (`h`), or under the table's retention (`q`). */
  readonly keep: boolean;
  /** A day's close in these files is the exchange's. */
  readonly officialCloses: boolean;
  readonly reader: Reader;
  readonly writer: Writer;
  /** The desk's clock: ingest times, and what lies in the future. */
  readonly now: () => EpochMicros;
  /** The machine's clock, milliseconds: version times. */
  readonly machineMillis: () => number;
  readonly onFuture: (row: ImportRow) => void;
  /** Hears of ticks of our own exports that are not written, and why. */
  readonly onConflict?: (row: ImportRow, reason: string) => void;
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

export interface Written {
  readonly written: number;
  /** Already in the table as they are. */
  readonly duplicate: number;
  /** Bars that were in the table with other values. */
  readonly corrected: number;
  /** Ticks over 5 s ahead of the desk's clock: not written. */
  readonly future: number;
}

const BATCH = 2000; // rows that are read for and written at a time: two calls
/** While the store works on some batches, the next are made; all that is held of a file. */
const UNDER_WAY = 4;
const AHEAD = 5n * SECOND;

/**
 * Fails with the first problem of the store; what was written until then is whole rows, and running it again completes them. No two batches
 * share an instant, so they may overtake each other.
 */
export async function writeRows(job: WriteRows): Promise<Result<Written>> {
  let [written, duplicate, corrected, future, done] = [0, 0, 0, 0, 0];
  let lost: Problem | null = null;
  const underWay = new Set<Promise<void>>();
  const registered = new Set<IndexId>();
  const start = async (batch: readonly ImportRow[]): Promise<void> => {
    const due = dueOf(job, batch);
    const outcome = await writeBatch(job, due);
    if (!outcome.ok) {
      lost ??= outcome.error;
      return;
    }
    written += outcome.value.written;
    corrected += outcome.value.corrected;
    duplicate += due.length - outcome.value.written - outcome.value.corrected - outcome.value.conflicting;
    future += batch.length - due.length;
    const [first] = due;
    if (first?.kind === 'bar' && !registered.has(first.index)) {
      registered.add(first.index);
      lost ??= await registerIndex(first.index, job);
    }
    done += batch.length;
    job.onProgress?.(done);
  };
  const trouble = (): Problem | null => lost ?? (job.signal?.aborted === true ? problem('CANCELLED', `stopped after ${done} rows`, 'run it again: what is written stays, and is not written twice') : null);
  try {
    for await (const batch of batches(job.rows)) {
      if (trouble()) break;
      const work = start(batch).finally(() => underWay.delete(work));
      underWay.add(work);
      if (underWay.size === UNDER_WAY) await Promise.race(underWay);
    }
  } finally {
    await Promise.all(underWay);
  }
  const failure = trouble();
  return failure ? failed(failure) : ok({ written, duplicate, corrected, future });
}

/** Without the ticks that lie in the future; they are told. */
function dueOf({ now, onFuture }: WriteRows, batch: readonly ImportRow[]): readonly ImportRow[] {
  const end = now() + AHEAD;
  const early = batch.filter((row) => row.kind === 'tick' && row.time > end);
  if (early.length === 0) return batch;
  for (const row of early) onFuture(row);
  return batch.filter((row) => row.kind === 'bar' || row.time <= end);
}

/** Counts rows. */
async function writeBatch(job: WriteRows, due: readonly ImportRow[]): Promise<Result<{ written: number; corrected: number; conflicting: number }>> {
  const prepared = await prepare(job, due);
  if (!prepared.ok) return prepared;
  const { rows, corrected, newest, conflicting = 0 } = prepared.value;
  const [first] = rows.length === 0 ? [] : (await job.writer.write(rows, version(job, newest))).failed;
  if (first) return failed({ ...first.error, next: `${first.error.next}; then run it again: what is written is not written twice` });
  return ok({ written: rows.length - corrected, corrected, conflicting });
}

/** All rows of a batch are of one kind. */
function prepare(job: WriteRows, due: readonly ImportRow[]): Promise<Result<Prepared>> {
  if (due[0]?.kind === 'bar') return barWrites(job, due.filter((row) => row.kind === 'bar'));
  const ticks = due.filter((row) => row.kind === 'tick');
  const own = ticks.filter(isOwn);
  return own.length > 0 ? identityWrites(job, own) : tickWrites(job, ticks);
}

/** Runs of one index (and period) in time order; an instant of ticks is never split over two. */
async function* batches(rows: WriteRows['rows']): AsyncGenerator<readonly ImportRow[]> {
  let batch: ImportRow[] = [];
  let last: ImportRow | undefined;
  let sameInstant = 0;
  for await (const some of Symbol.asyncIterator in rows ? rows : [rows]) {
    for (const row of some) {
      if (last && (!alike(last, row) || (batch.length >= BATCH && (row.kind === 'bar' || row.time !== last.time)))) {
        yield batch;
        batch = [];
      }
      sameInstant = last?.time === row.time && last.index === row.index ? sameInstant + 1 : 0;
      if (row.kind === 'tick') checkInstant(sameInstant, row);
      batch.push(row);
      last = row;
    }
  }
  if (batch.length > 0) yield batch;
}

const alike = (a: ImportRow, b: ImportRow): boolean => a.index === b.index && (a.kind === 'bar' ? b.kind === 'bar' && a.period === b.period : b.kind === 'tick');

/** A correction must win over a delayed retry of what it replaces. */
function version({ machineMillis }: WriteRows, newest: bigint): bigint {
  const now = BigInt(Math.floor(machineMillis())) * 1000n;
  return now > newest ? now : newest + 1000n;
}
