import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inTimeOrder, ticksOfMinute } from '../../../electron/ingest/minuteTicks.ts';
import type { SourceBar } from '../../../electron/ingest/sourceBar.ts';
import { decimal } from '../../../shared/decimal.ts';
import { indexIdOf } from '../../../shared/rowKey.ts';
import { at } from './fakes.ts';

const SPX = indexIdOf('SPX');
const START = at('2019-11-06T14:30:00Z');
const bar = (open: string, high: string, low: string, close: string, start = START): SourceBar => ({
  line: 1, start, period: '1m', date: '2019-11-06', open: decimal(open), high: decimal(high), low: decimal(low), close: decimal(close), volume: null,
});

test('a rising minute visits its low first, a falling one its high, at seconds 0, 15, 40, 59', () => {
  const shape = (one: SourceBar): string[] => ticksOfMinute(SPX, one).map(({ time, price }) => `${(time - START) / 1_000_000n}:${price}`);
  expect(shape(bar('10', '12', '9', '11'))).toEqual(['0:10', '15:9', '40:12', '59:11']);
  expect(shape(bar('11', '12', '9', '10'))).toEqual(['0:11', '15:12', '40:9', '59:10']);
  expect(shape(bar('10', '12', '9', '10'))).toEqual(['0:10', '15:9', '40:12', '59:10']);
});

test('the four ticks give the bar back', () =>
  fc.assert(fc.property(fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 4, maxLength: 4 }), (cents) => {
    const [low, a, b, high] = cents.toSorted((x, y) => x - y).map(String) as [string, string, string, string];
    for (const [open, close] of [[a, b], [b, a]] as const) {
      const prices = ticksOfMinute(SPX, bar(open, high, low, close)).map(({ price }) => Number(price));
      expect([prices[0], Math.max(...prices), Math.min(...prices), prices[3]]).toEqual([open, high, low, close].map(Number));
    }
  })));

test('several files merge by time; equal instants of one index count up, of two do not', () => {
  const one = ticksOfMinute(SPX, bar('1', '1', '1', '1'));
  const merged = inTimeOrder([...one, ...ticksOfMinute(SPX, bar('2', '2', '2', '2')), ...ticksOfMinute(indexIdOf('NKY'), bar('3', '3', '3', '3'))]);
  expect(merged.slice(0, 4).map(({ index, sequence, price }) => `${index} ${sequence} ${price}`)).toEqual(['NKY 0 3', 'SPX 0 1', 'SPX 1 2', 'NKY 0 3']);
});
