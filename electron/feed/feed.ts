/** The poller's edge: timers, reads in flight, listeners. What it decides is decided in schedule.ts, link.ts, absorb.ts and shared/state.ts. */
import { infoFor } from '../../shared/indices.ts';
import { type Problem, problem } from '../../shared/result.ts';
import { type IndexId, indexIdOf } from '../../shared/rowKey.ts';
import { MAX_RANGES } from '../bigtable/reader.ts';
import { createAnswers } from './answers.ts';
import { createCatalog } from './catalog.ts';
import { createDeskTime } from './deskTime.ts';
import { askAgain, sleepersOf, spokesman, takeDue, wakeUp } from './due.ts';
import { type Entry, forget } from './entry.ts';
import type { Feed, FeedOptions, IndexFigures } from './feedConfig.ts';
import { createFigures } from './figures.ts';
import { createFiller } from './filler.ts';
import type { FillJob } from './fill.ts';
import { healthView } from './healthView.ts';
import { afterFailure, afterFilling, afterResume, afterSuccess, CONNECTING, type Link } from './link.ts';
import { createOutbox } from './outbox.ts';
import { createPoller } from './poller.ts';
import { createRoster } from './roster.ts';
import { backoffMs, confirmDeadlineOf, deadlineOf, intervalOf, nextCycle, scansAll } from './schedule.ts';
import { createSessionFigures } from './sessionFigures.ts';
import { createSkew } from './skew.ts';
import { noteUndecodable } from './track.ts';
import { createBarsUpkeep } from './upkeep.ts';
import { afterTimeout, cancellation } from './waking.ts';

export type { Feed, FeedConfig, FeedOptions } from './feedConfig.ts';

const UPKEEP_MS = 1_000;
const NOTHING_KNOWN = problem('STORE_UNREACHABLE', 'the store does not answer', 'check that it runs and can be reached', true);

