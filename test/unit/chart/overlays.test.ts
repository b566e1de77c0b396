import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areaText } from '../../../renderer/chart/areaText.ts';
import { calendarNote } from '../../../renderer/chart/calendarNote.ts';
import { nextFrame } from '../../../renderer/chart/frame.ts';
import { localInstant, localText } from '../../../renderer/chart/localTime.ts';
import { measured } from '../../../renderer/chart/measure.ts';
import { baseAt } from '../../../renderer/chart/cursor.ts';
import { comparedLines } from '../../../renderer/chart/overlayLines.ts';
import { exponentialAverage, extremes, overlayName, rebasedTo, sessionVwap, simpleAverage } from '../../../renderer/chart/overlays.ts';
import type { Points } from '../../../renderer/chart/points.ts';
import { priceAxis, valueAt, yOf } from '../../../renderer/chart/priceScale.ts';
import { spanOf } from '../../../renderer/chart/span.ts';
import { createTimeline, stretchesOf } from '../../../renderer/chart/timeline.ts';

const values = fc.array(fc.double({ min: 1, max: 10_000, noNaN: true }), { minLength: 1, maxLength: 80 });
const lengths = fc.integer({ min: 2, max: 30 });

describe('averages', () => {
  test('a simple one is the mean of as many values, and nothing before', () => {
    fc.assert(fc.property(values, lengths, (series, length) => {
      const averaged = simpleAverage(series, length);
      expect(averaged.length).toBe(series.length);
      averaged.forEach((value, at) => {
        if (at < length - 1) expect(value).toBeNull();
        else expect(value).toBeCloseTo(series.slice(at - length + 1, at + 1).reduce((a, b) => a + b) / length, 6);
      });
    }));
  });
  test('an exponential one starts as the mean, stays among its values and follows a step', () => {
    expect(exponentialAverage([1, 2, 3, 7], 3)).toEqual([null, null, 2, 4.5]);
    fc.assert(fc.property(values, lengths, (series, length) => {
      for (const value of exponentialAverage(series, length)) if (value !== null) expect(value >= Math.min(...series) - 1e-6 && value <= Math.max(...series) + 1e-6).toBe(true);
    }));
  });
  test('names', () => expect(['sma20', 'ema5', 'vwap'].map(overlayName)).toEqual(['SMA 20', 'EMA 5', 'VWAP']));
});

test('session VWAP weighs typical prices by volume and begins anew with each session', () => {
  const bar = (price: number, volume: number | null, session: number) => ({ high: price, low: price, close: price, volume, session });
  expect(sessionVwap([bar(9, null, 1), bar(10, 1, 1), bar(20, 3, 1), bar(99, 0, 1), bar(50, 2, 2), bar(60, null, 2)])).toEqual([null, 10, 17.5, 17.5, 50, 50]);
});

test('extremes and rebasing', () => {
  expect(extremes([1, 5, 3], [2, 9, 4], 1, 3)).toEqual({ low: 3, high: 9 });
  expect(extremes([1], [2], 1, 1)).toBeNull();
  expect(rebasedTo(110, 50, 100)).toBeCloseTo(55, 9);
  expect(rebasedTo(110, 50, 0)).toBeNull();
});

describe('the value a comparison begins with', () => {
  const series = (...pairs: readonly (readonly [number, number])[]) => ({ times: pairs.map(([ms]) => ms * 1000), values: pairs.map(([, value]) => value), length: pairs.length }) as unknown as Points;
  test('the first at or after the instant, whatever lies before it; the newest behind the end; none of none', () => {
    expect(baseAt(series([10, 1], [20, 2], [30, 3]), 20)).toBe(2);
    expect(baseAt(series([1, 9], [10, 1], [20, 2], [30, 3]), 11)).toBe(2);
    expect(baseAt(series([10, 1]), 11)).toBe(1);
    expect(baseAt(series(), 11)).toBeNull();
  });
  test('a compared line begins there with the other index, though older prices are at hand', () => {
    const span = spanOf({ range: { kind: 'fixed', from: 20, to: 40 }, now: 40, lastEvent: 40, stretches: [] });
    const frame = nextFrame(null, { span, zone: 'UTC', daily: false, scale: 'percent', percentBase: 50, low: 40, high: 60, decimals: 2, width: 700, height: 540 });
    const [line] = comparedLines({ frame, plot: { x: 0, y: 0, width: 100, height: 100 } }, [{ id: 'OTH', points: series([1, 400], [21, 100], [30, 110]), problem: null }], 20, 50);
    expect(line?.percent).toBeCloseTo(10, 9);
  });
});

