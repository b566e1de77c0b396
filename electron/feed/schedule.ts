/** When to read next: pure functions from what happened to elapsed milliseconds. */

export const MIN_INTERVAL_MS = 100;
export const MAX_INTERVAL_MS = 60_000;
/** A closed index is read this often. */
export const CLOSED_INTERVAL_MS = 30_000;
/** A closed index that prints anyway (an official close, a correction) is read at the interval for this long. */
export const ACTIVE_MS = 60_000;
/** Longest time between two looks at an index's newest row itself, so that a change of it shows within 10 s. */
export const AUDIT_MS = 9_500;
/** After a silence this long a delta may be unbounded: scan, then fill by pages. */
export const LONGEST_DELTA_GAP_MS = 60_000;
const BACKOFF_CAP_MS = 500;
const BACKOFF_FIRST_MS = 50;

/** Throws RangeError outside 100..60000. */
export function intervalOf(ms: number): number {
  if (!Number.isInteger(ms) || ms < MIN_INTERVAL_MS || ms > MAX_INTERVAL_MS) throw new RangeError(`poll interval ${ms} is not within ${MIN_INTERVAL_MS}..${MAX_INTERVAL_MS} ms`);
  return ms;
}

/** A read has failed when it takes this long: max(2 s, 2 intervals), at most 10 s. */
export const deadlineOf = (intervalMs: number): number => Math.min(10_000, Math.max(2_000, 2 * intervalMs));

/**
 * The read after a first failure only confirms it. It gets less than half a deadline, so that a store that froze just after a poll is
 * known as broken within two deadlines of its freezing, the wait for the poll included.
 */
export const confirmDeadlineOf = (intervalMs: number): number => Math.round(deadlineOf(intervalMs) * 0.4);

/** Wait before retry number `failures` (1, 2, ...): doubles from 50 ms to 500 ms, jittered down to half of it. `random` in 0..1. */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(BACKOFF_CAP_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(full * (0.5 + 0.5 * random));
}

export interface PollInput {
  /** Elapsed time at which this poll was due. */
  readonly now: number;
  readonly intervalMs: number;
  readonly closed: boolean;
  /** Elapsed time at which a new or changed row was last seen, null for none. */
  readonly activeAt: number | null;
  /** Elapsed milliseconds until the next open, null if unknown. */
  readonly openInMs: number | null;
}

/** Elapsed time of the next poll. Closed indices wait longer, but never past their next open. */
export function nextPoll(input: PollInput): number {
  const { now, intervalMs, closed, activeAt, openInMs } = input;
  if (!closed || intervalMs >= CLOSED_INTERVAL_MS || (activeAt !== null && now - activeAt < ACTIVE_MS)) return now + intervalMs;
  return now + Math.min(CLOSED_INTERVAL_MS, Math.max(intervalMs, openInMs ?? CLOSED_INTERVAL_MS));
}

/** Whether this read must look at the newest row itself, since the one after it would come too late. */
export const auditDue = (now: number, lastAudit: number, intervalMs: number): boolean => now - lastAudit + intervalMs > AUDIT_MS;

export const scansAll = (strategy: 'scan' | 'delta' | 'auto', indices: number): boolean => strategy === 'scan' || (strategy === 'auto' && indices <= 16);

/** The instants of one cycle after another, on a grid: a slow cycle skips instants instead of shifting them. */
export const nextCycle = (previous: number, now: number, intervalMs: number): number => {
  const missed = Math.max(0, Math.floor((now - previous) / intervalMs));
  return previous + (missed + 1) * intervalMs;
};
