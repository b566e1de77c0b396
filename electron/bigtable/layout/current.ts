/** The registry's layouts as of now: read again when they are due and asked for, no timer of their own. */
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import { metaRange } from '../../../shared/rowKey.ts';
import type { Reader, ReadOutcome, ReadRequest } from '../reader.ts';
import { type Layouts, layoutsOf, NO_LAYOUTS } from './layouts.ts';

/** A change is announced two refreshes ahead; 10 s of them are for clocks that differ and for a read on its way. */
export const MAX_AGE_MS = 50_000;
/** The feed reads the registry every 30 s, which counts; only where nobody did is it read here. */
const REFRESH_MS = 40_000;
const RETRY_MS = 5_000;
const MAX_ROWS = 10_001;
const DEADLINE_MS = 5_000;

export interface CurrentLayouts {
  /** Not older than MAX_AGE_MS; null where that is not so. Reads the registry anew in the background when that is due. */
  now(): Layouts | null;
  /** Waits for a reading where `now` is null. TABLE_MISSING and FAMILY_MISSING mean that nothing is laid out yet. */
  fresh(deadlineMs: number): Promise<Result<Layouts>>;
  /** A whole answer to a read of the registry that began at `askedAt` (of `elapsed`). */
  learn(outcome: ReadOutcome, askedAt: number): void;
  /** After sleep: what was known may be hours old. */
  expire(): void;
}

export const isRegistryRead = ({ ranges, families, limit = 0 }: ReadRequest): boolean =>
  ranges.length === 1 && ranges[0]?.start === metaRange('index').start && ranges[0].end === metaRange('index').end && families?.includes('m') !== false && (limit === 0 || limit >= MAX_ROWS);

/** `elapsed`: milliseconds of a clock that never steps. */
export function createCurrentLayouts(reader: Pick<Reader, 'read'>, elapsed: () => number): CurrentLayouts {
  let known: Layouts = NO_LAYOUTS;
  let readAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Result<Layouts>> | null = null;

  function learn(outcome: ReadOutcome, askedAt: number): void {
    if (!outcome.ok || outcome.rows.length >= MAX_ROWS || askedAt < readAt) return;
    known = layoutsOf(outcome.rows);
    readAt = askedAt;
  }

  async function readRegistry(deadlineMs: number): Promise<Result<Layouts>> {
    const askedAt = (triedAt = elapsed());
    const outcome = await reader.read({ ranges: [metaRange('index')], limit: MAX_ROWS, deadlineMs, families: ['m'] });
    if (!outcome.ok) return failed(outcome.error);
    if (outcome.rows.length >= MAX_ROWS) return failed(problem('BAD_DATA', `the registry has ${MAX_ROWS} rows or more`, 'remove rows !index#ID that are no index'));
    learn(outcome, askedAt);
    return ok(known);
  }

  function refresh(deadlineMs: number): Promise<Result<Layouts>> {
    reading ??= readRegistry(deadlineMs).finally(() => { reading = null; });
    return reading;
  }

  return {
    learn,
    now() {
      const at = elapsed();
      if (at - readAt >= MAX_AGE_MS) return null;
      if (at - readAt >= REFRESH_MS && at - triedAt >= RETRY_MS) void refresh(DEADLINE_MS);
      return known;
    },
    async fresh(deadlineMs) {
      if (elapsed() - readAt < MAX_AGE_MS) return ok(known);
      // Another's reading may have more time than this one.
      const answer = await within(refresh(deadlineMs), deadlineMs);
      return !answer.ok && (answer.error.code === 'TABLE_MISSING' || answer.error.code === 'FAMILY_MISSING') ? ok(NO_LAYOUTS) : answer;
    },
    expire() {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

async function within(work: Promise<Result<Layouts>>, deadlineMs: number): Promise<Result<Layouts>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result<Layouts>>((resolve) => {
    timer = setTimeout(() => resolve(failed(LATE)), deadlineMs);
  });
  const answer = await Promise.race([work, late]);
  clearTimeout(timer);
  return answer;
}

const LATE: Problem = problem('STORE_TIMEOUT', 'the registry did not come in time, so where the rows lie is not known', 'check the store and the network to it', true);
