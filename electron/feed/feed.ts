/** The poller's edge: timers, reads in flight, listeners. What it decides is decided in schedule.ts, link.ts, track.ts and shared/state.ts. */
import { setMaxListeners } from 'node:events';
import type { QuoteView } from '../../shared/channels.ts';
import { infoFor } from '../../shared/indices.ts';
import type { Tick } from '../../shared/quote.ts';
import { type Problem, problem } from '../../shared/result.ts';
import { type IndexId, indexIdOf, isIndexId, keyAfter, reverseTime } from '../../shared/rowKey.ts';
import { learnGaps } from './cadence.ts';
import { createCatalog } from './catalog.ts';
import { sameQuote } from './changes.ts';
import { addToDay, createDay, dependsOn, sessionSpan } from './day.ts';
import { createEntry, type Entry, forget } from './entry.ts';
import type { Feed, FeedEvent, FeedOptions, IndexFigures } from './feedConfig.ts';
import { createFigures } from './figures.ts';
import { createFiller } from './filler.ts';
import { type FillJob, fillJob } from './fill.ts';
import { healthView } from './healthView.ts';
import { afterFailure, afterFilling, afterResume, afterSuccess, blame, CONNECTING, type Link } from './link.ts';
import { createPoller } from './poller.ts';
import { backoffMs, confirmDeadlineOf, deadlineOf, intervalOf, nextCycle, nextPoll, scansAll } from './schedule.ts';
import { ticksEvents } from './ticksEvent.ts';
import type { Effects } from './track.ts';
import { createBarsUpkeep } from './upkeep.ts';
import { viewOf } from './view.ts';

export type { Feed, FeedConfig, FeedEvent, FeedOptions, IndexFigures } from './feedConfig.ts';

const UPKEEP_MS = 1_000;
/** The wall clock ran on this much more than the machine's: it slept. */
const SLEPT_MS = 10_000;
/** Desk time that differs by more than this from what elapsed was set. */
const STEP_MS = 100;
const NOTHING_KNOWN = problem('STORE_UNREACHABLE', 'the store does not answer', 'check that it runs and can be reached', true);

