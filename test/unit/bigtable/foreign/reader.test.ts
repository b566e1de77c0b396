/** A foreign table through the Reader contract answers as a canonical table with the same events would. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTick } from '../../../../electron/bigtable/decode.ts';
import { physicalId, screenId } from '../../../../electron/bigtable/layout/foreignId.ts';
import type { ForeignLayout } from '../../../../electron/bigtable/layout/foreignLayout.ts';
import { foreignReader, readOnly } from '../../../../electron/bigtable/layout/foreignReader.ts';
import type { ForeignTick } from '../../../../electron/bigtable/layout/foreignRow.ts';
import type { Reader } from '../../../../electron/bigtable/reader.ts';
import { createCatalog } from '../../../../electron/feed/catalog.ts';
import { indexIdOf, keyAfter, type KeyRange, ticksBetween, tickKey, tickRange } from '../../../../shared/rowKey.ts';
import { type EpochMicros, floorDiv, floorMod, micros } from '../../../../shared/time.ts';
import { cellsOf, layoutFiles, layoutOf, memoryTable, rowsOf, ticksOf } from '../../../fixtures/foreignTables.ts';

const IDS = ['SPX', 'SPX500', 'spx', 'A', 'A#B', 'NKY'];
/** Where times are decimal digits, an id may continue another one. Elsewhere looking for ids can pass over it: docs/layouts.md. */
const idsOf = (layout: ForeignLayout): readonly string[] => (layout.time.format.encoding === 'decimal' && (layout.salt === null || layout.salt.format.encoding === 'decimal') ? IDS : IDS.filter((id) => id !== 'A#B'));
const NOW = 1_700_000_500_000_000n;
const cases = layoutFiles.map(layoutOf).chain((layout) => fc.tuple(fc.constant(layout), ticksOf(layout, idsOf(layout)), fc.boolean()));

const canonicalKey = (layout: ForeignLayout, tick: ForeignTick): string => {
  const fine = (layout.bucket?.unit ?? layout.time.unit) === 'ns';
  const remainder = floorMod(tick.nanos, 1000n);
  const sequence = fine ? (layout.sequence ? remainder * 1000n + tick.sequence : remainder) : tick.sequence;
  return tickKey(screenId(tick.id)!, micros(floorDiv(tick.nanos, 1000n)), Number(sequence));
};
/** Key and price of every event, in canonical order. */
const modelOf = (layout: ForeignLayout, ticks: readonly ForeignTick[]): string[] => ticks.map((tick) => `${canonicalKey(layout, tick)} ${tick.fields.price}`).toSorted();

async function answer(reader: Reader, ranges: readonly KeyRange[], limit = 0): Promise<string[]> {
  const outcome = await reader.read({ ranges, limit, deadlineMs: 5_000 });
  if (!outcome.ok) throw new Error(outcome.error.what);
  return outcome.rows.map((row) => {
    const tick = decodeTick(row);
    return `${row.key} ${tick.ok ? tick.value.price : tick.error.what}`;
  });
}
const open = (layout: ForeignLayout, ticks: readonly ForeignTick[], reverseScans: boolean, failing = -1) => {
  const table = memoryTable(rowsOf(cellsOf(layout, ticks)), { reverseScans, failing });
  return { table, reader: foreignReader(table, layout, { now: () => NOW }) };
};

