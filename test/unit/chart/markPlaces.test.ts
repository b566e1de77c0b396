import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../renderer/chart/frame.ts';
import { lookSame, markPlaces } from '../../../renderer/chart/markPlaces.ts';
import { sessionScale } from '../../../renderer/chart/sessionScale.ts';
import { createTimeline } from '../../../renderer/chart/timeline.ts';

const MINUTE = 60_000;
const OPEN = Date.UTC(2019, 10, 6, 14, 30);
const CLOSE = OPEN + 390 * MINUTE;
const timeline = createTimeline([{ open: OPEN, close: CLOSE, date: '2019-11-06', note: null }]);
const frame = { from: OPEN, to: CLOSE, scale: sessionScale(timeline, OPEN, CLOSE), prices: { low: 0, high: 10, scale: 'linear', base: null, ticks: [] }, breaks: [] } as unknown as Frame;
const gap = { from: OPEN + 380 * MINUTE, to: CLOSE };

describe('a gap', () => {
  test.each([20, 60, 200, 600, 2000])('is hatched inside a plot of %d pixels, wide enough to be seen', (width) => {
    const { gaps: [mark] } = markPlaces(frame, { x: 10, y: 10, width, height: 100 }, [gap], null);
    expect(mark!.width).toBeGreaterThanOrEqual(Math.max(3, (10 / 390) * width - 0.01));
    expect(mark!.left).toBeGreaterThanOrEqual(10);
    expect(mark!.left + mark!.width).toBeLessThanOrEqual(10 + width + 0.01);
    expect(mark!.text).toBe(width < 120 ? null : 'no data 10 min');
    if (mark!.text !== null) expect([mark!.start >= 10, mark!.start + mark!.text.length * 6.1 <= 10 + width]).toEqual([true, true]);
  });
});

describe('a gap that grows', () => {
  const grown = (by: number, slack: number): boolean => lookSame([{ from: OPEN, to: OPEN + 10 * MINUTE + by }], [{ from: OPEN, to: OPEN + 10 * MINUTE }], slack);
  test('looks the same while neither half a pixel nor its words have changed', () => {
    expect(grown(900, 1000)).toBe(true);
    expect(grown(1100, 1000)).toBe(false); // to be seen
    expect(grown(MINUTE, 10 * MINUTE)).toBe(false); // to be read
  });
  test('is another where it begins elsewhere, or beside another one', () => {
    expect(lookSame([gap], [{ ...gap, from: gap.from + 1 }], MINUTE)).toBe(false);
    expect(lookSame([gap], [gap, gap], MINUTE)).toBe(false);
  });
});
