import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minMaxPerBucket, minMaxPerPixel } from '../../../shared/series.ts';

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
