/**
 * Client CPU of the latest prices of 500 indices, against the official client's 500 `createReadStream` scans of one row. Ours is the whole feed on
 * its real schedule (one poll a second, audits of every index within 10 s, four charted indices that re-read their trailing window, states, figures),
 * per cycle, without the idle time between (quickTime.ts), since the peer has none. Store and peer run in processes of their own, so that neither
 * pays for the other's garbage.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connect } from '../../electron/bigtable/connect.ts';
import type { Reader } from '../../electron/bigtable/reader.ts';
import { createFeed, type Feed } from '../../electron/feed/feed.ts';
import { indexIdOf } from '../../shared/rowKey.ts';
import { figure, type Figure, median } from './figure.ts';
import { type QuickTime, quickTime } from './quickTime.ts';
import { startPeerProcess } from './peerProcess.ts';
import { startStoreProcess } from './storeProcess.ts';

const COUNT = 500;
const ROUNDS = 3;
const INTERVAL_MS = 1000;
/** All audits come round five times. */
const CYCLES = 45;
const ids = Array.from({ length: COUNT }, (_, i) => indexIdOf(`IX${String(i).padStart(3, '0')}`));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Milliseconds of this process's CPU, user and system. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Running extends QuickTime {
  readonly feed: Feed;
}

/** A feed that has read all for the first time: newest rows, daily bars, sessions. */
async function startFeed(reader: Reader, start: number): Promise<Running> {
  const time = quickTime(reader, start);
  const feed = createFeed({
    reader: time.reader, clock: time.clock, later: time.later,
    config: { indices: ids, strategy: 'auto', intervalMs: INTERVAL_MS, retentionDays: 90, storeKind: 'embedded', storeName: 'bench' },
  });
  feed.watch(Symbol('charts'), ids.slice(0, 4));
  feed.start();
  await time.pass(11_000);
  return { ...time, feed };
}

/** CPU per cycle of a running feed while `during` happens before each, not counted: it only asks the store's process to write. */
async function perCycle(running: Running, cycles: number, during: (() => Promise<void>) | null): Promise<number> {
  const { feed } = running;
  collectGarbage(); // of what was measured before
  let used = 0;
  if (during === null) used = await cpuOf(() => running.pass(cycles * INTERVAL_MS));
  else {
    for (let i = 0; i < cycles; i += 1) {
      await during();
      used += await cpuOf(() => running.pass(INTERVAL_MS));
    }
  }
  const { errors, skippedPolls } = feed.health();
  if (errors > 0 || skippedPolls > 0) process.stderr.write(`bench: ${errors} errors, ${skippedPolls} skipped polls\n`);
  return used / cycles;
}

/** What a cycle's requests cost alone: 500 ranges of what is newer than `since`, in requests of 250. */
async function bareDeltas(reader: Reader, since: number, cycles: number): Promise<number> {
  const newest = 2n ** 63n - 1n - BigInt(since) * 1000n;
  const cpu = await cpuOf(async () => {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await Promise.all(Array.from({ length: COUNT / 250 }, (_, at) =>
        reader.read({ ranges: ids.slice(at * 250, at * 250 + 250).map((id) => ({ start: `${id}#`, end: `${id}#${newest}#999999` })), limit: 5000, deadlineMs: 10_000, families: ['q', 'h'] })));
    }
  });
  return cpu / cycles;
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
    const running = await startFeed(reader, Date.now());
    const tick = (): Promise<void> => store.tick(ids, running.now() + 1);
    // A desk runs for weeks, its code long compiled.
    await perCycle(running, 300, null);
    await perCycle(running, 60, tick);
    const figures = { peer: [] as number[], nothing: [] as number[], one: [] as number[], scans: [] as number[], bare: [] as number[], bareOne: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.peer.push(await peer.scans(), await peer.scans());
      figures.scans.push(await cpuOf(() => ownScans(reader)), await cpuOf(() => ownScans(reader)));
      figures.nothing.push(await perCycle(running, CYCLES, null));
      figures.bare.push(await bareDeltas(reader, running.now(), CYCLES));
      figures.peer.push(await peer.scans());
      figures.one.push(await perCycle(running, CYCLES, tick));
      for (let i = 0; i < 5; i += 1) {
        const before = running.now();
        await tick();
        figures.bareOne.push(await bareDeltas(reader, before, 1));
        await running.pass(INTERVAL_MS);
      }
    }
    await running.feed.close();
    process.stderr.write(
      `bench: the floor, a cycle's bare requests (2 of 250 ranges each) through the same reader: ${median(figures.bare).toPrecision(3)} ms CPU with nothing new, ${median(figures.bareOne).toPrecision(3)} with one new row each\n`,
    );
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
