/** The live writer in the embedded store, through the real clients: the table of a stream in any order is that of the sorted stream. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCurrentLayouts } from '../../../electron/bigtable/layout/current.ts';
import { layoutReader } from '../../../electron/bigtable/layout/layoutReader.ts';
import { layoutWriter } from '../../../electron/bigtable/layout/layoutWriter.ts';
import type { WriteRow, Writer } from '../../../electron/bigtable/reader.ts';
import type { ImportRow } from '../../../electron/ingest/import/row.ts';
import { writeRows } from '../../../electron/ingest/import/writeRows.ts';
import { type Deletions, deleteTicks } from '../../../electron/ingest/live/deletions.ts';
import type { Lease } from '../../../electron/ingest/live/lease.ts';
import type { LiveTick } from '../../../electron/ingest/live/liveTick.ts';
import type { LiveWriter, LiveWriterOptions } from '../../../electron/ingest/live/liveWriter.ts';
import { createWatermarks } from '../../../electron/ingest/live/watermarks.ts';
import { sleep } from '../../../electron/ingest/sleep.ts';
import { decimal } from '../../../shared/decimal.ts';
import type { Tick } from '../../../shared/quote.ts';
import { failed, problem } from '../../../shared/result.ts';
import { type IndexId, indexIdOf, keyAfter, metaKey, tickKey, tickRange } from '../../../shared/rowKey.ts';
import { fromMillis, fromNanos, micros, parseTime } from '../../../shared/time.ts';
import { type Fate, type LiveTable, liveTable, unlucky } from './liveTable.ts';

let table: LiveTable;
beforeAll(async () => { table = await liveTable(); });
afterAll(() => table.close());

let ids = 0;
const newIndex = (): IndexId => indexIdOf(`L${(ids += 1)}`);
const T0 = 1_710_163_800_000_000n;
const tick = (index: IndexId, at: bigint, price: string, n: number | null = 0, more: Partial<LiveTick> = {}): LiveTick => ({ index, time: micros(T0 + at), nanos: 0, price: decimal(price), volume: null, bid: null, ask: null, source: 'test', n, ...more });
const print = ({ time, sequence, price, volume, nanos }: Tick): string => `${time - T0} ${sequence} ${price} ${volume ?? '-'} ${nanos ?? 0}`;
const prints = async (index: IndexId): Promise<string[]> => (await table.ticks(index)).map(print);
async function done(writer: LiveWriter): Promise<ReturnType<LiveWriter['counts']>> {
  const closed = await writer.close();
  if (!closed.ok) throw new Error(closed.error.what);
  return closed.value;
}
async function write(ticks: readonly LiveTick[], slot = 1, options: Partial<LiveWriterOptions> = {}): ReturnType<typeof done> {
  const writer = table.live(slot, options);
  expect(await writer.write(ticks)).toMatchObject({ ok: true });
  return done(writer);
}
const none = { written: 0, duplicates: 0, corrected: 0, late: 0, quarantined: 0, waiting: 0, refused: 0, deleted: 0, absent: 0 };

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
    const imported = () => writeRows({ rows: file, source: 'file', keep: false, officialCloses: false, reader: table.reader, writer: table.writer, now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), onFuture: () => {} });
    await Promise.all([...slots.map((slot) => write(Array.from({ length: 4 }, () => tick(id, 0n, '5', null)), slot)), imported()]);
    expect(await imported()).toMatchObject({ ok: true, value: { written: 0, duplicate: 3 } });
    const found = (await table.ticks(id)).map(({ sequence }) => sequence);
    expect(found).toEqual([0, 1, 2, ...slots.flatMap((slot) => [0, 1, 2, 3].map((n) => slot * 100_000 + n))]);
  });
});

test('an import of what a live writer of the same source wrote adds nothing, and keeps it where it is', async () => {
  const id = newIndex();
  await write([tick(id, 0n, '5', null, { source: 'file' }), tick(id, 0n, '6', null, { source: 'file' })], 4);
  const file = ['5', '6', '6'].map((price, line): ImportRow => ({ kind: 'tick', line, index: id, time: micros(T0), nanos: 0, price: decimal(price), bid: null, ask: null, volume: null }));
  const imported = () => writeRows({ rows: file, source: 'file', keep: true, officialCloses: false, reader: table.reader, writer: table.writer, now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), onFuture: () => {} });
  expect(await imported()).toMatchObject({ ok: true, value: { written: 3 } });
  expect(await imported()).toMatchObject({ ok: true, value: { written: 0, duplicate: 3 } });
  expect((await table.ticks(id)).map(({ sequence, price, family }) => [sequence, price, family])).toEqual([[2, '6', 'h'], [400_000, '5', 'h'], [400_001, '6', 'h']]);
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
    const slow = unlucky(table.writer, ['unheard']);
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
    const bad = unlucky(table.writer, ['refused', 'half', 'unheard']);
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
    expect((await table.ticks(id)).map(({ time, sequence, price, nanos }) => [time, sequence % 100_000, price, nanos])).toEqual([
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
      expect((await table.ticks(id)).map(({ time }) => time)).toEqual(sorted);
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
    const [one, two] = [table.live(1, { watermarks }), table.live(2, { watermarks })];
    await one.write([tick(id, 10n, '5')]);
    await two.write([tick(id, 9n, '5'), tick(id, 10n, '5')]);
    expect([await done(one), await done(two)]).toMatchObject([{ written: 1, late: 0 }, { written: 2, late: 1 }]);
  });

  test('a tick ahead of its time waits for it, one too many is refused, and what still waits at the end is told', async () => {
    const id = newIndex();
    let now = T0;
    const told: string[] = [];
    const writer = table.live(1, { now: () => micros(now), quarantineBound: 2, onHeldBack: ({ price }, what) => told.push(`${price} ${what}`) });
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
    await table.writer.write([row], BigInt(Date.now()) * 1000n);
    expect(await write([tick(id, 0n, '5'), tick(id, 1n, '6')], 1, { now: () => micros(T0) })).toMatchObject({ written: 2, late: 0 });
  });
});

describe('deletions', () => {
  test('a busted trade goes, whoever wrote it, in the order given; `!latest` falls back', async () => {
    const id = newIndex();
    await write([tick(id, 0n, '4')], 2, { keep: true });
    const writer = table.live(1, { latest: true });
    const latest = async (): Promise<string | undefined> => {
      await writer.flush();
      const key = metaKey('latest', id);
      return (await table.reader.read({ ranges: [{ start: key, end: keyAfter(key) }], deadlineMs: 5000 })).rows[0]?.cells.get('m:p')?.value.toString();
    };
    const busted = { index: id, time: micros(T0 + 2n), sequence: 100_000 };
    await writer.write([tick(id, 1n, '5'), tick(id, 2n, '6')]);
    expect(await latest()).toBe('6');
    await writer.remove(busted);
    await writer.remove(busted);
    expect(await latest()).toBe('5');
    await writer.remove({ ...busted, time: micros(T0), sequence: 200_000 });
    expect(await latest()).toBe('5');
    await writer.remove({ ...busted, time: micros(T0 + 1n) });
    expect(await latest()).toBe(undefined);
    expect(await prints(id)).toEqual([]);
    // given again after its deletion it is there again
    await writer.write([tick(id, 2n, '6')]);
    expect(await latest()).toBe('6');
    expect(await done(writer)).toMatchObject({ written: 3, deleted: 3, absent: 1, duplicates: 0 });
  });
});

test('a list of deletions: looked at first, done once, absent the second time; stopped by what the store says', async () => {
  const id = newIndex();
  await write([tick(id, 0n, '5'), tick(id, 1n, '6'), tick(id, 2n, '7')], 1, { latest: true });
  const named = (at: bigint, sequence = 100_000) => ({ index: id, time: micros(T0 + at), sequence });
  const absent: number[] = [];
  const job: Deletions = {
    identities: [named(1n), named(2n), named(2n), named(2n, 3)], reader: table.reader, conditional: table.conditional, writer: null, now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), elapsed: () => performance.now(),
    sleep: () => sleep(1), onAbsent: ({ sequence }) => absent.push(sequence), onProblem: () => {}, signal: new AbortController().signal,
  };
  expect(await deleteTicks(job)).toEqual({ ok: true, value: { deleted: 2, absent: 1 } });
  expect(await prints(id)).toHaveLength(3);
  const refusing: Writer = { write: (rows) => Promise.resolve({ written: 0, failed: rows.map(({ key }) => ({ key, error: problem('CREDENTIALS_REFUSED', 'no', 'ask') })) }) };
  expect(await deleteTicks({ ...job, writer: refusing })).toMatchObject({ ok: false, error: { code: 'CREDENTIALS_REFUSED' } });
  expect(await deleteTicks({ ...job, writer: unlucky(table.writer, ['refused', 'unheard']) })).toEqual({ ok: true, value: { deleted: 2, absent: 1 } });
  expect(await prints(id)).toEqual(['0 100000 5 - 0']);
  const key = metaKey('latest', id);
  expect((await table.reader.read({ ranges: [{ start: key, end: keyAfter(key) }], deadlineMs: 5000 })).rows[0]?.cells.get('m:p')?.value.toString()).toBe('5');
  expect(await deleteTicks({ ...job, writer: table.writer })).toEqual({ ok: true, value: { deleted: 0, absent: 3 } });
  expect(absent).toContain(3);
});

test('a sharded index: the same counts, the same ticks, deletions too, whatever shard they lie in', async () => {
  const id = newIndex();
  const version = BigInt(Date.now()) * 1000n;
  await table.writer.write([{ key: metaKey('index', id), cells: [{ family: 'm', qualifier: 'name', value: 'x' }, { family: 'm', qualifier: 'shards', value: `${T0 + 5n}:4` }] }], version);
  const elapsed = (): number => performance.now();
  const current = createCurrentLayouts(table.reader, elapsed);
  const reader = layoutReader(table.reader, current, elapsed);
  const { close: _close, ...writer } = layoutWriter({ ...table.writer, close: () => Promise.resolve() }, current);
  const all = Array.from({ length: 20 }, (_, i) => tick(id, BigInt(i), '5'));
  await write(all, 1, { reader, writer });
  const again = table.live(1, { reader, writer, latest: true });
  await again.write([...all, tick(id, 3n, '6'), tick(id, 19n, '6'), tick(id, 12n, '5', null)]);
  for (const at of [0n, 19n, 7n, 19n]) await again.remove({ index: id, time: micros(T0 + at), sequence: 100_000 });
  expect(await done(again)).toMatchObject({ written: 1, duplicates: 20, corrected: 2, late: 1, deleted: 3, absent: 1 });
  const read = await reader.read({ ranges: [tickRange(id)], deadlineMs: 5000 });
  expect(read.rows.map(({ key }) => key)).toEqual([18, 17, 16, 15, 14, 13, 12, 12, 11, 10, 9, 8, 6, 5, 4, 3, 2, 1].map((at, i) => tickKey(id, micros(T0 + BigInt(at)), i === 6 ? 100_001 : 100_000)));
  expect((await prints(id)).length).toBeLessThan(10); // the others lie in shards
  const key = metaKey('latest', id);
  expect((await table.reader.read({ ranges: [{ start: key, end: keyAfter(key) }], deadlineMs: 5000 })).rows[0]?.cells.get('m:k')?.value.toString()).toBe(tickKey(id, micros(T0 + 18n), 100_000));
});

describe('trouble', () => {
  test('a full queue makes its source wait', async () => {
    const id = newIndex();
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => { open = resolve; });
    const writer = table.live(1, { queueBound: 10, writer: { write: async (rows, version) => { await gate; return table.writer.write(rows, version); } } });
    let taken = 0;
    const source = (async () => { for (let i = 0; i < 6000; i += 1, taken += 1) await writer.write([tick(id, BigInt(i), '5')]); })();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(taken).toBeLessThan(4 * 1000 + 20);
    open();
    await source;
    expect(await done(writer)).toMatchObject({ written: 6000, late: 0 });
    expect(await prints(id)).toHaveLength(6000);
  });

  test('waiting for a lease has an end too', async () => {
    const lease: Lease = { slot: 3, stands: () => false, release: () => Promise.resolve(), standing: (signal) => new Promise((resolve) => {
      const end = (): void => resolve(failed(problem('STORE_TIMEOUT', 'not renewed', 'wait', true)));
      if (signal?.aborted === true) end();
      signal?.addEventListener('abort', end, { once: true });
    }) };
    const patient = table.live(3, { lease, patienceMs: 1e9, sleep });
    await patient.write([tick(newIndex(), 0n, '5')]);
    const closed = patient.close();
    await sleep(20);
    patient.abandon();
    expect(await closed).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    const hasty = table.live(3, { lease, patienceMs: 30 });
    await hasty.write([tick(newIndex(), 0n, '5')]);
    expect(await hasty.close()).toMatchObject({ ok: false, error: { code: 'STORE_TIMEOUT' } });
  });

  test('a store that stays away ends the writer, and so does a lost lease; nothing is taken in silence', async () => {
    const id = newIndex();
    const told: (string | null)[] = [];
    const gone: Writer = { write: (rows) => Promise.resolve({ written: 0, failed: rows.map(({ key }) => ({ key, error: problem('STORE_UNREACHABLE', 'gone', 'wait', true) })) }) };
    const writer = table.live(1, { writer: gone, patienceMs: 50, onProblem: (trouble) => told.push(trouble?.code ?? null) });
    await writer.write([tick(id, 0n, '5')]);
    expect(await writer.flush()).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
    expect(await writer.write([tick(id, 1n, '5')])).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
    expect(await writer.close()).toMatchObject({ ok: false });
    expect(told).toEqual(['STORE_UNREACHABLE']);

    let lost = false;
    const lease = { slot: 3, stands: () => !lost, standing: () => Promise.resolve(lost ? failed(problem('CANCELLED', 'lost', 'start again')) : { ok: true as const, value: null }), release: () => Promise.resolve() };
    const other = table.live(3, { lease });
    await other.write([tick(id, 0n, '5')]);
    await other.flush();
    lost = true;
    await other.write([tick(id, 1n, '5')]);
    expect(await other.flush()).toMatchObject({ ok: false, error: { what: 'lost' } });
    expect(await prints(id)).toEqual(['0 300000 5 - 0']);
  });
});

test('shuffled, repeated, split, late, corrected streams over failing stores and restarts: the table is that of the sorted stream', async () => {
  const event = fc.record({ at: fc.nat(6), n: fc.nat(2), slot: fc.integer({ min: 1, max: 3 }), values: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.option(fc.integer({ min: 1, max: 3 }), { nil: null })), { minLength: 1, maxLength: 3 }), sent: fc.integer({ min: 1, max: 3 }) });
  const fate = fc.constantFrom<Fate>('fine', 'refused', 'unheard', 'half');
  await fc.assert(fc.asyncProperty(
    fc.uniqueArray(event, { selector: ({ at, n, slot }) => `${at} ${n} ${slot}`, minLength: 1, maxLength: 20 }), fc.infiniteStream(fc.nat(1000)), fc.array(fate, { maxLength: 8 }), fc.integer({ min: 1, max: 3 }), fc.boolean(),
    async (events, dice, fates, runs, skewed) => {
      const [live, sorted] = [newIndex(), newIndex()];
      // an event's own values stay in order, each sent once or more; all else is shuffled
      const lanes = events.map(({ at, n, slot, values, sent }) => values.flatMap(([price, volume]) => Array.from({ length: sent }, () => ({ slot, tick: (id: IndexId) => tick(id, BigInt(at), String(price), n, { volume: volume === null ? null : decimal(String(volume)) }) }))));
      const stream: (typeof lanes)[number] = [];
      const left = lanes.map((lane) => [...lane]);
      while (left.length > 0) {
        const lane = dice.next().value % left.length;
        const next = left[lane]?.shift();
        if (next) stream.push(next);
        else left.splice(lane, 1);
      }
      const writer = unlucky(table.writer, fates);
      let clock = Date.now();
      const counted = { written: 0, duplicates: 0, corrected: 0 };
      for (let run = 0; run < runs; run += 1) {
        const part = stream.slice(Math.floor((run * stream.length) / runs), Math.floor(((run + 1) * stream.length) / runs));
        const writers = new Map([1, 2, 3].map((slot) => [slot, table.live(slot, { writer, machineMillis: () => clock })]));
        for (const one of part) await writers.get(one.slot)?.write([one.tick(live)]);
        for (const one of writers.values()) {
          const { written, duplicates, corrected } = await done(one);
          counted.written += written;
          counted.duplicates += duplicates;
          counted.corrected += corrected;
        }
        if (skewed) clock -= 60_000;
        await writer.replay();
      }
      for (const slot of [1, 2, 3]) await write(lanes.flat().filter((one) => one.slot === slot).map((one) => one.tick(sorted)).toSorted((a, b) => Number(a.time - b.time)), slot);
      expect(await prints(live)).toEqual(await prints(sorted));
      const changes = events.map(({ values }) => values.filter((value, i) => i === 0 || String(value) !== String(values[i - 1])).length - 1).reduce((a, b) => a + b, 0);
      expect(counted).toEqual({ written: events.length, corrected: changes, duplicates: stream.length - events.length - changes });
    }), { numRuns: 60 });
}, 60_000);

test('a source without numbers, shuffled and split over writers and restarts: the events are those of the sorted stream', async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.record({ at: fc.nat(3), price: fc.integer({ min: 1, max: 3 }), slot: fc.integer({ min: 1, max: 2 }), run: fc.nat(2) }), { maxLength: 25 }), fc.array(fc.constantFrom<Fate>('fine', 'refused', 'unheard', 'half'), { maxLength: 6 }),
    async (events, fates) => {
      const id = newIndex();
      const writer = unlucky(table.writer, fates);
      for (const run of [0, 1, 2]) {
        const writers = new Map([1, 2].map((slot) => [slot, table.live(slot, { writer })]));
        for (const one of events.filter((event) => event.run === run)) await writers.get(one.slot)?.write([tick(id, BigInt(one.at), String(one.price), null)]);
        for (const one of writers.values()) await done(one);
      }
      const found = await table.ticks(id);
      const names = (list: readonly { at: number; price: unknown; slot: number }[]): string[] => list.map(({ at, price, slot }) => `${at} ${String(price)} ${slot}`).sort();
      expect(names(found.map(({ time, price, sequence }) => ({ at: Number(time - T0), price, slot: Math.floor(sequence / 100_000) })))).toEqual(names(events));
      expect(found.every(({ time, sequence }, i) => sequence % 100_000 === 0 || (found[i - 1]?.time === time && found[i - 1]?.sequence === sequence - 1))).toBe(true);
    }), { numRuns: 30 });
}, 60_000);
