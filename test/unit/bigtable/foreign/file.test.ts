/** Layout files: what they may say, and that every error names its field. And values, to exact decimal text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLayout } from '../../../../electron/bigtable/layout/foreignFile.ts';
import type { ValueType } from '../../../../electron/bigtable/layout/foreignLayout.ts';
import { pointerText, pointerTokens, readValue, writeValue } from '../../../../electron/bigtable/layout/foreignValue.ts';
import { parseDecimal } from '../../../../shared/decimal.ts';

const good = () => ({
  key: { separator: '#', parts: ['salt', 'index', 'time', 'sequence'] as unknown[] }, time: { unit: 'ms', direction: 'reverse', base: '9999999999999', encoding: 'decimal', width: 13 } as Record<string, unknown>,
  sequence: { direction: 'forward', encoding: 'decimal', width: 3 } as Record<string, unknown> | undefined, salt: { count: 8, encoding: 'decimal', width: 1 } as Record<string, unknown> | undefined,
  bucket: undefined as Record<string, unknown> | undefined, fields: { price: { family: 'f', qualifier: 'p', type: 'text' } as Record<string, unknown> } as Record<string, Record<string, unknown>>, ids: undefined as Record<string, string> | undefined,
});
const wrongs: readonly (readonly [string, (file: ReturnType<typeof good>) => unknown, RegExp])[] = [
  ['a field that is none', (f) => ({ ...f, keys: 1 }), /keys/],
  ['no price', (f) => ({ ...f, fields: {} }), /fields\.price/],
  ['unit', (f) => { f.time['unit'] = 'h'; }, /time\.unit/],
  ['width missing', (f) => { delete f.time['width']; }, /time\.width: how many digits/],
  ['base missing', (f) => { delete f.time['base']; }, /time\.base: which number/],
  ['base that is none', (f) => { f.time['base'] = '2^64'; }, /time\.base/],
  ['base too wide', (f) => { f.time['base'] = '2^63-1'; }, /time\.base: .*does not fit/],
  ['base of a forward time', (f) => { f.time['direction'] = 'forward'; }, /time\.base: of reverse/],
  ['hex too wide', (f) => { f.time = { unit: 'ms', direction: 'forward', encoding: 'hex', width: 17 }; }, /time\.width: at most 16/],
  ['time before index', (f) => { f.key.parts = ['salt', 'time', 'index', 'sequence']; }, /key\.parts: "index" before "time"/],
  ['two times', (f) => { f.key.parts = ['salt', 'index', 'time', 'time', 'sequence']; }, /key\.parts: "time" once, not 2/],
  ['no index', (f) => { f.key.parts = ['salt', 'time', 'sequence']; }, /key\.parts: "index" once/],
  ['salt after time', (f) => { f.key.parts = ['index', 'time', 'salt', 'sequence']; }, /key\.parts: "salt" before/],
  ['sequence not described', (f) => { f.sequence = undefined; }, /sequence: .*not described/],
  ['salt without place', (f) => { f.key.parts = ['index', 'time', 'sequence']; }, /key\.parts: "salt" is described/],
  ['salt too narrow', (f) => { f.salt = { count: 11, encoding: 'decimal', width: 1 }; }, /salt\.width/],
  ['too many salts', (f) => { f.salt = { count: 101, encoding: 'decimal', width: 3 }; }, /salt\.count/],
  ['text after time', (f) => { f.key.parts.push({ text: 'x' }); }, /key\.parts: nothing but/],
  ['bucket with sequence', (f) => { f.bucket = { seconds: 3600, unit: 'ms', encoding: 'text' }; }, /sequence: a row of a bucket/],
  ['nanoseconds with wide sequence', (f) => { f.time = { unit: 'ns', direction: 'forward', encoding: 'decimal', width: 19 }; f.sequence = { direction: 'forward', encoding: 'decimal', width: 4 }; }, /sequence\.width/],
  ['scale missing', (f) => { f.fields['price'] = { family: 'f', qualifier: 'p', type: 'int64' }; }, /fields\.price\.scale: how many/],
  ['scale unknown', (f) => { f.fields['price'] = { family: 'f', qualifier: 'p', type: 'int64', scale: null }; }, /fields\.price\.scale/],
  ['pointer that is none', (f) => { f.fields['price'] = { family: 'f', qualifier: 'p', type: 'json', pointer: 'price' }; }, /fields\.price\.pointer/],
  ['scale of text', (f) => { f.fields['price'] = { family: 'f', qualifier: 'p', type: 'text', scale: 2 }; }, /fields\.price\.scale: of int64 only/],
  ['two fields in one column', (f) => { f.fields['volume'] = { family: 'f', qualifier: 'p', type: 'text' }; }, /fields\.volume: has the column of fields\.price/],
  ['ingest as a double', (f) => { f.fields['ingest'] = { family: 'f', qualifier: 'i', type: 'float64' }; }, /fields\.ingest\.type/],
  ['version as a price', (f) => { f.fields['price'] = { family: 'f', type: 'version' }; }, /fields\.price\.type/],
  ['family that is none', (f) => { f.fields['price'] = { family: 'a b', qualifier: 'p', type: 'text' }; }, /fields\.price\.family/],
  ['screen id that is none', (f) => { f.ids = { spx: 'SPX' }; }, /ids\.spx/],
  ['two names of one id', (f) => { f.ids = { SPX: 'a', NKY: 'a' }; }, /ids\.NKY/],
  ['no ids', (f) => { f.ids = {}; }, /ids: 1 to/],
];

test('a good file is read', () => expect(parseLayout('good.json', JSON.stringify(good()))).toMatchObject({ ok: true, value: { separator: '#', time: { base: 9_999_999_999_999n }, salt: { count: 8 } } }));

test('the documented example is read', () => expect(parseLayout('docs/layout-example.json', readFileSync(join(import.meta.dirname, '../../../../docs/layout-example.json'), 'utf8'))).toMatchObject({ ok: true, value: { name: 'market-data' } }));

test.each(wrongs)('%s', (_, change, says) => {
  const file = good();
  const changed = change(file) ?? file;
  const parsed = parseLayout('bad.json', JSON.stringify(changed));
  expect(parsed).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: expect.stringMatching(new RegExp(`^layout file bad\\.json: .*${says.source}`)) } });
});

test.each([['{', /not JSON/], ['[]', /object/], ['['.repeat(100_000), /not JSON/], [' '.repeat(1_000_001), /1 MB/], ['null', /object/]])('text that is no layout: %#', (text, says) => {
  expect(parseLayout('x', text)).toMatchObject({ ok: false, error: { what: expect.stringMatching(says) } });
});

test('any JSON is read or refused, never thrown', () => fc.assert(fc.property(fc.json(), (text) => { parseLayout('x', text); })));

describe('values', () => {
  const text = (value: number): Buffer => { const bytes = Buffer.alloc(8); bytes.writeDoubleBE(value); return bytes; };
  test.each<[number, string]>([[5104.76, '5104.76'], [0.1, '0.1'], [1e21, '1000000000000000000000'], [1.5e-7, '0.00000015'], [-0.3, '-0.3'], [123456789012345680000, '123456789012345680000']])('the double %d is %s', (value, shown) => {
    expect(readValue(text(value), { type: 'float64' })).toBe(shown);
    expect(Number(shown)).toBe(value);
  });
  test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is no decimal', (value) => expect(parseDecimal(readValue(text(value), { type: 'float64' }) ?? '')).toBeUndefined());
  test('doubles come back as the double that they were', () => fc.assert(fc.property(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), (value) => {
    const shown = readValue(text(value), { type: 'float64' }) ?? '';
    expect(Number(shown)).toBe(value === 0 ? Number(shown) : value);
    if (Math.abs(value) > 1e-20) expect(parseDecimal(shown)).toBeDefined();
  })));
  test('scaled integers are exact', () => fc.assert(fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.nat({ max: 18 }), (value, scale) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(value);
    const shown = readValue(bytes, { type: 'int64', scale }) ?? '';
    expect(BigInt(shown.replace('-', '').replace('.', '')) * 10n ** BigInt(scale - (shown.split('.')[1]?.length ?? 0)) * (shown.startsWith('-') ? -1n : 1n)).toBe(value);
    expect(writeValue(shown, { type: 'int64', scale })).toEqual(bytes);
  })));
  const json = (document: string, pointer: string): string | null => readValue(Buffer.from(document), { type: 'json', pointer: pointerTokens(pointer)! } satisfies ValueType);
  test.each([
    ['{"p":5104.7600000000000001}', '/p', '5104.7600000000000001'], ['{"a":{"b/c":[1,2.50]}}', '/a/b~1c/1', '2.50'], ['{"p":"77.1"}', '/p', '77.1'], ['{"p":1.5e3}', '/p', '1500'], ['12.5', '', '12.5'],
    ['{"q":1}', '/p', null], ['{"p":null}', '/p', null],
  ])('%s at %s is %s', (document, pointer, shown) => expect(json(document, pointer)).toBe(shown));
  test.each([['{', '/p'], ['{"p":true}', '/p'], ['{"p":[1]}', '/p'], [`"${'x'.repeat(70_000)}"`, '']])('%# is no decimal', (document, pointer) => expect(parseDecimal(json(document, pointer) ?? '')).toBeUndefined());
  test('a cell of another length says so', () => expect(readValue(Buffer.from('1'), { type: 'float64' })).toContain('not 8 bytes'));
  test('pointers come back', () => fc.assert(fc.property(fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }), (tokens) => { expect(pointerTokens(pointerText(tokens))).toEqual(tokens); })));
});
