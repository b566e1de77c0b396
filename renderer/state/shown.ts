/** Values as this page's reader sees them: the reader's locale, the index's own decimals, the exchange's clock. */
import { formatAge, formatPercent, formatPrice, formatSigned, formatTime, readerLocale } from '../../shared/format.ts';
import { type EpochMicros, parseMicros } from '../../shared/time.ts';
import { localDate } from '../../shared/zone.ts';

/** `decimals` null: the price's own digits, as for an id that nobody described. */
export const showPrice = (text: string, decimals: number | null = null): string => formatPrice(text, decimals);
/** With its sign, also the plus. */
export const showSigned = (text: string, decimals: number | null = null): string => formatSigned(text, decimals);
/** Percent without sign or unit: an arrow beside it tells the direction. */
export const showPercent = (text: string): string => formatPrice(text.replace(/^-/, ''), 2);
/** `+0.37%`. */
export const showSignedPercent = (text: string): string => formatPercent(text);
export const showAge = (ms: number): string => formatAge(ms);
/** Wall clock `09:30:00` of a zone. */
export const showClock = (zone: string, time: EpochMicros): string => formatTime(zone, time, 'second');
export const showMinute = (zone: string, time: EpochMicros): string => formatTime(zone, time, 'minute');
/** `11:12:06.612`. */
export const showClockMs = (zone: string, time: EpochMicros): string => formatTime(zone, time, 'milli');

const FORMS = {
  day: { weekday: 'short', day: 'numeric', month: 'short' }, short: { day: 'numeric', month: 'short' }, year: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
} as const;
const dates = new Map<string, Intl.DateTimeFormat>();
function dateForm(form: keyof typeof FORMS): Intl.DateTimeFormat {
  const locale = readerLocale();
  const key = `${locale ?? ''} ${form}`;
  const known = dates.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...FORMS[form] });
  dates.set(key, made);
  return made;
}
const utcNoon = (date: string): number => Date.parse(`${date}T12:00:00Z`);

/** A `YYYY-MM-DD` date as `Fri, Nov 27`; as it came where it is no date. */
export const showDate = (date: string, year = false): string => (Number.isNaN(utcNoon(date)) ? date : dateForm(year ? 'year' : 'day').format(utcNoon(date)));

/** Time of a print on its exchange's clock: `15:30` today, the date on other days. */
export function showEventTime(zone: string, micros: string, now: EpochMicros | undefined): string {
  const time = parseMicros(micros);
  const date = localDate(zone, time);
  return now === undefined || localDate(zone, now) === date ? showMinute(zone, time) : dateForm('short').format(utcNoon(date));
}

export const showCount = (value: number): string => formatPrice(String(Math.trunc(value)), 0);
/** Rates and milliseconds: one fraction digit below 10. */
export const showFigure = (value: number): string => formatPrice(value.toFixed(3), value !== 0 && Math.abs(value) < 10 ? 1 : 0);
/** Share 0..1 as percent. */
export const showShare = (share: number): string => `${formatPrice((share * 100).toFixed(6), share > 0 && share < 0.001 ? 2 : 1)} %`;
