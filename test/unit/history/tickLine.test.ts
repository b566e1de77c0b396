import { protos } from '@google-cloud/bigtable';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCollector } from '../../../electron/bigtable/collect.ts';
import { decodeTick } from '../../../electron/bigtable/decode.ts';
import type { Row } from '../../../electron/bigtable/reader.ts';
import { tickCsv } from '../../../electron/history/printed.ts';
import { tickLine } from '../../../electron/history/tickLine.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';

const { ReadRowsResponse } = protos.google.bigtable.v2;
const PASSED = micros(1_704_153_600_123_456n);

/** As the reader of a long export gets it. Cells by `family:qualifier`. */
function passing(key: string, cells: Readonly<Record<string, string>>): Row {
  const chunks = Object.entries(cells).map(([column, value], at, all) => ({
    ...(at === 0 ? { rowKey: Buffer.from(key) } : {}), familyName: { value: column.slice(0, 1) }, qualifier: { value: Buffer.from(column.slice(2)) },
    timestampMicros: '1704153600123000', value: Buffer.from(value), ...(at === all.length - 1 ? { commitRow: true } : {}),
  }));
  const collector = createCollector(false, undefined, true);
  collector.take(Buffer.from(ReadRowsResponse.encode(ReadRowsResponse.fromObject({ chunks })).finish()));
  collector.end();
  return collector.hand()[0] as Row;
}
/** By way of the tick; null for a row that is none. */
const slowly = (row: Row): string | null => {
  const tick = decodeTick(row);
  return tick.ok ? tickCsv(tick.value) : null;
};

test('a row as our writers leave it is its line', () => {
  const row = passing(tickKey(indexIdOf('^SPX'), PASSED, 7), { 'h:i': '1704153600200000', 'h:p': '5123.50', 'h:s': 'databento', 'h:v': '12' });
  expect(tickLine(row)).toBe('1704153600123456,7,5123.5,12,databento,1704153600200000');
});

test('a line is the line of the tick, or left to it', () => {
  const value = fc.oneof(fc.constantFrom('', '0', '-0', '1.50', '007', '5000.25', '1e5', ' 1', '1704153600200000', '-5', 'a,b', 'naïve', '"', 'x\ny', '9'.repeat(17), '9'.repeat(41), 'z'.repeat(65)), fc.string({ maxLength: 4 }));
  const column = fc.constantFrom('q:p', 'q:i', 'q:s', 'q:v', 'q:b', 'q:a', 'q:n', 'q:other', 'h:p', 'h:s', 'h:v');
  const key = fc.oneof(
    fc.tuple(fc.constantFrom('SPX', '^N', 'A'.repeat(24)), fc.bigInt({ min: -10_000_000_000_000_000n, max: 200_000_000_000_000_000n }), fc.nat({ max: 999_999 })).map(([id, time, sequence]) => tickKey(indexIdOf(id), micros(time), sequence)),
    fc.constantFrom('SPX#7519218436854775807', 'SPX~01#7519218436854775807#999999', 'spx#7519218436854775807#999999', 'SPX#751921843685477580x#999999', '#7519218436854775807#999999', 'SPX@1d#7519218436854775807', 'SPX#9999999999999999999#999999', `${'A'.repeat(25)}#7519218436854775807#999999`, 'x'),
  );
  fc.assert(fc.property(key, fc.dictionary(column, value, { minKeys: 1 }), fc.boolean(), (name, cells, priced) => {
    const row = passing(name, priced ? { ...cells, 'q:p': '5000.25' } : cells);
    const line = tickLine(row);
    if (line !== null) expect(line).toBe(slowly(row));
  }), { numRuns: 1000 });
});
