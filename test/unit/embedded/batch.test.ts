/** MutateRows from the wire: what is packed directly is what the general way would store, and no bytes break the reader. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutBatch, mutationsOf, packEntry as packPart, scratch } from '../../../electron/embedded/batch.ts';
import { type Family, packCells } from '../../../electron/embedded/cells.ts';
import { mutated, type Mutation } from '../../../electron/embedded/mutate.ts';
import { data } from '../../../electron/embedded/protos.ts';

const FAMILIES = new Map<string, Family>([['q', { id: 1, name: 'q', gc: null }], ['h', { id: 300, name: 'h', gc: null }]]);
const bytes = fc.uint8Array({ maxLength: 5 }).map((array) => Buffer.from(array));
const setCell = fc.record({ familyName: fc.constantFrom('q', 'h'), columnQualifier: bytes, timestampMicros: fc.constantFrom(0, 1000, 2000, 1_700_000_000_000_000), value: bytes });
const entryOf = (rowKey: Buffer, mutations: Mutation[]): Buffer => Buffer.from(data.MutateRowsRequest.Entry.encode({ rowKey, mutations }).finish());

/** The row of an entry that lies amid others of the request. */
function packEntry(entry: Buffer, families: ReadonlyMap<string, Family>, from = 0): { key: Buffer; cells: Buffer } | null {
  const source = Buffer.concat([entry.subarray(0, 3), entry, entry]);
  const row = packPart(source, Math.min(3, entry.length), Math.min(3, entry.length) + entry.length, families, from);
  return row && { key: source.subarray(row.keyStart, row.keyEnd), cells: Buffer.from(scratch.subarray(from, row.cellsEnd)) };
}
const countOf = (entry: Buffer): number => mutationsOf({ source: Buffer.concat([entry, entry]), bounds: [0, entry.length] });

test('a packed row is what the general way stores; the same cell twice is left to it', () => {
  fc.assert(fc.property(bytes.filter((key) => key.length > 0), fc.array(setCell, { minLength: 1, maxLength: 12 }), (key, sets) => {
    const mutations = sets.map((cell): Mutation => ({ setCell: cell }));
    const packed = packEntry(entryOf(key, mutations), FAMILIES);
    const general = mutated([], mutations, FAMILIES, 9);
    expect(packed === null).toBe(general.length < sets.length);
    if (packed) expect([packed.key.equals(key), packed.cells.equals(packCells(general))]).toEqual([true, true]);
  }), { numRuns: 3000 });
});

test.each<[string, Buffer, Mutation[]]>([
  ['a deletion', Buffer.from('k'), [{ deleteFromRow: {} }]], ['server time', Buffer.from('k'), [{ setCell: { familyName: 'q', timestampMicros: -1 } }]],
  ['a time finer than 1 ms', Buffer.from('k'), [{ setCell: { familyName: 'q', timestampMicros: 1 } }]], ['no family', Buffer.from('k'), [{ setCell: { familyName: 'x' } }]],
  ['no mutation', Buffer.from('k'), []], ['no key', Buffer.alloc(0), [{ setCell: { familyName: 'q' } }]], ['a long key', Buffer.alloc(4097, 'k'), [{ setCell: { familyName: 'q' } }]],
  ['a long qualifier', Buffer.from('k'), [{ setCell: { familyName: 'q', columnQualifier: Buffer.alloc(16_385) } }]],
  ['a long value', Buffer.from('k'), [{ setCell: { familyName: 'q', value: Buffer.alloc(2 * 1024 * 1024) } }]],
  ['many cells', Buffer.from('k'), Array.from({ length: 65 }, (_, n): Mutation => ({ setCell: { familyName: 'q', timestampMicros: n * 1000 } }))],
])('left to the general way: %s', (_, key, mutations) => {
  expect(packEntry(entryOf(key, mutations), FAMILIES)).toBeNull();
});

