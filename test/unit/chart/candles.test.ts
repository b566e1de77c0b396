import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCandles, figuresOf, intervalFor } from '../../../renderer/chart/candles.ts';
import { createPoints } from '../../../renderer/chart/points.ts';
import { createTimeline, dayStretches, type TradingStretch } from '../../../renderer/chart/timeline.ts';
import type { HistoryAnswer } from '../../../shared/channels.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const days: readonly TradingStretch[] = [4, 5, 6, 7].map((day) => ({ open: Date.UTC(2019, 10, day, 14, 30), close: Date.UTC(2019, 10, day, 21), date: `2019-11-0${day}`, note: null }));
const timeline = createTimeline(days);
const OPEN = days[0]!.open;
const put = (points: ReturnType<typeof createPoints>, time: number, price: string): boolean => points.putTick({ eventMicros: String(Math.round(time * 1000)), sequence: 0, price });

describe('bars from ticks', () => {
  test('step by step are what they are at once, and exact: first, highest, lowest and last of their ticks', () => {
    fc.assert(fc.property(fc.array(fc.record({ gap: fc.integer({ min: 1, max: 90_000 }), cents: fc.integer({ min: 9000, max: 9999 }) }), { minLength: 1, maxLength: 80 }), (ticks) => {
      const points = createPoints();
      const growing = createCandles(points);
      const all: { time: number; text: string }[] = [];
      let time = OPEN;
      for (const { gap, cents } of ticks) {
        time += gap;
        all.push({ time, text: (cents / 100).toFixed(2) });
        put(points, time, (cents / 100).toFixed(2));
        growing.read(MINUTE, timeline, null, Number.MAX_SAFE_INTEGER);
      }
      const { list } = growing.read(MINUTE, timeline, null, Number.MAX_SAFE_INTEGER);
      expect(list).toEqual(createCandles(points).read(MINUTE, timeline, null, Number.MAX_SAFE_INTEGER).list);
      const expected = Object.values(Object.groupBy(all, (one) => Math.floor(one.time / MINUTE))).map((group = []) => ({
        open: group[0]!.text, close: group.at(-1)!.text, high: group.reduce((a, b) => (Number(b.text) > Number(a.text) ? b : a)).text, low: group.reduce((a, b) => (Number(b.text) < Number(a.text) ? b : a)).text,
      }));
      expect(list.map(({ texts: { open, high, low, close } }) => ({ open, close, high, low }))).toEqual(expected);
    }), { numRuns: 100 });
  });

  test('a late tick and a correction land in their bar', () => {
    const points = createPoints();
    const candles = createCandles(points);
    for (const [at, price] of [[0, '10'], [30_000, '11'], [70_000, '12']] as const) put(points, OPEN + at, price);
    candles.read(MINUTE, timeline, null, Number.MAX_SAFE_INTEGER);
    put(points, OPEN + 40_000, '9');
    put(points, OPEN + 70_000, '13');
    expect(candles.read(MINUTE, timeline, null, Number.MAX_SAFE_INTEGER).list.map(({ texts }) => Object.values(texts).join(' '))).toEqual(['10 11 9 9', '13 13 13 13']);
  });

  test('a print after the close belongs to the session\'s last bar, one before the open to its first', () => {
    const points = createPoints();
    for (const [time, price] of [[days[0]!.close - 1000, '10'], [days[0]!.close + 5000, '11'], [days[1]!.open - 60_000, '12'], [days[1]!.open, '13']] as const) put(points, time, price);
    const { list } = createCandles(points).read(5 * MINUTE, timeline, null, Number.MAX_SAFE_INTEGER);
    expect(list.map(({ start, texts }) => [start, texts.open, texts.close])).toEqual([[days[0]!.close - 5 * MINUTE, '10', '11'], [days[1]!.open, '12', '13']]);
  });
});