/** A feed over one table; nothing is read before start(). Throws RangeError for an interval outside 100..60000 ms. */
export function createFeed(options: FeedOptions): Feed {
  const { reader, config, random = Math.random, later = afterTimeout } = options;
  const intervalMs = intervalOf(config.intervalMs);
  const deadlineMs = deadlineOf(intervalMs);
  const time = createDeskTime(options.clock);
  const { clock } = time;
  const skew = createSkew(intervalMs);
  const roster = createRoster(clock);
  const { entries } = roster;
  const figures = createFigures();
  const catalog = createCatalog(options);
  const outbox = createOutbox();
  const flush = (): void => outbox.flush();
  const queue: FillJob[] = [];
  const session = createSessionFigures(clock, queue);
  let link: Link = CONNECTING;
  const { refresh, ...answers } = createAnswers({ given: options.clock, time, config: { ...config, intervalMs }, link: () => link, outbox, session, skew });
  let abort = cancellation();
  let unarm = (): void => {};
  let [closed, cataloguing, cycling] = [false, false, 0];
  let [cycleAt, probeAt, upkeepAt] = [0, 0, 0];

  const poller = createPoller({
    reader, clock, intervalMs, random, retentionDays: config.retentionDays, entry: (id) => entries.get(id), queue, meter: figures.meter,
    onRead: answers.read, onFailed: answers.failed, flush,
  });
  const filler = createFiller({ clock, queue, deadlineMs, read: { reader, meter: figures.meter }, onPage: answers.page, onDone: (job, whole) => { answers.done(job, whole); settleFilling(); }, flush });
  const bars = createBarsUpkeep(reader, clock, deadlineMs, refresh, flush);

  const refreshAll = (): void => entries.forEach(refresh);

  function settleFilling(): void {
    if (link.state !== 'filling' || filler.pendingGaps > 0) return;
    for (const entry of entries.values()) if (entry.track.needsScan) return;
    setLink(afterFilling(link));
  }

  function setLink(next: Link): void {
    const before = link;
    link = next;
    if (before.state === next.state && before.problem?.code === next.problem?.code) return;
    if (before.failedCycles >= 2 !== next.failedCycles >= 2) refreshAll();
    outbox.add({ channel: 'health', data: health() });
  }

  const health: Feed['health'] = () => healthView(config, link, figures, roster.all, scansAll(config.strategy, entries.size), intervalMs);

  async function cycle(all: readonly Entry[], deadline: number): Promise<void> {
    const { signal } = abort;
    cycling += 1;
    const outcome = await poller.cycle(all, scansAll(config.strategy, entries.size), deadline, signal);
    cycling -= 1;
    if (signal.aborted || closed) return;
    if (outcome.ok > 0) succeeded();
    else if (outcome.failed > 0) failed(outcome.problem ?? NOTHING_KNOWN);
    filler.run(signal);
    settleFilling();
    flush();
    arm();
  }

  function failed(error: Problem): void {
    setLink(afterFailure(link, error, clock.now()));
    probeAt = clock.elapsed() + backoffMs(link.failedCycles, random());
  }

  function succeeded(): void {
    const wasFailing = link.failedCycles > 0;
    const next = afterSuccess(link);
    if (wasFailing) {
      askAgain(entries.values(), link.failedCycles >= 2);
      cycleAt = clock.elapsed();
    }
    setLink(next);
  }

  /** A catalog read that hangs with the store must not hold up the read that confirms it; without indices it is that read. */
  const probing = (): boolean => cycling > 0 || (cataloguing && entries.size === 0);

  /** While the store fails, one read asks for it; five hundred would only queue up. */
  function probe(): void {
    const asked = spokesman(entries.values());
    const deadline = link.failedCycles === 1 && link.problem?.code === 'STORE_TIMEOUT' ? confirmDeadlineOf(intervalMs) : deadlineMs;
    if (asked) void cycle([asked], deadline);
    else void refreshCatalog(deadline, true);
  }

  function poll(now: number): void {
    const { due, late } = takeDue(roster.all, now, intervalMs, clock);
    if (late > 0) figures.skipped(scansAll(config.strategy, entries.size) ? late : Math.ceil(late / MAX_RANGES));
    if (catalog.due(now)) void refreshCatalog(deadlineMs, entries.size === 0);
    if (due.length > 0) void cycle(due, deadlineMs);
  }

  async function refreshCatalog(deadline: number, counts: boolean): Promise<void> {
    if (cataloguing) return;
    cataloguing = true;
    const { signal } = abort;
    const asked = clock.elapsed();
    const answer = await catalog.refresh(asked, deadline, signal, sleepersOf(roster.all, asked, intervalMs, clock));
    cataloguing = false;
    if (signal.aborted || closed) return;
    if (answer.changed) adopt();
    const awake = wakeUp(entries, answer.awake, clock.elapsed() + intervalMs);
    if (awake.length > 0 && link.failedCycles === 0) void cycle(awake, deadlineMs);
    // Where no index is known, this is the only read that tells whether the store answers.
    if (counts && answer.error) failed(answer.error);
    else if (counts && answer.requests > 0) succeeded();
    // A table that holds no index has nothing to fill, and no cycle would say so.
    settleFilling();
    flush();
    arm();
  }

  /** Takes the catalog's list over; new indices are read at once. */
  function adopt(): void {
    const list = catalog.list();
    const { fresh, removed } = roster.adopt(list);
    refreshAll();
    if (removed.length > 0) outbox.add({ channel: 'quotes', data: { kind: 'changes', quotes: [], removed } });
    outbox.add({ channel: 'indices', data: list });
    if (link.failedCycles > 0) return;
    const now = clock.elapsed();
    for (const entry of fresh) entry.nextPollAt = now + intervalMs;
    if (fresh.length > 0) void cycle(fresh, deadlineMs);
  }

  function wake(): void {
    if (closed) return;
    const now = clock.elapsed();
    const change = time.look();
    if (change === 'slept') resume();
    if (change === 'slept' || change === 'stepped') setSkew(skew.forget());
    for (const entry of roster.all) if (change !== 'same' || now >= entry.nextChangeAt) refresh(entry);
    if (link.failedCycles > 0) {
      if (!probing() && now >= probeAt) probe();
    } else if (now >= cycleAt) {
      cycleAt = nextCycle(cycleAt, now, intervalMs);
      // One waking for both, where they are near.
      if (upkeepAt - now < UPKEEP_MS / 4) upkeepAt = now;
      poll(now);
    }
    if (now >= upkeepAt) upkeep(now);
    flush();
    arm();
  }

  function upkeep(now: number): void {
    upkeepAt = now + UPKEEP_MS;
    figures.sample(now);
    const desk = clock.now();
    for (const entry of roster.all) session.roll(entry, desk);
    setSkew(skew.estimate(now));
    if (link.failedCycles === 0) {
      bars.run(roster.all, abort.signal);
      filler.run(abort.signal);
    }
    outbox.add({ channel: 'health', data: health() });
  }

  function arm(): void {
    if (closed) return;
    unarm();
    const now = clock.elapsed();
    const next = Math.min(upkeepAt, link.failedCycles === 0 ? cycleAt : probing() ? Number.POSITIVE_INFINITY : probeAt);
    unarm = later(wake, Math.max(1, Math.ceil(next - now)));
  }

  function setSkew(found: number | null): void {
    if (found === time.skewMs) return;
    time.skewMs = found;
    refreshAll();
  }

  function restart(): void {
    abort.abort();
    abort = cancellation();
    cataloguing = false;
    const now = clock.elapsed();
    for (const entry of entries.values()) {
      entry.inFlight = false;
      entry.track.needsScan = true;
      entry.nextPollAt = Number.NEGATIVE_INFINITY;
    }
    cycleAt = upkeepAt = probeAt = now;
    if (!closed) wake();
  }

  function resume(): void {
    reader.renew();
    link = afterResume(link);
    restart();
  }

  return {
    start() {
      cycleAt = upkeepAt = clock.elapsed();
      if (catalog.list().length > 0) adopt();
      wake();
    },
    snapshot: () => [...entries.values()].flatMap((entry) => {
      refresh(entry);
      return entry.view ? [entry.view] : [];
    }),
    indices: () => [...catalog.list()],
    info: (id) => catalog.list().find((info) => info.id === id) ?? infoFor(indexIdOf(id)),
    health,
    figures: () => new Map([...entries].map(([id, { track: { counts } }]): [IndexId, IndexFigures] => [id, { ...counts }])),
    on: (listener) => outbox.on(listener),
    watch: (owner, ids) => roster.watch(owner, ids),
    undecodable(id, key) {
      const entry = entries.get(id);
      if (entry) noteUndecodable(entry.track, key);
    },
    resume,
    reset({ rhythm = false } = {}) {
      // Its step is known: it is no sleep of the machine, and tells nothing of clocks that differ.
      time.look();
      if (rhythm) time.skewMs = skew.forget();
      for (const entry of entries.values()) {
        forget(entry, clock.now(), rhythm);
        refresh(entry);
      }
      queue.length = 0;
      restart();
    },
    sessionsChanged() {
      for (const entry of entries.values()) {
        entry.base = null;
        session.restart(entry);
        refresh(entry);
      }
      flush();
      wake();
    },
    lookNow() {
      for (const entry of entries.values()) if (!entry.inFlight) entry.nextPollAt = Number.NEGATIVE_INFINITY;
      cycleAt = clock.elapsed();
      wake();
    },
    close() {
      closed = true;
      unarm();
      abort.abort();
      outbox.close();
      return Promise.resolve();
    },
  };
}
