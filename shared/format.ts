/** Values as people read them: the user's locale, exact digits (never through a double), one minus sign, ages, times in a zone. */
import { type Decimal, parseDecimal, toFixed } from './decimal.ts';
import { type EpochMicros, floorMod, SECOND } from './time.ts';
import { localDate, offsetAt, wallClock } from './zone.ts';

const MINUS = '\u2212';
/** What stands where there is no value. */
export const NO_VALUE = '\u2014';

/** More than any price has; Intl takes up to 100. */
const MAX_PLACES = 40;

/** How this process' reader wants numbers and clocks; `undefined` is the runtime's own locale. Every `locale` below is the reader's unless given. */
export interface Reader {
  readonly locale: string | undefined;
  /** `locale`: as the locale does. */
  readonly hours: '24' | '12' | 'locale';
}
let reader: Reader = { locale: undefined, hours: '24' };
/** The page's choice: format again whatever is on screen. */
export function setReader(next: Reader): void {
  reader = next;
}
/** The page's choice as it is now: the same object until it is another. */
export const currentReader = (): Reader => reader;
/** As it was when the page came: numbers on one screen are written in one way. */
const browserLocale: string | undefined = globalThis.navigator?.language;
/** The reader's tag, else the browser's. */
export const readerLocale = (): string | undefined => reader.locale ?? browserLocale;

/** By locale and decimals. */
const formats = new Map<string | undefined, (Intl.NumberFormat | undefined)[]>();
function numberFormat(locale: string | undefined, decimals: number): Intl.NumberFormat {
  let own = formats.get(locale);
  if (!own) formats.set(locale, (own = []));
  let found = own[decimals];
  if (!found) {
    const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    try {
      found = new Intl.NumberFormat(locale, options);
    } catch {
      found = new Intl.NumberFormat('en', options); // a malformed tag from the environment must not blank the screen
    }
    own[decimals] = found;
  }
  return found;
}

/** Digits without a sign. Rounded half away from zero here, so that Intl only groups and never rounds. */
function unsigned(value: Decimal, decimals: number, locale: string | undefined): { text: string; negative: boolean; zero: boolean } {
  const fixed = toFixed(value, decimals);
  const digits = fixed.startsWith('-') ? fixed.slice(1) : fixed;
  // A string argument is taken as an exact decimal (Intl.NumberFormat v3), a number would be a double.
  const text = numberFormat(locale, decimals).format(digits as Intl.StringNumericLiteral);
  const zero = !/[1-9]/.test(digits);
  return { text, negative: fixed.startsWith('-'), zero };
}

/** Fraction digits of a value on screen: those given, else its own, two at least. */
const placesOf = (value: Decimal, decimals: number | null): number => decimals ?? Math.min(MAX_PLACES, Math.max(2, value.includes('.') ? value.length - value.indexOf('.') - 1 : 0));

/** A price at the index's decimals (null: its own digits), grouped as the locale does; `—` for null or text that is no decimal. */
export function formatPrice(text: string | null, decimals: number | null, locale = readerLocale()): string {
  const value = parseDecimal(text ?? '');
  if (value === undefined) return NO_VALUE;
  const { text: digits, negative } = unsigned(value, placesOf(value, decimals), locale);
  return negative ? MINUS + digits : digits;
}

/** A change in points, always signed: `+12.34`, `−0.05`; a change that rounds to nothing has no sign. */
export function formatSigned(text: string | null, decimals: number | null, locale = readerLocale()): string {
  const value = parseDecimal(text ?? '');
  if (value === undefined) return NO_VALUE;
  const { text: digits, negative, zero } = unsigned(value, placesOf(value, decimals), locale);
  return `${zero ? '' : negative ? MINUS : '+'}${digits}`;
}

/** A change in percent, always signed: `+0.41%`. */
export function formatPercent(text: string | null, locale = readerLocale(), decimals = 2): string {
  const signed = formatSigned(text, decimals, locale);
  return signed === NO_VALUE ? signed : `${signed}%`;
}