const answer = (bars: readonly (readonly [start: number, open: string, high: string, low: string, close: string, volume: string | null])[], resolution: '1m' | '1d'): HistoryAnswer => ({
  index: 'SPX', times: bars.map(([start]) => String(resolution === '1d' ? start * 1000 : (start + MINUTE) * 1000 - 1)), sequences: bars.map(() => 0), prices: bars.map(([, , , , close]) => close), resolution, kind: 'own', rows: bars.length, truncated: false,
  opens: bars.map(([, open]) => open), highs: bars.map(([, , high]) => high), lows: bars.map(([, , , low]) => low), volumes: bars.map(([, , , , , volume]) => volume),
});

describe("history's bars", () => {
  test('join to coarser ones with exact volume, and ticks since then go on top', () => {
    const points = createPoints();
    points.beginHistory((OPEN + 3 * MINUTE) * 1000);
    const history = answer([[OPEN, '10', '15', '9', '11', '1.1'], [OPEN + MINUTE, '11', '12', '8', '8.5', null], [OPEN + 2 * MINUTE, '8.5', '9', '8.4', '8.6', '2.2']], '1m');
    points.putHistory(history);
    put(points, OPEN + 3 * MINUTE + 5, '20');
    const { list } = createCandles(points).read(5 * MINUTE, timeline, figuresOf(history), Number.MAX_SAFE_INTEGER);
    expect(list.map(({ texts, volume }) => ({ ...texts, volume }))).toEqual([{ open: '10', high: '20', low: '8', close: '20', volume: '3.3' }]);
  });

  test('the tick that a quote brought within a bar costs the bar nothing', () => {
    const points = createPoints();
    points.beginHistory((OPEN + 3 * MINUTE) * 1000);
    put(points, OPEN + 59_000, '11');
    const history = answer([[OPEN, '10', '15', '9', '11', null]], '1m');
    points.putHistory(history);
    expect(createCandles(points).read(MINUTE, timeline, figuresOf(history), Number.MAX_SAFE_INTEGER).list.map(({ texts }) => Object.values(texts).join(' '))).toEqual(['10 15 9 11']);
  });

  test('days are slots, weeks and months go by the calendar', () => {
    const dates = Array.from({ length: 40 }, (_, at) => new Date(Date.UTC(2024, 0, 15) + at * DAY)).filter((date) => date.getUTCDay() % 6 !== 0);
    const stretches = dayStretches(dates.map((date) => ({ open: date.getTime() + 14.5 * 3_600_000, close: date.getTime() + 21 * 3_600_000, date: date.toISOString().slice(0, 10), note: null })), (time) => Math.floor(time / DAY) * DAY);
    const axis = createTimeline(stretches, true, true);
    const history = answer(dates.map((date, at) => [date.getTime(), String(at), String(at), String(at), String(at), '1'] as const), '1d');
    const points = createPoints();
    points.beginHistory(Number.MAX_SAFE_INTEGER);
    points.putHistory(history);
    const read = (interval: number) => createCandles(points).read(interval, axis, figuresOf(history), Number.MAX_SAFE_INTEGER).list;
    expect(read(DAY).length).toBe(dates.length);
    expect(read(7 * DAY).map(({ start }) => new Date(start).getUTCDay())).toEqual([1, 1, 1, 1, 1, 1]);
    expect(read(31 * DAY).map(({ start }) => new Date(start).toISOString().slice(0, 10))).toEqual(['2024-01-15', '2024-02-01']);
    expect(read(7 * DAY)[0]!.volume).toBe('5');
  });
});

test('an interval gives each bar room, and a forced one is kept while it can be seen', () => {
  expect(intervalFor(6.5 * 3_600_000, false, 600, 0, false)).toBe(5 * MINUTE);
  expect(intervalFor(5 * MINUTE, false, 600, 0, false)).toBe(5000);
  expect(intervalFor(6.5 * 3_600_000, false, 600, MINUTE, true)).toBe(MINUTE);
  expect(intervalFor(252 * DAY, true, 600, MINUTE, true)).toBe(DAY);
  expect(intervalFor(30 * 252 * DAY, true, 600, 0, false)).toBe(31 * DAY);
});