test('an entry after one that is like it is packed as if it were alone, whatever differs', () => {
  const value = fc.uint8Array({ minLength: 1, maxLength: 5 }).map((array) => Buffer.from(array));
  const damage = fc.record({ where: fc.nat(120), remove: fc.nat(1), add: fc.uint8Array({ maxLength: 2 }) });
  const seen = { like: 0, other: 0 };
  fc.assert(fc.property(fc.array(fc.tuple(setCell, value, value), { minLength: 1, maxLength: 6 }), fc.array(damage, { maxLength: 1 }), fc.array(damage, { maxLength: 1 }), (sets, before, after) => {
    const [first, second] = [1, 2].map((which) => entryOf(Buffer.from(`key${which}`), sets.map((set): Mutation => ({ setCell: { ...set[0], value: set[which] as Buffer } }))));
    const changed = (entry: Buffer, [one]: readonly { where: number; remove: number; add: Uint8Array }[]): Buffer =>
      (one ? Buffer.concat([entry.subarray(0, one.where), one.add, entry.subarray(one.where + one.remove)]) : entry);
    const next = changed(second as Buffer, after);
    const alone = packEntry(next, new Map(FAMILIES));
    const expected = alone && [alone.key.toString('hex'), alone.cells.toString('hex')];
    const families = new Map(FAMILIES);
    packEntry(changed(first as Buffer, before), families);
    const packed = packEntry(next, families, 7);
    expect(packed && [packed.key.toString('hex'), packed.cells.toString('hex')]).toEqual(expected);
    seen[packed ? 'like' : 'other']++;
  }), { numRuns: 3000 });
  expect(Math.min(seen.like, seen.other)).toBeGreaterThan(100);
});

test('lengths in more bytes than they need, and what stands behind a value, are no pattern for what follows', () => {
  const field = (tag: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([tag, body.length]), body]);
  const long = (tag: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([tag, body.length | 128, 0]), body]);
  const column = Buffer.concat([field(0x0a, Buffer.from('q')), field(0x12, Buffer.from('p'))]);
  const rowOf = (mutation: Buffer): Buffer => Buffer.concat([field(0x0a, Buffer.from('k')), field(0x12, mutation)]);
  const value = field(0x22, Buffer.from('1'));
  // Each of the second lines would be taken for an entry like the first, where those bytes counted as part of what they share, or of nothing.
  for (const [first, next] of [
    [long(0x0a, Buffer.concat([column, value])), field(0x0a, Buffer.concat([Buffer.from([0]), column, value]))],
    [field(0x0a, Buffer.concat([column, value, Buffer.from([0x18, 0xe8, 7])])), field(0x0a, Buffer.concat([column, value]))], // a time of 1000 behind the value
    [field(0x0a, Buffer.concat([column, long(0x22, Buffer.from('1'))])), field(0x0a, Buffer.concat([column, Buffer.from([0x22]), value]))],
  ] as const) {
    const families = new Map(FAMILIES);
    expect(packEntry(rowOf(first), families)).not.toBeNull();
    expect(packEntry(rowOf(next), families)?.cells.toString('hex')).toBe(packEntry(rowOf(next), new Map(FAMILIES))?.cells.toString('hex'));
  }
});

test('a batch is cut as protobuf reads it', () => {
  const message = { tableName: 'projects/p/instances/i/tables/t', authorizedViewName: 'view', appProfileId: 'x', entries: [{ rowKey: Buffer.from('a'), mutations: [{ deleteFromRow: {} }, {}] }, {}] };
  const { tableName, authorizedViewName, entries } = cutBatch(data.MutateRowsRequest.encode(message).finish());
  expect([tableName, authorizedViewName]).toEqual([message.tableName, 'view']);
  const each = entries.bounds.flatMap((start, i) => (i % 2 === 0 ? [countOf(entries.source.subarray(start, entries.bounds[i + 1]))] : []));
  expect([each, mutationsOf(entries)]).toEqual([[2, 0], 2]);
  // Lengths in two bytes, names in more than they need, and fields that are none of ours.
  const long = Buffer.from(data.MutateRowsRequest.Entry.encode({ rowKey: Buffer.alloc(200, 'k'), mutations: [{ setCell: { value: Buffer.alloc(300) } }, {}] }).finish());
  expect([long, Buffer.concat([long, Buffer.from([0x92, 0x80, 0, 0])]), Buffer.concat([Buffer.from([0x18, 0x12]), long])].map(countOf)).toEqual([2, 3, 2]);
});

test('no bytes break the reader', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), fc.array(setCell, { maxLength: 3 }), fc.nat(200), fc.nat(255), (noise, sets, where, byte) => {
    const good = entryOf(Buffer.from('k'), sets.map((cell) => ({ setCell: cell })));
    const damaged = Buffer.from(good);
    damaged[where % Math.max(1, damaged.length)] = byte;
    for (const input of [Buffer.from(noise), damaged, good.subarray(0, where)]) {
      packEntry(input, FAMILIES);
      countOf(input);
      try {
        cutBatch(input);
      } catch (error) {
        expect(error).toMatchObject({ code: 3 });
      }
    }
  }), { numRuns: 4_000 });
});
