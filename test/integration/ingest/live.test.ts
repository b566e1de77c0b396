/** The live writer in the embedded store, through the real clients: identity, times, lateness. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WriteRow, Writer } from '../../../electron/bigtable/reader.ts';
import type { ImportRow } from '../../../electron/ingest/import/row.ts';
import { writeRows } from '../../../electron/ingest/import/writeRows.ts';
import type { LiveTick } from '../../../electron/ingest/live/liveTick.ts';
import { createWatermarks } from '../../../electron/ingest/live/watermarks.ts';
import { decimal } from '../../../shared/decimal.ts';
import { tickKey } from '../../../shared/rowKey.ts';
import { fromMillis, fromNanos, micros, parseTime } from '../../../shared/time.ts';
import { unlucky } from './liveTable.ts';
import { done, liveWrites, newIndex, none, T0, tick } from './liveWrites.ts';

const held = liveWrites();
const { prints, write } = held;

describe('identity', () => {
  test('the same again is a duplicate, also of another run; other values are a correction; both are counted', async () => {
    const id = newIndex();
    const all = [tick(id, 0n, '5'), tick(id, 0n, '6', 1), tick(id, 9n, '7', 0, { volume: decimal('3') })];
    expect(await write([...all, ...all])).toEqual({ ...none, written: 3, duplicates: 3 });
    expect(await write(all)).toEqual({ ...none, duplicates: 3 });
    expect(await write([tick(id, 9n, '8'), tick(id, 9n, '8'), tick(id, 0n, '5')])).toEqual({ ...none, corrected: 1, duplicates: 2 });
    expect(await prints(id)).toEqual(['0 100000 5 - 0', '0 100001 6 - 0', '9 100000 8 - 0']);
  });

  test('twice other values in one batch: the last stays', async () => {
    const id = newIndex();
    expect(await write([tick(id, 0n, '5'), tick(id, 0n, '6'), tick(id, 0n, '7')])).toMatchObject({ written: 1, corrected: 2 });
    expect(await prints(id)).toEqual(['0 100000 7 - 0']);
  });

  test('a source without numbers: the writer counts on behind what its slot holds, after a restart too', async () => {
    const id = newIndex();
    const equal = [tick(id, 0n, '5', null), tick(id, 0n, '5', null)];
    await write(equal, 2);
    await write([tick(id, 5n, '9', null)], 2);
    expect(await write([...equal, tick(id, 0n, '4', 7), tick(id, 0n, '5', null)], 2)).toMatchObject({ written: 4, duplicates: 0 });
    expect(await prints(id)).toEqual([0, 1, 2, 3, 7, 8].map((n) => `0 20000${n} ${n === 7 ? 4 : 5} - 0`).concat('5 200000 9 - 0'));
  });

  test('the last number is used and never wraps', async () => {
    const id = newIndex();
    const told: string[] = [];
    const counts = await write([tick(id, 0n, '5', 99_999), tick(id, 0n, '6', null), tick(id, 0n, '7', 100_000), tick(id, 1n, '8', null)], 1, { onHeldBack: ({ price }, what) => told.push(`${price} ${what}`) });
    expect(counts).toMatchObject({ written: 2, refused: 2 });
    expect(told.toSorted()).toEqual(['6 refused', '7 refused']);
    expect(await prints(id)).toEqual(['0 199999 5 - 0', '1 100000 8 - 0']);
  });

  test('several writers in one microsecond, and an import beside them: nothing is lost', async () => {
    const id = newIndex();
    const slots = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const file = Array.from({ length: 3 }, (_, line): ImportRow => ({ kind: 'tick', line, index: id, time: micros(T0), nanos: 0, price: decimal('5'), bid: null, ask: null, volume: null }));
    const imported = () => writeRows({ rows: file, source: 'file', keep: false, officialCloses: false, reader: held.table.reader, writer: held.table.writer, now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), onFuture: () => {} });
    await Promise.all([...slots.map((slot) => write(Array.from({ length: 4 }, () => tick(id, 0n, '5', null)), slot)), imported()]);
    expect(await imported()).toMatchObject({ ok: true, value: { written: 0, duplicate: 3 } });
    const found = (await held.table.ticks(id)).map(({ sequence }) => sequence);
    expect(found).toEqual([0, 1, 2, ...slots.flatMap((slot) => [0, 1, 2, 3].map((n) => slot * 100_000 + n))]);
  });
});

test('an import of what a live writer of the same source wrote adds nothing, and keeps it where it is', async () => {
  const id = newIndex();
  await write([tick(id, 0n, '5', null, { source: 'file' }), tick(id, 0n, '6', null, { source: 'file' })], 4);
  const file = ['5', '6', '6'].map((price, line): ImportRow => ({ kind: 'tick', line, index: id, time: micros(T0), nanos: 0, price: decimal(price), bid: null, ask: null, volume: null }));
  const imported = () => writeRows({ rows: file, source: 'file', keep: true, officialCloses: false, reader: held.table.reader, writer: held.table.writer, now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), onFuture: () => {} });
  expect(await imported()).toMatchObject({ ok: true, value: { written: 3 } });
  expect(await imported()).toMatchObject({ ok: true, value: { written: 0, duplicate: 3 } });
  expect((await held.table.ticks(id)).map(({ sequence, price, family }) => [sequence, price, family])).toEqual([[2, '6', 'h'], [400_000, '5', 'h'], [400_001, '6', 'h']]);
});

describe('times', () => {
  test('a clock that steps back undoes nothing: corrections stay, and so do their corrections', async () => {
    const id = newIndex();
    let clock = Date.now();
    const machineMillis = (): number => clock;
    await write([tick(id, 0n, '5', 0, { volume: decimal('9') })], 1, { machineMillis });
    clock -= 3_600_000;
    expect(await write([tick(id, 0n, '6')], 1, { machineMillis })).toMatchObject({ corrected: 1 });
    clock -= 3_600_000;
    expect(await write([tick(id, 0n, '7'), tick(id, 1n, '1')], 1, { machineMillis })).toMatchObject({ corrected: 1, written: 1 });
    // the volume that the correction does not know is gone with the old price
    expect(await prints(id)).toEqual(['0 100000 7 - 0', '1 100000 1 - 0']);
  });

  test('a first write that comes again late undoes no correction', async () => {
    const id = newIndex();
    const slow = unlucky(held.table.writer, ['unheard']);
    await write([tick(id, 0n, '5', 0, { volume: decimal('9') })], 1, { writer: slow });
    await write([tick(id, 0n, '6')]);
    await slow.replay();
    expect(await prints(id)).toEqual(['0 100000 6 - 0']);
  });

  test('every try of a write has the version of its first', async () => {
    const id = newIndex();
    const first = Date.now();
    let clock = first;
    const seen: bigint[] = [];
    const bad = unlucky(held.table.writer, ['refused', 'half', 'unheard']);
    const writer: Writer = { write: (rows, version) => { seen.push(version); clock += 777; return bad.write(rows, version); } };
    await write([tick(id, 0n, '5'), tick(id, 1n, '5'), tick(id, 2n, '5')], 1, { writer, machineMillis: () => clock });
    expect(seen).toHaveLength(4);
    expect(new Set(seen)).toEqual(new Set([BigInt(first) * 1000n]));
    expect(await prints(id)).toHaveLength(3);
  });

  test('nanoseconds that floor to one microsecond stay two events, before 1970 too', async () => {
    const id = newIndex();
    const of = (nanos: bigint, price: string): LiveTick => {
      const { time, remainder } = fromNanos(nanos);
      return { ...tick(id, 0n, price, null), time, nanos: remainder };
    };
    await write([of(-1n, '1'), of(-999n, '2'), of(-1000n, '3'), of(-1001n, '4'), of(0n, '5'), of(999n, '6'), of(1000n, '7')]);
    expect((await held.table.ticks(id)).map(({ time, sequence, price, nanos }) => [time, sequence % 100_000, price, nanos])).toEqual([
      [-2n, 0, '4', 999], [-1n, 0, '1', 999], [-1n, 1, '2', 1], [-1n, 2, '3', null], [0n, 0, '5', null], [0n, 1, '6', 999], [1n, 0, '7', null],
    ]);
  });

  test('both sides of minutes, days, years and clock changes, in any order', async () => {
    const edges = ['1969-12-31T23:59:59.999999Z', '1970-01-01T00:00:00Z', '1999-12-31T23:59:59.999999Z', '2000-01-01T00:00:00Z', '2024-02-28T23:59:59.999999Z', '2024-02-29T00:00:00Z',
      '2024-03-10T06:59:59.999999Z', '2024-03-10T07:00:00Z', '2024-11-03T05:59:59.999999Z', '2024-11-03T06:00:00Z', '2024-03-31T00:59:59.999999Z', '2024-03-31T01:00:00Z',
      '2024-06-03T13:59:59.999999Z', '2024-06-03T14:00:00Z', '0001-01-01T00:00:00Z'].map((iso) => parseTime(iso));
    const sorted = edges.toSorted((a, b) => (a < b ? -1 : 1));
    await fc.assert(fc.asyncProperty(fc.shuffledSubarray(edges, { minLength: edges.length }), async (order) => {
      const id = newIndex();
      let newest: bigint | null = null;
      let late = 0;
      for (const time of order) {
        if (newest !== null && time < newest) late += 1;
        if (newest === null || time > newest) newest = time;
      }
      expect(await write(order.map((time) => ({ ...tick(id, 0n, '5'), time })))).toMatchObject({ written: edges.length, late });
      expect((await held.table.ticks(id)).map(({ time }) => time)).toEqual(sorted);
    }), { numRuns: 5 });
  });
});

describe('late and early', () => {
  test('late is behind the watermark at its first coming, not again, and behind what the table held', async () => {
    const id = newIndex();
    expect(await write([tick(id, 10n, '5'), tick(id, 4n, '5'), tick(id, 4n, '5'), tick(id, 4n, '6'), tick(id, 10n, '6', 1)])).toEqual({ ...none, written: 3, duplicates: 1, corrected: 1, late: 1 });
    expect(await write([tick(id, 5n, '5'), tick(id, 10n, '7', 2), tick(id, 11n, '5')])).toMatchObject({ written: 3, late: 1 });
  });

  test('writers of one process share a watermark', async () => {
    const id = newIndex();
    const watermarks = createWatermarks();
    const [one, two] = [held.table.live(1, { watermarks }), held.table.live(2, { watermarks })];
    await one.write([tick(id, 10n, '5')]);
    await two.write([tick(id, 9n, '5'), tick(id, 10n, '5')]);
    expect([await done(one), await done(two)]).toMatchObject([{ written: 1, late: 0 }, { written: 2, late: 1 }]);
  });

  test('a tick ahead of its time waits for it, one too many is refused, and what still waits at the end is told', async () => {
    const id = newIndex();
    let now = T0;
    const told: string[] = [];
    const writer = held.table.live(1, { now: () => micros(now), quarantineBound: 2, onHeldBack: ({ price }, what) => told.push(`${price} ${what}`) });
    await writer.write([tick(id, 5_000_000n, '1'), tick(id, 5_000_001n, '2'), tick(id, 60_000_000n, '3'), tick(id, 70_000_000n, '4')]);
    await writer.flush();
    expect(await prints(id)).toEqual(['5000000 100000 1 - 0']);
    expect(told).toEqual(['2 waiting', '3 waiting', '4 refused']);
    now += 5_000_001n;
    while (writer.counts().written < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await done(writer)).toEqual({ ...none, written: 2, quarantined: 2, waiting: 1, refused: 1 });
    expect(writer.waiting().map(({ price }) => price)).toEqual(['3']);
    expect(await prints(id)).toHaveLength(2);
  });

  test('another\'s row from the future makes nothing late', async () => {
    const id = newIndex();
    const row: WriteRow = { key: tickKey(id, micros(T0 + 3_600_000_000n), 900_000), cells: [{ family: 'q', qualifier: 'p', value: '1' }] };
    await held.table.writer.write([row], BigInt(Date.now()) * 1000n);
    expect(await write([tick(id, 0n, '5'), tick(id, 1n, '6')], 1, { now: () => micros(T0) })).toMatchObject({ written: 2, late: 0 });
  });
});
