/** What candidates write and ask for, without a store; where their writes fall. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CANDIDATES } from '../../../../electron/schema/lab/candidates.ts';
import { busiestRange, type PlacedWrite } from '../../../../electron/schema/lab/hotRange.ts';
import { mapInFlight } from '../../../../electron/schema/lab/inFlight.ts';
import type { LabRead, LabRow } from '../../../../electron/schema/lab/labStore.ts';
import type { LabStore } from '../../../../electron/schema/lab/layout.ts';
import { tableOf } from '../../../../electron/schema/lab/load.ts';
import { createModel, makeQuestions, sameAnswer } from '../../../../electron/schema/lab/questions.ts';
import { percentiles } from '../../../../electron/schema/lab/runLab.ts';
import { readTail, tailOf } from '../../../../electron/schema/lab/timeKey.ts';
import { makeWorkload } from '../../../../electron/schema/lab/workload.ts';
import { indexIdOf, tickKey } from '../../../../shared/rowKey.ts';
import { micros } from '../../../../shared/time.ts';

const workload = makeWorkload({ indices: 6, rate: 6, skew: 1.1, bytes: 60, span: 120, window: 30, seed: 3 });
const layoutOf = (name: string) => {
  const make = CANDIDATES[name];
  if (!make) throw new Error(name);
  return make(workload);
};
const [series] = workload.ticks;
if (!series) throw new Error('no index');

async function reads(name: string, reverseScans: boolean, ask: Parameters<ReturnType<typeof layoutOf>['answer']>[0]): Promise<LabRead[]> {
  const asked: LabRead[] = [];
  await layoutOf(name).answer(ask, { reverseScans, read: (read) => { asked.push(read); return Promise.resolve([]); } });
  return asked;
}

describe('candidates', () => {
  test('are named as they call themselves, with tables of names that no other has and that fit', () => {
    const tables = Object.keys(CANDIDATES).flatMap((name) => {
      const layout = layoutOf(name);
      expect(layout.name).toBe(name);
      return layout.tables.map((table) => tableOf(layout, table));
    });
    expect(new Set(tables).size).toBe(tables.length);
    expect(Math.max(...tables.map((table) => table.length))).toBeLessThan(28);
  });

  test('the canonical one writes our own keys', () => {
    for (const event of workload.events.slice(0, 50)) expect(layoutOf('canonical').rows(event)[0]?.key).toBe(tickKey(indexIdOf(event.series.text), micros(event.time), event.sequence));
  });

  test.each(Object.keys(CANDIDATES).filter((name) => name !== 'cell-versions'))('%s keeps every event in a cell of its own', (name) => {
    const places = [...workload.events, ...workload.barEvents].flatMap((event) => layoutOf(name).rows(event).map(({ table, key, cells }) => `${table} ${key} ${cells[0]?.qualifier ?? ''}`));
    expect(new Set(places).size).toBe(places.length);
  });

  test('ascending reads its last row backwards, or, where the server can’t, all of the index', async () => {
    const all = { table: 'main', start: 'LAB0001#', end: 'LAB0001$' };
    expect(await reads('ascending', true, { kind: 'latest', series, count: 1 })).toEqual([{ ...all, limit: 1, reversed: true }]);
    expect(await reads('ascending', false, { kind: 'latest', series, count: 1 })).toEqual([all]);
    expect(await reads('canonical', false, { kind: 'latest', series, count: 1 })).toEqual([{ ...all, limit: 1 }]);
  });

  test('a hash before every key asks every salt; a bucket more only while it needs to', async () => {
    expect(await reads('hash-of-event', true, { kind: 'latest', series, count: 1 })).toHaveLength(8);
    expect((await reads('hash-of-id', true, { kind: 'latest', series, count: 1 }))).toHaveLength(1);
  });

  test('tails sort as time does, either way, and read back', () =>
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n }), fc.integer({ min: 0, max: 999_999 }), fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n }), fc.integer({ min: 0, max: 999_999 }), (a, m, b, n) => {
      const order = a === b ? Math.sign(m - n) : a > b ? 1 : -1;
      for (const [direction, sign] of [['forward', 1], ['reverse', -1]] as const) {
        const [one, other] = [tailOf(a, m, direction), tailOf(b, n, direction)];
        expect(one === other ? 0 : one > other ? 1 : -1).toBe(order === 0 ? 0 : order * sign);
        expect(readTail(`X#${one}`, direction)).toEqual({ time: a, sequence: m });
      }
    })));
});

/** Rows in memory: ranges and limits, no filters. */
function memory(layout: ReturnType<typeof layoutOf>, reverseScans: boolean): LabStore {
  const tables = new Map<string, LabRow[]>();
  for (const event of [...workload.events, ...workload.barEvents]) {
    for (const { table, key, cells } of layout.rows(event)) {
      const rows = tables.get(table) ?? [];
      tables.set(table, rows);
      rows.push({ key, cells: cells.map(({ qualifier, value }) => ({ family: 'q', qualifier, value: Buffer.from(value), timestamp: 0n, labels: [] })) });
    }
  }
  for (const rows of tables.values()) rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  return {
    reverseScans,
    read({ table, start, end, limit = 0, reversed = false, filter }) {
      if (filter || (reversed && !reverseScans)) return Promise.reject(new Error('not in memory'));
      const rows = (tables.get(table) ?? []).filter(({ key }) => key >= start && key < end);
      if (reversed) rows.reverse();
      return Promise.resolve(limit > 0 ? rows.slice(0, limit) : rows);
    },
  };
}

