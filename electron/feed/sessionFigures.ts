/** Open, high, low and rhythm of an index, kept up with every read; what lies behind its newest rows is queued to be read. */
import type { Clock } from '../../shared/clock.ts';
import type { Tick } from '../../shared/quote.ts';
import { keyAfter, reverseTime } from '../../shared/rowKey.ts';
import { learnGaps } from './cadence.ts';
import { addToDay, createDay, dependsOn, sessionSpan } from './day.ts';
import type { Entry } from './entry.ts';
import { type FillJob, fillJob } from './fill.ts';
import type { Effects } from './effects.ts';

export interface SessionFigures {
  learn(entry: Entry, effects: Effects): void;
  /** Starts the figures of the session that is current now, where it is another one. */
  roll(entry: Entry, now?: ReturnType<Clock['now']>): void;
  /** Starts them anew where the sessions themselves are others now. */
  restart(entry: Entry): void;
  /** Has the session up to the newest row read in the background: its open, high and low need every tick. */
  request(entry: Entry): void;
}

export function createSessionFigures(clock: Pick<Clock, 'now'>, queue: FillJob[]): SessionFigures {
  function roll(entry: Entry, now = clock.now()): void {
    if (now < entry.day.checkAt && now >= entry.day.span.from) return;
    const span = sessionSpan(entry.info, now);
    if (span.date !== entry.day.span.date) entry.day = createDay(span, entry.everRead);
    else entry.day.checkAt = span.checkAt;
  }

  function request(entry: Entry): void {
    roll(entry);
    const { latest } = entry.track;
    for (let at = queue.length - 1; at >= 0; at -= 1) if (queue[at]?.entry === entry && queue[at]?.kind === 'day') queue.splice(at, 1);
    if (latest === null || latest.tick.time < entry.day.span.from) {
      entry.day.whole = true;
      return;
    }
    // Pages bring only what these don't know yet.
    for (const { tick } of entry.track.recent.values()) addToDay(entry.day, tick);
    queue.push(fillJob(entry, 'day', { start: keyAfter(latest.row.key), end: `${entry.info.id}#${reverseTime(entry.day.span.from)}$` }));
  }

  return {
    roll,
    restart(entry) {
      const span = sessionSpan(entry.info, clock.now());
      const { date, from, to } = entry.day.span;
      entry.day.checkAt = span.checkAt;
      if (span.date === date && span.from === from && span.to === to) return;
      entry.day = createDay(span, false);
      if (entry.everRead) request(entry);
    },
    request,
    learn(entry, effects) {
      roll(entry);
      learnGaps(entry.cadence, effects);
      const { added, backfill, corrected, removed } = effects;
      for (const tick of backfill) addToDay(entry.day, tick);
      for (const tick of added) addToDay(entry.day, tick);
      if (corrected.length === 0 && removed.length === 0) return;
      for (const tick of corrected) addToDay(entry.day, tick);
      const depends = (tick: Tick): boolean => dependsOn(entry.day, tick);
      if (corrected.some(depends) || removed.some(depends)) {
        entry.day = createDay(entry.day.span, false);
        request(entry);
      }
    },
  };
}
