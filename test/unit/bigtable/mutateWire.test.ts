import protos from '@google-cloud/bigtable-api/build/protos/protos.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMutateRows, encodeMutateRows } from '../../../electron/bigtable/mutateWire.ts';
import type { WriteRow } from '../../../electron/bigtable/reader.ts';

const { MutateRowsRequest, MutateRowsResponse } = protos.google.bigtable.v2;
const latin1 = (value: Uint8Array | string | null | undefined): string => Buffer.from(value as Uint8Array).toString('latin1');
const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength }).map(latin1);

const column = { family: fc.constantFrom('q', 'h', 'b', 'v', 'm'), qualifier: bytes(0, 20) } as const;
const row: fc.Arbitrary<WriteRow> = fc.record({
  key: bytes(1, 300),
  cells: fc.array(fc.record({ ...column, value: fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.stringMatching(/^\d{0,20}$/)) }), { maxLength: 8 }),
  removed: fc.array(fc.record(column), { maxLength: 3 }),
}, { requiredKeys: ['key', 'cells'] });

test('every row, cell and removal arrives, read back by the generated code', () =>
  fc.assert(fc.property(fc.array(row, { maxLength: 10 }), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), fc.option(fc.string({ unit: 'grapheme', minLength: 1 })), (rows, version, appProfile) => {
    const read = MutateRowsRequest.decode(encodeMutateRows({ tableName: 'projects/p/instances/i/tables/t', appProfile, rows, version }));
    expect(read.tableName).toBe('projects/p/instances/i/tables/t');
    expect(read.appProfileId).toBe(appProfile ?? '');
    expect(read.entries.map(({ rowKey, mutations }) => ({
      key: latin1(rowKey),
      mutations: mutations?.map(({ setCell, deleteFromColumn }) => (setCell
        ? [setCell.familyName, latin1(setCell.columnQualifier), String(setCell.timestampMicros), Buffer.from(setCell.value as Uint8Array).toString('hex')]
        : [deleteFromColumn?.familyName, latin1(deleteFromColumn?.columnQualifier), String(deleteFromColumn?.timeRange?.startTimestampMicros), String(deleteFromColumn?.timeRange?.endTimestampMicros)])),
    }))).toEqual(rows.map(({ key, cells, removed = [] }) => ({
      key,
      mutations: [
        ...removed.map(({ family, qualifier }) => [family, qualifier, '0', String(version)]),
        ...cells.map(({ family, qualifier, value }) => [family, qualifier, String(version), Buffer.from(value, 'utf8').toString('hex')]),
      ],
    })));
  })));

test('every outcome arrives, and what a later protocol adds is passed over', () =>
  fc.assert(fc.property(fc.array(fc.record({ index: fc.nat(), code: fc.integer({ min: -1, max: 16 }), message: fc.string({ unit: 'grapheme' }) }), { maxLength: 20 }), (entries) => {
    const encoded = MutateRowsResponse.encode({ entries: entries.map(({ index, code, message }) => ({ index, status: { code, message, details: [{ type_url: 'x', value: Buffer.from('y') }] } })), rateLimitInfo: { factor: 1.5 } }).finish();
    expect(decodeMutateRows(Buffer.from(encoded))).toEqual(entries);
  })));

test('any other bytes end as an answer or a RangeError, never otherwise', () =>
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (given) => {
    try {
      decodeMutateRows(Buffer.from(given));
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }), { numRuns: 500 }));
