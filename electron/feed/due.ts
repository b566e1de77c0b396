/** Which indices are read now, and when each is read again. */
import type { Clock } from '../../shared/clock.ts';
import type { IndexId } from '../../shared/rowKey.ts';
import { sleeps } from './answers.ts';
import type { Entry } from './entry.ts';
import type { Sleeper } from './discover.ts';
import { horizonAt, horizonKey } from './horizon.ts';
import { nextPoll } from './schedule.ts';

/** Indices whose time has come and how many of them are still being read; each gets its next time. */
export function takeDue(entries: Iterable<Entry>, now: number, intervalMs: number, clock: Clock): { readonly due: readonly Entry[]; readonly late: number } {
  const due: Entry[] = [];
  let late = 0;
  for (const entry of entries) {
    if (entry.nextPollAt > now + 1) continue;
    if (entry.inFlight) late += 1;
    else due.push(entry);
    entry.nextPollAt = sleeps(entry) ? nextPoll({ now, intervalMs, closed: true, activeAt: entry.activeAt, openInMs: openInMs(entry, clock) }) : now + intervalMs;
  }
  return { due, late };
}

/** Closed indices between two of their polls, each with the range in which only a newer row can lie (and none from the future). */
export function sleepersOf(entries: Iterable<Entry>, now: number, intervalMs: number, clock: Clock): Sleeper[] {
  const sleepers: Sleeper[] = [];
  const horizon = horizonAt(clock.now());
  for (const { info: { id }, track, inFlight, nextPollAt } of entries) {
    if (inFlight || nextPollAt <= now + intervalMs || track.watermark === null) continue;
    const range = { start: horizonKey(id, horizon), end: track.watermark };
    if (range.start < range.end) sleepers.push({ id, range });
  }
  return sleepers;
}

/** The entries of sleepers that printed: read now, and again at `nextPollAt`. */
export function wakeUp(entries: ReadonlyMap<IndexId, Entry>, awake: readonly IndexId[], nextPollAt: number): Entry[] {
  const woken = awake.flatMap((id) => entries.get(id) ?? []).filter((entry) => !entry.inFlight);
  for (const entry of woken) entry.nextPollAt = nextPollAt;
  return woken;
}

/** While a store fails one index asks for all: a charted one first. */
export const spokesman = (entries: Iterable<Entry>): Entry | undefined =>
  [...entries].filter((entry) => !entry.inFlight).sort((a, b) => Number(b.watched) - Number(a.watched))[0];

/** The store is back: every index is scanned, and after a real outage stays disconnected until its own scan has succeeded. */
export function askAgain(entries: Iterable<Entry>, broken: boolean): void {
  for (const entry of entries) {
    if (broken) entry.failures = Math.max(2, entry.failures);
    if (!entry.inFlight) entry.nextPollAt = Number.NEGATIVE_INFINITY;
    // After a single failure a charted index goes on by range: its next ticks are news, in order.
    if (broken || !entry.watched) entry.track.needsScan = true;
  }
}

/** Elapsed milliseconds to the next open; null while unknown or paused. */
function openInMs({ decision }: Entry, clock: Clock): number | null {
  const speed = clock.speed();
  return decision?.nextOpen == null || speed <= 0 ? null : Number(decision.nextOpen - clock.now()) / 1000 / speed;
}
