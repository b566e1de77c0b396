import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Drawn, LineInk } from '../../../renderer/chart/drawing.ts';
import { createLineDrawing } from '../../../renderer/chart/lineDrawing.ts';
import { nextFrame } from '../../../renderer/chart/frame.ts';
import { findGaps, learnSilence } from '../../../renderer/chart/gaps.ts';
import { createPoints } from '../../../renderer/chart/points.ts';
import { spanOf } from '../../../renderer/chart/span.ts';
import { createTimeline, type TradingStretch } from '../../../renderer/chart/timeline.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OPEN = Date.UTC(2019, 10, 6, 14, 30);
const days: readonly TradingStretch[] = [4, 5, 6, 7].map((day) => ({ open: Date.UTC(2019, 10, day, 14, 30), close: Date.UTC(2019, 10, day, 21), date: `2019-11-0${day}`, note: null }));
const PLOT = { x: 10, y: 10, width: 600, height: 500 };

const frameAt = (now: number, range: '5m' | '1h' | '1D' = '1D') =>
  nextFrame(null, { span: spanOf({ range, now, lastEvent: now, stretches: days }), zone: 'America/New_York', daily: false, scale: 'linear', percentBase: null, low: 90, high: 110, decimals: 2, width: 700, height: 540 });

const inkOf = (drawn: Drawn): LineInk => drawn.ink as LineInk;

const moves = (text: string): number => (text.match(/M/g) ?? []).length;

describe('drawing', () => {
  test('step by step draws what drawing at once does', () => {
    const tick = fc.record({ gap: fc.integer({ min: 200, max: 40_000 }), cents: fc.integer({ min: 9000, max: 11_000 }) });
    fc.assert(fc.property(fc.array(tick, { minLength: 2, maxLength: 150 }), (ticks) => {
      const now = OPEN + 2 * HOUR;
      const frame = frameAt(now);
      const [points, fresh] = [createPoints(), createPoints()];
      // Enough regular points first, so that both learn the same cadence.
      let time = OPEN;
      const put = (price: string): void => {
        for (const store of [points, fresh]) store.putTick({ eventMicros: String(time * 1000), sequence: 0, price });
      };
      for (let i = 0; i < 60; i++, time += 5000) put('100');
      const drawing = createLineDrawing(points);
      drawing.draw(frame, PLOT, Number.MAX_SAFE_INTEGER);
      let grown = drawing.draw(frame, PLOT, Number.MAX_SAFE_INTEGER);
      const silence = grown.silence;
      for (const { gap, cents } of ticks) {
        time += gap;
        put((cents / 100).toFixed(2));
        grown = drawing.draw(frame, PLOT, Number.MAX_SAFE_INTEGER);
      }
      const once = createLineDrawing(fresh).draw(frame, PLOT, Number.MAX_SAFE_INTEGER);
      expect(grown.silence).toEqual(silence);
      if (once.silence.tail === silence.tail) expect([inkOf(grown).body, inkOf(grown).tail]).toEqual([inkOf(once).body, inkOf(once).tail]);
    }), { numRuns: 60 });
  });

  test('sessions are never joined, the earlier one is a path of its own', () => {
    const points = createPoints();
    for (const day of [days[1]!, days[2]!]) for (let time = day.open; time < Math.min(day.close, OPEN + HOUR); time += MINUTE) points.putTick({ eventMicros: String(time * 1000), sequence: 0, price: '100' });
    const drawn = createLineDrawing(points).draw(frameAt(OPEN + HOUR), PLOT, Number.MAX_SAFE_INTEGER);
    expect(moves(inkOf(drawn).past)).toBeGreaterThan(0);
    expect(inkOf(drawn).body + inkOf(drawn).tail).toMatch(/^M/);
    const lastOfPast = Number(inkOf(drawn).past.match(/([\d.]+),[\d.]+$/)![1]);
    const firstOfNow = Number((inkOf(drawn).body + inkOf(drawn).tail).match(/^M([\d.]+)/)![1]);
    expect(firstOfNow).toBeGreaterThanOrEqual(lastOfPast);
  });

  test('a tick stamped ahead of the clock stays unseen until its time', () => {
    const points = createPoints();
    points.putTick({ eventMicros: String(OPEN * 1000), sequence: 0, price: '100' });
    points.putTick({ eventMicros: String((OPEN + HOUR) * 1000), sequence: 0, price: '109' });
    const drawing = createLineDrawing(points);
    const frame = frameAt(OPEN + 2 * HOUR);
    expect(drawing.draw(frame, PLOT, (OPEN + MINUTE) * 1000).last?.index).toBe(0);
    expect(drawing.draw(frame, PLOT, (OPEN + HOUR) * 1000).last?.index).toBe(1);
    expect(drawing.draw(frame, PLOT, (OPEN + MINUTE) * 1000).last?.index).toBe(0); // the replay clock went back
  });
});

