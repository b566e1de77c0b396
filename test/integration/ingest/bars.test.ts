/** Bars in the embedded store, through the real clients: charts at every range, columns taken back, one maker at a time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureTable, tickRetentionDays } from '../../../electron/bigtable/admin.ts';
import { createConditional } from '../../../electron/bigtable/conditional.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import type { Reader, StoreAddress, WriteRow } from '../../../electron/bigtable/reader.ts';
import { type ClosableWriter, createWriter } from '../../../electron/bigtable/writer.ts';
import { type Store, startStore } from '../../../electron/embedded/startStore.ts';
import { createHistory } from '../../../electron/history/history.ts';
import { createBarLeases } from '../../../electron/ingest/bars/lease.ts';
import { makeBars, type Maker } from '../../../electron/ingest/bars/makeBars.ts';
import { sleep } from '../../../electron/ingest/sleep.ts';
import { infoFor } from '../../../shared/indices.ts';
import { barKey, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { tradingWindows } from '../../../shared/sessions.ts';
import { DAY, type EpochMicros, HOUR, micros, MINUTE, parseTime, SECOND } from '../../../shared/time.ts';
import { type Ended, running } from '../cli/commandLine.ts';

const SPX = infoFor(indexIdOf('SPX'));
const NOW = parseTime('2024-03-06T20:00:30Z');
let store: Store;
let address: StoreAddress;
let reader: Reader;
let writer: ClosableWriter;

beforeAll(async () => {
  const started = await startStore({ data: null, port: 0 });
  if (!started.ok) throw new Error(started.error.what);
  store = started.value;
  address = { kind: 'embedded', project: 'frontrow', instance: 'frontrow', table: 'bars', appProfile: null, endpoint: store.address };
  expect(await ensureTable(address)).toMatchObject({ ok: true });
  [reader, writer] = [connect(address), createWriter(address)];
});
afterAll(async () => {
  await reader.close();
  await writer.close();
  await store.close();
});

const makerAt = (now: EpochMicros, leases: Maker['leases'] = null): Maker => ({
  reader, writer, retentionDays: 90, leases, sleep, patienceMs: 5000, machineMillis: () => Date.now(), signal: new AbortController().signal,
  clock: { kind: 'test', now: () => now, elapsed: () => performance.now(), speed: () => 1, note: () => null },
});
const write = async (rows: readonly WriteRow[]): Promise<void> => expect((await writer.write(rows, BigInt(Date.now()) * 1000n)).failed).toEqual([]);
const tickRow = (id: string, time: bigint, price: string, more: Readonly<Record<string, string>> = {}): WriteRow =>
  ({ key: tickKey(indexIdOf(id), micros(time)), cells: Object.entries({ p: price, ...more }).map(([qualifier, value]) => ({ family: 'h', qualifier, value })) });

describe('a table that is fed by ticks only', () => {
  const spans = [['5 minutes', 5n * MINUTE, 'tick'], ['an hour', HOUR, 'tick'], ['a day', DAY, 'tick'], ['a week', 7n * DAY, '1m'], ['a month', 30n * DAY, '5m'], ['a quarter', 91n * DAY, '1h']] as const;
  const ask = async (length: bigint) => {
    const history = createHistory({ ...makerAt(NOW), info: () => SPX });
    const answer = await history.history({ index: 'SPX', fromMicros: String(NOW - length), toMicros: String(NOW), resolution: 'auto', pixels: 1200 });
    if (!answer.ok) throw new Error(answer.error.what);
    return answer.value;
  };

  test('has charts that say "sampled" where they are long, and full ones once bars are made', async () => {
    const rows: WriteRow[] = [];
    const sessions = tradingWindows('XNYS', micros(NOW - 60n * DAY), NOW);
    for (const { open, close } of sessions) {
      for (let time: bigint = open; time < close && time <= NOW; time += 15n * SECOND) rows.push(tickRow('SPX', time, String(5000 + (rows.length % 89))));
    }
    await write(rows);
    expect(rows.length).toBeGreaterThan(60_000);
    expect(await ask(91n * DAY)).toMatchObject({ kind: 'sampled', truncated: true });
    const run = await makeBars(makerAt(NOW), SPX, { from: null, to: null });
    expect(run).toMatchObject({ ok: true, value: { ticks: rows.length, outside: 0, tallies: { '1d': { made: sessions.length } } } });
    for (const [name, length, resolution] of spans) {
      const chart = await ask(length);
      expect([name, chart.resolution, chart.kind, chart.truncated]).toEqual([name, resolution, resolution === 'tick' ? 'tick' : 'own', false]);
      const times = chart.times.map(BigInt);
      // up to the newest tick, and not beyond now
      expect([times.at(-1)! > NOW - MINUTE, times.at(-1)! <= NOW, times[0]! < NOW - length / 2n]).toEqual([true, true, true]);
    }
  });
});

test('a volume that a correction takes away leaves the bar, an official close never does', async () => {
  const info = infoFor(indexIdOf('DJI'));
  const open = parseTime('2024-03-05T14:30:00Z');
  const day = barKey(info.id, '1d', parseTime('2024-03-05T05:00:00Z'));
  await write([tickRow('DJI', open, '38500.5', { v: '7' }), { key: day, cells: [{ family: 'b', qualifier: 'oc', value: '38585.19' }] }]);
  const cells = async (): Promise<Record<string, string>> => {
    const read = await reader.read({ ranges: [{ start: day, end: `${day}\0` }], deadlineMs: 5000 });
    return Object.fromEntries([...(read.rows[0]?.cells ?? [])].map(([name, { value }]) => [name, value.toString()]));
  };
  expect(await makeBars(makerAt(NOW), info, { from: open, to: open })).toMatchObject({ ok: true });
  expect(await cells()).toEqual({ 'b:o': '38500.5', 'b:h': '38500.5', 'b:l': '38500.5', 'b:c': '38500.5', 'b:v': '7', 'b:k': '1', 'b:q': '0', 'b:d': '2024-03-05', 'b:oc': '38585.19' });
  await write([{ key: tickKey(info.id, open), cells: [], removed: [{ family: 'h', qualifier: 'v' }] }]);
  await makeBars(makerAt(NOW), info, { from: open, to: open });
  expect(await cells()).toMatchObject({ 'b:k': '1', 'b:oc': '38585.19' });
  expect((await cells())['b:v']).toBeUndefined();
  await write([{ key: tickKey(info.id, open), cells: [], removed: [{ family: 'h', qualifier: 'p' }] }]);
  await makeBars(makerAt(NOW), info, { from: open, to: open });
  expect(await cells()).toEqual({ 'b:oc': '38585.19', 'b:d': '2024-03-05' });
});

test('of two makers one has an index, by the store\'s own word', async () => {
  const conditional = createConditional(address);
  const [a, b] = ['a', 'b'].map((token) => createBarLeases({ reader, conditional, token, machineMillis: () => Date.now() }));
  expect([await a!.hold(SPX.id), await b!.hold(SPX.id)]).toEqual([{ ok: true, value: { kind: 'held' } }, { ok: true, value: { kind: 'taken', by: 'a' } }]);
  expect(await makeBars(makerAt(NOW, b), SPX, { from: NOW, to: NOW })).toMatchObject({ ok: false, error: { code: 'STORE_BUSY' } });
  await a!.release();
  expect(await b!.hold(SPX.id)).toMatchObject({ ok: true, value: { kind: 'held' } });
  await b!.release();
  await conditional.close();
});

test('the retention of the table itself is known', async () => {
  expect(await tickRetentionDays(address)).toEqual({ ok: true, value: 90 });
});

describe('the command', () => {
  const MINUTES = join(import.meta.dirname, '../../../electron/ingest/data');
  let home: string;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'frontrow-bars-'));
    expect(await ensureTable({ ...address, table: 'command' })).toMatchObject({ ok: true });
  });
  afterAll(() => { rmSync(home, { recursive: true, force: true }); });

  const start = (...words: string[]): ReturnType<typeof running> => running([...words, '--json', '--emulator', store.address, '--table', 'command'], home);
  async function run(...words: string[]): Promise<{ code: Ended['code']; out: Record<string, unknown>[]; err: string }> {
    const { code, stdout, stderr } = await start(...words).ended;
    return { code, out: stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>), err: stderr };
  }

  test('follows a replay of two files, makes what is missing, and ends cleanly', async () => {
    const { child: follower, ended } = start('bars', '--follow');
    let made = 0;
    const all = new Promise<void>((resolve) => {
      if (follower.stdout) createInterface({ input: follower.stdout }).on('line', (line) => {
        const one = JSON.parse(line) as { resolution: string; made: number };
        if (one.resolution === '1m' && (made += one.made) === 1022) resolve();
      });
    });
    expect(await run('replay', join(MINUTES, 'lean_SX5E_1min_20240729_trade.csv'), join(MINUTES, 'lean_SX5E_1min_20240730_trade.csv'), '--speed', 'max')).toMatchObject({ code: 0 });
    await Promise.race([all, sleep(30_000)]);
    follower.kill('SIGINT');
    expect((await ended).code).toBe(0);

    const once = await run('bars', 'SX5E', 'XXX');
    expect([once.code, once.err]).toEqual([0, expect.stringContaining('NOT_FOUND: no ticks of XXX')]);
    expect(once.out.map(({ resolution, bars, made, changed, erased }) => [resolution, bars, made, changed, erased])).toEqual([['1m', 1022, 0, 0, 0], ['5m', 206, 0, 0, 0], ['1h', 18, 0, 0, 0], ['1d', 2, 0, 0, 0]]);
  }, 60_000);
});
