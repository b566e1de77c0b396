/** Spans still to be read behind the newest rows: gaps after an outage, and sessions for their high and low. Pure queue; the poller reads. */
import type { KeyRange } from '../../shared/rowKey.ts';
import type { Entry } from './entry.ts';
import type { Track } from './track.ts';

export interface FillJob {
  readonly entry: Entry;
  /** The entry's when the job was made: after a reset the job is void. */
  readonly track: Track;
  /** `gap`: between two reads; `day`: the session so far. */
  readonly kind: 'gap' | 'day';
  /** What is left of it, newest first. */
  range: KeyRange;
  /** Rows that may still be read for it. */
  budget: number;
}

const BUDGET = { gap: 20_000, day: 5_000 };
const WATCHED_BUDGET = { gap: 200_000, day: 50_000 };

export const fillJob = (entry: Entry, kind: FillJob['kind'], range: KeyRange): FillJob => ({ entry, track: entry.track, kind, range, budget: (entry.watched ? WATCHED_BUDGET : BUDGET)[kind] });

const rank = (job: FillJob): number => (job.kind === 'gap' ? 0 : 2) + (job.entry.watched ? 0 : 1);

/** Takes the next jobs for one request: watched gaps first, days last, no index twice, in key order. */
export function takeJobs(queue: FillJob[], most: number): FillJob[] {
  queue.sort((a, b) => rank(a) - rank(b));
  const taken: FillJob[] = [];
  const indices = new Set<Entry>();
  const first = queue[0];
  for (let at = 0; at < queue.length && taken.length < most;) {
    const job = queue[at];
    // One kind of urgency per request: a watched gap must not wait for the rows of a hundred days.
    if (!job || !first || rank(job) !== rank(first)) break;
    if (indices.has(job.entry)) at += 1;
    else {
      indices.add(job.entry);
      taken.push(...queue.splice(at, 1));
    }
  }
  return taken.sort((a, b) => (a.range.start < b.range.start ? -1 : 1));
}
