import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demoDataFolder } from '../../../electron/ingest/demo.ts';
import { type Replay, runReplay, type ReplayProgress } from '../../../electron/ingest/replay.ts';
import { decodeKey, indexIdOf } from '../../../shared/rowKey.ts';
import { formatIso } from '../../../shared/time.ts';
import { fakeTime, memoryTable } from './fakes.ts';
import { fileOf } from './import/files.ts';

const file = (name: string): string => join(demoDataFolder() ?? '', name);
const SPX = file('mplfinance_SPX_1min_2019-11-05_06.csv');
const NKY = file('lean_N225_1min_20210114_trade.csv');
const SX5E = file('lean_SX5E_1min_20240730_trade.csv');

function setUp(files: readonly string[], options: Partial<Replay['options']> = {}) {
  const time = fakeTime();
  const table = memoryTable();
  const progress: ReplayProgress[] = [];
  const stop = new AbortController();
  const replay: Replay = {
    files, writer: table, elapsed: time.elapsed, sleep: time.sleep, machineMillis: () => 1_700_000_000_000 + time.elapsed(), signal: stop.signal,
    options: { index: null, zone: null, format: 'auto', day: null, speed: 'max', ...options }, onProgress: (one) => progress.push(one),
  };
  return { time, table, progress, stop, replay };
}

describe('replay', () => {
  test('four ticks a minute into h, as fast as the store takes them', async () => {
    const { table, replay, progress } = setUp([SPX]);
    const done = await runReplay(replay);
    expect(done).toMatchObject({ ok: true, value: { ticks: 3128, files: [{ format: 'mplfinance', index: 'SPX', bars: 782, otherDays: 0, movedDays: 0 }] } });
    expect(table.rows.size).toBe(3128);
    expect(progress.at(-1)).toMatchObject({ written: 3128, total: 3128 });
    const newest = [...table.rows.keys()].sort()[0]!;
    const key = decodeKey(newest);
    expect(key?.kind === 'tick' && formatIso(key.time)).toBe('2019-11-06T21:00:59.000000Z');
    expect(table.rows.get(newest)?.cells).toEqual([
      { family: 'h', qualifier: 'p', value: '3076.73' }, { family: 'h', qualifier: 'i', value: '1573074059000000' }, { family: 'h', qualifier: 's', value: 'replay:mplfinance' },
    ]);
  });

  test('versions are the machine’s time, never the replayed day’s', async () => {
    const { table, replay } = setUp([NKY]);
    await runReplay(replay);
    for (const { version } of table.writes) expect([version % 1000n, version >= 1_700_000_000_000_000n]).toEqual([0n, true]);
  });

  test('twice the same file leaves the same rows', async () => {
    const { table, replay } = setUp([NKY]);
    await runReplay(replay);
    const once = [...table.rows.keys()];
    await runReplay(replay);
    expect([...table.rows.keys()]).toEqual(once);
  });

  test('--day takes that day of a file that has it, and moves another file onto it', async () => {
    const { table, replay } = setUp([SPX, SX5E, NKY], { day: '2019-11-06' });
    expect(await runReplay(replay)).toMatchObject({
      ok: true, value: { ticks: (391 + 511 + 304) * 4, files: [{ index: 'SPX', movedDays: 0, otherDays: 391 }, { index: 'SX5E', movedDays: -1728 }, { index: 'NKY', movedDays: -435 }] },
    });
    const times = [...table.rows.keys()].map((key) => decodeKey(key)).flatMap((key) => (key?.kind === 'tick' && key.index === 'SX5E' ? [key.time] : []));
    expect([times[0], times.at(-1)].map((time) => formatIso(time!))).toEqual(['2019-11-06T08:02:00.000000Z', '2019-11-06T16:32:59.000000Z']);
  });

  test('ticks of any format are replayed as they are, those of one instant both', async () => {
    const { table, replay } = setUp([fileOf('ticks.csv', 'time,price\n2024-03-11T13:30:00Z,5\n2024-03-11T13:30:00Z,5\n2024-03-12T13:30:01Z,7\n')], { index: indexIdOf('SPX'), day: '2019-11-06' });
    expect(await runReplay(replay)).toMatchObject({ ok: true, value: { ticks: 3, files: [{ format: 'generic', bars: 0, ticks: 3, otherDays: 0 }] } });
    // 09:30 in New York of both days, whatever the clocks do
    expect([...table.rows.keys()].map((key) => decodeKey(key)).map((key) => key?.kind === 'tick' && `${formatIso(key.time)} ${key.sequence}`)).toEqual(['2019-11-06T14:30:00.000000Z 0', '2019-11-06T14:30:00.000000Z 1', '2019-11-07T14:30:01.000000Z 0']);
    expect(await runReplay(setUp([fileOf('five.csv', 'time,open,high,low,close\n2024-03-11T13:30:00Z,1,3,0.5,2\n2024-03-11T13:35:00Z,1,3,0.5,2\n')], { index: indexIdOf('SPX') }).replay)).toMatchObject({ ok: false, error: { what: expect.stringContaining('holds bars of 5m') } });
  });

  test('at a speed, time passes as on that day; the night between is skipped', async () => {
    const { time, replay, table } = setUp([SPX], { speed: 60 });
    const begun = time.elapsed();
    expect(await runReplay(replay)).toMatchObject({ ok: true });
    // two sessions of 391 minutes at 60 times, and a minute before the second
    const seconds = (time.elapsed() - begun) / 1000;
    expect(seconds).toBeGreaterThan(780);
    expect(seconds).toBeLessThan(800);
    for (const [key, { cells }] of table.rows) {
      const decoded = decodeKey(key);
      const lag = BigInt(cells[1]!.value) - (decoded?.kind === 'tick' ? decoded.time : 0n);
      expect(lag >= 0n && lag < 10_000_000n).toBe(true);
    }
  });

  test('a refused file writes nothing, whatever stood before it', async () => {
    const { table, replay } = setUp([SPX, file('SOURCES.md')]);
    expect(await runReplay(replay)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    expect(table.writes).toEqual([]);
  });

  test('daily bars, no files, a wrong speed and a wrong day are refused', async () => {
    expect(await runReplay(setUp([file('mplfinance_SPX_daily_2019-11-01_06.csv')]).replay)).toMatchObject({ ok: false, error: { what: expect.stringContaining('daily bars') } });
    expect(await runReplay(setUp([]).replay)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    expect(await runReplay(setUp([NKY], { speed: 100 }).replay)).toMatchObject({ ok: false, error: { next: 'give --speed 1 to 60, or max' } });
    for (const day of ['2019-02-30', '2019-13-01', 'today']) expect(await runReplay(setUp([NKY], { day }).replay)).toMatchObject({ ok: false, error: { what: `no such day: ${day}` } });
  });

  test('an abort stops it between two batches', async () => {
    const { replay, stop, table } = setUp([SPX]);
    expect(await runReplay({ ...replay, onProgress: () => stop.abort() })).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(table.rows.size).toBe(1);
  });
});
