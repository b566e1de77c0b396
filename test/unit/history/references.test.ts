import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHistory } from '../../../electron/history/history.ts';
import { monthsBefore, pastCloses } from '../../../electron/history/pastCloses.ts';
import { dayAfter } from '../../../shared/calendar/plan.ts';
import type { Clock } from '../../../shared/clock.ts';
import { decimal } from '../../../shared/decimal.ts';
import { infoFor } from '../../../shared/indices.ts';
import type { Bar } from '../../../shared/quote.ts';
import { barKey, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { HOUR, micros, MINUTE, SECOND, utc } from '../../../shared/time.ts';
import { atLocalFirst } from '../../../shared/zone.ts';
import { memoryTable } from '../feed/memoryTable.ts';

const SPX = indexIdOf('SPX');
const bar = (sessionDate: string, close: string, more: Partial<Bar> = {}): Bar => ({
  index: SPX, start: micros(0n), resolution: '1d', open: decimal(close), high: decimal(close), low: decimal(close), close: decimal(close), volume: null, ticks: null, kind: 'vendor', officialClose: null, sessionDate, key: sessionDate, ...more,
});
const weekdays = (from: string, to: string): string[] => {
  const dates: string[] = [];
  for (let date = from; date <= to; date = dayAfter(date)) if (![0, 6].includes(new Date(`${date}T00:00Z`).getUTCDay())) dates.push(date);
  return dates;
};

test('months go back to the same day, or the last of a shorter month', () => {
  expect(monthsBefore('2024-03-31', 1)).toBe('2024-02-29');
  expect(monthsBefore('2023-03-31', 1)).toBe('2023-02-28');
  expect(monthsBefore('2100-03-30', 1)).toBe('2100-02-28');
  expect(monthsBefore('2024-02-29', 12)).toBe('2023-02-28');
  expect(monthsBefore('2024-01-15', 1)).toBe('2023-12-15');
  fc.assert(fc.property(fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }), fc.integer({ min: 1, max: 24 }), (date, months) => {
    const text = date.toISOString().slice(0, 10);
    const before = monthsBefore(text, months);
    expect(Number.isNaN(Date.parse(before))).toBe(false);
    expect(new Date(before).toISOString().slice(0, 10)).toBe(before);
    expect(before < text).toBe(true);
  }));
});

describe('past closes', () => {
  test('are those of the last session on or before the day asked for, official ones first, never today\'s', () => {
    const bars = [bar('2024-03-06', '1'), bar('2024-03-05', '2'), bar('2024-02-28', '3', { officialClose: decimal('3.5') }), bar('2024-02-06', '4'), bar('2024-02-02', '5'), bar('2023-03-06', '6')];
    expect(pastCloses(bars, '2024-03-06')).toMatchObject({
      week: { price: '3.5', date: '2024-02-28' }, month: { price: '4', date: '2024-02-06' }, year: { price: '6', date: '2023-03-06' },
    });
  });
  test('an older close never stands in for a missing one', () => {
    expect(pastCloses([bar('2024-01-20', '4')], '2024-03-06')).toMatchObject({ week: null, month: null, year: null });
  });
  test('the range is that of 52 weeks before today, and says where it is not', () => {
    const dates = weekdays('2023-02-01', '2024-03-06');
    const bars = dates.map((date, at) => bar(date, String(1000 + at), { low: decimal(String(990 + at)) }));
    const { range } = pastCloses(bars, '2024-03-06');
    const first = dates.findIndex((date) => date > '2023-03-06');
    expect(range).toEqual({ low: String(990 + first), high: String(1000 + dates.length - 2), from: '2023-03-07', whole: true });
    expect(pastCloses(bars.slice(100), '2024-03-06').range?.whole).toBe(false);
    expect(pastCloses(bars.filter(({ sessionDate }) => !sessionDate?.startsWith('2023-10')), '2024-03-06').range?.whole).toBe(false);
    expect(pastCloses([], '2024-03-06').range).toBeNull();
  });
});

