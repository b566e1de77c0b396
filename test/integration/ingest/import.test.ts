/** Imported rows in the embedded store, through the real clients: every event once, whatever is imported how often. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import { decodeBar, decodeTick } from '../../../electron/bigtable/decode.ts';
import type { Reader, StoreAddress, Writer } from '../../../electron/bigtable/reader.ts';
import { readRegistry, registryRow } from '../../../electron/bigtable/registry.ts';
import { type ClosableWriter, createWriter } from '../../../electron/bigtable/writer.ts';
import { type Store, startStore } from '../../../electron/embedded/startStore.ts';
import type { BarRow, ImportRow, TickRow } from '../../../electron/ingest/import/row.ts';
import { type WriteRows, writeRows, type Written } from '../../../electron/ingest/import/writeRows.ts';
import { decimal } from '../../../shared/decimal.ts';
import { infoFor } from '../../../shared/indices.ts';
import type { Bar, Tick } from '../../../shared/quote.ts';
import { barRange, type IndexId, indexIdOf, tickRange } from '../../../shared/rowKey.ts';
import { DAY, fromMillis, micros, MINUTE } from '../../../shared/time.ts';

let store: Store;
let reader: Reader;
let writer: ClosableWriter;
const T0 = 1_710_163_800_000_000n;

beforeAll(async () => {
  const started = await startStore({ data: null, port: 0 });
  if (!started.ok) throw new Error(started.error.what);
  store = started.value;
  const address: StoreAddress = { kind: 'embedded', project: 'frontrow', instance: 'frontrow', table: 'imports', appProfile: null, endpoint: store.address };
  expect(await ensureTable(address)).toMatchObject({ ok: true });
  [reader, writer] = [connect(address), createWriter(address)];
});
afterAll(async () => {
  await reader.close();
  await writer.close();
  await store.close();
});

let ids = 0;
const newIndex = (): IndexId => indexIdOf(`X${(ids += 1)}`);

async function outcome(rows: readonly ImportRow[], options: Partial<WriteRows> = {}): ReturnType<typeof writeRows> {
  return writeRows({ rows, source: 'generic', keep: true, officialCloses: false, reader, writer, now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), onFuture: () => {}, ...options });
}
async function write(rows: readonly ImportRow[], options: Partial<WriteRows> = {}): Promise<Written> {
  const done = await outcome(rows, options);
  if (!done.ok) throw new Error(done.error.what);
  return done.value;
}
const tick = (index: IndexId, at: bigint, price: string, nanos = 0): TickRow => ({ kind: 'tick', line: 1, index, time: micros(T0 + at), nanos, price: decimal(price), bid: null, ask: null, volume: null });
const bar = (index: IndexId, nth: number, close: string): BarRow => ({ kind: 'bar', line: nth, index, time: micros(T0 + BigInt(nth) * MINUTE), period: '1m', sessionDate: null, open: decimal('5'), high: decimal('9'), low: decimal('1'), close: decimal(close), volume: null });
async function ticks(index: IndexId): Promise<Tick[]> {
  const read = await reader.read({ ranges: [tickRange(index)], deadlineMs: 20_000 });
  return read.rows.map((row) => { const one = decodeTick(row); return one.ok ? one.value : expect.fail(one.error.what); }).reverse();
}
async function bars(index: IndexId, resolution: '1m' | '1d' = '1m'): Promise<Bar[]> {
  const read = await reader.read({ ranges: [barRange(index, resolution)], deadlineMs: 20_000 });
  return read.rows.map((row) => { const one = decodeBar(row); return one.ok ? one.value : expect.fail(one.error.what); }).reverse();
}
const prints = (all: readonly (Tick | TickRow)[]): string[] => all.map(({ time, price, nanos }) => `${time} ${price} ${nanos ?? 0}`).sort();

describe('ticks', () => {
  test('two equal prints at one instant both stay, and the same file again adds nothing', async () => {
    const id = newIndex();
    const file = [tick(id, 0n, '5'), tick(id, 0n, '5'), tick(id, 0n, '6'), tick(id, 7n, '5', 3)];
    expect(await write(file)).toEqual({ written: 4, duplicate: 0, corrected: 0, future: 0 });
    expect(await write(file)).toEqual({ written: 0, duplicate: 4, corrected: 0, future: 0 });
    const found = await ticks(id);
    expect(found.map(({ sequence, price, nanos, source, family }) => [sequence, price, nanos, source, family])).toEqual([[0, '5', null, 'generic', 'h'], [1, '5', null, 'generic', 'h'], [2, '6', null, 'generic', 'h'], [0, '5', 3, 'generic', 'h']]);
  });

  test('another source\'s equal print is another event', async () => {
    const id = newIndex();
    await write([tick(id, 0n, '5')], { source: 'stooq' });
    expect(await write([tick(id, 0n, '5')])).toMatchObject({ written: 1 });
    expect((await ticks(id)).map(({ source, sequence }) => [source, sequence])).toEqual([['stooq', 0], ['generic', 1]]);
  });

  test('under retention until it is kept; kept, it stays kept', async () => {
    const id = newIndex();
    await write([tick(id, 0n, '5')], { keep: false });
    expect((await ticks(id)).map(({ family }) => family)).toEqual(['q']);
    expect(await write([tick(id, 0n, '5')])).toMatchObject({ written: 1 });
    expect(await write([tick(id, 0n, '5')], { keep: false })).toMatchObject({ written: 0, duplicate: 1 });
    expect((await reader.read({ ranges: [tickRange(id)], families: ['h'], deadlineMs: 20_000 })).rows).toHaveLength(1);
    expect(await ticks(id)).toHaveLength(1);
  });

  test('a tick over 5 s ahead is told and not written', async () => {
    const id = newIndex();
    const told: string[] = [];
    const rows = [tick(id, 0n, '5'), tick(id, 5_000_000n, '6'), tick(id, 5_000_001n, '7')];
    expect(await write(rows, { now: () => micros(T0), onFuture: (row) => { if (row.kind === 'tick') told.push(row.price); } })).toMatchObject({ written: 2, future: 1 });
    expect(told).toEqual(['7']);
  });

  test('split, overlapping, repeated and cut imports end with exactly the events of the whole', async () => {
    await fc.assert(fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 2 }), fc.integer({ min: 0, max: 1 })), { minLength: 1, maxLength: 25 }),
      fc.array(fc.tuple(fc.nat(24), fc.nat(24)), { maxLength: 4 }), fc.nat(3),
      async (events, parts, cut) => {
        const id = newIndex();
        const whole = events.map(([at, price, nanos]) => tick(id, BigInt(at), String(price), nanos)).sort((a, b) => Number(a.time - b.time));
        // a part names whole instants or a piece of one: either way no event may count twice
        for (const [a, b] of parts) await write(whole.slice(Math.min(a, b), Math.max(a, b)));
        const dying: Writer = { write: async (rows, version) => {
          await writer.write(rows.slice(0, cut), version);
          return { written: 0, failed: rows.slice(cut).map(({ key }) => ({ key, error: { code: 'STORE_UNREACHABLE', what: 'gone', next: 'wait', retryable: true } })) };
        } };
        await outcome(whole, { writer: dying });
        await write(whole);
        expect(prints(await ticks(id))).toEqual(prints(whole));
      }), { numRuns: 25 });
  });

  test('whatever part of an import got through, the next one ends with the rows of one import at once', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 2 })), { minLength: 1, maxLength: 12 }), fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), fc.boolean(), async (events, through, other) => {
      const [cut, once] = [newIndex(), newIndex()];
      const file = (id: IndexId): TickRow[] => events.map(([at, price]) => tick(id, BigInt(at), String(price))).sort((a, b) => Number(a.time - b.time));
      if (other) for (const id of [cut, once]) await write([tick(id, 0n, '1')], { source: 'stooq' });
      const dying: Writer = { write: async (rows, version) => {
        await writer.write(rows.filter((_, i) => through[i]), version);
        return { written: 0, failed: rows.map(({ key }) => ({ key, error: { code: 'STORE_UNREACHABLE', what: 'gone', next: 'wait', retryable: true } })) };
      } };
      await outcome(file(cut), { writer: dying });
      await write(file(cut));
      await write(file(once));
      const rows = async (id: IndexId): Promise<string[]> => (await ticks(id)).map(({ time, sequence, price, source }) => `${time} ${sequence} ${price} ${source}`);
      expect(await rows(cut)).toEqual(await rows(once));
    }), { numRuns: 40 });
  });

  test('an import over a dense stretch and over several batches', async () => {
    const id = newIndex();
    const whole = Array.from({ length: 9001 }, (_, i) => tick(id, BigInt(Math.floor(i / 3)), String((i % 7) + 1)));
    expect(await write(whole)).toMatchObject({ written: 9001 });
    expect(await write(whole)).toMatchObject({ written: 0, duplicate: 9001 });
    expect(await write([whole[0]!, whole.at(-1)!])).toMatchObject({ written: 0, duplicate: 2 });
    expect(prints(await ticks(id))).toEqual(prints(whole));
  });
});

describe('bars', () => {
  test('the same again is a duplicate, other values are a correction that a delayed retry can not undo', async () => {
    const id = newIndex();
    expect(await write([bar(id, 0, '5'), bar(id, 1, '6')])).toEqual({ written: 2, duplicate: 0, corrected: 0, future: 0 });
    // a clock that has stepped back
    const past = { machineMillis: () => Date.now() - 3_600_000 };
    expect(await write([bar(id, 0, '5'), bar(id, 1, '7'), bar(id, 2, '8')], past)).toEqual({ written: 1, duplicate: 1, corrected: 1, future: 0 });
    expect((await bars(id)).map(({ close, kind }) => [close, kind])).toEqual([['5', 'vendor'], ['7', 'vendor'], ['8', 'vendor']]);
  });

  test('days carry their date, and the close of an exchange\'s file is official', async () => {
    const id = newIndex();
    const day: BarRow = { ...bar(id, 0, '5'), period: '1d', sessionDate: '2024-03-11', time: micros(T0 - (T0 % DAY)) };
    await write([day], { officialCloses: true });
    expect((await bars(id, '1d'))[0]).toMatchObject({ sessionDate: '2024-03-11', officialClose: '5', kind: 'vendor' });
  });

  test('an index is known by its bars from then on, unless the registry says something of it already', async () => {
    const [id, named] = [newIndex(), newIndex()];
    const own = { ...infoFor(named), name: 'as an operator says', zone: 'Asia/Tokyo' };
    expect((await writer.write([registryRow(own)], BigInt(Date.now()) * 1000n)).failed).toEqual([]);
    await write([bar(id, 0, '5'), bar(named, 0, '5')]);
    await write([bar(id, 1, '6')]);
    const registry = await readRegistry(reader, 20_000);
    if (!registry.ok) throw new Error(registry.error.what);
    expect(registry.value.filter((info) => info.id === id || info.id === named)).toEqual([infoFor(id), own]);
  });

  test('a bar of unknown length is refused', async () => {
    expect(await outcome([{ ...bar(newIndex(), 0, '5'), period: null }])).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', next: 'give --period' } });
  });
});

test('a store that is gone is told, and stopping too', async () => {
  const gone: Reader = { ...reader, read: async () => ({ ok: false, rows: [], scannedTo: null, elapsedMs: 0, error: { code: 'STORE_UNREACHABLE', what: 'gone', next: 'wait', retryable: true } }) };
  expect(await outcome([bar(newIndex(), 0, '5')], { reader: gone })).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
  expect(await outcome([bar(newIndex(), 0, '5')], { signal: AbortSignal.abort() })).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
});
