/** Tries until the store takes it, with growing pauses; patience has an end, and so has a lease. */
import { failed, ok, problem, type Problem, type Result } from '../../../shared/result.ts';
import type { WriteOutcome, Writer, WriteRow } from '../../bigtable/reader.ts';
import type { Sleep } from '../pacer.ts';
import type { Lease } from './lease.ts';

export interface Attempts {
  readonly lease: Pick<Lease, 'stands' | 'standing'>;
  readonly elapsed: () => number;
  readonly sleep: Sleep;
  /** Milliseconds. */
  readonly patienceMs: number;
  /** When trouble begins, and null when it is over. */
  readonly onProblem: (problem: Problem | null) => void;
  /** Ends the waiting between two tries. */
  readonly signal: AbortSignal;
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1000;
const LONGEST_TIMER = 2 ** 31 - 1;

/** The work must be safe to repeat. Each try waits until the lease stands. */
export async function persist<T>(work: () => Promise<Result<T>>, attempts: Attempts): Promise<Result<T>> {
  const { elapsed, sleep, patienceMs, onProblem, signal } = attempts;
  const begun = elapsed();
  let troubled = false;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
    const standing = await leaseWithin(patienceMs - (elapsed() - begun), attempts);
    if (!standing.ok) return standing;
    const done = await work();
    if (done.ok) {
      if (troubled) onProblem(null);
      return done;
    }
    if (!troubled) onProblem(done.error);
    troubled = true;
    if (!done.error.retryable || elapsed() - begun >= patienceMs) return done;
    if (signal.aborted) return failed(problem('CANCELLED', 'writing was stopped', 'start it again to go on'));
    await sleep(pause, signal);
  }
}

/** A store that is away does not renew leases either: patience and the signal end this waiting too. */
async function leaseWithin(ms: number, { lease, sleep, signal }: Attempts): Promise<Result<null>> {
  if (lease.stands()) return ok(null);
  const limit = new AbortController();
  const end = (): void => limit.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  void sleep(Math.min(ms, LONGEST_TIMER), limit.signal).finally(end);
  const standing = await lease.standing(limit.signal);
  signal.removeEventListener('abort', end);
  end();
  return standing;
}

/** Rows with one version, the same on every try; what an earlier try is known to have written is not sent again. */
export function persistRows(rows: readonly WriteRow[], version: bigint, writer: Writer, attempts: Attempts): Promise<Result<null>> {
  let left = rows;
  return persist(async () => {
    const outcome: WriteOutcome = await writer.write(left, version);
    const [first] = outcome.failed;
    if (!first) return ok(null);
    const keys = new Set(outcome.failed.map(({ key }) => key));
    left = left.filter(({ key }) => keys.has(key));
    return failed((outcome.failed.find(({ error }) => !error.retryable) ?? first).error);
  }, attempts);
}