test('the request answers an hour ago as of then, and reads days once', async () => {
  const table = memoryTable();
  let [now, elapsed]: [bigint, number] = [utc(2024, 3, 6, 18, 0), 0];
  const clock: Clock = { kind: 'test', now: () => micros(now), elapsed: () => elapsed, speed: () => 1, note: () => null };
  const history = createHistory({ reader: table.reader, clock, retentionDays: 90, info: (id) => infoFor(indexIdOf(id)) });
  const tick = (ago: bigint, price: string): void => table.put(tickKey(SPX, micros(now - ago)), { 'q:p': price });
  tick(0n, '5');
  tick(HOUR - SECOND, '4');
  tick(HOUR + MINUTE, '3');
  tick(HOUR + 2n * MINUTE, '2');
  for (const date of weekdays('2023-02-20', '2024-03-05')) table.put(barKey(SPX, '1d', atLocalFirst('America/New_York', date, 0n)), { 'v:o': '1', 'v:h': '9', 'v:l': '0.5', 'v:c': date.slice(8), 'v:d': date });
  const answer = await history.references({ indices: ['SPX', 'DAX'] });
  expect(answer).toEqual({ ok: true, value: [
    { index: 'SPX', hour: { price: '3', eventMicros: String(now - HOUR - MINUTE) }, week: { price: '28', date: '2024-02-28' }, month: { price: '6', date: '2024-02-06' }, year: { price: '6', date: '2023-03-06' }, range: { low: '0.5', high: '9', from: '2023-03-07', whole: true } },
    { index: 'DAX', hour: null, week: null, month: null, year: null, range: null },
  ] });
  const dayReads = (): number => table.requests.filter(({ ranges }) => ranges[0]?.start.includes('@1d')).length;
  const requests = table.requests.length;
  await history.references({ indices: ['SPX'] }); // another page asks at the same time
  expect([table.requests.length, dayReads()]).toEqual([requests, 1]);
  elapsed += 20_000;
  now += MINUTE;
  expect(await history.references({ indices: ['SPX'] })).toMatchObject({ value: [{ hour: { price: '4' } }] });
  expect(dayReads()).toBe(1);
  elapsed += 700_000;
  await history.references({ indices: ['SPX'] });
  expect(dayReads()).toBe(2);
  table.mode = 'refuse';
  elapsed += 20_000;
  expect((await history.references({ indices: ['SPX'] })).ok).toBe(false);
});

test('sparklines of an hour and of a week hold what lies in them', async () => {
  const table = memoryTable();
  const now = utc(2024, 3, 6, 18, 0);
  const clock: Clock = { kind: 'test', now: () => now, elapsed: () => 0, speed: () => 1, note: () => null };
  const history = createHistory({ reader: table.reader, clock, retentionDays: 90, info: (id) => infoFor(indexIdOf(id)) });
  for (let ago = 0; ago < 120; ago += 1) table.put(tickKey(SPX, micros(now - BigInt(ago) * MINUTE)), { 'q:p': String(1000 - ago) });
  for (let ago = 0; ago < 24 * 9; ago += 1) table.put(barKey(SPX, '1h', micros(now - BigInt(ago) * HOUR)), { 'b:o': '1', 'b:h': '1', 'b:l': '1', 'b:c': String(2000 - ago) });
  const hour = await history.sparklines({ indices: ['SPX'], points: 500, window: '1h' });
  expect(hour.ok && hour.value[0]?.prices.map(Number)).toEqual(Array.from({ length: 61 }, (_, at) => 940 + at));
  const week = await history.sparklines({ indices: ['SPX'], points: 500, window: '1W' });
  expect(week.ok && [week.value[0]?.prices[0], week.value[0]?.prices.at(-1)]).toEqual([String(2000 - 24 * 7), '2000']);
});