describe('gaps', () => {
  const timeline = createTimeline(days);
  function minutes(skip: (time: number) => boolean, until = OPEN + 3 * HOUR) {
    const points = createPoints();
    for (const { open, close } of [days[1]!, days[2]!]) {
      for (let time = open; time < Math.min(close, until); time += MINUTE) if (!skip(time)) points.putTick({ eventMicros: String(time * 1000), sequence: 0, price: '100' });
    }
    return points;
  }
  const gapsOf = (points: ReturnType<typeof minutes>, until = OPEN + 3 * HOUR) =>
    findGaps({ points, count: points.length, timeline, silence: learnSilence(points, timeline), from: days[1]!.open, until }).map(({ from, to }) => [(from - OPEN) / MINUTE, (to - OPEN) / MINUTE]);

  test('regular minutes have none, neither over night nor at the edges', () => {
    expect(gapsOf(minutes(() => false))).toEqual([]);
  });
  test('a short range with few points has no gap at its own rhythm', () => {
    const points = createPoints();
    const times = [0, 15, 40, 59, 60, 75, 100, 119, 120, 135, 160].map((second) => String((OPEN + second * 1000) * 1000));
    points.putHistory({ index: 'SPX', times, sequences: times.map(() => 0), prices: times.map(() => '1'), resolution: 'tick', kind: 'tick', rows: times.length, truncated: false });
    expect(findGaps({ points, count: points.length, timeline, silence: learnSilence(points, timeline), from: OPEN, until: OPEN + 180_000 })).toEqual([]);
    expect(findGaps({ points, count: points.length, timeline, silence: learnSilence(points, timeline), from: OPEN, until: OPEN + 300_000 })).toEqual([{ from: OPEN + 160_000, to: OPEN + 300_000 }]);
  });

  test('nor has it one when its points are half history, half tail, whatever was trimmed', () => {
    const points = createPoints();
    const seconds = Array.from({ length: 6 }, (_, minute) => [0, 15, 40, 59].map((second) => minute * 60 + second)).flat();
    const times = seconds.slice(0, 12).map((second) => String((OPEN + second * 1000) * 1000));
    points.putHistory({ index: 'SPX', times, sequences: times.map(() => 0), prices: times.map(() => '1'), resolution: 'tick', kind: 'tick', rows: times.length, truncated: false });
    for (const second of seconds.slice(12)) points.putTick({ eventMicros: String((OPEN + second * 1000) * 1000), sequence: 0, price: '1' });
    for (let second = 0; second < 270; second += 10) {
      points.trim((OPEN + second * 1000) * 1000);
      expect(findGaps({ points, count: points.length, timeline, silence: learnSilence(points, timeline), from: OPEN + second * 1000, until: OPEN + 360_000 })).toEqual([]);
    }
  });

  test('a silence over five intervals is one, with its exact ends', () => {
    expect(gapsOf(minutes((time) => time > OPEN + 40 * MINUTE && time < OPEN + 52 * MINUTE))).toEqual([[40, 52]]);
    expect(gapsOf(minutes((time) => time > OPEN + 40 * MINUTE && time < OPEN + 45 * MINUTE))).toEqual([]); // exactly five
    expect(gapsOf(minutes((time) => time > OPEN + 40 * MINUTE && time < OPEN + 46 * MINUTE))).toEqual([[40, 46]]);
  });
  test('a late first print, an early last one and silence up to now count too', () => {
    expect(gapsOf(minutes((time) => time >= OPEN && time < OPEN + 10 * MINUTE))).toEqual([[0, 10]]);
    const close = (days[1]!.close - OPEN) / MINUTE;
    expect(gapsOf(minutes((time) => time < days[1]!.close && time > days[1]!.close - 30 * MINUTE))).toEqual([[close - 30, close]]);
    expect(gapsOf(minutes(() => false, OPEN + HOUR), OPEN + 2 * HOUR)).toEqual([[59, 120]]);
  });
  test('a session without any print is one gap, closed time is none', () => {
    const points = createPoints();
    for (let time = days[0]!.open; time < days[0]!.close; time += MINUTE) points.putTick({ eventMicros: String(time * 1000), sequence: 0, price: '100' });
    for (let time = OPEN; time < OPEN + HOUR; time += MINUTE) points.putTick({ eventMicros: String(time * 1000), sequence: 0, price: '100' });
    const gaps = findGaps({ points, count: points.length, timeline, silence: learnSilence(points, timeline), from: days[0]!.open, until: OPEN + HOUR });
    expect(gaps).toEqual([{ from: days[1]!.open, to: days[1]!.close }]);
  });
  test('until a cadence is learned only the floor decides', () => {
    const points = createPoints();
    for (const second of [0, 24, 60]) points.putTick({ eventMicros: String((OPEN + second * 1000) * 1000), sequence: 0, price: '100' });
    expect(gapsOf(points, OPEN + MINUTE).map(([from, to]) => [from! * 60, to! * 60])).toContainEqual([24, 60]);
  });
});

