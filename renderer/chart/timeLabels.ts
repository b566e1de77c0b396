/**
 * Instants as text in the exchange's zone, as the reader writes times and dates: axis labels and the cursor's exact time. Instants are
 * milliseconds or exact microseconds.
 */
import { currentReader, formatTime, type Reader, readerLocale } from '../../shared/format.ts';
import { type EpochMicros, fromMillis } from '../../shared/time.ts';
import { localDate, offsetAt } from '../../shared/zone.ts';

const pad = (value: number | bigint, width = 2): string => String(value).padStart(width, '0');

/** `HH:mm`, or `HH:mm:ss` with seconds; `2:30 PM` where the reader's clocks go to 12. */
export const clockLabel = (zone: string, time: number, seconds = false): string => formatTime(zone, fromMillis(time), seconds ? 'second' : 'minute');

const FORMS = {
  weekday: { weekday: 'short' }, day: { day: 'numeric', month: 'short' }, month: { month: 'short' },
  date: { weekday: 'short', day: 'numeric', month: 'short' }, full: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  dayYear: { day: 'numeric', month: 'short', year: 'numeric' }, monthYear: { month: 'short', year: 'numeric' },
} as const;
type Form = keyof typeof FORMS;

interface Written {
  readonly format: Intl.DateTimeFormat;
  readonly labels: Map<string, string>;
}
/** By locale and form: a cursor on its way asks for the same few dates each frame. */
const written = new Map<string, Written>();
const MOST_LABELS = 2_000;

/** A date `YYYY-MM-DD` as the reader writes it. */
function label(form: Form, date: string): string {
  const locale = readerLocale();
  const key = `${form} ${locale ?? ''}`;
  let own = written.get(key);
  if (!own) written.set(key, (own = { format: new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...FORMS[form] }), labels: new Map() }));
  let text = own.labels.get(date);
  if (text === undefined) {
    if (own.labels.size >= MOST_LABELS) own.labels.clear();
    const [year = 1970, month = 1, day = 1] = date.split('-').map(Number);
    text = own.format.format(new Date(0).setUTCFullYear(year, month - 1, day));
    own.labels.set(date, text);
  }
  return text;
}

/** `Mon`. */
export const weekdayLabel = (zone: string, time: EpochMicros): string => label('weekday', localDate(zone, time));

/** `Mon, Nov 30`, as the page writes dates. */
export const dateLabel = (zone: string, time: EpochMicros): string => label('date', localDate(zone, time));

/** `Nov 30`. */
export const dayLabel = (zone: string, time: EpochMicros): string => label('day', localDate(zone, time));

/** `Nov 30, 2026`. */
export const dayYearLabel = (zone: string, time: EpochMicros): string => label('dayYear', localDate(zone, time));

/** `Nov`. */
export const monthLabel = (zone: string, time: EpochMicros): string => label('month', localDate(zone, time));

/** `Nov 2026`. */
export const monthYearLabel = (zone: string, time: EpochMicros): string => label('monthYear', localDate(zone, time));

/** `Mon, Nov 30, 2026`. */
export const fullDateLabel = (zone: string, time: EpochMicros): string => label('full', localDate(zone, time));

/** The same of a date `YYYY-MM-DD`. */
export const fullDate = (date: string): string => label('full', date);

export function dateParts(zone: string, time: EpochMicros): { readonly year: number; readonly month: number } {
  const [year = 1970, month = 1] = localDate(zone, time).split('-').map(Number);
  return { year, month };
}

let spaced: { readonly reader: Reader; readonly spacing: number } | null = null;

/** Least distance of two labels on a time axis: what the longest usual one takes, in pixels of the axis' text. */
export function labelSpacing(): number {
  const reader = currentReader();
  if (spaced?.reader !== reader) spaced = { reader, spacing: spacingOf() };
  return spaced.spacing;
}

function spacingOf(): number {
  const sample = 1_577_882_400_000_000n as EpochMicros; // a Wednesday, 12:40
  const longest = Math.max(...[`${weekdayLabel('UTC', sample)} ${formatTime('UTC', sample, 'minute')}`, dateLabel('UTC', sample)].map(widthOf));
  return Math.max(72, longest);
}

/** A letter of the Far East is two wide. */
const widthOf = (text: string): number => Array.from(text).reduce((width, letter) => width + (letter >= '\u2e80' ? 12 : 6), 6);

/** `Mon, Nov 30 11:12:06`. */
export const momentLabel = (zone: string, time: number): string => `${dateLabel(zone, fromMillis(time))} ${clockLabel(zone, time, true)}`;

/** `+01:00`, `−05:00`, `UTC` for none. */
export function offsetLabel(zone: string, time: EpochMicros): string {
  const minutes = Number(offsetAt(zone, time) / 60_000_000n);
  if (minutes === 0) return 'UTC';
  return `${minutes < 0 ? '−' : '+'}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
}

/** Exact wall time: milliseconds always, microseconds where the producer gave any: `11:12:06.612`, `11:12:06.612345`. */
export const exactClockLabel = (zone: string, time: EpochMicros): string => formatTime(zone, time, time % 1000n === 0n ? 'milli' : 'micro');

/** A length of time as people say it: `45 s`, `12 min`, `3 h 05 min`, `2 d 4 h`. Milliseconds. */
export function lengthLabel(length: number): string {
  const seconds = Math.floor(length / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes < 3 && seconds % 60 > 0 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${pad(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
