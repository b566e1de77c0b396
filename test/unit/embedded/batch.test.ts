/** MutateRows from the wire: what is packed directly is what the general way would store, and no bytes break the reader. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutBatch, mutationsOf, packEntry } from '../../../electron/embedded/batch.ts';
import { type Family, packCells } from '../../../electron/embedded/cells.ts';
import { mutated, type Mutation } from '../../../electron/embedded/mutate.ts';
import { data } from '../../../electron/embedded/protos.ts';

const FAMILIES = new Map<string, Family>([['q', { id: 1, name: 'q', gc: null }], ['h', { id: 300, name: 'h', gc: null }]]);
const bytes = fc.uint8Array({ maxLength: 5 }).map((array) => Buffer.from(array));
const setCell = fc.record({ familyName: fc.constantFrom('q', 'h'), columnQualifier: bytes, timestampMicros: fc.constantFrom(0, 1000, 2000, 1_700_000_000_000_000), value: bytes });
const entryOf = (rowKey: Buffer, mutations: Mutation[]): Buffer => Buffer.from(data.MutateRowsRequest.Entry.encode({ rowKey, mutations }).finish());

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

test('a batch is cut as protobuf reads it', () => {
  const message = { tableName: 'projects/p/instances/i/tables/t', authorizedViewName: 'view', appProfileId: 'x', entries: [{ rowKey: Buffer.from('a'), mutations: [{ deleteFromRow: {} }, {}] }, {}] };
  const { tableName, authorizedViewName, entries } = cutBatch(data.MutateRowsRequest.encode(message).finish());
  expect([tableName, authorizedViewName]).toEqual([message.tableName, 'view']);
  expect(entries.map(mutationsOf)).toEqual([2, 0]);
});

test('no bytes break the reader', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), fc.array(setCell, { maxLength: 3 }), fc.nat(200), fc.nat(255), (noise, sets, where, byte) => {
    const good = entryOf(Buffer.from('k'), sets.map((cell) => ({ setCell: cell })));
    const damaged = Buffer.from(good);
    damaged[where % Math.max(1, damaged.length)] = byte;
    for (const input of [Buffer.from(noise), damaged, good.subarray(0, where)]) {
      packEntry(input, FAMILIES);
      mutationsOf(input);
      try {
        cutBatch(input);
      } catch (error) {
        expect(error).toMatchObject({ code: 3 });
      }
    }
  }), { numRuns: 4_000 });
});