describe('span', () => {
  test('1D: previous open to now, stepped so that it stays the same for minutes', () => {
    const now = OPEN + 102 * MINUTE;
    const span = spanOf({ range: '1D', now, lastEvent: now, stretches: days });
    expect(span.from).toBe(days[1]!.open);
    expect(span.to).toBeGreaterThan(now);
    expect(span.sessionStart).toBe(OPEN);
    const later = spanOf({ range: '1D', now: span.until - 1, lastEvent: now, stretches: days });
    expect([later.from, later.to]).toEqual([span.from, span.to]);
    expect(spanOf({ range: '1D', now: span.until, lastEvent: now, stretches: days }).to).toBeGreaterThan(span.to);
  });
  test('1D without any previous data starts today', () => {
    expect(spanOf({ range: '1D', now: OPEN + HOUR, lastEvent: OPEN + HOUR, stretches: days, firstEvent: OPEN }).from).toBe(OPEN);
  });
  test('5m just after the open reaches back into the session before, not into the night', () => {
    const span = spanOf({ range: '5m', now: OPEN + MINUTE, lastEvent: OPEN + MINUTE, stretches: days });
    expect(span.from).toBeGreaterThan(days[1]!.close - 6 * MINUTE);
    expect(span.from).toBeLessThan(days[1]!.close);
  });
  test('closed: 5m and 1h end at the last event, 1D at the close', () => {
    const event = Date.UTC(2019, 10, 6, 20, 59, 40);
    const now = Date.UTC(2019, 10, 6, 23);
    for (const range of ['5m', '1h'] as const) {
      const span = spanOf({ range, now, lastEvent: event, stretches: days });
      expect(span.open).toBe(false);
      expect(span.to).toBe(days[2]!.close);
    }
    expect(spanOf({ range: '1D', now, lastEvent: event, stretches: days }).to).toBe(days[2]!.close);
  });
  test.each(['5m', '1h', '1D', '1W', '1M', '1Y', 'All', { kind: 'tail', length: 20 * MINUTE, daily: false }, { kind: 'tail', length: 200 * 24 * HOUR, daily: true }] as const)('closed, %j: a chart ends with the newest price, also one that settled after the close', (range) => {
    const close = days[2]!.close;
    fc.assert(fc.property(fc.integer({ min: 0, max: 25 * MINUTE }), fc.integer({ min: 0, max: 6 * HOUR }), fc.boolean(), (settles, waits, collapse) => {
      const event = close + settles;
      const points = createPoints();
      for (let time = days[1]!.open; time < close; time += 5 * MINUTE) points.putTick({ eventMicros: String(time * 1000), sequence: 0, price: '100' });
      points.putTick({ eventMicros: String(event * 1000), sequence: 0, price: '101' });
      const span = spanOf({ range, now: event + waits, lastEvent: event, stretches: days.slice(0, 3), collapse });
      const frame = nextFrame(null, { span, zone: 'America/New_York', daily: span.timeline.daily, scale: 'linear', percentBase: null, low: 90, high: 110, decimals: 2, width: 700, height: 540 });
      const { last } = createLineDrawing(points).draw(frame, PLOT, (event + waits) * 1000);
      expect(last?.index).toBe(points.length - 1);
      expect(last?.x).toBeCloseTo(PLOT.x + PLOT.width, 3);
    }), { numRuns: 30 });
  });
  test('no calendar: plain time, ending now, or at the last event when that is long ago', () => {
    const now = OPEN + HOUR;
    expect(spanOf({ range: '1h', now, lastEvent: now - MINUTE, stretches: [] }).to).toBeGreaterThan(now);
    const still = spanOf({ range: '1h', now, lastEvent: now - 48 * HOUR, stretches: [] });
    expect(still.to).toBeLessThan(now);
    expect(still.from).toBeLessThan(now - 48 * HOUR);
  });
  test('whatever the clock says, the span is forward and holds the anchor', () => {
    fc.assert(fc.property(fc.integer({ min: days[0]!.open, max: days[3]!.close }), fc.integer({ min: 0, max: 30 * HOUR }), fc.constantFrom('5m' as const, '1h' as const, '1D' as const), (now, age, range) => {
      const span = spanOf({ range, now, lastEvent: now - age, stretches: days });
      expect(span.to).toBeGreaterThan(span.from);
      if (span.open) expect(span.to).toBeGreaterThanOrEqual(now);
    }));
  });
});

