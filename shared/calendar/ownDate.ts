/** A date of an exchange as the user has it: closed, or open in these windows. It goes before what the calendar says of that date. */
import { dateOf, dayNumber } from '../zone.ts';

export interface OwnDate {
  /** Market identifier code of an exchange that the calendar knows. */
  readonly mic: string;
  /** `YYYY-MM-DD` by the exchange's own clock. */
  readonly date: string;
  /** Trading hours by the exchange's own clock, `HH:MM`, half-open, oldest first; a pause between two of them is a break. None: closed. */
  readonly windows: readonly { readonly open: string; readonly close: string }[];
  /** Why, in the user's words. */
  readonly note: string | null;
}

/** Limits of what a user may write. */
export const OWN_LIMITS = { dates: 2_000, windows: 4, note: 80, first: '1970-01-01', last: '2099-12-31' } as const;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** What is wrong with a date, or null: one that the calendar of days has, within the years that may be corrected. */
export function wrongDate(date: string): string | null {
  const { first, last } = OWN_LIMITS;
  if (!DATE.test(date)) return 'a date is YYYY-MM-DD';
  if (date < first || date > last) return `a date is from ${first} to ${last}`;
  try {
    return dateOf(dayNumber(date)) === date ? null : `${date} is no day of the calendar`;
  } catch {
    return `${date} is no day of the calendar`;
  }
}

/** What is wrong with trading hours, or null: real clock times (`24:00` ends a day), in order, apart from each other. */
export function wrongWindows(windows: OwnDate['windows']): string | null {
  if (windows.length > OWN_LIMITS.windows) return `a date has at most ${OWN_LIMITS.windows} trading windows`;
  for (const [at, { open, close }] of windows.entries()) {
    if (!CLOCK.test(open)) return 'an opening time is HH:MM, 00:00 to 23:59';
    if (!CLOCK.test(close) && close !== '24:00') return 'a closing time is HH:MM, to 24:00';
    if (open >= close) return `${open} to ${close} ends before it begins`;
    const before = windows[at - 1];
    if (before && open < before.close) return `${open} to ${close} begins before ${before.open} to ${before.close} ends`;
  }
  return null;
}

/** What is wrong with a note, or null. */
export function wrongNote(note: string | null): string | null {
  if (note === null) return null;
  if (note.length > OWN_LIMITS.note) return `a note has at most ${OWN_LIMITS.note} characters`;
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(note) ? 'a note is one line of text' : null;
}

/** What is wrong with the whole, or null. The exchange itself is the host's to know. */
export const wrongOwnDate = ({ date, windows, note }: OwnDate): string | null => wrongDate(date) ?? wrongWindows(windows) ?? wrongNote(note);

/** Whether two lists say the same, in the same order. */
export const sameOwnDates = (a: readonly OwnDate[], b: readonly OwnDate[]): boolean => JSON.stringify(a) === JSON.stringify(b);
