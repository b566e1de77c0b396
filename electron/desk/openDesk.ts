/** Puts a desk together: store, clock, feed, history, and the demo where nothing else is configured. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failed, ok, type Problem, type Result } from '../../shared/result.ts';
import { ensureTable } from '../bigtable/admin.ts';
import { asOfReader } from '../bigtable/asOf.ts';
import { barTickReader } from '../bigtable/barTicks.ts';
import { type IndexId, indexIdOf } from '../../shared/rowKey.ts';
import type { StoreAddress } from '../bigtable/reader.ts';
import { readRegistry } from '../bigtable/registry.ts';
import { guardRejections } from '../bigtable/guard.ts';
import { removeRows } from '../bigtable/removeRows.ts';
import { ownDatesPath } from '../config/ownDates.ts';
import type { Settings } from '../config/settings.ts';
import { createFeed } from '../feed/feed.ts';
import type { FeedConfig } from '../feed/feedConfig.ts';
import { createHistory } from '../history/history.ts';
import { type Demo, startDemo } from '../ingest/demo.ts';
import { sleep } from '../ingest/sleep.ts';
import { type Answers, type Connections, createConnections } from './connections.ts';
import type { Desk } from './desk.ts';
import { deskClock, elapsed } from './deskClock.ts';
import { metricsText } from './metrics.ts';
import { openStore, type OpenStore } from './openStore.ts';
import { openOwnCalendar } from './ownCalendar.ts';
import { pastAnswers } from './pastAnswers.ts';
import { type ClockMove, createReplayMode } from './replayMode.ts';
import { reportDefect, reportProblem } from './report.ts';
import { storedTimes } from './storedTimes.ts';

/** The user's own rows, if there ever were any: then nothing configured means them, not the demo. */
export const showsDemo = (settings: Settings, asked: boolean): boolean => asked || (settings.unconfigured && !existsSync(join(settings.dataDir, 'store.sqlite')));

/** How the store is called on screen. */
export function storeName(address: StoreAddress, demo: boolean): string {
  if (demo) return 'demo';
  if (address.kind === 'bigtable') return `${address.project} / ${address.instance} / ${address.table}`;
  return address.kind === 'emulator' ? `${address.endpoint ?? ''} / ${address.table}` : `this machine / ${address.table}`;
}

export interface DeskOptions {
  readonly demo?: boolean;
  /** Pages may not change the clock or the calendar. */
  readonly fixedClock?: boolean;
}

/** Fails only where waiting can't help: a data folder in use or corrupt, demo files missing. A store that is down is a state on screen. */
export async function openDesk(settings: Settings, { demo: asked = false, fixedClock = false }: DeskOptions = {}): Promise<Result<Desk, Problem>> {
  const demoWanted = showsDemo(settings, asked);
  const opened = await openStore(settings, { memory: demoWanted });
  if (!opened.ok) return opened;
  const store = opened.value;
  if (store.address.kind === 'embedded' && !demoWanted && store.layout === null) {
    const ensured = await ensureTable(store.address, settings.retentionDays);
    if (!ensured.ok) return abandon(store, ensured.error);
  }
  // a failed read reports itself on screen; this keeps a second, unreachable rejection of the sign-in layer from ending the host
  const unguard = guardRejections(store.address, () => {}, (reason) => reportDefect('a rejection that nobody handled', reason));
  let restarted: () => void = () => {};
  const demo = demoWanted ? await openDemo(store, () => restarted()) : ok(null);
  if (!demo.ok) return abandon(store, demo.error);

  // A demo is of the past and the same for everybody: what the user corrects in it ends with it.
  let corrected: () => void = () => {};
  const calendar = await openOwnCalendar({ path: demoWanted ? null : ownDatesPath(settings), fixed: fixedClock, onChange: () => corrected() });
  const live = demo.value?.clock ?? deskClock(settings.testNow);
  const { retentionDays } = settings;
  const times = storedTimes({ reader: store.reader, ticksAt: (border) => barTickReader(store.reader, () => border, elapsed).reader, clock: live, retentionDays });
  let moved: (move: ClockMove) => void = () => {};
  let connections: Connections | null = null;
  const mode = createReplayMode({ live, demo: demo.value?.clock ?? null, fixed: fixedClock, times, onMove: (move) => moved(move), onChange: () => connections?.beat() });
  const { clock } = mode;
  const bars = barTickReader(store.reader, () => mode.asOf(), elapsed);
  const [ticks, stored] = [asOfReader(bars.reader, () => mode.asOf()), asOfReader(store.reader, () => mode.asOf())];
  const config: FeedConfig = {
    indices: demoWanted ? null : settings.indices, strategy: store.layout ? 'scan' : settings.poll.strategy, intervalMs: settings.poll.intervalMs, retentionDays: settings.retentionDays,
    storeKind: store.address.kind, storeName: storeName(store.address, demoWanted),
  };
  const feed = createFeed({ reader: ticks, clock, config, registry: readRegistry });
  const context = { clock, retentionDays, info: (id: string) => feed.info(id), skipped: (id: IndexId, key: string) => feed.undecodable(id, key) };
  const past = pastAnswers(() => ({ charts: createHistory({ ...context, reader: stored }), ticks: createHistory({ ...context, reader: ticks }) }), () => mode.asOf());
  const answers: Omit<Answers, 'watch'> = {
    ...past.answers,
    clock: (request) => mode.request(request),
    stored: ({ index }) => times.range(indexIdOf(index), live.now()),
    correct: (request) => calendar.correct(request),
  };
  const pages = createConnections(feed, () => mode.view(), () => calendar.view(), answers);
  connections = pages;
  const offClock = demo.value?.clock.onChange(() => pages.beat());
  moved = (move) => {
    if (move === 'stepped') return feed.lookNow();
    bars.forget();
    past.forget();
    feed.reset({ rhythm: move !== 'jumped' });
    pages.resync();
  };
  corrected = () => {
    past.forget();
    feed.sessionsChanged();
    pages.resync();
  };
  restarted = () => feed.reset();
  feed.start();

  return ok({
    connect: (listener) => pages.connect(listener),
    failing() {
      const { link, problem: trouble } = feed.health();
      return link === 'broken' ? `store: ${trouble?.what ?? 'not answering'}` : link === 'connecting' ? 'store: nothing read yet' : null;
    },
    metrics: () => metricsText(feed.health(), feed.snapshot(), pages.count()),
    resume: () => feed.resume(),
    async close() {
      offClock?.();
      mode.close();
      calendar.close();
      pages.close();
      await demo.value?.close();
      await feed.close();
      await store.close();
      unguard();
    },
  });
}

async function abandon(store: OpenStore, why: Problem): Promise<Result<never, Problem>> {
  await store.close();
  return failed(why);
}

async function openDemo(store: OpenStore, onRestart: () => void): Promise<Result<Demo, Problem>> {
  return startDemo({
    writer: await store.writer(), fresh: true, elapsed, sleep, machineMillis: () => Date.now(),
    prepare: () => ensureTable(store.address),
    remove: (keys) => removeRows(store.address, keys),
    onProblem: (trouble) => { if (trouble) reportProblem(trouble); },
    onRestart: (step) => { if (step === 'restarted') onRestart(); },
  });
}
