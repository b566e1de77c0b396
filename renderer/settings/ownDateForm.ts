/** The form of one date of the user's: what was typed to what the host is asked, and back to words. Pure. */
import { type OwnDate, wrongOwnDate } from '../../shared/calendar/ownDate.ts';
import type { CalendarView, IndexView } from '../../shared/channels.ts';

export interface TypedDate {
  /** A market identifier code, or the id of an index that trades there. */
  readonly exchange: string;
  readonly date: string;
  readonly closed: boolean;
  /** `09:30-13:00`, several parted by spaces or commas. */
  readonly hours: string;
  readonly note: string;
}

export type ReadDate = { readonly own: OwnDate } | { readonly wrong: string; readonly field: 'exchange' | 'date' | 'hours' | 'note' };

/** The exchange that is meant; null where there is none such. */
export function exchangeMeant(text: string, exchanges: CalendarView['exchanges'], indices: readonly Pick<IndexView, 'id' | 'mic'>[]): CalendarView['exchanges'][number] | null {
  const name = text.trim().toUpperCase();
  const mic = exchanges.some((known) => known.mic === name) ? name : indices.find(({ id }) => id === name)?.mic;
  return exchanges.find((known) => known.mic === mic) ?? null;
}

const WINDOW = /^(\d{1,2}:\d{2})(?:-|–|−)(\d{1,2}:\d{2})$/;
const MOST_TYPED = 100;

/** Null where a part is no `HH:MM-HH:MM`. */
export function readHours(text: string): OwnDate['windows'] | null {
  if (text.length > MOST_TYPED) return null;
  const parts = text.replaceAll(/\s*(?:-|–|−)\s*/g, '-').split(/[\s,;]+/).filter((part) => part !== '');
  const windows = parts.map((part) => WINDOW.exec(part));
  return windows.every((found) => found !== null) ? windows.map(([, open = '', close = '']) => ({ open: open.padStart(5, '0'), close: close.padStart(5, '0') })) : null;
}

/** Checked as the host will: what it would refuse is said before it is asked. */
export function readTyped(typed: TypedDate, exchanges: CalendarView['exchanges'], indices: readonly Pick<IndexView, 'id' | 'mic'>[]): ReadDate {
  const exchange = exchangeMeant(typed.exchange, exchanges, indices);
  if (!exchange) return { wrong: 'Name an exchange by its code, such as XNYS, or an index of the list that trades on one.', field: 'exchange' };
  const windows = typed.closed ? [] : readHours(typed.hours);
  if (windows === null || (!typed.closed && windows.length === 0)) return { wrong: 'Write the hours as 09:30-13:00; with a break as 09:00-11:30 12:30-15:30.', field: 'hours' };
  const note = typed.note.trim();
  const own: OwnDate = { mic: exchange.mic, date: typed.date, windows, note: note === '' ? null : note };
  const of = (part: Partial<OwnDate>): string | null => wrongOwnDate({ mic: own.mic, date: '2000-01-01', windows: [], note: null, ...part });
  const wrong = { date: of({ date: own.date }), hours: of({ windows }), note: of({ note: own.note }) };
  for (const field of ['date', 'hours', 'note'] as const) {
    const why = wrong[field];
    if (why !== null) return { wrong: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`, field };
  }
  return { own };
}

/** `closed`, or `09:00–11:30, 12:30–15:30`. */
export const hoursWords = (windows: OwnDate['windows']): string => (windows.length === 0 ? 'closed' : windows.map(({ open, close }) => `${open}–${close}`).join(', '));
