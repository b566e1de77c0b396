/** Bars and ticks onto another date, their local time of day kept: sessions, zones and closes stay real there. */
import { dateOf, dayNumber, timeOfDay } from '../../shared/zone.ts';
import { localTimes } from './localTimes.ts';
import type { EpochMicros } from '../../shared/time.ts';
import type { Rejected } from './sourceBar.ts';

interface Placed {
  readonly line: number;
  readonly start: EpochMicros;
  readonly date: string;
}

/** Whole days from one date to another, `YYYY-MM-DD` both. */
export const daysBetween = (from: string, to: string): bigint => dayNumber(to) - dayNumber(from);

/** Whether `YYYY-MM-DD` is a day of the calendar: 2019-02-30 is none. */
export function isDate(text: string): boolean {
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(text) && dateOf(dayNumber(text)) === text;
  } catch {
    return false;
  }
}

/** Each `days` later by the wall clock of `zone`. Times that do not exist on the new date are reported. */
export function moveDays<T extends Placed>(bars: readonly T[], zone: string, days: bigint, report: (rejected: Rejected) => void): T[] {
  if (days === 0n) return [...bars];
  const resolve = localTimes(zone);
  return bars.flatMap((bar) => {
    const date = dateOf(dayNumber(bar.date) + days);
    const found = resolve(date, timeOfDay(zone, bar.start));
    if ('time' in found) return [{ ...bar, date, start: found.time }];
    report({ line: bar.line, reason: found.reason });
    return [];
  });
}
