import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBar, decodeTick } from '../../../electron/bigtable/decode.ts';
import type { Row } from '../../../electron/bigtable/reader.ts';
import { parseDecimal } from '../../../shared/decimal.ts';
import { barKey, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { parseTime } from '../../../shared/time.ts';

const SPX = indexIdOf('SPX');
const time = parseTime('2019-11-06T14:30:00.000001Z');
type Cells = Record<string, string | Buffer | readonly [string, bigint]>;

function row(key: string, cells: Cells): Row {
  return {
    key,
    cells: new Map(Object.entries(cells).map(([column, given]) => {
      const [value, version] = typeof given === 'string' || Buffer.isBuffer(given) ? [given, 0n] : given;
      return [column, { value: Buffer.from(value as string), version }];
    })),
  };
}
const tick = (cells: Cells) => decodeTick(row(tickKey(SPX, time, 7), cells));
const bar = (resolution: '1m' | '1d', cells: Cells) => decodeBar(row(barKey(SPX, resolution, time), cells));
const ohlc = (family: 'b' | 'v', close = '2') => ({ [`${family}:o`]: '1', [`${family}:h`]: '3', [`${family}:l`]: '0.5', [`${family}:c`]: close });

describe('ticks', () => {
  test('every column lands in its field', () => {
    expect(tick({ 'q:p': '3077.1900', 'q:v': '5', 'q:b': '3077', 'q:a': '3078', 'q:i': '1573050600000321', 'q:s': 'vendör', 'q:n': '999' })).toEqual({
      ok: true,
      value: {
        index: 'SPX', time, sequence: 7, price: '3077.19', volume: '5', bid: '3077', ask: '3078', ingest: 1573050600000321n,
        source: 'vendör', nanos: 999, family: 'q', key: tickKey(SPX, time, 7),
      },
    });
  });

  test('absent columns are null, a key without sequence is sequence 0', () => {
    const decoded = decodeTick(row(tickKey(SPX, time).slice(0, -7), { 'h:p': '-0.5' }));
    expect(decoded).toMatchObject({ ok: true, value: { price: '-0.5', volume: null, bid: null, ask: null, ingest: null, source: null, nanos: null, sequence: 0, family: 'h' } });
  });

  test('a column that a correction took back, empty text, is null', () => {
    expect(tick({ 'q:p': '1', 'q:v': '', 'q:b': '', 'q:a': '', 'q:n': '' })).toMatchObject({ ok: true, value: { price: '1', volume: null, bid: null, ask: null, nanos: null } });
  });

  test.each([
    [{ 'q:p': ['1', 2n], 'h:p': ['2', 1n] }, '1', 'q'],
    [{ 'q:p': ['1', 1n], 'h:p': ['2', 2n] }, '2', 'h'],
    [{ 'q:p': ['1', 1n], 'h:p': ['2', 1n] }, '1', 'q'],
    [{ 'q:v': '9', 'h:p': '2' }, '2', 'h'],
  ] as const)('of two families the later written price counts: %o', (cells, price, family) => {
    expect(tick(cells)).toMatchObject({ ok: true, value: { price, family, volume: null } });
  });

  test('any plain decimal text survives exactly', () =>
    fc.assert(fc.property(fc.stringMatching(/^-?\d{1,15}(\.\d{1,15})?$/), (text) => {
      expect(tick({ 'q:p': text })).toMatchObject({ ok: true, value: { price: parseDecimal(text) } });
    })));

  test.each([
    ['scientific notation', { 'q:p': '1e5' }, 'q:p'],
    ['grouping', { 'q:p': '3,077.19' }, 'q:p'],
    ['a word', { 'q:p': 'NaN' }, 'q:p'],
    ['nothing', { 'q:p': '' }, 'q:p'],
    ['a space', { 'q:p': ' 1' }, 'q:p'],
    ['a line break', { 'q:p': '1\n' }, 'q:p'],
    ['other digits', { 'q:p': '١' }, 'q:p'],
    ['a binary double', { 'q:p': Buffer.from('40a80a6147ae147b', 'hex') }, 'q:p'],
    ['65 bytes', { 'q:p': `1${'0'.repeat(64)}` }, 'q:p'],
    ['41 digits', { 'q:p': '1'.repeat(41) }, 'q:p'],
    ['no price', { 'q:v': '1' }, 'h:p'],
    ['a bad volume', { 'q:p': '1', 'q:v': 'x' }, 'q:v'],
    ['a bad ingest time', { 'q:p': '1', 'q:i': '2019-11-06' }, 'q:i'],
    ['a thousand nanoseconds', { 'q:p': '1', 'q:n': '1000' }, 'q:n'],
    ['a negative remainder', { 'q:p': '1', 'q:n': '-1' }, 'q:n'],
    ['text that is not UTF-8', { 'q:p': '1', 'q:s': Buffer.from([0xff, 0xfe]) }, 'q:s'],
    ['a long source', { 'q:p': '1', 'q:s': 'x'.repeat(65) }, 'q:s'],
  ] as const)('%s is refused with key and column', (_, cells, column) => {
    const decoded = tick(cells);
    expect(decoded).toMatchObject({ ok: false, error: { code: 'BAD_DATA', retryable: false } });
    if (!decoded.ok) expect(decoded.error.what).toContain(`${tickKey(SPX, time, 7)}" column ${column}`);
  });

  test('no control character of a value or key reaches the message', () =>
    fc.assert(fc.property(fc.string(), fc.string(), (key, value) => {
      const results = [decodeTick(row(key, {})), tick({ 'q:p': `x${value}` })];
      for (const result of results) expect(result.ok ? '' : result.error.what).not.toMatch(/[\u0000-\u001f]/);
    })));

  test('a bar, metadata and foreign keys are no ticks', () => {
    for (const key of [barKey(SPX, '1m', time), '!index#SPX', 'SPX', 'spx#9223370463804175806', '']) expect(decodeTick(row(key, { 'q:p': '1' }))).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
  });
});

describe('bars', () => {
  test('a day prefers the vendor, a minute ours', () => {
    expect(bar('1d', { ...ohlc('b', '1.5'), ...ohlc('v') })).toMatchObject({ ok: true, value: { kind: 'vendor', close: '2' } });
    expect(bar('1m', { ...ohlc('b', '1.5'), ...ohlc('v') })).toMatchObject({ ok: true, value: { kind: 'own', close: '1.5' } });
  });

  test('the other family stands in', () => {
    expect(bar('1d', ohlc('b'))).toMatchObject({ ok: true, value: { kind: 'own', open: '1', high: '3', low: '0.5', close: '2', volume: null, ticks: null } });
    expect(bar('1m', ohlc('v'))).toMatchObject({ ok: true, value: { kind: 'vendor' } });
  });

  test('official close and session date of a day come from either family, and only of a day', () => {
    expect(bar('1d', { ...ohlc('v'), 'b:oc': '2.01', 'b:d': '2019-11-06', 'v:v': '10', 'v:k': '4' })).toMatchObject({ ok: true, value: { officialClose: '2.01', sessionDate: '2019-11-06', volume: '10', ticks: 4 } });
    expect(bar('1m', { ...ohlc('b'), 'b:oc': '2.01', 'b:d': '2019-11-06' })).toMatchObject({ ok: true, value: { officialClose: null, sessionDate: null } });
  });

  test.each([
    ['no open', { 'b:h': '1', 'b:l': '1', 'b:c': '1' }, 'b:o'],
    ['nothing', {}, 'v:o'],
    ['a date that does not exist', { ...ohlc('v'), 'v:d': '2019-02-30' }, 'v:d'],
    ['a date with a time', { ...ohlc('v'), 'v:d': '2019-02-03T00' }, 'v:d'],
    ['a fraction of a tick', { ...ohlc('v'), 'v:k': '1.5' }, 'v:k'],
  ] as const)('%s is refused with its column', (_, cells, column) => {
    const decoded = bar('1d', cells);
    expect(decoded).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
    if (!decoded.ok) expect(decoded.error.what).toContain(`column ${column} `);
  });

  test('a tick is no bar', () => {
    expect(decodeBar(row(tickKey(SPX, time), ohlc('b')))).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
  });
});