/** A feed over one table; nothing is read before start(). Throws RangeError for an interval outside 100..60000 ms. */
export function createFeed(options: FeedOptions): Feed {
  const { reader, clock, config, random = Math.random } = options;
  const intervalMs = intervalOf(config.intervalMs);
  const deadlineMs = deadlineOf(intervalMs);
  const entries = new Map<IndexId, Entry>();
  const listeners = new Set<(events: readonly FeedEvent[]) => void>();
  const watchers = new Map<symbol, readonly string[]>();
  const figures = createFigures();
  const catalog = createCatalog(options);
  const queue: FillJob[] = [];
  let events: FeedEvent[] = [];
  let changed = new Map<IndexId, QuoteView>();
  let link: Link = CONNECTING;
  let abort = cancellation();
  let timer: NodeJS.Timeout | undefined;
  let [closed, cataloguing, cycling] = [false, false, 0];
  let [cycleAt, probeAt, upkeepAt] = [0, 0, 0];
  let pace = clock.speed() || 1;
  let lastSeen = { desk: clock.now(), elapsed: clock.elapsed(), speed: clock.speed() };

  const poller = createPoller({
    reader, clock, intervalMs, random, retentionDays: config.retentionDays, entry: (id) => entries.get(id), queue, meter: figures.meter, onRead, onFailed, flush,
  });
  const filler = createFiller({ clock, queue, deadlineMs, read: { reader, meter: figures.meter }, onPage, onDone, flush });
  const bars = createBarsUpkeep(reader, clock, deadlineMs, refresh, flush);

  function refresh(entry: Entry): void {
    const cycleFailure = link.problem ? blame(link.problem, config.storeKind === 'bigtable') : null;
    const slept = sleeps(entry);
    const view = viewOf(entry, { clock, pace, pollMs: intervalMs, failedCycles: link.failedCycles, cycleFailure, skewMs: null }, clock.now(), clock.elapsed());
    if (entry.view === null || !sameQuote(entry.view, view)) changed.set(entry.info.id, view);
    entry.view = view;
    // Its market opened, by time, by another speed or by a step of the clock: it is not asked at leisure any more.
    if (slept && !sleeps(entry)) entry.nextPollAt = Number.NEGATIVE_INFINITY;
  }

  const refreshAll = (): void => entries.forEach(refresh);

  function flush(): void {
    if (changed.size > 0) {
      events.push({ channel: 'quotes', data: { kind: 'changes', quotes: [...changed.values()] } });
      changed = new Map();
    }
    if (events.length === 0) return;
    const batch = events;
    events = [];
    for (const listener of listeners) listener(batch);
  }

  function onRead(entry: Entry, effects: Effects | null, filling: boolean): void {
    const recovered = entry.failures >= 2 || !entry.everRead;
    const first = !entry.everRead;
    entry.failures = 0;
    entry.everRead = true;
    if (effects) {
      entry.activeAt = first ? null : clock.elapsed();
      learn(entry, effects);
      if (entry.watched) for (const data of ticksEvents(entry.info.id, effects, filling)) events.push({ channel: 'ticks', data });
    }
    if (first) requestDay(entry);
    if (effects || recovered) refresh(entry);
  }

  function onFailed(entry: Entry, error: Problem): void {
    entry.failures += 1;
    entry.failure = blame(error, config.storeKind === 'bigtable');
    if (entry.failures >= 2) refresh(entry);
  }

  function learn(entry: Entry, effects: Effects): void {
    rollDay(entry);
    learnGaps(entry.cadence, effects);
    const { added, backfill, corrected, removed } = effects;
    for (const list of [backfill, added, corrected]) for (const tick of list) addToDay(entry.day, tick);
    const depends = (tick: Tick): boolean => dependsOn(entry.day, tick);
    if (corrected.some(depends) || removed.some(depends)) {
      entry.day = createDay(entry.day.span, false);
      requestDay(entry);
    }
  }

  function rollDay(entry: Entry, now = clock.now()): void {
    if (now >= entry.day.checkAt || now < entry.day.span.from) {
      const span = sessionSpan(entry.info, now);
      if (span.date !== entry.day.span.date) entry.day = createDay(span, entry.everRead);
      else entry.day.checkAt = span.checkAt;
    }
  }

  /** Open, high and low need every tick of the session: what lies behind the newest is read in the background. */
  function requestDay(entry: Entry): void {
    rollDay(entry);
    const latest = entry.track.latest;
    for (let at = queue.length - 1; at >= 0; at -= 1) if (queue[at]?.entry === entry && queue[at]?.kind === 'day') queue.splice(at, 1);
    if (latest === null || latest.tick.time < entry.day.span.from) {
      entry.day.whole = true;
      return;
    }
    // Pages bring only what these don't know yet.
    for (const { tick } of entry.track.recent.values()) addToDay(entry.day, tick);
    queue.push(fillJob(entry, 'day', { start: keyAfter(latest.row.key), end: `${entry.info.id}#${reverseTime(entry.day.span.from)}$` }));
  }

  function onPage(job: FillJob, effects: Effects): void {
    learn(job.entry, effects);
    if (job.kind === 'gap' && job.entry.watched) for (const data of ticksEvents(job.entry.info.id, effects, true)) events.push({ channel: 'ticks', data });
    refresh(job.entry);
  }

  function onDone(job: FillJob, whole: boolean): void {
    if (job.kind === 'day') job.entry.day.whole = whole;
    refresh(job.entry);
    settleFilling();
  }

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
    events.push({ channel: 'health', data: health() });
  }

  const health: Feed['health'] = () => healthView(config, link, figures, entries.values(), scansAll(config.strategy, entries.size), intervalMs);

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
      // Whatever happened meanwhile: every index is scanned, and stays disconnected until its own scan has succeeded.
      for (const entry of entries.values()) {
        if (link.failedCycles >= 2) entry.failures = Math.max(2, entry.failures);
        if (!entry.inFlight) entry.nextPollAt = Number.NEGATIVE_INFINITY;
        // After a single failure a charted index goes on by range: its next ticks are news, in order.
        if (link.failedCycles >= 2 || !entry.watched) entry.track.needsScan = true;
      }
      cycleAt = clock.elapsed();
    }
    setLink(next);
  }

  /** While the store fails, one read asks for it; five hundred would only queue up. */
  function probe(): void {
    const asked = [...entries.values()].filter((entry) => !entry.inFlight).sort((a, b) => Number(b.watched) - Number(a.watched))[0];
    const deadline = link.failedCycles === 1 && link.problem?.code === 'STORE_TIMEOUT' ? confirmDeadlineOf(intervalMs) : deadlineMs;
    if (asked) void cycle([asked], deadline);
    else void refreshCatalog(deadline, true);
  }

  function poll(now: number): void {
    const due: Entry[] = [];
    let late = 0;
    for (const entry of entries.values()) {
      if (entry.nextPollAt > now + 1) continue;
      if (entry.inFlight) late += 1;
      else due.push(entry);
      entry.nextPollAt = sleeps(entry) ? nextPoll({ now, intervalMs, closed: true, activeAt: entry.activeAt, openInMs: openInMs(entry) }) : now + intervalMs;
    }
    if (late > 0) figures.skipped(scansAll(config.strategy, entries.size) ? late : Math.ceil(late / 100));
    if (catalog.due(now)) void refreshCatalog(deadlineMs, entries.size === 0);
    if (due.length > 0) void cycle(due, deadlineMs);
  }

  function openInMs({ decision }: Entry): number | null {
    const speed = clock.speed();
    return decision?.nextOpen == null || speed <= 0 ? null : Number(decision.nextOpen - clock.now()) / 1000 / speed;
  }

  async function refreshCatalog(deadline: number, counts: boolean): Promise<void> {
    if (cataloguing) return;
    cataloguing = true;
    const { signal } = abort;
    const answer = await catalog.refresh(clock.elapsed(), deadline, signal);
    cataloguing = false;
    if (signal.aborted || closed) return;
    if (answer.changed) adopt();
    // Where no index is known, this is the only read that tells whether the store answers.
    if (counts && answer.error) failed(answer.error);
    else if (counts && answer.requests > 0) succeeded();
    flush();
    arm();
  }

  /** Takes the catalog's list over; new indices are read at once. */
  function adopt(): void {
    const list = catalog.list();
    const watched = watchedIds();
    const fresh: Entry[] = [];
    const ids = new Set<string>(list.map((info) => info.id));
    for (const info of list) {
      const known = entries.get(info.id);
      if (known) {
        known.info = info;
        known.base = null;
        refresh(known);
        continue;
      }
      const entry = createEntry(info, clock.now());
      entry.watched = watched.has(info.id);
      entry.lastAuditAt = clock.elapsed();
      entries.set(info.id, entry);
      fresh.push(entry);
      refresh(entry);
    }
    const removed = [...entries.keys()].filter((id) => !ids.has(id));
    for (const id of removed) entries.delete(id);
    if (removed.length > 0) events.push({ channel: 'quotes', data: { kind: 'changes', quotes: [], removed } });
    events.push({ channel: 'indices', data: list });
    if (link.failedCycles > 0) return;
    const now = clock.elapsed();
    for (const entry of fresh) entry.nextPollAt = now + intervalMs;
    if (fresh.length > 0) void cycle(fresh, deadlineMs);
  }

  const watchedIds = (): Set<string> => new Set([...watchers.values()].flat());

  function wake(): void {
    if (closed) return;
    const now = clock.elapsed();
    const stepped = noticeSteps(now);
    for (const entry of entries.values()) if (stepped || now >= entry.nextChangeAt) refresh(entry);
    if (link.failedCycles > 0) {
      if (cycling === 0 && !cataloguing && now >= probeAt) probe();
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
    for (const entry of entries.values()) rollDay(entry, desk);
    if (link.failedCycles === 0) {
      bars.run(entries.values(), abort.signal);
      filler.run(abort.signal);
    }
    events.push({ channel: 'health', data: health() });
  }

  function arm(): void {
    if (closed) return;
    clearTimeout(timer);
    const now = clock.elapsed();
    const next = Math.min(upkeepAt, link.failedCycles === 0 ? cycleAt : cycling > 0 || cataloguing ? Number.POSITIVE_INFINITY : probeAt);
    timer = setTimeout(wake, Math.max(1, Math.ceil(next - now)));
  }

  /** Whether desk time did not run on as it did before: another speed, a pause, a step. What was decided to change later changes at another time then. */
  function noticeSteps(now: number): boolean {
    const [desk, speed] = [clock.now(), clock.speed()];
    const drift = Number(desk - lastSeen.desk) / 1000 - (now - lastSeen.elapsed) * lastSeen.speed;
    const otherSpeed = speed !== lastSeen.speed;
    if (speed > 0) pace = speed;
    lastSeen = { desk, speed, elapsed: now };
    if (clock.kind === 'wall' && drift > SLEPT_MS) resume();
    return otherSpeed || Math.abs(drift) > STEP_MS * Math.max(1, speed);
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
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch(owner, ids) {
      if (ids.length === 0) watchers.delete(owner);
      else watchers.set(owner, ids.filter(isIndexId));
      const watched = watchedIds();
      for (const entry of entries.values()) entry.watched = watched.has(entry.info.id);
    },
    resume,
    reset() {
      for (const entry of entries.values()) {
        forget(entry, clock.now());
        refresh(entry);
      }
      queue.length = 0;
      restart();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      abort.abort();
      listeners.clear();
      return Promise.resolve();
    },
  };
}

/** Closed, and nothing is expected: before an open its pre-open prints are. */
const sleeps = ({ decision }: Entry): boolean => decision?.state === 'closed' && decision.phase !== 'pre-open';

/** One signal cancels every read in flight: many listeners on it are no leak. */
function cancellation(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