describe('frame', () => {
  test('is the same object while nothing of it changes, and keeps what did not change', () => {
    const now = OPEN + HOUR;
    const request = { span: spanOf({ range: '1D' as const, now, lastEvent: now, stretches: days }), zone: 'America/New_York', daily: false, scale: 'linear' as const, percentBase: null, low: 3070, high: 3080, decimals: 2, width: 700, height: 540 };
    const frame = nextFrame(null, request);
    expect(nextFrame(frame, { ...request, low: 3070.4 })).toBe(frame);
    const taller = nextFrame(frame, { ...request, high: 3099 });
    expect(taller).not.toBe(frame);
    expect(taller.xDomain).toBe(frame.xDomain);
    expect(taller.xTickValues).toBe(frame.xTickValues);
    expect(taller.scale).toBe(frame.scale);
  });
  test('tells half days and lunch at their break', () => {
    const half = days.map((day) => (day.date === '2019-11-05' ? { ...day, close: day.open + 3.5 * HOUR, note: 'half day' } : day));
    const request = { zone: 'America/New_York', daily: false, scale: 'linear' as const, percentBase: null, low: 1, high: 2, decimals: 2, width: 700, height: 540 };
    const frame = nextFrame(null, { ...request, span: spanOf({ range: '1D', now: OPEN + HOUR, lastEvent: OPEN, stretches: half }) });
    expect(frame.breaks).toEqual([{ time: OPEN, label: 'half day, closed 13:00', side: 'before' }]);
    const tokyo = [{ open: 0, close: 2.5 * HOUR, date: 'a', note: null }, { open: 3.5 * HOUR, close: 6 * HOUR, date: 'a', note: null }];
    const lunch = nextFrame(null, { ...request, zone: 'Asia/Tokyo', span: spanOf({ range: '1D', now: 5 * HOUR, lastEvent: 5 * HOUR, stretches: tokyo }) });
    expect(lunch.breaks.map(({ label }) => label)).toEqual(['lunch']);
  });
});
