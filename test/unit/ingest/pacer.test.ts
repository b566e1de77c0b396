import { expect, test } from 'vitest';
import { type Due, type Pace, pace } from '../../../electron/ingest/pacer.ts';
import { createReplayClock } from '../../../electron/ingest/replayClock.ts';
import { versionTimes } from '../../../electron/ingest/tickRow.ts';
import { micros, SECOND } from '../../../shared/time.ts';
import { at, fakeTime, memoryTable } from './fakes.ts';

const START = at('2019-11-06T14:20:00Z');

function setUp(seconds: readonly number[], patienceMs = 10_000) {
  const time = fakeTime();
  const table = memoryTable();
  const clock = createReplayClock({ start: START, elapsed: time.elapsed });
  const stop = new AbortController();
  const told: (string | null)[] = [];
  const due = seconds.map((second): Due => ({
    time: micros(START + BigInt(second) * SECOND),
    row: (ingest) => ({ key: `k${second}`, cells: [{ family: 'h', qualifier: 'i', value: `${(ingest - START) / SECOND}` }] }),
  }));
  const options: Pace = {
    due, clock, writer: table, version: versionTimes(() => 5000), sleep: time.sleep, patienceMs, signal: stop.signal,
    reach: (until) => time.sleep(clock.until(until) ?? 100), onProblem: (problem) => told.push(problem?.code ?? null),
  };
  return { time, table, clock, stop, told, options };
}

test('no row is there before its time, and each carries the desk time of its writing', async () => {
  const { table, options } = setUp([1, 2, 2, 30]);
  expect(await pace(options)).toEqual({ ok: true, value: 4 });
  expect(table.writes.map(({ keys }) => keys)).toEqual([['k1'], ['k2', 'k2'], ['k30']]);
  expect(table.rows.get('k30')?.cells[0]?.value).toBe('30');
});

test('what fails is written again with the same version, what was taken is not, and trouble is told once', async () => {
  const { table, told, options } = setUp([0, 0, 0, 0]);
  table.failNext(2);
  const four = options.due.map((one, nth): Due => ({ ...one, row: (ingest) => ({ ...one.row(ingest), key: `r${nth}` }) }));
  expect(await pace({ ...options, due: four })).toEqual({ ok: true, value: 4 });
  expect(table.writes.map(({ keys, version }) => `${keys.join()} ${version}`)).toEqual(['r0,r1,r2,r3 5000000', 'r0,r2 5000000', 'r0 5000000']);
  expect(told).toEqual(['STORE_UNREACHABLE', null]);
});

test('patience ends; what no retry can help ends it at once', async () => {
  const slow = setUp([0], 1000);
  slow.table.failNext(1_000_000);
  expect(await pace(slow.options)).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
  expect(slow.table.writes.length).toBeGreaterThan(2);
  const hopeless = setUp([0]);
  hopeless.table.failNext(5, false);
  expect(await pace(hopeless.options)).toMatchObject({ ok: false });
  expect(hopeless.table.writes).toHaveLength(1);
});

test('a pause holds everything back; stopping ends the wait', async () => {
  const { table, clock, stop, time, options } = setUp([1]);
  clock.set({ paused: true });
  let naps = 0;
  const ended = await pace({
    ...options,
    reach: async () => {
      naps += 1;
      if (naps === 50) stop.abort();
      await time.sleep(100);
    },
  });
  expect([ended.ok, table.rows.size]).toEqual([false, 0]);
});

test('versions are whole milliseconds of the machine and never twice the same', () => {
  let now = 10.7;
  const version = versionTimes(() => now);
  expect([version(), version(), (now = 9, version()), (now = 500, version())]).toEqual([10_000n, 11_000n, 12_000n, 500_000n]);
});