/** An age: `0.4s`, `14s`, `4:12`, `3 h 05`, `2 d`. Rounded down: an age never looks older than it is by more than its last digit. */
export function formatAge(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return NO_VALUE;
  const tenths = Math.floor(Math.max(0, ms) / 100);
  if (tenths < 100) return `${Math.floor(tenths / 10)}.${tenths % 10}s`;
  const seconds = Math.floor(tenths / 10);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${pad(minutes % 60)}` : `${Math.floor(hours / 24)} d`;
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

export type TimeStyle = 'minute' | 'second' | 'milli' | 'micro' | 'date' | 'date-minute' | 'date-second' | 'offset';

/** How a locale writes the time of day. */
interface ClockForm {
  readonly separator: string;
  /** Words of morning and afternoon where hours go to 12; null where they go to 24. */
  readonly halves: readonly [morning: string, afternoon: string] | null;
  /** They stand before the digits, as in Chinese. */
  readonly first: boolean;
  /** Noon and midnight are hour 0, as in Japan's 12 hours. */
  readonly fromZero: boolean;
}
const PLAIN_CLOCK: ClockForm = { separator: ':', halves: null, first: false, fromZero: false };

const clockForms = new Map<string, ClockForm>();
function clockForm({ locale: chosen, hours }: Reader): ClockForm {
  if (hours === '24') return PLAIN_CLOCK;
  const locale = chosen ?? readerLocale() ?? 'en';
  const key = `${locale} ${hours}`;
  const known = clockForms.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', hour: 'numeric', minute: '2-digit', ...(hours === '12' ? { hour12: true } : {}) });
  const [morning, afternoon] = [9, 21].map((hour) => made.formatToParts(hour * 3_600_000)) as [Intl.DateTimeFormatPart[], Intl.DateTimeFormatPart[]];
  const half = (parts: readonly Intl.DateTimeFormatPart[]): string => parts.find(({ type }) => type === 'dayPeriod')?.value ?? '';
  const at = (name: Intl.DateTimeFormatPartTypes): number => morning.findIndex(({ type }) => type === name);
  const { hour12, hourCycle } = made.resolvedOptions();
  const form: ClockForm = {
    separator: morning[at('hour') + 1]?.value.trim().slice(0, 1) || ':', halves: hour12 ? [half(morning), half(afternoon)] : null,
    first: at('dayPeriod') >= 0 && at('dayPeriod') < at('hour'), fromZero: hourCycle === 'h11',
  };
  clockForms.set(key, form);
  return form;
}

/** An instant on a zone's wall clock, as the reader's clocks go: `14:20`, `14:20:05`, `14:20:05.123` or `2:20:05.123 PM`, `2019-11-06`, `2019-11-06 14:20`; `offset` is `UTC−05:00`. */
export function formatTime(zone: string, time: EpochMicros, style: TimeStyle, as: Reader = reader): string {
  if (style === 'offset') return offsetText(offsetAt(zone, time));
  if (style === 'date') return localDate(zone, time);
  const { separator, halves, first, fromZero } = clockForm(as);
  const { hour, minute, second } = wallClock(zone, time);
  const fraction = String(floorMod(time, SECOND)).padStart(6, '0');
  const shown = halves === null ? pad(hour) : String(hour % 12 === 0 && !fromZero ? 12 : hour % 12);
  const toMinute = `${shown}${separator}${pad(minute)}`;
  const toSecond = `${toMinute}${separator}${pad(second)}`;
  const whole = (digits: string): string => {
    if (halves === null) return digits;
    const half = halves[hour < 12 ? 0 : 1];
    return first ? `${half}${digits}` : `${digits}\u00a0${half}`;
  };
  switch (style) {
    case 'minute':
      return whole(toMinute);
    case 'second':
      return whole(toSecond);
    case 'milli':
      return whole(`${toSecond}.${fraction.slice(0, 3)}`);
    case 'micro':
      return whole(`${toSecond}.${fraction}`);
    case 'date-minute':
      return `${localDate(zone, time)} ${whole(toMinute)}`;
    case 'date-second':
      return `${localDate(zone, time)} ${whole(toSecond)}`;
  }
}

function offsetText(offset: bigint): string {
  const minutes = Number((offset < 0n ? -offset : offset) / (60n * SECOND));
  return `UTC${offset < 0n ? MINUS : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
