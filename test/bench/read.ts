/**
 * Client CPU of the latest prices of 500 indices, against the official client's 500 `createReadStream` scans of one row. Ours is the whole feed on
 * its real schedule (one poll a second, audits of every index within 10 s, four charted indices that re-read their trailing window, states, figures),
 * per cycle. Store and peer run in processes of their own,
 * so that neither pays for the other's garbage.
 */
import { connect } from '../../electron/bigtable/connect.ts';
import type { Reader } from '../../electron/bigtable/reader.ts';
import { createFeed, type Feed } from '../../electron/feed/feed.ts';
import type { Clock } from '../../shared/clock.ts';
import { indexIdOf } from '../../shared/rowKey.ts';
import { fromMillis } from '../../shared/time.ts';
import { figure, type Figure, median } from './figure.ts';
import { startPeerProcess } from './peerProcess.ts';
import { startStoreProcess, type StoreProcess } from './storeProcess.ts';

const COUNT = 500;
const ROUNDS = 3;
const INTERVAL_MS = 1000;
/** As long as all audits take to come round once. */
const CYCLES = 9;
export const ids = Array.from({ length: COUNT }, (_, i) => indexIdOf(`IX${String(i).padStart(3, '0')}`));
const clock: Clock = { kind: 'wall', now: () => fromMillis(Date.now()), elapsed: () => performance.now(), speed: () => 1, note: () => null };
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds of this process's CPU, user and system. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function openFeed(reader: Reader, intervalMs = INTERVAL_MS): Feed {
  const feed = createFeed({ reader, clock, config: { indices: ids, strategy: 'auto', intervalMs, retentionDays: 90, storeKind: 'embedded', storeName: 'bench' } });
  feed.watch(Symbol('charts'), ids.slice(0, 4));
  return feed;
}

/** A desk runs for weeks, its code long compiled: as many requests as the peer has made by then, ten times as fast. */
async function warmUp(reader: Reader, store: StoreProcess): Promise<void> {
  const feed = openFeed(reader, INTERVAL_MS / 10);
  feed.start();
  for (let i = 0; i < 30; i += 1) {
    await store.tick(ids);
    await wait(300);
  }
  await wait(6000);
  await feed.close();
}

/** CPU per cycle of a running feed while `during` happens each second. */
async function perCycle(feed: Feed, during: () => Promise<void>): Promise<number> {
  feed.start();
  await wait(3500); // first scans, daily bars, sessions
  const used = await cpuOf(async () => {
    for (let i = 0; i < CYCLES; i += 1) {
      const next = wait(INTERVAL_MS);
      await during();
      await next;
    }
  });
  const { errors, skippedPolls } = feed.health();
  if (errors > 0 || skippedPolls > 0) process.stderr.write(`bench: ${errors} errors, ${skippedPolls} skipped polls\n`);
  await feed.close();
  return used / CYCLES;
}

/** 500 scans of one row each through our reader, as the feed's first read does them. */
async function ownScans(reader: Reader): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let id = ids[next]; id !== undefined; id = ids[next]) {
      next += 1;
      const outcome = await reader.read({ ranges: [{ start: `${id}#`, end: `${id}$` }], limit: 1, deadlineMs: 10_000, families: ['q', 'h'] });
      if (!outcome.ok || outcome.rows.length !== 1) throw new Error(`scan of ${id} failed`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

export async function* run(): AsyncIterable<Figure> {
  const store = await startStoreProcess();
  const reader = connect(store.address);
  const peer = await startPeerProcess(store.address, ids);
  try {
    for (let i = 0; i < 3; i += 1) await store.tick(ids);
    // Both warm: compiled code, open channels.
    for (let i = 0; i < 3; i += 1) {
      await peer.scans();
      await ownScans(reader);
    }
    await warmUp(reader, store);
    const figures = { peer: [] as number[], nothing: [] as number[], one: [] as number[], scans: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.peer.push(await peer.scans(), await peer.scans());
      figures.scans.push(await cpuOf(() => ownScans(reader)), await cpuOf(() => ownScans(reader)));
      figures.nothing.push(await perCycle(openFeed(reader), async () => {}));
      figures.peer.push(await peer.scans());
      figures.one.push(await perCycle(openFeed(reader), () => store.tick(ids)));
    }
    const peerName = '500 createReadStream scans, limit 1';
    const cpu = median(figures.peer);
    yield figure('latest cycle of 500 indices, nothing new, audits and overlap included', median(figures.nothing), cpu, peerName, 'ms CPU', 0.01);
    yield figure('latest cycle of 500 indices, one new row each', median(figures.one), cpu, peerName, 'ms CPU', 0.04);
    yield figure('500 limit-1 scans', median(figures.scans), cpu, peerName, 'ms CPU', 0.5);
  } finally {
    await peer.stop();
    await reader.close();
    await store.stop();
  }
}
