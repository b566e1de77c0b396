import { describe, expect, test } from 'vitest';
import { decodeBar } from '../../../electron/bigtable/decode.ts';
import { decodeRegistryRow } from '../../../electron/bigtable/registry.ts';
import type { Row } from '../../../electron/bigtable/reader.ts';
import { type Demo, demoDataFolder, type DemoOptions, startDemo } from '../../../electron/ingest/demo.ts';
import { DEMO_END, DEMO_START, loadDemoDay } from '../../../electron/ingest/demoDay.ts';
import { chooseBase } from '../../../shared/change.ts';
import { decodeKey } from '../../../shared/rowKey.ts';
import { phaseAt } from '../../../shared/sessions.ts';
import { type EpochMicros, formatIso } from '../../../shared/time.ts';
import { at, fakeTime, memoryTable, type MemoryTable, until } from './fakes.ts';

const loaded = await loadDemoDay(demoDataFolder() ?? '');
if (!loaded.ok) throw new Error(loaded.error.what);
const day = loaded.value;

function tableOfKnown(): MemoryTable {
  const table = memoryTable();
  for (const row of day.known) table.rows.set(row.key, { version: 1000n, cells: row.cells });
  return table;
}

const rowOf = (table: MemoryTable, key: string): Row => ({
  key, cells: new Map(table.rows.get(key)!.cells.map(({ family, qualifier, value }) => [`${family}:${qualifier}`, { value: Buffer.from(value), version: 1000n }])),
});
const ticksOf = (table: MemoryTable, id: string): { time: EpochMicros; price: string }[] =>
  [...table.rows].filter(([key]) => key.startsWith(`${id}#`)).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { cells }]) => {
    const decoded = decodeKey(key);
    return { time: decoded?.kind === 'tick' ? decoded.time : (0n as EpochMicros), price: cells[0]!.value };
  });
const base = (table: MemoryTable, id: string, now = DEMO_START) => {
  const info = day.infos.find((one) => one.id === id)!;
  const bars = [...table.rows.keys()].filter((key) => key.startsWith(`${id}@1d#`)).sort().map((key) => decodeBar(rowOf(table, key))).map((bar) => (bar.ok ? bar.value : expect.fail()));
  return chooseBase({ mic: info.mic, zone: info.zone, now, delayMs: 0, clock: 'replay', dailyBars: bars });
};

