import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cadence, type DrawnWindow, gapsIn, minMaxPerBucket, minMaxPerPixel, sessionBreaksIn, tradedBefore, windowAt } from '../../../shared/series.ts';

const ascending = (max: number) => fc.array(fc.integer({ min: 0, max }), { maxLength: 300 }).map((times) => times.sort((a, b) => a - b));
const series = ascending(10_000).chain((times) =>
  fc.record({ times: fc.constant(times), values: fc.array(fc.integer({ min: -50, max: 50 }), { minLength: times.length, maxLength: times.length }) }));

describe('points for a width', () => {
  test('hold every bucket\'s extremes, the first and the last, in order, at most two a bucket and the ends', () =>
    fc.assert(fc.property(series, fc.integer({ min: 1, max: 80 }), ({ times, values }, pixels) => {
      const kept = minMaxPerPixel(times, values, 0, 10_000, pixels);
      expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
      expect(kept.length === 0).toBe(times.length === 0);
      if (times.length === 0) return;
      expect([kept[0], kept.at(-1)]).toEqual([0, times.length - 1]);
      const bucket = (at: number): number => Math.min(pixels - 1, Math.floor((times[at]! * pixels) / 10_000));
      const all = Map.groupBy(times.keys(), bucket);
      const drawn = Map.groupBy(kept, bucket);
      expect([...drawn.keys()]).toEqual([...all.keys()]);
      for (const [column, points] of all) {
        const here = drawn.get(column)!.map((at) => values[at]!);
        const there = points.map((at) => values[at]!);
        expect([Math.min(...here), Math.max(...here)]).toEqual([Math.min(...there), Math.max(...there)]);
        expect(drawn.get(column)!.filter((at) => at !== 0 && at !== times.length - 1).length).toBeLessThanOrEqual(2);
      }
      expect(kept.length).toBeLessThanOrEqual(2 * all.size + 2);
    })));

  test('few points all stay', () =>
    fc.assert(fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 50 }), (columns) => {
      const sorted = columns.sort((a, b) => a - b);
      expect(minMaxPerBucket(sorted, sorted.map((column) => -column))).toEqual([...sorted.keys()]);
    })));

  test('a bucket\'s first extremes stand for it, in the order they came', () => {
    expect(minMaxPerBucket([0, 0, 0, 0, 1, 1], [5, 9, 1, 9, 3, 3])).toEqual([0, 1, 2, 4, 5]);
    expect(minMaxPerBucket([0, 0, 0], [2, 2, 2])).toEqual([0, 2]);
    expect(minMaxPerBucket([7], [1])).toEqual([0]);
  });

  test('the end of the span belongs to its last pixel, points outside to the ends', () => {
    expect(minMaxPerPixel([-5, 0, 100, 105], [1, 2, 3, 4], 0, 100, 10)).toEqual([0, 1, 2, 3]);
    expect(minMaxPerPixel([1, 2, 3], [1, 3, 2], 5, 5, 100)).toEqual([0, 1, 2]); // an empty span is one bucket
    expect(minMaxPerPixel([1, 2, 3, 4], [1, 3, 2, 2], 0, 10, 0)).toEqual([0, 1, 3]);
  });

  test('100,000 points become at most two a pixel', () => {
    const times = Array.from({ length: 100_000 }, (_, at) => at);
    const values = times.map((at) => Math.sin(at / 500) + (at === 54_321 ? 10 : 0));
    const kept = minMaxPerPixel(times, values, 0, 100_000, 680);
    expect(kept.length).toBeLessThanOrEqual(2 * 680 + 2);
    expect(kept).toContain(54_321);
  });
});

/** Two sessions with a lunch in the first: minutes 0-60, 90-150, and 1000-1060. */
const WINDOWS: readonly DrawnWindow[] = [{ open: 0, close: 60 }, { open: 90, close: 150 }, { open: 1000, close: 1060 }];
const windows = fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 20 }).map((edges): DrawnWindow[] => {
  const sorted = [...new Set(edges)].sort((a, b) => a - b);
  return Array.from({ length: sorted.length >> 1 }, (_, at) => ({ open: sorted[2 * at]!, close: sorted[2 * at + 1]! }));
});