describe('answers as a canonical table would', () => {
  test('any range and limit of one index', () =>
    fc.assert(fc.asyncProperty(cases, fc.constantFrom(...IDS), fc.nat(), fc.nat(), fc.constantFrom(0, 1, 1, 2, 3, 20), fc.boolean(), async ([layout, ticks, reverseScans], physical, x, y, limit, after) => {
      const id = screenId(physical)!;
      const model = modelOf(layout, ticks).filter((line) => line.startsWith(`${id}#`));
      const keys = [tickRange(id).start, tickRange(id).end, ...model.map((line) => line.split(' ')[0]!).flatMap((key) => (after ? [keyAfter(key)] : [key, key.slice(0, key.lastIndexOf('#'))]))].toSorted();
      const [a, b] = [keys[x % keys.length]!, keys[y % keys.length]!];
      if (a === b) return;
      const range = a < b ? { start: a, end: b } : { start: b, end: a };
      const wanted = model.filter((line) => line.split(' ')[0]! >= range.start && line.split(' ')[0]! < range.end);
      const { reader } = open(layout, ticks, reverseScans);
      for (const again of [0, 1]) expect(await answer(reader, [range], limit), `time ${again}`).toEqual(limit === 0 ? wanted : wanted.slice(0, limit));
    }), { numRuns: 300 }));

  test('all instants of a span, both ends included, page by page', () =>
    fc.assert(fc.asyncProperty(cases, fc.nat(), fc.nat(), async ([layout, ticks, reverseScans], x, y) => {
      const id = indexIdOf('SPX');
      const mine = ticks.filter((tick) => tick.id === 'SPX');
      if (mine.length === 0) return;
      const times = mine.map((tick) => floorDiv(tick.nanos, 1000n));
      const [a, b] = [times[x % times.length]!, times[y % times.length]!].sort((p, q) => (p < q ? -1 : 1)) as [EpochMicros, EpochMicros];
      const range = ticksBetween(id, a, b);
      const { reader } = open(layout, ticks, reverseScans);
      const got: string[] = [];
      for (let { start } = range; start < range.end;) {
        const page = await answer(reader, [{ start, end: range.end }], 3);
        got.push(...page);
        if (page.length < 3) break;
        start = keyAfter(page.at(-1)!.split(' ')[0]!);
      }
      expect(got).toEqual(modelOf(layout, mine.filter((tick) => floorDiv(tick.nanos, 1000n) >= a && floorDiv(tick.nanos, 1000n) <= b)));
    })));

  test.each(['forward', 'reverse'].flatMap((time) => ['forward', 'reverse'].flatMap((sequence) => [true, false].map((reverseScans) => [time, sequence, reverseScans] as const))))(
    'sequences within an instant: time %s, sequence %s, reverse scans %s', async (time, sequence, reverseScans) => {
      const given = (direction: string, base: string) => (direction === 'reverse' ? { direction: 'reverse' as const, base } : { direction: 'forward' as const });
      const layout = layoutOf({
        key: { separator: '#', parts: ['index', 'time', 'sequence'] }, time: { unit: 'ms', encoding: 'decimal', width: 13, ...given(time, '9999999999999') },
        sequence: { encoding: 'decimal', width: 2, ...given(sequence, '99') }, fields: { price: { family: 'f', qualifier: 'p', type: 'text' } },
      });
      const ticks = Array.from({ length: 20 }, (_, at): ForeignTick => ({ id: 'SPX', nanos: BigInt(1_600_000_000_000 + Math.floor(at / 5)) * 1_000_000n, sequence: BigInt(at % 5), salt: 0, fields: { price: String(at + 1) } }));
      const model = modelOf(layout, ticks);
      const { reader } = open(layout, ticks, reverseScans);
      const whole = tickRange(indexIdOf('SPX'));
      for (const limit of [1, 2, 4, 5, 7, 19, 20, 30]) expect(await answer(reader, [whole], limit), `limit ${limit}`).toEqual(model.slice(0, limit));
      const paged: string[] = [];
      for (let { start } = whole; ;) {
        const page = await answer(reader, [{ start, end: whole.end }], 3);
        paged.push(...page);
        if (page.length < 3) break;
        start = keyAfter(page.at(-1)!.split(' ')[0]!);
      }
      expect(paged).toEqual(model);
    });

  test('several ranges, and all ids at once', () =>
    fc.assert(fc.asyncProperty(cases, fc.constantFrom(0, 1, 5), async ([layout, ticks, reverseScans], limit) => {
      const { reader } = open(layout, ticks, reverseScans);
      const model = modelOf(layout, ticks);
      expect(await answer(reader, IDS.map((id) => tickRange(screenId(id)!)).toSorted((a, b) => (a.start < b.start ? -1 : 1)), limit)).toEqual(limit === 0 ? model : model.slice(0, limit));
      expect(await answer(reader, [{ start: '-', end: '`' }], limit)).toEqual(limit === 0 ? model : model.slice(0, limit));
    })));

  test('the feed finds every id, as on a table of ours', () =>
    fc.assert(fc.asyncProperty(cases, async ([layout, ticks, reverseScans]) => {
      const { reader } = open(layout, ticks, reverseScans);
      const catalog = createCatalog({ reader, config: { indices: null } });
      expect((await catalog.refresh(0, 5_000, new AbortController().signal)).error).toBeNull();
      expect(catalog.list().map((info) => String(physicalId(info.id))).toSorted()).toEqual([...new Set(ticks.map((tick) => tick.id))].toSorted());
    }), { numRuns: 60 }));

  test('a read that fails gives the beginning of the answer and says how far it is whole', () =>
    fc.assert(fc.asyncProperty(cases, fc.nat({ max: 6 }), fc.constantFrom(0, 3), async ([layout, ticks, reverseScans], failing, limit) => {
      const { reader } = open(layout, ticks, reverseScans, failing);
      const range = tickRange(indexIdOf('SPX'));
      const outcome = await reader.read({ ranges: [range], limit, deadlineMs: 5_000 });
      const model = modelOf(layout, ticks).filter((line) => line.startsWith('SPX#')).map((line) => line.split(' ')[0]!);
      const keys = outcome.rows.map((row) => row.key);
      expect(keys).toEqual(model.slice(0, keys.length));
      if (outcome.ok) expect(keys).toEqual(limit === 0 ? model : model.slice(0, limit));
      else if (outcome.scannedTo !== null) expect(model.filter((key) => key < outcome.scannedTo!)).toEqual(keys.filter((key) => key < outcome.scannedTo!));
    })));
});