describe('the day at 14:20 UTC', () => {
  const table = tableOfKnown();

  test('Europe is open, Asia closed, New York about to open', () => {
    const phases = Object.fromEntries(day.infos.map(({ id, mic }) => [id, phaseAt(mic, DEMO_START)]));
    expect(Object.fromEntries(Object.entries(phases).map(([id, { kind }]) => [id, kind]))).toMatchObject({ SX5E: 'open', NKY: 'closed', NIFTY: 'closed', DE30: 'unknown' });
    expect(phases['SPX']?.kind).not.toBe('open');
    expect(phases['SPX']?.nextOpen).toBe(at('2019-11-06T14:30:00Z'));
  });

  test.each([
    ['SPX', '2019-11-05T14:30:00', '2019-11-05T21:00:59', '3074.75', 391 * 4],
    ['SX5E', '2019-11-05T08:02:00', '2019-11-06T14:20:00', null, (511 + 378) * 4 + 1],
    ['DE30', '2019-11-05T00:15:00', '2019-11-06T14:20:00', null, null],
    ['NKY', '2019-11-06T00:00:00', '2019-11-06T06:15:59', '28698.26', 304 * 4],
    ['NIFTY', '2019-11-05T03:37:00', '2019-11-06T10:01:59', '10792.5', (378 + 377) * 4],
  ])('%s: oldest and newest tick, newest first', (id, oldest, newest, price, count) => {
    const ticks = ticksOf(table, id);
    expect([formatIso(ticks.at(-1)!.time), formatIso(ticks[0]!.time)].map((iso) => iso.slice(0, 19))).toEqual([oldest, newest]);
    if (price !== null) expect(ticks[0]?.price).toBe(price);
    if (count !== null) expect(ticks).toHaveLength(count);
  });

  test('SPX changes from the official close 3074.62, not from the last minute', () => {
    expect(base(table, 'SPX', at('2019-11-06T15:00:00Z')).base).toEqual({ price: '3074.62', date: '2019-11-05', kind: 'official' });
    // Before the open the session of the day before is still the current one.
    expect(base(table, 'SPX').base).toEqual({ price: '3078.27', date: '2019-11-04', kind: 'official' });
  });

  test('the others change from their last bar, and say so; NKY has no close', () => {
    expect(base(table, 'SX5E').base).toEqual({ price: '4819.21', date: '2019-11-05', kind: 'last-bar' });
    expect(base(table, 'NIFTY').base).toEqual({ price: '10910.1', date: '2019-11-05', kind: 'last-bar' });
    expect(base(table, 'DE30').base).toEqual({ price: '11424.9', date: '2019-11-05', kind: 'last-bar' });
    expect(base(table, 'NKY')).toEqual({ base: null, note: 'no close' });
  });

  test('the registry tells what each is; DE30 is called a CFD', () => {
    const infos = [...table.rows.keys()].filter((key) => key.startsWith('!index#')).map((key) => decodeRegistryRow(rowOf(table, key)));
    expect(infos.map((info) => (info.ok ? info.value : info.error))).toEqual(day.infos);
    expect(day.infos.find(({ id }) => id === 'DE30')?.label).toMatch(/CFD mid \(OANDA\), not the index/);
  });

  test('the pre-open print of NIFTY is no part of its day', () => {
    const key = [...table.rows.keys()].find((one) => one.startsWith('NIFTY@1d#'))!;
    expect(decodeBar(rowOf(table, key))).toMatchObject({ ok: true, value: { open: '10879.95', kind: 'own', officialClose: null, sessionDate: '2019-11-05' } });
  });

  test('nothing of the afternoon is known, the official close of the day least of all', () => {
    for (const key of table.rows.keys()) {
      const decoded = decodeKey(key);
      if (decoded?.kind === 'tick') expect(decoded.time <= DEMO_START).toBe(true);
      if (decoded?.kind === 'bar') expect(decoded.time < at('2019-11-06T00:00:00Z')).toBe(true);
    }
    const times = day.coming.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    expect(times.every((time) => time > DEMO_START && time <= DEMO_END)).toBe(true);
    expect(day.coming.at(-1)?.row(DEMO_START)).toMatchObject({ key: expect.stringMatching(/^SPX@1d#/), cells: expect.arrayContaining([{ family: 'v', qualifier: 'oc', value: '3076.78' }]) });
  });
});

function setUp(more: Partial<DemoOptions> = {}) {
  const time = fakeTime();
  const table = memoryTable();
  const steps: string[] = [];
  const options: DemoOptions = {
    writer: table, remove: (keys) => table.remove(keys), elapsed: time.elapsed, sleep: time.sleep, machineMillis: () => 1_700_000_000_000 + time.elapsed(),
    speed: 60, onRestart: (step) => steps.push(step), ...more,
  };
  return { time, table, steps, options };
}

async function started(options: DemoOptions) {
  const demo = await startDemo(options);
  if (!demo.ok) throw new Error(demo.error.what);
  return demo.value;
}

describe('the demo', () => {
  test('its history is there before it says it has started', async () => {
    const { table, options } = setUp({ fresh: true });
    const demo = await started(options);
    expect(table.rows.size).toBe(new Set(day.known.map(({ key }) => key)).size);
    expect([demo.clock.speed(), demo.clock.paused()]).toEqual([60, false]);
    expect(demo.clock.note()).toMatch(/2019-11-06.*starts again at 14:20 UTC/);
    await demo.close();
    expect(table.removed).toEqual([]);
  });

  test('a table that holds the last run’s afternoon loses it first, and nothing of others', async () => {
    const { table, options } = setUp();
    const left = day.coming[100]!.row(DEMO_START);
    table.rows.set(left.key, { version: 1n, cells: left.cells });
    table.rows.set('SPX#foreign', { version: 1n, cells: [] });
    const demo = await started(options);
    expect([table.rows.has(left.key), table.rows.has('SPX#foreign')]).toEqual([false, true]);
    await demo.close();
  });

  test('no price is there ahead of its clock, and after New York’s close the day starts again without the afternoon', async () => {
    const { table, steps, options } = setUp({ fresh: true });
    let ahead = 0;
    let newest = 0n;
    let running: Demo | null = null;
    const demo = await started({
      ...options,
      writer: {
        write(rows, version) {
          const now = running?.clock.now() ?? DEMO_START;
          for (const { key } of rows) {
            const decoded = decodeKey(key);
            if (decoded?.kind !== 'tick') continue;
            if (decoded.time > now) ahead += 1;
            if (decoded.time > newest) newest = decoded.time;
          }
          return table.write(rows, version);
        },
      },
    });
    running = demo;
    await until(() => steps.includes('removing'));
    expect(formatIso(newest as EpochMicros)).toBe('2019-11-06T21:00:59.000000Z');
    await until(() => demo.restarts() === 1);
    expect([ahead, steps]).toEqual([0, ['removing', 'restarted']]);
    expect(table.removed[0]).toHaveLength(day.coming.length);
    expect(demo.clock.note()).toMatch(/started again at 14:20 UTC/);
    expect(demo.clock.now() - DEMO_START < 60_000_000n).toBe(true);
    expect(ticksOf(table, 'SPX')[0]?.price).toBe('3074.75');
    expect([...table.rows.keys()].filter((key) => key.startsWith('SPX@1d#'))).toHaveLength(3);
    // The second round writes the same identities, with later versions.
    const first = table.writes.find(({ keys }) => keys.includes(day.coming[0]!.row(DEMO_START).key))!;
    await until(() => table.writes.at(-1)?.keys.includes(first.keys[0]!) === true);
    expect(table.writes.at(-1)!.version > first.version).toBe(true);
    await demo.close();
  });

  test('a store that goes away is told once and gets what it missed', async () => {
    const told: unknown[] = [];
    const { table, options } = setUp({ fresh: true, onProblem: (problem) => told.push(problem?.code ?? null) });
    const demo = await started(options);
    table.failNext(5);
    await until(() => told.length === 2);
    expect(told).toEqual(['STORE_UNREACHABLE', null]);
    const now = demo.clock.now();
    await until(() => ticksOf(table, 'SX5E')[0]!.time > now);
    await demo.close();
    const there = new Set(table.rows.keys());
    const newest = ticksOf(table, 'SX5E')[0]!.time;
    expect(day.coming.filter(({ time }) => time < newest).every((one) => there.has(one.row(DEMO_START).key))).toBe(true);
  });

  test('a pause holds the market', async () => {
    const { table, options, time } = setUp({ fresh: true });
    const demo = await started(options);
    demo.clock.set({ paused: true });
    const now = demo.clock.now();
    await time.sleep(60_000);
    expect(demo.clock.now()).toBe(now);
    expect(ticksOf(table, 'SX5E')[0]!.time <= now).toBe(true);
    await demo.close();
  });

  test('a writer that breaks its promise is a reported problem, not the end of the process', async () => {
    const told: unknown[] = [];
    const { table, options } = setUp({ fresh: true, onProblem: (problem) => told.push(problem?.code) });
    const demo = await started({ ...options, writer: { write: (rows, version) => (rows.length > 1000 ? table.write(rows, version) : Promise.reject(new Error('broken'))) } });
    await until(() => told.length > 0);
    await demo.close();
    expect(told).toEqual(['INTERNAL']);
  });

  test('what stops it from starting is said', async () => {
    expect(await startDemo({ ...setUp().options, dataFolder: '/nowhere' })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    const full = setUp({ fresh: true });
    full.table.failNext(1_000_000);
    expect(await startDemo(full.options)).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
    expect(demoDataFolder('/')).toBeNull();
  });
});