describe('trading time', () => {
  test('runs inside windows and stands still outside', () => {
    const position = tradedBefore(WINDOWS);
    expect([-10, 0, 30, 60, 75, 90, 100, 150, 999, 1000, 1060, 5000].map(position)).toEqual([0, 0, 30, 60, 60, 60, 70, 120, 120, 120, 180, 180]);
    expect([-1, 0, 59, 60, 89, 90, 5000].map((time) => windowAt(WINDOWS, time))).toEqual([-1, 0, 0, 0, 0, 1, 2]);
    expect(tradedBefore([])(5)).toBe(0);
  });

  test('counts the milliseconds that lie in windows', () =>
    fc.assert(fc.property(windows, fc.integer({ min: -10, max: 2010 }), (given, time) => {
      const counted = given.reduce((sum, { open, close }) => sum + Math.max(0, Math.min(time, close) - open), 0);
      expect(tradedBefore(given)(time)).toBe(counted);
    })));
});

describe('gaps', () => {
  test('nights and lunches are none, silence in a session is one', () => {
    expect(gapsIn([0, 10, 59, 91, 149, 1001], WINDOWS, 50)).toEqual([4]); // 91 to 149 is 58 of trading
    expect(gapsIn([0, 50, 100, 150], WINDOWS, 20)).toEqual([1, 3]); // 50 to 100 is 20 of trading over lunch
    expect(gapsIn([0, 55, 1005], WINDOWS, 50)).toEqual([1, 2]); // the whole afternoon is missing
  });

  test('an outage up to the close, or from the open, is one', () => {
    expect(gapsIn([0, 10, 20, 91], WINDOWS, 30)).toEqual([3]);
    expect(gapsIn([140, 150, 1045], WINDOWS, 30)).toEqual([2]);
  });

  test('prints after the close do not make one', () => expect(gapsIn([149, 155, 170, 1001], WINDOWS, 5)).toEqual([]));

  test('without a calendar all time counts', () => expect(gapsIn([0, 10, 100], [], 20)).toEqual([2]));

  test('a limit over all trading time finds none, a higher limit never finds more', () =>
    fc.assert(fc.property(windows, ascending(2000), fc.nat(100), fc.nat(100), (given, times, limit, more) => {
      const found = gapsIn(times, given, limit);
      expect(found).toEqual(expect.arrayContaining(gapsIn(times, given, limit + more)));
      expect(gapsIn(times, given, 3000)).toEqual([]);
      for (const at of found) expect(at > 0 && times[at]! - times[at - 1]! > limit).toBe(true);
    })));

  test('the cadence is the usual distance, whatever the nights', () => {
    expect(cadence([0, 1, 2, 3, 59, 90, 91, 92, 1000, 1001], WINDOWS)).toBe(1);
    expect(cadence([0, 10], WINDOWS)).toBeNull();
    expect(cadence([], WINDOWS)).toBeNull();
    expect(cadence([0, 10, 20], [])).toBe(10);
  });
});

describe('session breaks', () => {
  test('lie where another window begins', () => {
    expect(sessionBreaksIn([0, 59, 70, 95, 149, 160, 1000], WINDOWS)).toEqual([3, 6]);
    expect(sessionBreaksIn([-5, 0], WINDOWS)).toEqual([1]);
    expect(sessionBreaksIn([], WINDOWS)).toEqual([]);
    expect(sessionBreaksIn([1, 2, 3], [])).toEqual([]);
  });

  test('are one for each window entered after the first', () =>
    fc.assert(fc.property(windows, ascending(2000), (given, times) => {
      const entered = new Set(times.map((time) => windowAt(given, time)));
      expect(sessionBreaksIn(times, given)).toHaveLength(Math.max(0, entered.size - 1));
    })));
});
