import { expect, test } from 'vitest';
import { timeTicks } from '../../../renderer/chart/timeTicks.ts';
import { createTimeline, dayStretches, type TradingStretch } from '../../../renderer/chart/timeline.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const sessions = (from: string, count: number): readonly TradingStretch[] => Array.from({ length: count }, (_, at) => Date.parse(`${from}T00:00Z`) + at * DAY).filter((day) => new Date(day).getUTCDay() % 6 !== 0)
  .map((day) => ({ open: day + 14.5 * HOUR, close: day + 21 * HOUR, date: new Date(day).toISOString().slice(0, 10), note: null }));

function labels(stretches: readonly TradingStretch[], width: number, daily: boolean): string[] {
  const timeline = createTimeline(daily ? dayStretches(stretches, (time) => Math.floor(time / DAY) * DAY) : stretches, true, daily);
  const [from, to] = [timeline.stretches[0]!.open, timeline.stretches.at(-1)!.close];
  const total = timeline.toTrading(to);
  const place = (time: number): number => (timeline.toTrading(time) / total) * width;
  const ticks = timeTicks({ timeline, zone: 'UTC', from, to, place, spacing: 72, daily });
  const middles = ticks.map(({ time }) => place(time));
  expect(middles.every((x, at) => at === 0 || x - middles[at - 1]! > 40)).toBe(true);
  return ticks.map(({ label }) => label);
}

test('a year has its months, at the first session of each, and says which year', () => {
  expect(labels(sessions('2023-06-15', 365), 1100, true)).toEqual(['Jul 2023', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec', '2024', 'Feb', 'Mar', 'Apr', 'May', 'Jun']);
});

test('decades have years, a month has its weeks', () => {
  const decades = labels(sessions('1995-01-02', 365 * 30), 900, true);
  expect(decades).toContain('2000');
  expect(decades).toContain('2010');
  expect(decades.every((label) => /^(?:\w+ \d+ )?\d{4}$/.test(label))).toBe(true);
  const month = labels(sessions('2024-07-01', 31), 900, false);
  expect(month).toEqual(expect.arrayContaining(['Jul 8', 'Jul 15', 'Jul 22', 'Jul 29']));
});
