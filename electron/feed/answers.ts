/** What an answer of the store means for its index: its figures, its ticks for those who chart it, and its view. */
import type { Clock } from '../../shared/clock.ts';
import type { Problem } from '../../shared/result.ts';
import { sameQuote } from './changes.ts';
import type { DeskTime } from './deskTime.ts';
import type { Entry } from './entry.ts';
import type { FeedConfig } from './feedConfig.ts';
import type { FillJob } from './fill.ts';
import { blame, type Link } from './link.ts';
import type { Outbox } from './outbox.ts';
import type { SessionFigures } from './sessionFigures.ts';
import type { Skew } from './skew.ts';
import { ticksEvents } from './ticksEvent.ts';
import type { Effects } from './effects.ts';
import { viewOf } from './view.ts';

export interface AnswersContext {
  /** As given: what skew is measured on. */
  readonly given: Clock;
  readonly time: DeskTime;
  readonly config: Pick<FeedConfig, 'intervalMs' | 'storeKind'>;
  readonly link: () => Link;
  readonly outbox: Outbox;
  readonly session: SessionFigures;
  readonly skew: Skew;
}

export interface Answers {
  /** Decides anew what the value is; listeners hear of it if it changed. */
  readonly refresh: (entry: Entry) => void;
  /** A read ended well; `effects` null where it told nothing new. `filling`: its backfill fills a gap and is no news. */
  readonly read: (entry: Entry, effects: Effects | null, filling: boolean) => void;
  readonly failed: (entry: Entry, error: Problem) => void;
  /** A page of a span behind the newest row. */
  readonly page: (job: FillJob, effects: Effects) => void;
  /** The span is read, or `whole` false: its budget is spent. */
  readonly done: (job: FillJob, whole: boolean) => void;
}

/** Closed, and nothing is expected: before an open its pre-open prints are. */
export const sleeps = ({ decision }: Entry): boolean => decision?.state === 'closed' && decision.phase !== 'pre-open';

export function createAnswers({ given, time, config, link, outbox, session, skew }: AnswersContext): Answers {
  const { clock } = time;
  const remote = config.storeKind === 'bigtable';

  function refresh(entry: Entry): void {
    const { problem, failedCycles } = link();
    const slept = sleeps(entry);
    const view = viewOf(
      entry, { clock, pace: time.pace, pollMs: config.intervalMs, failedCycles, cycleFailure: problem ? blame(problem, remote) : null, skewMs: time.skewMs }, given.now(), clock.elapsed(),
    );
    if (entry.view === null || !sameQuote(entry.view, view)) outbox.changed(entry.info.id, view);
    entry.view = view;
    // Its market opened, by time, by another speed or by a step of the clock: it is not asked at leisure any more.
    if (slept && !sleeps(entry)) entry.nextPollAt = Number.NEGATIVE_INFINITY;
  }

  function sendTicks(entry: Entry, effects: Effects, filling: boolean): void {
    if (entry.watched) for (const data of ticksEvents(entry.info.id, effects, filling)) outbox.add({ channel: 'ticks', data });
  }

  /** A tick that has just come tells what time it is. A replay's writer has the desk's own clock. */
  function noteArrival(entry: Entry, effects: Effects | null): void {
    const newest = entry.track.arrivedAhead ?? effects?.added.at(-1);
    entry.track.arrivedAhead = null;
    if (!newest || !entry.everRead || clock.kind === 'replay' || !skew.wants(entry.info.id, clock.elapsed())) return;
    skew.arrived(entry.info.id, newest, entry.info.delayMs, given.now(), clock.elapsed());
  }

  return {
    refresh,
    read(entry, effects, filling) {
      const first = !entry.everRead;
      const recovered = first || entry.failures >= 2;
      noteArrival(entry, effects);
      entry.failures = 0;
      entry.everRead = true;
      if (effects) {
        entry.activeAt = first ? null : clock.elapsed();
        // a closed index that prints is read at the interval from now on, not only after the long wait that was planned
        if (!first) entry.nextPollAt = Math.min(entry.nextPollAt, clock.elapsed() + config.intervalMs);
        session.learn(entry, effects);
        sendTicks(entry, effects, filling);
      }
      if (first) session.request(entry);
      if (effects || recovered) refresh(entry);
    },
    failed(entry, error) {
      entry.failures += 1;
      entry.failure = blame(error, remote);
      if (entry.failures >= 2) refresh(entry);
    },
    page(job, effects) {
      session.learn(job.entry, effects);
      if (job.kind === 'gap') sendTicks(job.entry, effects, true);
      refresh(job.entry);
    },
    done(job, whole) {
      if (job.kind === 'day') job.entry.day.whole = whole;
      refresh(job.entry);
    },
  };
}
