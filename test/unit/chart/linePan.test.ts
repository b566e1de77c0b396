/** A view that pans: the line drawn for the view before stands where drawing it anew would put it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Drawn } from '../../../renderer/chart/drawing.ts';
import { type Frame, nextFrame } from '../../../renderer/chart/frame.ts';
import { createLineDrawing } from '../../../renderer/chart/lineDrawing.ts';
import { createPoints, type Points } from '../../../renderer/chart/points.ts';
import { type Span, spanOf } from '../../../renderer/chart/span.ts';
import type { TradingStretch } from '../../../renderer/chart/timeline.ts';
import { panned } from '../../../renderer/chart/viewport.ts';

const MINUTE = 60_000;
const days: readonly TradingStretch[] = [4, 5, 6].map((day) => ({ open: Date.UTC(2019, 10, day, 14, 30), close: Date.UTC(2019, 10, day, 21), date: `2019-11-0${day}`, note: null }));
const NOW = Date.UTC(2019, 10, 7, 2);
const PLOT = { x: 10, y: 10, width: 600, height: 500 };

/** A point every 20 seconds: with a view of an hour or two and 600 pixels none shares its column with more than one other. */
function pointsOf(cents: readonly number[], until = NOW): Points {
  const points = createPoints();
  let at = 0;
  for (const { open, close } of days) {
    for (let time = open; time < Math.min(close, until); time += 20_000) points.putTick({ eventMicros: String(time * 1000), sequence: 0, price: ((cents[at++ % cents.length] ?? 0) / 100).toFixed(2) });
  }
  return points;
}

const frameOf = (held: Frame | null, span: Span): Frame =>
  nextFrame(held, { span, zone: 'America/New_York', daily: false, scale: 'linear', percentBase: null, low: 91, high: 109, decimals: 2, width: 700, height: 540 });

/** Corners of the line inside the plot, in tenths of a pixel. */
function seen({ ink }: Drawn): { readonly x: number; readonly y: number }[] {
  if (ink.kind !== 'line') throw new TypeError('no line');
  const all = [...(ink.past + ink.body.join('') + ink.tail).matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)];
  return all.map(([, x, y]) => ({ x: Number(x) + ink.shift, y: Number(y) })).filter(({ x }) => x > PLOT.x + 1 && x < PLOT.x + PLOT.width - 1);
}

describe('a line under a view that pans', () => {
  const cents = fc.array(fc.integer({ min: 9100, max: 10_900 }), { minLength: 5, maxLength: 50 });
  const shares = fc.array(fc.integer({ min: -300, max: 300 }).map((thousandths) => thousandths / 1000), { minLength: 4, maxLength: 12 });

  test('is drawn as it would be anew, and so is its end', () => {
    let [moved, anew] = [0, 0];
    fc.assert(fc.property(cents, shares, fc.integer({ min: 40, max: 120 }), fc.boolean(), (prices, pans, length, collapse) => {
      const points = pointsOf(prices);
      const drawing = createLineDrawing(points);
      const at = (from: number, to: number): Span => spanOf({ range: { kind: 'fixed', from, to }, now: NOW, lastEvent: NOW, stretches: days, collapse });
      let span = at(days[1]!.open + 30 * MINUTE, days[1]!.open + (30 + length) * MINUTE);
      let frame = frameOf(null, span);
      drawing.draw(frame, PLOT, NOW * 1000, true);
      for (const share of pans) {
        const reach = panned(span, share, NOW);
        if (reach === null || typeof reach === 'string' || reach.kind !== 'fixed') return;
        span = at(reach.from, reach.to);
        frame = frameOf(frame, span);
        const drawn = drawing.draw(frame, PLOT, NOW * 1000, true);
        if (drawn.ink.kind === 'line' && drawn.ink.shift !== 0) moved++;
        else anew++;
        const fresh = createLineDrawing(points).draw(frame, PLOT, NOW * 1000, true);
        const [mine, theirs] = [seen(drawn), seen(fresh)];
        for (const { x, y } of theirs) expect(mine.some((other) => Math.abs(other.x - x) < 0.35 && Math.abs(other.y - y) < 0.11)).toBe(true);
        expect(drawn.last?.index).toBe(fresh.last?.index);
        if (fresh.last) expect(Math.abs((drawn.last?.x ?? 0) - fresh.last.x)).toBeLessThan(0.25);
        expect(drawn.last?.y).toBeCloseTo(fresh.last?.y ?? Number.NaN, 6);
      }
    }), { numRuns: 40 });
    expect([moved > 0, anew > 0]).toEqual([true, true]); // both ways are taken
  });

  test('a new price, a correction and another price axis draw it anew or go on where it stands', () => {
    const last = days[2]!.close - 20 * MINUTE;
    const points = pointsOf([9500, 9600, 10_400], last);
    const drawing = createLineDrawing(points);
    const at = (from: number): Span => spanOf({ range: { kind: 'fixed', from, to: from + 90 * MINUTE }, now: NOW, lastEvent: NOW, stretches: days });
    const begin = days[2]!.close - 100 * MINUTE;
    const first = frameOf(null, at(begin));
    drawing.draw(first, PLOT, NOW * 1000, true);
    const frame = frameOf(first, at(begin + 3 * MINUTE));
    const shift = (drawn: Drawn): number => (drawn.ink.kind === 'line' ? drawn.ink.shift : Number.NaN);
    expect(shift(drawing.draw(frame, PLOT, NOW * 1000, true))).toBeCloseTo(-20, 1);
    points.putTick({ eventMicros: String((last + 1) * 1000), sequence: 0, price: '107.5' });
    const grown = drawing.draw(frame, PLOT, NOW * 1000, true);
    const fresh = createLineDrawing(points).draw(frame, PLOT, NOW * 1000, true);
    expect(shift(grown)).toBeCloseTo(-20, 1);
    expect(grown.last?.index).toBe(points.length - 1);
    expect(grown.last?.x).toBeCloseTo(fresh.last?.x ?? 0, 1);
    points.putTick({ eventMicros: String((begin + 40 * MINUTE) * 1000), sequence: 5, price: '92' });
    expect(shift(drawing.draw(frame, PLOT, NOW * 1000, true))).toBe(0);
    const higher = nextFrame(frame, { span: at(begin + 5 * MINUTE), zone: 'America/New_York', daily: false, scale: 'linear', percentBase: null, low: 60, high: 140, decimals: 2, width: 700, height: 540 });
    expect(shift(drawing.draw(higher, PLOT, NOW * 1000, true))).toBe(0);
  });
});
