import protos from '@google-cloud/bigtable-api/build/protos/protos.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CellChunk, encodeReadRows, readAnswer } from '../../../electron/bigtable/wire.ts';

const { ReadRowsRequest, ReadRowsResponse } = protos.google.bigtable.v2;
const ascii = fc.stringMatching(/^[\x20-\x7e]{1,40}$/);
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const latin1 = (value: Uint8Array | string | null | undefined): string => Buffer.from(value as Uint8Array).toString('latin1');

describe('requests, read back by the generated code', () => {
  const request = fc.record({
    tableName: ascii,
    appProfile: fc.option(fc.string({ unit: 'grapheme', minLength: 1 })),
    ranges: fc.array(fc.record({ start: bytes.map(latin1), end: bytes.map(latin1) }), { minLength: 1, maxLength: 20 }),
    limit: fc.nat({ max: 2 ** 31 - 1 }),
    families: fc.uniqueArray(fc.constantFrom('q', 'h', 'b', 'v', 'm')),
    reversed: fc.boolean(),
  });

  test('every field arrives', () =>
    fc.assert(fc.property(request, (fields) => {
      const read = ReadRowsRequest.decode(encodeReadRows(fields)!);
      expect(read.tableName).toBe(fields.tableName);
      expect(read.appProfileId).toBe(fields.appProfile ?? '');
      expect(read.rows?.rowRanges?.map((range) => ({ start: latin1(range.startKeyClosed), end: latin1(range.endKeyOpen) }))).toEqual(fields.ranges);
      expect(Number(read.rowsLimit)).toBe(fields.limit);
      const newest = { cellsPerColumnLimitFilter: 1 };
      const filter = fields.families.length === 0 ? newest : { chain: { filters: [{ familyNameRegexFilter: fields.families.join('|') }, newest] } };
      expect(ReadRowsRequest.toObject(read)['filter']).toEqual(filter);
      expect(read.reversed).toBe(fields.reversed);
    })));
});

test('a key with a character that is no byte is refused: cut, it would be another key', () => {
  const fields = { tableName: 't', appProfile: null, limit: 0, families: [] };
  expect(encodeReadRows({ ...fields, ranges: [{ start: 'A#\u00ff', end: 'A$' }] })).not.toBeNull();
  expect(encodeReadRows({ ...fields, ranges: [{ start: 'A#\u0123', end: 'A$' }] })).toBeNull();
  expect(encodeReadRows({ ...fields, ranges: [{ start: 'A#', end: 'A\u2028' }] })).toBeNull();
});

function decodeAnswer(given: Buffer): { chunks: CellChunk[]; lastScannedKey: string } {
  const answer = { chunks: [] as CellChunk[], lastScannedKey: '' };
  readAnswer(given, { known: () => 0, chunk: (each) => void answer.chunks.push(each), scanned: (key) => { answer.lastScannedKey = key; } });
  return answer;
}

describe('answers, written by the generated code', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const chunk = fc.record({
    rowKey: bytes, familyName: fc.option(fc.record({ value: ascii })), qualifier: fc.option(fc.record({ value: bytes })), timestampMicros: int64,
    labels: fc.array(ascii, { maxLength: 2 }), value: bytes, valueSize: fc.nat(), status: fc.constantFrom({}, { commitRow: true }, { commitRow: false }, { resetRow: true }),
  });

  test('every field arrives, absent ones as null', () =>
    fc.assert(fc.property(fc.array(chunk, { maxLength: 5 }), bytes, (chunks, lastScannedRowKey) => {
      const encoded = ReadRowsResponse.encode(ReadRowsResponse.fromObject({
        chunks: chunks.map(({ status, ...rest }) => ({ ...rest, timestampMicros: String(rest.timestampMicros), ...status })), lastScannedRowKey,
      })).finish();
      expect(decodeAnswer(Buffer.from(encoded))).toEqual({
        lastScannedKey: latin1(lastScannedRowKey),
        chunks: chunks.map((each) => ({
          rowKey: latin1(each.rowKey),
          family: each.familyName?.value ?? null,
          qualifier: each.qualifier ? latin1(each.qualifier.value) : null,
          timestamp: each.timestampMicros, labels: each.labels, value: each.value, valueSize: each.valueSize,
          reset: 'resetRow' in each.status, commit: 'commitRow' in each.status && each.status.commitRow,
        })),
      });
    })));

  test('fields of a later version of the protocol are passed over', () => {
    const known = Buffer.from(ReadRowsResponse.encode(ReadRowsResponse.fromObject({ lastScannedRowKey: Buffer.from('k') })).finish());
    const unknown = Buffer.from([0xf8, 0x01, 0x05, 0xfa, 0x01, 0x01, 0x41, 0xf9, 0x01, 1, 2, 3, 4, 5, 6, 7, 8, 0xfd, 0x01, 1, 2, 3, 4]);
    expect(decodeAnswer(Buffer.concat([unknown, known, unknown]))).toEqual({ chunks: [], lastScannedKey: 'k' });
  });

  test('any other bytes end as an answer or a RangeError, never otherwise', () =>
    fc.assert(fc.property(bytes, (given) => {
      try {
        decodeAnswer(given);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }), { numRuns: 1000 }));

  test.each([
    ['cut in a length', '0a'],
    ['cut in a value', '1205414243'],
    ['a length over 32 bits', `12${'ff'.repeat(6)}01`],
    ['a number over 64 bits', `0a0c20${'ff'.repeat(10)}01`],
    ['a group', '0b'],
  ])('%s is refused', (_, hex) => {
    expect(() => decodeAnswer(Buffer.from(hex, 'hex'))).toThrow(RangeError);
  });
});
