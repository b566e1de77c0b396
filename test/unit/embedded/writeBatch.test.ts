/** Batches of entries: rows that go in several at a time are those that one after the other would make, and the answer is what protobuf reads. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entries } from '../../../electron/embedded/batch.ts';
import { packCells, unpackCells } from '../../../electron/embedded/cells.ts';
import { openMemory } from '../../../electron/embedded/database.ts';
import { checkKey, mutated, type Mutation } from '../../../electron/embedded/mutate.ts';
import { data } from '../../../electron/embedded/protos.ts';
import { openTables, type Table } from '../../../electron/embedded/tables.ts';
import { batchAnswer, writeEntries } from '../../../electron/embedded/writeBatch.ts';

const bytes = fc.uint8Array({ maxLength: 3 }).map((array) => Buffer.from(array));
const setCell = fc.record({ familyName: fc.constantFrom('q', 'q', 'q', 'h', 'none'), columnQualifier: bytes, timestampMicros: fc.constantFrom(0, 1000, 2000, 1_700_000_000_000_000), value: bytes }).map((cell): Mutation => ({ setCell: cell }));
const mutation = fc.oneof({ weight: 20, arbitrary: setCell }, { weight: 1, arbitrary: fc.constant<Mutation>({ deleteFromRow: {} }) }, { weight: 1, arbitrary: fc.constant<Mutation>({ deleteFromFamily: { familyName: 'q' } }) });
const entry = fc.record({ key: fc.oneof({ weight: 8, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.nat(5) }), mutations: fc.array(mutation, { minLength: 1, maxLength: 4 }) });

const tables = openTables(openMemory());
let made = 0;
const newTable = (): Table => tables.create(`projects/p/instances/i/tables/t${++made}`, [{ name: 'h', gc: null }, { name: 'q', gc: null }], []);
const stored = (table: Table): unknown => table.rows.scan.all(Buffer.alloc(0), Buffer.from([255]));
const general = (table: Table) => (encoded: Buffer): void => {
  const { rowKey, mutations } = data.MutateRowsRequest.Entry.decode(encoded);
  const key = checkKey(rowKey);
  const found = table.rows.get.get(key) as unknown as [Uint8Array] | undefined;
  const after = mutated(found ? unpackCells(found[0], table.familiesById) : [], mutations, table.families, 9);
  if (after.length > 0) table.rows.put.run(key, packCells(after));
  else table.rows.remove.run(key);
};

/** Entries as they lie in a request: one behind the other. */
const together = (list: readonly Buffer[]): Entries => {
  let end = 0;
  return { source: Buffer.concat(list), bounds: list.flatMap(({ length }) => [end, (end += length)]) };
};

test('rows and statuses are those of one entry after the other', () => {
  fc.assert(fc.property(fc.array(fc.array(entry, { maxLength: 45 }), { maxLength: 3 }), (batches) => {
    const [ours, reference] = [newTable(), newTable()];
    for (const batch of batches) {
      const entries = batch.map(({ key, mutations }) => Buffer.from(data.MutateRowsRequest.Entry.encode({ rowKey: Buffer.from(`k${key}`), mutations }).finish()));
      const codes = writeEntries(together(entries), 0, entries.length, ours, general(ours)).map(({ code }) => code);
      const expected = entries.map((one) => {
        try {
          general(reference)(one);
          return 0;
        } catch (error) {
          return (error as { code: number }).code;
        }
      });
      expect(codes).toEqual(expected);
    }
    expect(stored(ours)).toEqual(stored(reference));
    for (const table of [ours, reference]) tables.drop(table.name);
  }), { numRuns: 150 });
});

test('rows that go in by fifty are whole, whatever their lengths, and whichever were there', () => {
  const [ours, reference] = [newTable(), newTable()];
  const row = (n: number, time: number): Buffer => Buffer.from(data.MutateRowsRequest.Entry.encode({
    rowKey: Buffer.from(`k${n}`.padEnd([5, 255, 256, 300][n % 7] ?? 5 + n % 9, '.')),
    mutations: ['a', 'b'].map((name) => ({ setCell: { familyName: 'q', columnQualifier: Buffer.from(name), timestampMicros: time, value: Buffer.from(name.repeat([511, 600, 1200][n % 11] ?? n)) } })),
  }).finish());
  for (const [from, time] of [[0, 1000], [90, 2000], [400, 3000]] as const) {
    const entries = Array.from({ length: 180 }, (_, n) => row(from + n, time));
    expect(writeEntries(together(entries), 0, 180, ours, general(ours)).every(({ code }) => code === 0)).toBe(true);
    for (const one of entries) general(reference)(one);
  }
  expect(stored(ours)).toEqual(stored(reference));
  expect(stored(ours)).toHaveLength(450);
});

test('an answer holds every status at its index', () => {
  const table = newTable();
  const long = 'x'.repeat(300);
  const entries = Array.from({ length: 300 }, (_, n) => Buffer.from(data.MutateRowsRequest.Entry.encode({ rowKey: Buffer.from(`k${n}`), mutations: [{ setCell: { familyName: n % 3 === 1 ? long : 'q' } }] }).finish()));
  const statuses = writeEntries(together(entries), 0, entries.length, table, general(table));
  const read = data.MutateRowsResponse.decode(batchAnswer(statuses)).entries;
  expect(read.map(({ index }) => Number(index))).toEqual(entries.map((_, n) => n));
  expect(read.map(({ status }) => status?.code)).toEqual(entries.map((_, n) => (n % 3 === 1 ? 5 : 0)));
  expect(read[1]?.status?.message).toContain(long);
  expect(data.MutateRowsResponse.decode(batchAnswer([])).entries).toEqual([]);
});
