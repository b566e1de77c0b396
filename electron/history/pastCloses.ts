/** Closes a week, a month and a year ago and the range of 52 weeks, from an index's day bars. Pure. */
import { dayAfter } from '../../shared/calendar/plan.ts';
import type { ReferenceView } from '../../shared/channels.ts';
import { max, min } from '../../shared/decimal.ts';
import type { Bar } from '../../shared/quote.ts';

/** A close so many days older than asked for is another one; so long a hole in the bars is no run of holidays. */
const NEAR_DAYS = 10;
const HOLE_DAYS = 15;

export type PastCloses = Pick<ReferenceView, 'week' | 'month' | 'year' | 'range'>;
type Dated = Bar & { readonly sessionDate: string };

/** The same day so many months before, or the last of its month. */
export function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const count = year * 12 + month - 1 - months;
  const first = `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`;
  const lengths = new Date(Date.UTC(2000, (count % 12) + 1, 0)).getUTCDate();
  const leap = Math.floor(count / 12) % 4 === 0 && (Math.floor(count / 12) % 100 !== 0 || Math.floor(count / 12) % 400 === 0);
  const last = count % 12 === 1 && !leap ? 28 : lengths; // 2000 was a leap year
  return `${first}-${String(Math.min(day, last)).padStart(2, '0')}`;
}

/** First session date that pastCloses looks at: a year before `today`, and so much before that as a close may be. */
export const oldestNeeded = (today: string): string => dayAfter(monthsBefore(today, 12), -NEAR_DAYS);

/** `today`: the current session's date, which is not yet past. Official closes go before a day's last price; bars in any order. */
export function pastCloses(bars: readonly Bar[], today: string): PastCloses {
  const past = bars.filter((bar): bar is Dated => bar.sessionDate !== null && bar.sessionDate < today).toSorted((a, b) => (a.sessionDate < b.sessionDate ? 1 : -1));
  const closeAt = (target: string): { price: string; date: string } | null => {
    const bar = past.find(({ sessionDate }) => sessionDate <= target);
    return bar === undefined || bar.sessionDate < dayAfter(target, -NEAR_DAYS) ? null : { price: bar.officialClose ?? bar.close, date: bar.sessionDate };
  };
  const yearAgo = monthsBefore(today, 12);
  return { week: closeAt(dayAfter(today, -7)), month: closeAt(monthsBefore(today, 1)), year: closeAt(yearAgo), range: rangeOf(past.filter(({ sessionDate }) => sessionDate > yearAgo), yearAgo, today) };
}

/** `year`: newest first. */
function rangeOf(year: readonly Dated[], yearAgo: string, today: string): PastCloses['range'] {
  const [first, oldest] = [year[0], year.at(-1)];
  if (!first || !oldest) return null;
  let [low, high] = [first.low, first.high];
  let [whole, later] = [true, today];
  for (const bar of year) {
    [low, high] = [min(low, bar.low), max(high, bar.high)];
    whole &&= bar.sessionDate >= dayAfter(later, -HOLE_DAYS);
    later = bar.sessionDate;
  }
  return { low, high, from: oldest.sessionDate, whole: whole && later <= dayAfter(yearAgo, HOLE_DAYS) };
}