const forward = layoutOf({ key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'ms', direction: 'forward', encoding: 'decimal', width: 13 }, fields: { price: { family: 'f', qualifier: 'p', type: 'text' } } });
const tick = (id: string, millis: number, price = '1'): ForeignTick => ({ id, nanos: BigInt(millis) * 1_000_000n, sequence: 0n, salt: 0, fields: { price } });

test('a first reverse scan that fails half way gives no rows: they may be the oldest', async () => {
  const ticks = [1, 2, 3, 4].map((at) => tick('SPX', at));
  const { reader } = open(forward, ticks, false, 0);
  expect(await reader.read({ ranges: [tickRange(indexIdOf('SPX'))], limit: 4, deadlineMs: 5_000 })).toMatchObject({ ok: false, rows: [], scannedTo: null });
  expect(await answer(reader, [tickRange(indexIdOf('SPX'))], 4)).toEqual(modelOf(forward, ticks));
});

describe('cost', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => tick('SPX', 1_600_000_000_000 + at * 250));

  test('the latest of an ascending table is one row by a reverse scan', async () => {
    const { table, reader } = open(forward, many, true);
    for (const _ of [0, 1, 2]) expect(await answer(reader, [tickRange(indexIdOf('SPX'))], 1)).toEqual([expect.stringContaining('SPX#')]);
    expect(table.requests.map(({ limit, reversed }) => [limit, reversed])).toEqual([[2, true], [1, true], [1, true]]);
  });

  test('without reverse scans it is found in few bounded reads, then in one', async () => {
    const { table, reader } = open(forward, many, false);
    const newest = [`${tickKey(indexIdOf('SPX'), micros(1_600_004_999_750_000n))} 1`];
    expect(await answer(reader, [tickRange(indexIdOf('SPX'))], 1)).toEqual(newest);
    expect(table.requests.length).toBeLessThan(60);
    expect(Math.max(...table.requests.map(({ limit = 0 }) => limit))).toBeLessThan(200);
    expect(table.requests.every(({ limit = 0 }) => limit > 0)).toBe(true);
    const before = table.requests.length;
    expect(await answer(reader, [tickRange(indexIdOf('SPX'))], 1)).toEqual(newest);
    expect(table.requests.length - before).toBe(1);
  });
});

describe('what is not there, and what is not ours', () => {
  test('bars, shards and metadata are empty without a request', async () => {
    const { table, reader } = open(forward, [tick('SPX', 1)], true);
    for (const range of [{ start: 'SPX@1d#', end: 'SPX@1d$' }, { start: '!index#', end: '!index$' }, { start: 'SPX~', end: 'SPX\u007f' }]) expect(await answer(reader, [range])).toEqual([]);
    expect(await reader.read({ ranges: [tickRange(indexIdOf('SPX'))], families: ['b', 'v'], deadlineMs: 100 })).toMatchObject({ ok: true, rows: [] });
    expect(table.requests).toEqual([]);
  });

  test('rows of another shape are told once and their neighbours stay', async () => {
    const rows = rowsOf([...cellsOf(forward, [tick('SPX', 5), tick('NKY', 5)]), ...['SPX#!', 'SPX#000000000000x', 'SPX#zzz', 'NKY', 'zebra#', '\u00ff\u00fe'].map((key) => ({ key, family: 'f', qualifier: 'p', value: Buffer.from('1') }))]);
    const told: string[] = [];
    const reader = foreignReader(memoryTable(rows), forward, { now: () => NOW, unreadable: (key) => told.push(key) });
    expect((await answer(reader, [{ start: '-', end: '`' }])).map((line) => line.slice(0, 4))).toEqual(['NKY#', 'SPX#']);
    expect(await answer(reader, [tickRange(indexIdOf('SPX'))])).toHaveLength(1);
    expect(told.toSorted()).toEqual(expect.arrayContaining(['NKY', 'SPX#!', 'zebra#', '\u00ff\u00fe']));
    expect(new Set(told).size).toBe(told.length);
  });

  test('an id that is too long to show is told, and shown under the name that the layout gives it', async () => {
    const long = 'index_of_the_five_hundred_largest';
    const told: string[] = [];
    const table = memoryTable(rowsOf(cellsOf(forward, [tick(long, 5, '7')])));
    expect(await answer(foreignReader(table, forward, { unreadable: (_, why) => told.push(why.next) }), [{ start: '-', end: '`' }])).toEqual([]);
    expect(told).toEqual([expect.stringContaining('`ids`')]);
    const named = { ...forward, ids: new Map([[indexIdOf('TOP500'), long]]) };
    expect(await answer(foreignReader(table, named), [{ start: '-', end: '`' }])).toEqual([`${tickKey(indexIdOf('TOP500'), micros(5_000n))} 7`]);
  });

  test('who would write is told why not', () => {
    expect(readOnly(forward)).toMatchObject({ code: 'BAD_INPUT', what: expect.stringContaining('only reads') });
  });
});
