import { expect, test } from 'vitest';
import { daysBetween, moveDays } from '../../../electron/ingest/moveDays.ts';
import type { SourceBar } from '../../../electron/ingest/sourceBar.ts';
import { decimal } from '../../../shared/decimal.ts';
import { formatIso } from '../../../shared/time.ts';
import { at } from './fakes.ts';

const one = decimal('1');
const bar = (start: string, date: string): SourceBar => ({ line: 7, start: at(start), period: '1m', date, open: one, high: one, low: one, close: one, volume: null });

test('local time of day is kept where the offset differs', () => {
  const moved = moveDays([bar('2024-07-30T07:02:00Z', '2024-07-30')], 'Europe/Berlin', daysBetween('2024-07-30', '2019-11-06'), () => {});
  expect(moved.map(({ start, date }) => [formatIso(start), date])).toEqual([['2019-11-06T08:02:00.000000Z', '2019-11-06']]);
});

test('a time that the new date does not have is reported, not bent', () => {
  const lost: unknown[] = [];
  expect(moveDays([bar('2024-07-30T00:30:00Z', '2024-07-30')], 'Europe/Berlin', daysBetween('2024-07-30', '2024-03-31'), (rejected) => lost.push(rejected))).toEqual([]);
  expect(lost).toEqual([{ line: 7, reason: 'this local time does not exist in Europe/Berlin on 2024-03-31' }]);
});
