import { protos } from '@google-cloud/bigtable';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCollector } from '../../../electron/bigtable/collect.ts';
import { decodeTick } from '../../../electron/bigtable/decode.ts';
import { quickTick } from '../../../electron/bigtable/quickTick.ts';
import type { Row } from '../../../electron/bigtable/reader.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { MAX_MICROS, micros, MIN_MICROS } from '../../../shared/time.ts';

const { ReadRowsResponse } = protos.google.bigtable.v2;

interface GivenCell {
  readonly family: string;
  readonly qualifier: string;
  readonly value: Buffer;
  readonly version: number;
}

/** The row as the feed gets it: with its bytes. */
function received(key: string, cells: readonly GivenCell[]): Row {
  const chunks = cells.map(({ family, qualifier, value, version }, at) => ({
    ...(at === 0 ? { rowKey: Buffer.from(key, 'latin1') } : {}), familyName: { value: family }, qualifier: { value: Buffer.from(qualifier) }, timestampMicros: String(version), value,
    ...(at === cells.length - 1 ? { commitRow: true } : {}),
  }));
  const collector = createCollector(false, []);
  collector.take(Buffer.from(ReadRowsResponse.encode(ReadRowsResponse.fromObject({ chunks })).finish()));
  collector.end();
  const [row] = collector.hand();
  if (row === undefined) throw new Error('no row');
  return row;
}

const text = (value: string): Buffer => Buffer.from(value);
const key = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom('SPX', '^N225', 'A'.repeat(24)), fc.bigInt({ min: MIN_MICROS, max: MAX_MICROS }), fc.nat({ max: 999_999 })).map(([id, time, sequence]) => tickKey(indexIdOf(id), micros(time), sequence)) },
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom('SPX', '^N225'), fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n }), fc.nat({ max: 999_999 })).map(([id, time, sequence]) => tickKey(indexIdOf(id), micros(time), sequence)) },
  fc.constantFrom('SPX#9223372036854775807', `${'A'.repeat(25)}#9221608036854775807#999999`, 'spx#9221608036854775807#999999', 'SPX~01#9221608036854775807#999999', 'SPX#922160803685477580x#999999', 'SPX#9999999999999999999#999999', 'SPX@1d#9221608036854775807'),
);
const family = fc.constantFrom('q', 'q', 'q', 'q', 'h', 'm');
const version = fc.integer({ min: 0, max: 3 });
/** Where the one way could part from the other. */
const edges = [
  ['n', '999'], ['n', '1000'], ['n', ''], ['n', '007'], ['i', '1573050600000321'], ['i', '12345678901234567'], ['i', '-5'], ['i', ''], ['s', 'vendör'], ['s', ''], ['s', 's'.repeat(65)], ['v', ''], ['v', '7'.repeat(65)], ['b', '-0.50'],
  ['a', '1e3'], ['p', ''], ['p', '007.10'], ['x', 'x'.repeat(65)], ['pp', '1'],
] as const;
const cell = fc.oneof(
  fc.tuple(family, fc.constantFrom(...edges), version).map(([of, [qualifier, value], at]) => ({ family: of, qualifier, value: text(value), version: at })),
  fc.record({ family, qualifier: fc.constantFrom('p', 'v', 'b', 'a', 'i', 's', 'n'), version, value: fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)) }),
);

test('a tick from the bytes of its row is the one that its cells make, and what is wrong with them is told in the same words', () =>
  fc.assert(fc.property(key, fc.array(cell, { maxLength: 3 }), fc.boolean(), (given, cells, first) => {
    const price = { family: cells[0]?.family ?? 'q', qualifier: 'p', value: text('12.50'), version: 1 };
    const row = received(given, first ? [price, ...cells] : [...cells, price]);
    expect(row.wire).toBeDefined();
    expect(decodeTick(row)).toEqual(decodeTick({ key: row.key, cells: row.cells }));
  }), { numRuns: 400 }));

test('what our own writers leave is read from its bytes', () => {
  const row = received(tickKey(indexIdOf('SPX'), micros(1_573_050_600_000_001n), 7), [['i', '1573050600000321'], ['n', '12'], ['p', '3077.1900'], ['s', 'live'], ['v', '']].map(([qualifier = '', value = '']) => ({ family: 'h', qualifier, value: text(value), version: 5 })));
  expect(quickTick(row.key, row.wire ?? '')).toEqual({
    index: 'SPX', time: 1_573_050_600_000_001n, sequence: 7, price: '3077.19', volume: null, bid: null, ask: null, ingest: 1_573_050_600_000_321n, source: 'live', nanos: 12, family: 'h', key: row.key,
  });
});
