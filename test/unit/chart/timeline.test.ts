import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sessionScale } from '../../../renderer/chart/sessionScale.ts';
import { createTimeline, PLAIN_TIMELINE, stretchesOf, type TradingStretch } from '../../../renderer/chart/timeline.ts';

const HOUR = 3_600_000;

/** Random trading days with lunch breaks, nights and weekends between. */
const stretches = fc.array(fc.record({ rest: fc.integer({ min: 1, max: 90 * HOUR }), length: fc.integer({ min: 1000, max: 8 * HOUR }) }), { minLength: 1, maxLength: 30 }).map((parts) => {
  let time = 1_700_000_000_000;
  return parts.map(({ rest, length }, index): TradingStretch => {
    const open = time + rest;
    time = open + length;
    return { open, close: time, date: `day ${index}`, note: null };
  });
});
const instant = (all: readonly TradingStretch[]): fc.Arbitrary<number> => fc.integer({ min: (all[0]?.open ?? 0) - HOUR, max: (all.at(-1)?.close ?? 0) + HOUR });

describe('trading time', () => {
  test('never runs backwards, and stands still exactly while the market is closed', () => {
    fc.assert(fc.property(stretches.chain((all) => fc.tuple(fc.constant(all), instant(all), instant(all))), ([all, a, b]) => {
      const timeline = createTimeline(all);
      const [first, second] = a < b ? [a, b] : [b, a];
      const traded = all.reduce((sum, { open, close }) => sum + Math.max(0, Math.min(second, close) - Math.max(first, open)), 0);
      expect(timeline.toTrading(second) - timeline.toTrading(first)).toBe(traded);
    }));
  });

  test('comes back to the same instant inside sessions', () => {
    fc.assert(fc.property(stretches.chain((all) => fc.tuple(fc.constant(all), fc.nat({ max: all.length - 1 }), fc.double({ min: 0, max: 0.999, noNaN: true }))), ([all, index, share]) => {
      const timeline = createTimeline(all);
      const { open, close } = all[index]!;
      const time = Math.floor(open + (close - open) * share);
      expect(timeline.fromTrading(timeline.toTrading(time))).toBe(time);
      expect(timeline.stretchOf(time)).toBe(index);
    }));
  });

  test('a print after the close settles that session; one shortly before an open belongs to the new one', () => {
    const [first, second] = [{ open: 0, close: 6 * HOUR, date: 'a', note: null }, { open: 24 * HOUR, close: 30 * HOUR, date: 'b', note: null }];
    const timeline = createTimeline([first, second]);
    expect(timeline.stretchOf(6 * HOUR + 900_000)).toBe(0);
    expect(timeline.stretchOf(24 * HOUR - 480_000)).toBe(1);
  });

  test('windows that overlap or are out of order are put right', () => {
    const made = stretchesOf([
      { date: 'b', openMicros: '5000000', closeMicros: '9000000', note: null },
      { date: 'a', openMicros: '1000000', closeMicros: '6000000', note: 'half day' },
      { date: 'c', openMicros: 'x', closeMicros: '7', note: null },
    ]);
    expect(made).toEqual([{ date: 'a', open: 1000, close: 6000, note: 'half day' }, { date: 'b', open: 6000, close: 9000, note: null }]);
  });

  test('without sessions it is plain time', () => {
    expect(createTimeline([])).toBe(PLAIN_TIMELINE);
    expect(PLAIN_TIMELINE.toTrading(1234.5)).toBe(1234.5);
  });
});

describe('session scale', () => {
  test('rises with time, collapses nights, and inverts', () => {
    fc.assert(fc.property(stretches.chain((all) => fc.tuple(fc.constant(all), instant(all), instant(all))), ([all, a, b]) => {
      const scale = sessionScale(createTimeline(all), all[0]!.open, all.at(-1)!.close).range([10, 810]);
      const [first, second] = a < b ? [a, b] : [b, a];
      expect(scale(first)).toBeLessThanOrEqual(scale(second));
      const { open, close } = all[Math.floor(all.length / 2)]!;
      const inside = open + (close - open) / 3;
      expect(scale.invert(scale(inside))).toBeCloseTo(inside, 0);
      for (const [index, { close: end }] of all.slice(0, -1).entries()) expect(scale(end)).toBeCloseTo(scale(all[index + 1]!.open), 6);
    }));
  });

  test('a copy is on its own, as Recharts needs', () => {
    const scale = sessionScale(createTimeline([{ open: 0, close: 100, date: 'a', note: null }]), 0, 100);
    const copy = scale.copy().domain([0, 50]).range([0, 500]);
    expect(copy(25)).toBe(250);
    expect(scale.domain()).toEqual([0, 100]);
    expect(scale.range()).toEqual([0, 1]);
    expect(scale.ticks()).toEqual([0]);
  });

  test('a domain wholly in closed time lands on its left edge instead of dividing by zero', () => {
    const scale = sessionScale(createTimeline([{ open: 0, close: 100, date: 'a', note: null }, { open: 1000, close: 1100, date: 'b', note: null }]), 200, 900).range([5, 95]);
    expect(scale(500)).toBe(5);
    expect(Number.isFinite(scale.invert(50))).toBe(true);
  });
});
