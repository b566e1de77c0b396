/** What one exchange does on one date: its trading windows as instants, after holidays, special days and clock changes. */
import { type EpochMicros, MINUTE } from '../time.ts';
import { atLocalFirst, dateOf, dayNumber } from '../zone.ts';
import { type Exchange, minutesOf, type Span, type Special } from './exchange.ts';
import type { OwnDate } from './ownDate.ts';

export interface Window {
  readonly open: EpochMicros;
  readonly close: EpochMicros;
}

export interface DayPlan {
  readonly date: string;
  /** `unverified`: a session takes place at times the calendar does not know; `unknown`: the date is outside the calendar. */
  readonly kind: 'trading' | 'weekend' | 'holiday' | 'unverified' | 'unknown';
  /** Trading windows, oldest first; empty unless `trading`. */
  readonly windows: readonly Window[];
  /** The regular hours that the windows depart from: first open and last close; null on weekends and holidays. */
  readonly regular: Window | null;
  /** Scheduled auctions inside the windows. */
  readonly auctions: readonly Window[];
  /** Start of the pre-open phase before the first window. */
  readonly preOpen: EpochMicros | null;
  readonly lunch: boolean;
  /** Name of the holiday, where there is one. */
  readonly holiday: string | null;
  /** `early close`, `late open`, `muhurat`, ...; null on a regular day. */
  readonly note: string | null;
  readonly certainty: 'firm' | 'rule' | 'unknown';
  /** The date is as the user has it. */
  readonly own: boolean;
}

const REPLACING: ReadonlySet<Special['kind']> = new Set(['shifted', 'special_session', 'muhurat']);

/** Saturday or Sunday. */
export function isWeekend(date: string): boolean {
  const weekday = (dayNumber(date) + 4n) % 7n; // 1970-01-01 was a Thursday; covered dates are later
  return weekday === 0n || weekday === 6n;
}

export const dayAfter = (date: string, days = 1): string => dateOf(dayNumber(date) + BigInt(days));

function lastSince<T extends { readonly from: string }>(entries: readonly T[], date: string): T | undefined {
  return entries.findLast((entry) => entry.from <= date);
}

const clipEnd = (spans: readonly Span[], end: number): Span[] =>
  spans.filter((span) => span.open < end).map((span) => ({ open: span.open, close: Math.min(span.close, end) }));
const clipStart = (spans: readonly Span[], start: number): Span[] =>
  spans.filter((span) => span.close > start).map((span) => ({ open: Math.max(span.open, start), close: span.close }));

const clockText = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

function noteOf(specials: readonly Special[]): string | null {
  const notes = specials.map(({ kind, span }) =>
    (kind === 'halt' || kind === 'outage') && span ? `${kind} ${clockText(span.open)}-${clockText(span.close)}` : kind.replace('_', ' '));
  return notes.length === 0 ? null : [...new Set(notes)].join(', ');
}

const ownNote = ({ note }: OwnDate): string => (note === null ? 'your date' : `your date: ${note}`);

type Hours = { readonly kind: 'weekend' | 'holiday' | 'unverified' } | { readonly kind: 'trading'; readonly spans: readonly Span[]; readonly replaced: boolean };

function hoursOf(exchange: Exchange, date: string, regular: readonly Span[], specials: readonly Special[]): Hours {
  const own = exchange.own.get(date);
  if (own) return own.windows.length === 0 ? { kind: 'holiday' } : { kind: 'trading', spans: own.windows.map(({ open, close }) => ({ open: minutesOf(open), close: minutesOf(close) })), replaced: false };
  const replacing = specials.filter(({ kind }) => REPLACING.has(kind));
  if (replacing.length > 0) {
    const spans = replacing.flatMap(({ span }) => (span ? [span] : []));
    return spans.length < replacing.length ? { kind: 'unverified' } : { kind: 'trading', spans: spans.sort((a, b) => a.open - b.open), replaced: true };
  }
  if (isWeekend(date) && !exchange.weekend.has(date)) return { kind: 'weekend' };
  if (exchange.holidays.has(date)) return { kind: 'holiday' };
  let spans: readonly Span[] = regular;
  for (const { kind, span } of specials) {
    if (span && kind === 'early_close') spans = clipEnd(spans, span.close);
    if (span && kind === 'late_open') spans = clipStart(spans, span.open);
  }
  return { kind: 'trading', spans, replaced: false };
}

function makePlan(exchange: Exchange, date: string): DayPlan {
  const own = exchange.own.get(date);
  const none = { date, windows: [], regular: null, auctions: [], preOpen: null, lunch: false, holiday: null, note: null, own: own !== undefined };
  if (!own && (date < exchange.from || date > exchange.to)) return { ...none, kind: 'unknown', certainty: 'unknown' };
  const at = (minute: number): EpochMicros => atLocalFirst(exchange.zone, date, BigInt(minute) * MINUTE);
  const instants = ({ open, close }: Span): Window => ({ open: at(open), close: at(close) });
  const specials = own ? [] : (exchange.specials.get(date) ?? []);
  const holiday = own ? (own.windows.length === 0 ? (own.note ?? '') : null) : (exchange.holidays.get(date) ?? null);
  const regular = lastSince(exchange.regular, date)?.spans ?? [];
  const hours = hoursOf(exchange, date, regular, specials);
  const certainty = own !== undefined || exchange.firm.some(([from, to]) => date >= from && date <= to) ? 'firm' : 'rule';
  const day = { ...none, holiday, note: own ? ownNote(own) : noteOf(specials) };
  if (hours.kind !== 'trading') return { ...day, kind: hours.kind, certainty: hours.kind === 'unverified' ? 'unknown' : certainty };
  const { spans } = hours;
  const [first, last, regularFirst, regularLast] = [spans[0], spans.at(-1), regular[0], regular.at(-1)];
  const isRegularDate = !isWeekend(date) && holiday === null;
  const auction = lastSince(exchange.auctions, date);
  const auctions: Span[] = [];
  if (auction && last) {
    auctions.push('open' in auction ? { open: minutesOf(auction.open), close: minutesOf(auction.close) } : { open: last.close - auction.minutes, close: last.close });
  }
  const preOpen = lastSince(exchange.preOpen, date);
  return {
    ...day,
    kind: 'trading',
    certainty,
    windows: spans.map(instants),
    regular: isRegularDate && regularFirst && regularLast ? instants({ open: regularFirst.open, close: regularLast.close }) : null,
    auctions: auctions.filter(({ open, close }) => spans.some((span) => open >= span.open && close <= span.close)).map(instants),
    preOpen: preOpen && first ? at(first.open - preOpen.minutes) : null,
    lunch: exchange.lunch && !hours.replaced,
  };
}

const MOST_PLANS = 20_000;
let plans = new WeakMap<Exchange, Map<string, DayPlan>>();
let kept = 0;

/** The plan of a date (`YYYY-MM-DD`, the exchange's own). Kept, since the feed asks for the same few days all day. */
export function planOf(exchange: Exchange, date: string): DayPlan {
  let own = plans.get(exchange);
  const known = own?.get(date);
  if (known) return known;
  if (kept >= MOST_PLANS) {
    plans = new WeakMap();
    kept = 0;
    own = undefined;
  }
  if (!own) plans.set(exchange, (own = new Map()));
  const plan = makePlan(exchange, date);
  own.set(date, plan);
  kept += 1;
  return plan;
}
