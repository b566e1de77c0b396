/** The demo and `replay` in the embedded store, through the real clients. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import { decodeBar, decodeTick } from '../../../electron/bigtable/decode.ts';
import type { Reader, StoreAddress } from '../../../electron/bigtable/reader.ts';
import { readRegistry } from '../../../electron/bigtable/registry.ts';
import { removeRows } from '../../../electron/bigtable/removeRows.ts';
import { type ClosableWriter, createWriter } from '../../../electron/bigtable/writer.ts';
import { type Store, startStore } from '../../../electron/embedded/startStore.ts';
import { type Demo, demoDataFolder, startDemo } from '../../../electron/ingest/demo.ts';
import { DEMO_START } from '../../../electron/ingest/demoDay.ts';
import { runReplay } from '../../../electron/ingest/replay.ts';
import { sleep } from '../../../electron/ingest/sleep.ts';
import type { Bar, Tick } from '../../../shared/quote.ts';
import { barRange, indexIdOf, tickRange, ticksBetween } from '../../../shared/rowKey.ts';
import { type EpochMicros, formatIso, MAX_MICROS, micros } from '../../../shared/time.ts';

let store: Store;

beforeAll(async () => {
  const started = await startStore({ data: null, port: 0 });
  if (!started.ok) throw new Error(started.error.what);
  store = started.value;
});
afterAll(() => store.close());

interface Table {
  readonly address: StoreAddress;
  readonly writer: ClosableWriter;
  readonly reader: Reader;
  ticks(id: string, limit?: number): Promise<Tick[]>;
  after(id: string, time: EpochMicros): Promise<number>;
  daily(id: string): Promise<Bar[]>;
  close(): Promise<void>;
}

function open(table: string): Table {
  const address: StoreAddress = { kind: 'embedded', project: 'frontrow', instance: 'frontrow', table, appProfile: null, endpoint: store.address };
  const [reader, writer] = [connect(address), createWriter(address)];
  const rows = async (ranges: Parameters<Reader['read']>[0]['ranges'], limit = 0) => {
    const read = await reader.read({ ranges, limit, deadlineMs: 20_000 });
    if (!read.ok) throw new Error(read.error.what);
    return read.rows;
  };
  return {
    address, reader, writer,
    ticks: async (id, limit = 1) => (await rows([tickRange(indexIdOf(id))], limit)).map((row) => decodeTick(row)).map((tick) => (tick.ok ? tick.value : expect.fail(tick.error.what))),
    after: async (id, time) => (await rows([ticksBetween(indexIdOf(id), micros(time + 1n), MAX_MICROS)])).length,
    daily: async (id) => (await rows([barRange(indexIdOf(id), '1d')])).map((row) => decodeBar(row)).map((bar) => (bar.ok ? bar.value : expect.fail(bar.error.what))),
    close: async () => {
      await writer.close();
      await reader.close();
    },
  };
}

const HASTE = 60; // elapsed time runs so much faster: at 60 times the day then takes seconds
const elapsed = (): number => performance.now() * HASTE;
const nap: typeof sleep = (ms, signal) => sleep(ms / HASTE, signal);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

describe('the demo in the embedded store', () => {
  let table: Table;
  let demo: Demo;
  const steps: string[] = [];

  beforeAll(async () => {
    table = open('demo');
    const started = await startDemo({
      writer: table.writer, prepare: () => ensureTable(table.address), remove: (keys) => removeRows(table.address, keys), fresh: true,
      elapsed, sleep: nap, machineMillis: () => Date.now(), speed: 60, onRestart: (step) => steps.push(step),
    });
    if (!started.ok) throw new Error(`${started.error.what}; ${started.error.next}`);
    demo = started.value;
    demo.clock.set({ paused: true });
  });
  afterAll(async () => {
    await demo.close();
    await table.close();
  });

  test('the registry and the closes are there', async () => {
    const registry = await readRegistry(table.reader, 5000);
    expect(registry.ok && registry.value.map(({ id }) => id)).toEqual(['DE30', 'NIFTY', 'NKY', 'SPX', 'SX5E']);
    expect((await table.daily('SPX')).map(({ sessionDate, officialClose, kind }) => `${sessionDate} ${officialClose} ${kind}`))
      .toEqual(['2019-11-05 3074.62 vendor', '2019-11-04 3078.27 vendor', '2019-11-01 3066.91 vendor']);
    expect(await table.daily('SX5E')).toMatchObject([{ close: '4819.21', officialClose: null, kind: 'own' }]);
  });

  test('the newest row of each index is its newest price, kept, with the desk’s ingest time and the machine’s version', async () => {
    const [spx] = await table.ticks('SPX');
    expect(spx).toMatchObject({ price: '3074.75', family: 'h', source: 'demo:mplfinance', ingest: DEMO_START });
    const read = await table.reader.read({ ranges: [tickRange(indexIdOf('SPX'))], limit: 1, deadlineMs: 5000 });
    const version = read.ok ? (read.rows[0]?.cells.get('h:p')?.version ?? 0n) : 0n;
    expect(Math.abs(Number(version / 1000n) - Date.now())).toBeLessThan(600_000);
    const [nky] = await table.ticks('NKY');
    expect([nky?.price, formatIso(nky!.time)]).toEqual(['28698.26', '2019-11-06T06:15:59.000000Z']);
    expect(await table.ticks('DE30', 5000)).toHaveLength(5000);
  });

  test('the afternoon comes in by the clock, ends with the official close, and is gone when the day starts again', async () => {
    demo.clock.set({ paused: false });
    await until(() => steps.includes('removing') || demo.clock.now() > DEMO_START + 3_600_000_000n);
    const now = demo.clock.now();
    expect(await table.after('SPX', DEMO_START)).toBeGreaterThan(0);
    expect(await table.after('SPX', micros(now + 60_000_000n * 60n))).toBe(0);
    await until(() => demo.restarts() === 1);
    demo.clock.set({ paused: true });
    const edge = demo.clock.now();
    await sleep(500); // what was in flight at the pause is there
    for (const id of ['SPX', 'SX5E', 'DE30', 'NKY', 'NIFTY']) expect([id, await table.after(id, edge)]).toEqual([id, 0]);
    expect(await table.daily('SPX')).toHaveLength(3);
  });
});

test('replay fills a table as fast as it takes rows; its version times are the machine’s', async () => {
  const table = open('replay');
  try {
    expect(await ensureTable(table.address)).toMatchObject({ ok: true });
    const done = await runReplay({
      files: [join(demoDataFolder() ?? '', 'mplfinance_SPX_1min_2019-11-05_06.csv')], writer: table.writer, elapsed, sleep: nap, machineMillis: () => Date.now(),
      options: { index: null, zone: null, format: 'auto', day: '2019-11-06', speed: 'max' }, signal: new AbortController().signal,
    });
    expect(done).toMatchObject({ ok: true, value: { ticks: 391 * 4 } });
    const ticks = await table.ticks('SPX', 10_000);
    expect([ticks.length, ticks[0]?.price, ticks.at(-1)?.price]).toEqual([1564, '3076.73', '3075.1']);
  } finally {
    await table.close();
  }
});