describe('price scales', () => {
  const plot = { x: 0, y: 10, width: 500, height: 400 };
  const request = { low: 100, high: 220, count: 8, decimals: 2, base: 110 } as const;
  test.each(['linear', 'log', 'percent'] as const)('%s: a value and its pixel are each other\'s, ticks lie inside and in order', (scale) => {
    fc.assert(fc.property(fc.double({ min: 1, max: 5000, noNaN: true }), fc.double({ min: 1.001, max: 400, noNaN: true }), (low, factor) => {
      const axis = priceAxis({ ...request, low, high: low * factor, base: low, scale });
      expect(yOf(axis, plot, axis.high)).toBeCloseTo(plot.y, 6);
      expect(yOf(axis, plot, axis.low)).toBeCloseTo(plot.y + plot.height, 6);
      expect(axis.low <= low && axis.high >= low * factor).toBe(true);
      expect(valueAt(axis, plot, yOf(axis, plot, low * 1.0005)) / low).toBeCloseTo(1.0005, 6);
      const places = axis.ticks.map(({ value }) => yOf(axis, plot, value));
      expect(places.length).toBeGreaterThan(1);
      expect(places.every((place, at) => place >= plot.y - 0.01 && place <= plot.y + plot.height + 0.01 && (at === 0 || place < (places[at - 1] ?? 0)))).toBe(true);
    }));
  });
  test('log of equal factors is equal heights, percent counts from its base, and what they do not allow is linear', () => {
    const log = priceAxis({ ...request, scale: 'log' });
    expect(yOf(log, plot, 100) - yOf(log, plot, 140)).toBeCloseTo(yOf(log, plot, 150) - yOf(log, plot, 210), 6);
    expect(priceAxis({ ...request, scale: 'percent' }).ticks.find(({ text }) => text === '0.00')?.value).toBe(110);
    expect(priceAxis({ ...request, low: -37.63, scale: 'log' }).scale).toBe('linear');
    expect(priceAxis({ ...request, base: 0, scale: 'percent' }).scale).toBe('linear');
  });
});

test('a measure is exact and signed', () => {
  expect(measured({ time: 0, price: '3074.62' }, { time: 754_000, price: '3072.6' }, 2, 'en-US')).toEqual({ points: '−2.02', percent: '−0.07%', length: '12 min' });
  expect(measured({ time: 0, price: '0' }, { time: -60_000, price: '1' }, 2, 'en-US')).toEqual({ points: '+1.00', percent: null, length: '1 min' });
});

test('an area is each piece of the line down to the bottom', () => {
  expect(areaText('M1,2h0L3,4L5,6M7,8h0', 100)).toBe('M1,100L1,2L3,4L5,6L5,100ZM7,100L7,8L7,100Z');
  expect(areaText('', 100)).toBe('');
});

describe('times as a field writes them', () => {
  test('are on the zone\'s clock, and come back', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 60_000_000 }), (minutes) => {
      const time = minutes * 60_000;
      expect(localInstant('Asia/Tokyo', localText('Asia/Tokyo', time))).toBe(time);
    }));
    expect(localInstant('America/New_York', '2021-03-14T02:30')).toBe(Date.UTC(2021, 2, 14, 7)); // skipped
    expect(localInstant('America/New_York', '2021-11-07T01:30')).toBe(Date.UTC(2021, 10, 7, 5, 30)); // the first of two
    expect(localInstant('UTC', '2021-02-30T01:30')).toBeNull();
    expect(localInstant('UTC', '')).toBeNull();
  });
});

test('the axis says where the calendar knows nothing or goes by rule', () => {
  const open = Date.UTC(2030, 0, 2, 14, 30);
  const known = { open, close: open + 6.5 * 3_600_000, date: '2030-01-02', note: null };
  const note = (stretches: Parameters<typeof createTimeline>[0]): string | null => calendarNote(createTimeline(stretches), open - 86_400_000, open + 86_400_000, 'America/New_York');
  expect(note([known])).toBeNull();
  expect(note([])).toBeNull();
  expect(note([{ ...known, projected: true }])).toBe('the session on Wed, Jan 2, 2030 is by rule, not as published');
  expect(note([{ open: open - 1e10, close: open, date: '', note: null }, known])).toBe('sessions before Wed, Jan 2, 2030 are not known: plain time there');
  expect(note([{ ...known, own: ['2029-12-31', '2030-01-02'] }])).toBe('your dates: Mon, Dec 31, 2029; Wed, Jan 2, 2030');
  expect(note([known, { ...known, open: open + 2 * 86_400_000, close: open + 2.2 * 86_400_000, date: '2030-01-04', own: ['2030-01-03', '2030-01-04'] }])).toBe('your date: Thu, Jan 3, 2030');
  const [before, after] = [{ date: '2029-12-20', openMicros: String((open - 13 * 86_400_000) * 1000), closeMicros: String((open - 12.7 * 86_400_000) * 1000), note: null }, { date: '2030-01-02', openMicros: String(open * 1000), closeMicros: String((open + 6.5 * 3_600_000) * 1000), note: null, unknownBefore: true }];
  expect(note(stretchesOf([before, after]))).toBe('sessions between Thu, Dec 20, 2029 and Wed, Jan 2, 2030 are not known: plain time there');
});
