/** Puts a desk together: store, clock, feed, history, and the demo where nothing else is configured. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { ensureTable } from '../bigtable/admin.ts';
import type { StoreAddress } from '../bigtable/reader.ts';
import { readRegistry } from '../bigtable/registry.ts';
import { guardRejections } from '../bigtable/guard.ts';
import { removeRows } from '../bigtable/removeRows.ts';
import type { Settings } from '../config/settings.ts';
import { createFeed } from '../feed/feed.ts';
import type { FeedConfig } from '../feed/feedConfig.ts';
import { createHistory } from '../history/history.ts';
import { type Demo, startDemo } from '../ingest/demo.ts';
import type { ReplayClock } from '../ingest/replayClock.ts';
import { sleep } from '../ingest/sleep.ts';
import { type Answers, clockView, createConnections } from './connections.ts';
import type { Desk } from './desk.ts';
import { deskClock, elapsed } from './deskClock.ts';
import { metricsText } from './metrics.ts';
import { openStore, type OpenStore } from './openStore.ts';
import { reportDefect, reportProblem } from './report.ts';

/** The user's own rows, if there ever were any: then nothing configured means them, not the demo. */
export const showsDemo = (settings: Settings, asked: boolean): boolean => asked || (settings.unconfigured && !existsSync(join(settings.dataDir, 'store.sqlite')));

/** How the store is called on screen. */
export function storeName(address: StoreAddress, demo: boolean): string {
  if (demo) return 'demo';
  if (address.kind === 'bigtable') return `${address.project} / ${address.instance} / ${address.table}`;
  return address.kind === 'emulator' ? `${address.endpoint ?? ''} / ${address.table}` : `this machine / ${address.table}`;
}

/** Fails only where waiting can't help: a data folder in use or corrupt, demo files missing. A store that is down is a state on screen. */
export async function openDesk(settings: Settings, { demo: asked = false }: { readonly demo?: boolean } = {}): Promise<Result<Desk, Problem>> {
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

  const clock: Clock = demo.value?.clock ?? deskClock(settings.testNow);
  const config: FeedConfig = {
    indices: demoWanted ? null : settings.indices, strategy: store.layout ? 'scan' : settings.poll.strategy, intervalMs: settings.poll.intervalMs, retentionDays: settings.retentionDays,
    storeKind: store.address.kind, storeName: storeName(store.address, demoWanted),
  };
  const feed = createFeed({ reader: store.reader, clock, config, registry: readRegistry });
  const history = createHistory({ reader: store.reader, clock, retentionDays: settings.retentionDays, info: (id) => feed.info(id), skipped: (id, key) => feed.undecodable(id, key) });
  const answers: Omit<Answers, 'watch'> = {
    history: (request) => history.history(request),
    sparklines: (request) => history.sparklines(request),
    references: (request) => history.references(request),
    tape: (request) => history.tape(request),
    sessions: (request) => history.sessions(request),
    clock: async (request) => setClock(demo.value?.clock ?? null, request),
  };
  const connections = createConnections(feed, clock, answers);
  const offClock = demo.value?.clock.onChange(() => connections.beat());
  restarted = () => feed.reset();
  feed.start();

  return ok({
    connect: (listener) => connections.connect(listener),
    failing() {
      const { link, problem: trouble } = feed.health();
      return link === 'broken' ? `store: ${trouble?.what ?? 'not answering'}` : link === 'connecting' ? 'store: nothing read yet' : null;
    },
    metrics: () => metricsText(feed.health(), feed.snapshot(), connections.count()),
    resume: () => feed.resume(),
    async close() {
      offClock?.();
      connections.close();
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

async function setClock(clock: ReplayClock | null, request: { readonly speed?: number; readonly paused?: boolean }): ReturnType<Answers['clock']> {
  if (clock === null) return failed(problem('BAD_INPUT', 'this clock is not a replay', 'start with --demo to choose a speed'));
  const set = clock.set(request);
  return set.ok ? ok(clockView(clock)) : set;
}
