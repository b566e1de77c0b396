import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Reach, type Span, spanOf } from '../../../renderer/chart/span.ts';
import { createTimeline, dayStretches, type TradingStretch, withUnknown } from '../../../renderer/chart/timeline.ts';
import { panned, zoomed } from '../../../renderer/chart/viewport.ts';
import { covers, wishFor } from '../../../renderer/chart/wish.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const days: readonly TradingStretch[] = Array.from({ length: 60 }, (_, at) => Date.UTC(2024, 0, 1) + at * DAY).filter((day) => new Date(day).getUTCDay() % 6 !== 0)
  .map((day) => ({ open: day + 14.5 * HOUR, close: day + 21 * HOUR, date: new Date(day).toISOString().slice(0, 10), note: null }));
const NOW = Date.UTC(2024, 1, 20, 18);
const at = (range: Reach, now = NOW): Span => spanOf({ range, now, lastEvent: now, stretches: days });
const length = ({ timeline, from, to }: Span): number => timeline.toTrading(to) - timeline.toTrading(from);

describe('zoom', () => {
  test('at the present keeps the present at the right edge, and goes on following it', () => {
    const near = zoomed(at('1D'), 0.5, 0);
    expect(near).toMatchObject({ kind: 'tail', daily: false });
    const span = at(near);
    expect([span.live, span.to > NOW, span.to - NOW < HOUR]).toEqual([true, true, true]);
    expect(Math.abs(length(span) / length(at('1D')) - 0.5)).toBeLessThan(0.05);
  });

  test('in and out again at the present, and away and back, leaves the length as it was', () => {
    fc.assert(fc.property(fc.array(fc.double({ min: 0.4, max: 2.5, noNaN: true }), { minLength: 1, maxLength: 3 }), (factors) => {
      const start = at({ kind: 'tail', length: 5 * HOUR, daily: false });
      let span = start;
      for (const factor of [...factors, ...factors.toReversed().map((each) => 1 / each)]) {
        span = at(zoomed(span, factor, 0));
        const away = panned(span, -0.1, NOW);
        if (away === null) throw new TypeError('it must move');
        const back = panned(at(away), 0.2, NOW);
        span = at(back ?? away);
        expect(span.live).toBe(true);
      }
      // The free part on the right comes in whole seconds.
      expect(length(span) / length(start)).toBeCloseTo(1, 1);
    }), { numRuns: 40 });
  });

  test('elsewhere keeps the instant under the pointer in its place, and zooming back comes home', () => {
    fc.assert(fc.property(fc.double({ min: 0.3, max: 3, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (factor, share) => {
      const span = at({ kind: 'fixed', from: Date.UTC(2024, 0, 22, 15), to: Date.UTC(2024, 0, 24, 17) });
      const anchor = span.timeline.fromTrading(span.timeline.toTrading(span.from) + share * length(span));
      const next = at(zoomed(span, factor, anchor));
      expect(length(next) / length(span)).toBeCloseTo(factor, 2);
      const place = (one: Span): number => (one.timeline.toTrading(anchor) - one.timeline.toTrading(one.from)) / length(one);
      expect(place(next)).toBeCloseTo(place(span), 2);
      expect(length(at(zoomed(next, 1 / factor, anchor)))).toBeCloseTo(length(span), -4);
    }), { numRuns: 60 });
  });

  test('out over months becomes an axis of days, and in again one of sessions', () => {
    const years = Array.from({ length: 900 }, (_, index) => Date.UTC(2022, 0, 3) + index * DAY).filter((day) => new Date(day).getUTCDay() % 6 !== 0).map((day) => ({ open: day + 14.5 * HOUR, close: day + 21 * HOUR, date: new Date(day).toISOString().slice(0, 10), note: null }));
    const month = spanOf({ range: '1M', now: NOW, lastEvent: NOW, stretches: years });
    const wide = zoomed(month, 8, NOW);
    expect(wide).toMatchObject({ kind: 'tail', daily: true });
    const daily = spanOf({ range: wide, now: NOW, lastEvent: NOW, stretches: dayStretches(years, (time) => Math.floor(time / DAY) * DAY) });
    expect(daily.timeline.daily).toBe(true);
    expect((daily.to - daily.from) / DAY).toBeGreaterThan(150);
    expect(zoomed(daily, 0.2, NOW)).toMatchObject({ kind: 'tail', daily: false });
  });
});

describe('pan', () => {
  test('back stands still, forward to the present follows again, and beyond it there is nothing', () => {
    const span = at('1D');
    const back = panned(span, -0.5, NOW);
    expect(back).toMatchObject({ kind: 'fixed' });
    expect(at(back!).live).toBe(false);
    expect(length(at(back!))).toBeCloseTo(length(span), -3);
    expect(panned(at(back!), 0.6, NOW)).toMatchObject({ kind: 'tail' });
    expect(panned(span, 0.1, NOW)).toBeNull();
  });
  test('goes on before the first session that is known', () => {
    const early = at({ kind: 'fixed', from: days[0]!.open, to: days[1]!.close });
    expect(panned(early, -1, NOW)).toMatchObject({ kind: 'fixed', from: days[0]!.open - 13 * HOUR });
  });
});

describe('what is read', () => {
  test('is what the width can show; going on within it reads nothing, out of it or finer does', () => {
    const view = { kind: 'fixed' as const, from: Date.UTC(2024, 0, 22, 15), to: Date.UTC(2024, 0, 24, 17) };
    const wish = wishFor(at(view), view, 'line', 'auto', 800, NOW);
    expect(wish.from).toBeLessThan(view.from);
    expect(wish.to).toBeGreaterThan(view.to);
    expect(wish.pixels).toBeLessThanOrEqual(3200);
    const loaded = { wish, whole: false, open: false };
    const moved = (by: number, shrink = 1): boolean => {
      const next = { kind: 'fixed' as const, from: view.from + by, to: view.from + by + (view.to - view.from) * shrink };
      return covers(loaded, wishFor(at(next), next, 'line', 'auto', 800, NOW), at(next), NOW);
    };
    expect([moved(0), moved(HOUR), moved(-DAY / 4)]).toEqual([true, true, true]);
    expect([moved(-20 * DAY), moved(0, 0.2)]).toEqual([false, false]);
  });
  test('bars come with their figures, at the resolution of the interval', () => {
    const span = at('1D');
    expect(wishFor(span, '1D', 'candles', 'auto', 800, NOW)).toMatchObject({ figures: true, resolution: '5m' });
    expect(wishFor(at('5m'), '5m', 'candles', 'auto', 800, NOW)).toMatchObject({ figures: false, resolution: 'auto' });
    expect(wishFor(span, '1D', 'line', '1m', 800, NOW)).toMatchObject({ figures: false, resolution: '1m' });
  });
});

test('where the calendar knows nothing there is plain time, and the axis goes on', () => {
  const stretches = withUnknown(days, days[0]!.open - 100 * DAY, days.at(-1)!.close, 16 * DAY);
  const timeline = createTimeline(stretches);
  expect(stretches[0]).toMatchObject({ open: days[0]!.open - 100 * DAY, close: days[0]!.open });
  expect(timeline.toTrading(days[0]!.open - DAY) - timeline.toTrading(days[0]!.open - 2 * DAY)).toBe(DAY);
});