test.each(['canonical', 'ascending', 'table-per-index', 'table-per-index-ascending', 'time-bucket-first', 'region-first', 'hash-of-id', 'hash-of-event', 'derived-region-time'])('%s answers as memory does, also without scans backwards', async (name) => {
  const layout = layoutOf(name);
  const model = createModel([...workload.events, ...workload.barEvents]);
  for (const reverseScans of [true, false]) {
    const store = memory(layout, reverseScans);
    for (const { times } of makeQuestions(workload, 3)) for (const ask of times) expect(sameAnswer(await layout.answer(ask, store), model(ask))).toBe(true);
  }
});

describe('busiest key range', () => {
  const share = (name: string, of = workload): number => busiestRange(of.events.map((event) => layoutOf(name).rows(event).map(({ table, key }) => ({ table, key, bytes: 100 }))), 16).share;

  test('keys that begin with the time: all writes in the newest range', () => {
    expect(share('time-first')).toBeGreaterThan(0.95);
    // a range is cut within a bucket while there are few: over hours there are many
    expect(share('time-bucket-first', makeWorkload({ ...workload.shape, rate: 0.1, span: 6 * 3600 }))).toBeGreaterThan(0.95);
  });

  test('keys that begin with the id: about the part of the busiest index; a hash of the event spreads even that', () => {
    const counts = workload.events.filter(({ series: each }) => each === series).length / workload.events.length;
    for (const name of ['canonical', 'ascending', 'hash-of-id', 'table-per-index']) expect(Math.abs(share(name) - counts)).toBeLessThan(0.1);
    expect(share('hash-of-event')).toBeLessThan(counts / 2);
  });

  test('an event that is written twice counts once in each range; a row is never cut; a table has a range of its own', () => {
    const write = (table: string, key: string): PlacedWrite => ({ table, key, bytes: 1 });
    expect(busiestRange(Array.from({ length: 8 }, () => [write('a', 'x'), write('b', 'y')]), 4)).toEqual({ share: 1, ranges: 2 });
    expect(busiestRange(Array.from({ length: 100 }, () => [write('a', 'row')]), 16)).toEqual({ share: 1, ranges: 1 });
    expect(busiestRange([], 4)).toEqual({ share: 0, ranges: 1 });
    const even = Array.from({ length: 2000 }, (_, at) => [write('a', String((at * 7919) % 1000).padStart(4, '0'))]);
    expect(busiestRange(even, 10).ranges).toBe(10);
    expect(busiestRange(even, 10).share).toBeLessThan(0.12);
  });
});

test('percentiles are nearest rank', () => expect(percentiles(Array.from({ length: 100 }, (_, at) => 100 - at))).toEqual({ p50: 50, p95: 95, p99: 99 }));

test('work in flight is bounded, keeps its order, and ends before its failure is told', async () => {
  let [now, most, ended] = [0, 0, 0];
  const work = async (item: number): Promise<number> => {
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    now -= 1;
    ended += 1;
    if (item === 3) throw new Error('three');
    return item * 2;
  };
  expect(await mapInFlight([0, 1, 2], 2, work)).toEqual([0, 2, 4]);
  expect(most).toBe(2);
  ended = 0;
  await expect(mapInFlight([3, 1, 2, 4, 5], 2, work)).rejects.toThrow('three');
  expect(ended).toBe(2);
});
