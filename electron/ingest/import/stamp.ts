/** A cell's date and time, as written: an instant where it says so, else a wall clock that still needs its zone. Pure. */
import { DAY, type EpochMicros, floorDiv, floorMod, micros, MINUTE } from '../../../shared/time.ts';
import { dateOf, dayNumber } from '../../../shared/zone.ts';

export type DateOrder = 'dmy' | 'mdy' | 'ymd';
export type EpochUnit = 's' | 'ms' | 'us' | 'ns';

export type Stamp =
  /** `nanos`: 0..999 below the microsecond. */
  | { readonly kind: 'instant'; readonly time: EpochMicros; readonly nanos: number; readonly unit: EpochUnit | null }
  /** `ofDay`: microseconds past local midnight, 0..24 h; null: a date alone. `serial`: counted in days, as spreadsheets do. */
  | { readonly kind: 'local'; readonly date: string; readonly ofDay: bigint | null; readonly nanos: number; readonly serial: boolean }
  | { readonly kind: 'bad'; readonly reason: string };

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MONTHS = new Map<string, number>();
for (const names of ['jan feb mar apr may jun jul aug sep oct nov dec', 'jän feb mär apr mai jun jul aug sep okt nov dez', 'janv févr mars avr mai juin juil août sept oct nov déc', 'ene feb mar abr may jun jul ago sep oct nov dic']) {
  for (const [i, name] of names.split(' ').entries()) MONTHS.set(name, i + 1);
}

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?:[T ,]+|$)/;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d{2})(?:[T ,]+|$)/;
const MONTH_FIRST = /^(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:[T ,]+|$)/iu;
const DAY_FIRST = /^(\d{1,2})\.?[- ](\p{L}{3,9})\.?[- ,]+(\d{4}|\d{2})(?:[T ,]+|$)/iu;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:[T ,]+|$)/;
const COMPACT_TIME = /^((?:19|20)\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?$/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\.?)?/i;
const CLOCK_DIGITS = /^(\d{2})(\d{2})(?:(\d{2})(\d{3})?)?(?!\d)/;
const ZONE = /^\s*(?:(Z|UTC|GMT)|(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?(?::00)?)$/i;

interface Split {
  readonly date: { readonly kind: 'ymd'; readonly year: number; readonly month: number; readonly day: number } | { readonly kind: 'ab'; readonly a: number; readonly b: number; readonly year: string; readonly separator: string };
  readonly rest: string;
}

/** Neighbouring rows mostly share their date, and one row's date is asked for more than once. */
function splitDate(text: string): Split | null {
  if (text !== splitText) [splitText, splitFound] = [text, splitAnew(text)];
  return splitFound;
}
let splitText = '';
let splitFound: Split | null = null;

function splitAnew(text: string): Split | null {
  const year = YEAR_FIRST.exec(text);
  if (year) return ymd(year[1], year[3], year[4], text.slice(year[0].length));
  const last = YEAR_LAST.exec(text);
  if (last) return { date: { kind: 'ab', a: Number(last[1]), b: Number(last[3]), year: last[4] ?? '', separator: last[2] ?? '' }, rest: text.slice(last[0].length) };
  const compact = COMPACT.exec(text);
  if (compact) return ymd(compact[1], compact[2], compact[3], text.slice(compact[0].length));
  const month = MONTH_FIRST.exec(text);
  const named = month ? monthOf(month[1]) : undefined;
  if (month && named !== undefined) return ymd(month[3], named, month[2], text.slice(month[0].length));
  const day = DAY_FIRST.exec(text);
  const second = day ? monthOf(day[2]) : undefined;
  return day && second !== undefined ? ymd(fullYear(day[3] ?? ''), second, day[1], text.slice(day[0].length)) : null;
}

const ymd = (year: string | number | undefined, month: string | number | undefined, day: string | undefined, rest: string): Split => ({ date: { kind: 'ymd', year: Number(year), month: Number(month), day: Number(day) }, rest });

function monthOf(name: string | undefined): number | undefined {
  const lower = (name ?? '').toLowerCase();
  return MONTHS.get(lower) ?? MONTHS.get(lower.slice(0, 4)) ?? MONTHS.get(lower.slice(0, 3));
}

const fullYear = (text: string): number => (text.length === 4 ? Number(text) : Number(text) + (Number(text) < 70 ? 2000 : 1900));

/** The two numbers of a date whose order the text itself does not tell. */
export function undecidedDate(text: string): { readonly a: number; readonly b: number; readonly year: string; readonly separator: string } | null {
  // three digits in front are a year's, or a number's
  if (isDigit(text.charCodeAt(0)) && isDigit(text.charCodeAt(1)) && isDigit(text.charCodeAt(2))) return null;
  const found = splitDate(text.trim())?.date;
  return found?.kind === 'ab' ? found : null;
}

/** A date of the calendar as `YYYY-MM-DD`; null for 2/30. */
export function calendarDate(year: number, month: number, day: number): string | null {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (year < 1 || year > 9999 || day < 1 || day > (month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0))) return null;
  return `${String(year).padStart(4, '0')}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

/** Microseconds of a date's UTC midnight. Neighbouring rows mostly share their date. */
function midnight(date: string): bigint {
  if (date !== lastDate) [lastDate, lastMidnight] = [date, dayNumber(date) * DAY];
  return lastMidnight;
}
let [lastDate, lastMidnight] = ['1970-01-01', 0n];

/** One reading of a date like 05/07/2024; null where the calendar has none such. */
export function orderedDate({ a, b, year }: { readonly a: number; readonly b: number; readonly year: string }, order: DateOrder): string | null {
  if (order === 'dmy') return calendarDate(fullYear(year), b, a);
  if (order === 'mdy') return calendarDate(fullYear(year), a, b);
  return year.length === 2 ? calendarDate(fullYear(String(a).padStart(2, '0')), b, Number(year)) : null;
}

const bad = (text: string, what = 'not a date or time'): Stamp => ({ kind: 'bad', reason: `${what}: ${JSON.stringify(text.slice(0, 40))}` });

/** `order`: for dates such as 05/07/2024, decided for the file; null: such dates are bad. `clock`: the time from a column of its own. */
export function readStamp(text: string, order: DateOrder | null, clock: string | null = null): Stamp {
  const iso = clock === null ? isoStamp(text) : null;
  if (iso) return iso;
  const trimmed = text.trim();
  if (clock === null && /^-?\d+(?:[.,]\d+)?$/.test(trimmed)) {
    const number = readNumeric(trimmed);
    if (number) return number;
  }
  const split = splitDate(trimmed.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? (?=\S)/i, ''));
  if (!split) return bad(trimmed);
  const { date } = split;
  const day = date.kind === 'ymd' ? calendarDate(date.year, date.month, date.day) : order === null ? null : orderedDate(date, order);
  if (day === null) return bad(trimmed, 'no such date');
  const rest = clock === null ? split.rest.trim() : clock.trim();
  if (rest === '') return { kind: 'local', date: day, ofDay: null, nanos: 0, serial: false };
  return withClock(day, rest, trimmed);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
/** The number that is written in two digits; NaN where they are none. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - 48) * 10 + ones - 48 : Number.NaN;
}

let isoDay = { year: 1970, month: 1, day: 1, date: '1970-01-01', millis: 0 };
// character codes
const DASH = 45;
const COLON = 58;
const DOT = 46;
const BLANK = 32;
const LETTER_T = 84;
const LETTER_Z = 90;
/** Up to nine digits of a second, in nanoseconds. */
const NANOS = [1, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 100, 10, 1];

/**
 * `2024-03-11T13:30:00.25Z` as most files write it, with a blank for the T or without the Z, of the years 1970 to 2199: what the patterns below
 * would find, in a tenth of the time. Null for everything else, wrong stamps too.
 */
function isoStamp(text: string): Stamp | null {
  const { length } = text;
  if (length < 19 || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH || text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return null;
  const between = text.charCodeAt(10);
  if (between !== LETTER_T && between !== BLANK) return null;
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const day = two(text, 8);
  const hour = two(text, 11);
  const minute = two(text, 14);
  const second = two(text, 17);
  if (!(year >= 1970 && year < 2200 && hour < 24 && minute < 60 && second < 60)) return null;
  let at = 19;
  let fraction = 0;
  if (text.charCodeAt(at) === DOT) {
    for (at += 1; at < length && isDigit(text.charCodeAt(at)); at += 1) fraction = fraction * 10 + text.charCodeAt(at) - 48;
    const scale = NANOS[at - 20];
    if (at === 20 || scale === undefined) return null;
    fraction *= scale;
  }
  const utc = at === length - 1 && text.charCodeAt(at) === LETTER_Z;
  if (!utc && at !== length) return null;
  if (isoDay.day !== day || isoDay.month !== month || isoDay.year !== year) {
    const date = calendarDate(year, month, day);
    if (date === null) return null;
    isoDay = { year, month, day, date, millis: Date.UTC(year, month - 1, day) };
  }
  const nanos = fraction % 1000;
  const ofDay = (hour * 3600 + minute * 60 + second) * 1_000_000 + (fraction - nanos) / 1000;
  if (!utc) return { kind: 'local', date: isoDay.date, ofDay: BigInt(ofDay), nanos, serial: false };
  return { kind: 'instant', time: BigInt(isoDay.millis * 1000 + ofDay) as EpochMicros, nanos, unit: null };
}

function withClock(date: string, given: string, whole: string): Stamp {
  const text = /^(?:\d{3}|\d{5})$/.test(given) ? `0${given}` : given; // 93000: a spreadsheet has eaten the zero
  const found = CLOCK.exec(text) ?? CLOCK_DIGITS.exec(text);
  if (!found) return bad(`${whole} ${text}`);
  const digits = found[0].includes(':') ? null : (found[4] ?? '');
  let hour = Number(found[1]);
  const [minute, second] = [Number(found[2]), Number(found[3] ?? 0)];
  const half = digits === null ? found[5]?.toLowerCase() : undefined;
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return bad(text, 'no such time');
    hour = (hour % 12) + (half === 'p' ? 12 : 0);
  }
  const fraction = Number((digits ?? found[4] ?? '').padEnd(9, '0')); // nanoseconds
  const nanos = fraction % 1000;
  const ofDay = BigInt((hour * 3600 + minute * 60 + second) * 1_000_000 + (fraction - nanos) / 1000);
  if (minute > 59 || second > 59 || ofDay > DAY || (ofDay === DAY && nanos !== 0)) return bad(text, 'no such time');
  const local = { kind: 'local', date, ofDay, nanos, serial: false } as const;
  const rest = text.slice(found[0].length);
  if (rest.trim() === '') return local;
  const zone = ZONE.exec(rest);
  if (!zone) return bad(rest.trim(), 'this zone is not definite, write an offset');
  const offset = Number(zone[3] ?? 0) * 60 + Number(zone[4] ?? 0);
  if (offset > 18 * 60 || Number(zone[4] ?? 0) > 59) return bad(rest.trim(), 'no such offset');
  try {
    return { kind: 'instant', time: micros(midnight(date) + ofDay - BigInt(zone[2] === '-' ? -offset : offset) * MINUTE), nanos: local.nanos, unit: null };
  } catch {
    return bad(whole, 'outside the years 1 to 9999');
  }
}

/** Bare digits: a compact date, a spreadsheet's day count, or an epoch whose unit its magnitude tells. Null: for `readStamp` to go on. */
function readNumeric(text: string): Stamp | null {
  if (/^(?:1[6-9]|2[01])\d{6}$/.test(text)) return null; // YYYYMMDD
  const compact = COMPACT_TIME.exec(text);
  if (compact) {
    const day = calendarDate(Number(compact[1]), Number(compact[2]), Number(compact[3]));
    if (day !== null) return withClock(day, `${compact[4]}:${compact[5]}:${compact[6] ?? '00'}`, text);
  }
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  if (/^[2-7]\d{4}$/.test(whole)) return serialDay(whole, fraction);
  const size = whole.replace('-', '').length;
  const unit: EpochUnit | null = size < 9 ? null : size <= 11 ? 's' : size <= 14 ? 'ms' : size <= 17 ? 'us' : size <= 19 ? 'ns' : null;
  if (unit === null) return bad(text);
  const power = { s: 9, ms: 6, us: 3, ns: 0 }[unit];
  const nanos = BigInt(`${whole}${fraction.padEnd(power, '0').slice(0, power)}`);
  try {
    return { kind: 'instant', time: micros(floorDiv(nanos, 1000n)), nanos: Number(floorMod(nanos, 1000n)), unit };
  } catch {
    return bad(text, 'outside the years 1 to 9999');
  }
}

/** Days since 1899-12-30, as spreadsheets count them; their doubles tell no more than the millisecond. */
function serialDay(whole: string, fraction: string): Stamp {
  const date = (day: bigint): string => dateOf(day - 25_569n);
  if (/^0*$/.test(fraction)) return { kind: 'local', date: date(BigInt(whole)), ofDay: null, nanos: 0, serial: true };
  const scale = 10n ** BigInt(fraction.length);
  const millis = (BigInt(fraction) * 86_400_000n * 2n + scale) / (2n * scale);
  return { kind: 'local', date: date(BigInt(whole)), ofDay: millis * 1000n, nanos: 0, serial: true };
}
