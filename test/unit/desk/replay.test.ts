/** What the desk shows as of a chosen instant: feed, readers and clock together over a table in memory. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clipped } from '../../../electron/bigtable/asOf.ts';
import { asOfReader } from '../../../electron/bigtable/asOf.ts';
import { barTickReader } from '../../../electron/bigtable/barTicks.ts';
import { createReplayMode, type ReplayMode } from '../../../electron/desk/replayMode.ts';
import { storedTimes } from '../../../electron/desk/storedTimes.ts';
import { createFeed, type Feed } from '../../../electron/feed/feed.ts';
import { barKey, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros, MINUTE, SECOND, utc } from '../../../shared/time.ts';
import { fakeClock } from '../feed/fakeClock.ts';
import { memoryTable, type MemoryTable } from '../feed/memoryTable.ts';

const START = utc(2024, 3, 6, 15, 0);
const NOW = utc(2024, 3, 8, 15, 0);
const [SPX, NDX] = [indexIdOf('SPX'), indexIdOf('NDX')];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Scene {
  readonly table: MemoryTable;
  readonly mode: ReplayMode;
  readonly feed: Feed;
  shown(id: string): string | null;
  close(): Promise<void>;
}

function scene(strategy: 'scan' | 'delta' = 'scan', fixed = false): Scene {
  const table = memoryTable(2);
  const live = fakeClock(NOW, 'wall');
  const elapsed = (): number => performance.now();
  const times = storedTimes({ reader: table.reader, ticksAt: (border) => barTickReader(table.reader, () => border, elapsed).reader, clock: live, retentionDays: 90 });
  const bars = barTickReader(table.reader, () => mode.asOf(), elapsed);
  const mode: ReplayMode = createReplayMode({
    live, demo: null, fixed, times, onChange: () => {},
    onMove: (move) => {
      if (move === 'stepped') return feed.lookNow();
      bars.forget();
      feed.reset({ rhythm: move !== 'jumped' });
    },
  });
  const feed = createFeed({
    reader: asOfReader(bars.reader, () => mode.asOf()), clock: mode.clock, random: () => 0.5,
    config: { indices: ['SPX', 'NDX'], strategy, intervalMs: 1000, retentionDays: 90, storeKind: 'embedded', storeName: 'test' },
  });
  return {
    table, mode, feed, shown: (id) => feed.snapshot().find(({ index }) => index === id)?.price ?? null,
    async close() {
      mode.close();
      await feed.close();
    },
  };
}

const tick = (table: MemoryTable, id: typeof SPX, time: EpochMicros, price: string): void => table.put(tickKey(id, time), { 'q:p': price });
const bar = (table: MemoryTable, id: typeof SPX, start: EpochMicros, [o, h, l, c]: readonly string[]): void => table.put(barKey(id, '1m', start), { 'v:o': o!, 'v:h': h!, 'v:l': l!, 'v:c': c! });
const at = (seconds: number): EpochMicros => micros(START + BigInt(seconds) * SECOND);
const run = async (mode: ReplayMode, request: Parameters<ReplayMode['request']>[0]): Promise<Awaited<ReturnType<ReplayMode['request']>>> => {
  const answer = mode.request(request);
  await vi.advanceTimersByTimeAsync(60);
  return answer;
};

const move = fc.oneof(
  fc.record({ kind: fc.constant('jump' as const), to: fc.integer({ min: -30, max: 1900 }) }),
  fc.record({ kind: fc.constant('play' as const), speed: fc.constantFrom(1, 7, 60, 600), ms: fc.integer({ min: 0, max: 2500 }) }),
  fc.record({ kind: fc.constant('step' as const), back: fc.boolean(), by: fc.constantFrom('tick' as const, 'minute' as const) }),
);

test.each(['scan', 'delta'] as const)('%s: for any stream and any moves the newest tick at or before the clock shows, of ticks and of bars alike', async (strategy) => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.integer({ min: 0, max: 1800 }), { maxLength: 40 }), fc.uniqueArray(fc.integer({ min: 0, max: 29 }), { maxLength: 12 }), fc.array(move, { minLength: 1, maxLength: 8 }), fc.boolean(),
    async (seconds, minutes, moves, watched) => {
      const { table, mode, feed, shown, close } = scene(strategy);
      const model: Record<string, [EpochMicros, string][]> = { SPX: [], NDX: [] };
      for (const second of new Set(seconds)) {
        tick(table, SPX, at(second), String(second));
        model['SPX']!.push([at(second), String(second)]);
      }
      for (const minute of minutes) {
        const [o, h, l, c] = ['2', '9', '1', String(3 + minute)];
        bar(table, NDX, at(minute * 60), [o, h, l, c]);
        for (const [nth, price] of [o, l, h, c].entries()) model['NDX']!.push([at(minute * 60 + [0, 15, 40, 59][nth]!), price]);
      }
      for (const rows of Object.values(model)) rows.sort(([a], [b]) => Number(a - b));
      if (watched) feed.watch(Symbol('page'), ['SPX', 'NDX']);
      feed.start();
      await vi.advanceTimersByTimeAsync(20);
      await run(mode, { atMicros: String(at(900)) });
      for (const one of moves) {
        if (one.kind === 'jump') await run(mode, { atMicros: String(at(one.to)) });
        else if (one.kind === 'step') await run(mode, { step: { by: one.by, index: 'SPX', back: one.back } });
        else {
          await run(mode, { speed: one.speed, paused: false });
          await vi.advanceTimersByTimeAsync(one.ms);
          await run(mode, { paused: true });
          await vi.advanceTimersByTimeAsync(1100);
        }
        const now = mode.asOf();
        for (const id of ['SPX', 'NDX']) {
          expect({ one, id, price: shown(id) }).toEqual({ one, id, price: model[id]!.findLast(([time]) => now !== null && time <= now)?.[1] ?? null });
        }
      }
      expect(feed.snapshot().every(({ flags }) => flags.includes('replay') && !flags.includes('future'))).toBe(true);
      await close();
    },
  ), { numRuns: Number(process.env.RUNS ?? 20) });
}, 300_000);

test('while it plays, no read asks for anything after the clock', async () => {
  const { table, mode, feed, close } = scene('delta');
  for (let second = 0; second < 600; second += 5) tick(table, SPX, at(second), String(second));
  feed.start();
  await vi.advanceTimersByTimeAsync(20);
  await run(mode, { atMicros: String(at(10)), paused: false, speed: 60 });
  table.requests.length = 0;
  await vi.advanceTimersByTimeAsync(5000);
  const asked = table.requests.flatMap(({ ranges }) => ranges).filter(({ start }) => start.startsWith('SPX#'));
  expect(asked.length).toBeGreaterThan(3);
  for (const { start } of asked) expect(start >= `SPX#${2n ** 63n - 1n - mode.clock.now()}`).toBe(true);
  await close();
});

test('back to live, and by itself when it has caught up; a host that keeps its clock refuses', async () => {
  const { table, mode, feed, shown, close } = scene();
  tick(table, SPX, at(0), '1');
  tick(table, SPX, micros(NOW - SECOND), '2');
  feed.start();
  await vi.advanceTimersByTimeAsync(20);
  expect([shown('SPX'), mode.view()]).toEqual(['2', expect.objectContaining({ kind: 'wall' })]);
  expect(mode.view()).not.toHaveProperty('live');
  expect(await run(mode, { paused: true })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
  expect(await run(mode, { atMicros: String(NOW + MINUTE) })).toMatchObject({ ok: false, error: { what: expect.stringContaining('not come') } });
  expect(await run(mode, { atMicros: String(at(30)), speed: 601 })).toMatchObject({ ok: false });
  expect(mode.asOf()).toBeNull();
  expect(await run(mode, { atMicros: String(at(30)) })).toMatchObject({ ok: true, value: { kind: 'replay', paused: true, speed: 0, chosenSpeed: 1, live: { kind: 'wall' }, turn: 1 } });
  expect(shown('SPX')).toBe('1');
  await run(mode, { live: true });
  expect([shown('SPX'), mode.clock.kind, mode.view().turn]).toEqual(['2', 'wall', 2]);
  await run(mode, { atMicros: String(micros(NOW - MINUTE)), speed: 600, paused: false });
  await vi.advanceTimersByTimeAsync(1000);
  expect([shown('SPX'), mode.view().kind, mode.view().note]).toEqual(['2', 'wall', 'the replay has caught up']);
  await close();
  const kept = scene('scan', true);
  expect(await run(kept.mode, { atMicros: String(at(0)) })).toMatchObject({ ok: false, error: { what: 'this host keeps its clock' } });
  expect(kept.mode.view().fixed).toBe(true);
  await kept.close();
});

test('a range of an index ends at the instant, one over several indices is left alone; a bar is there when it is whole', () => {
  const rts = (time: bigint): string => String(2n ** 63n - 1n - time);
  expect(clipped({ start: 'SPX#', end: 'SPX$' }, START)).toEqual({ start: `SPX#${rts(START)}`, end: 'SPX$' });
  expect(clipped({ start: 'SPX@1m#', end: 'SPX@1m$' }, START)).toEqual({ start: `SPX@1m#${rts(START - MINUTE)}`, end: 'SPX@1m$' });
  expect(clipped({ start: 'SPX#', end: `SPX#${rts(START + SECOND)}` }, START)).toBeNull();
  for (const range of [{ start: `SPX#${rts(START - SECOND)}`, end: 'SPX$' }, { start: '-', end: 'SPX#' }, { start: '!index#', end: '!index$' }, { start: 'NDX$', end: 'SPX#' }]) expect(clipped(range, START)).toBe(range);
});
