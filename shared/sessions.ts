/** Where an exchange is in its day: trading windows over a span, and the phase at an instant with the reason it is closed. */
import { type Exchange, exchangeOf } from './calendar/exchange.ts';
import { dayAfter, type DayPlan, isWeekend, planOf, type Window } from './calendar/plan.ts';
import { DAY, type EpochMicros, MAX_MICROS, micros, MIN_MICROS } from './time.ts';
import { atLocalFirst, localDate } from './zone.ts';

export interface TradingWindow {
  /** Session date, `YYYY-MM-DD` in the exchange's zone. */
  readonly date: string;
  readonly open: EpochMicros;
  /** Not part of the window: [open, close). */
  readonly close: EpochMicros;
  /** `early close`, `late open`, `muhurat`, `halt 11:32-15:10`, ...; null on a regular day. */
  readonly note: string | null;
  /** First and last window of its date. */
  readonly first: boolean;
  readonly last: boolean;
  /** Dates of the user's that this window rests on: its own, and those before it that the user has as closed. Absent: none. */
  readonly own?: readonly string[];
  /** Between the window before and this one lie dates that the calendar does not know. Absent: none. */
  readonly unknownBefore?: true;
}

export interface Phase {
  readonly kind: 'open' | 'closed' | 'lunch' | 'pre-open' | 'auction' | 'unknown';
  /** Why it is not open: `night`, `weekend`, `holiday`, `lunch`, `between-sessions`, `early-close`, `late-open`, `pre-open`, `auction`; null while open or unknown. */
  readonly reason: string | null;
  /** The holiday's name, where the calendar has one. */
  readonly holiday: string | null;
  /** The phase's span, [start, end); a closed phase reaches from the last close to the next open. Null where the calendar doesn't know. */
  readonly start: EpochMicros | null;
  readonly end: EpochMicros | null;
  /** When kind or reason changes next (a night turns into a weekend inside one phase). */
  readonly changes: EpochMicros | null;
  /** Next start of trading after this instant; null where the calendar doesn't know it. */
  readonly nextOpen: EpochMicros | null;
  /** Latest end of a trading window at or before this instant. */
  readonly lastClose: EpochMicros | null;
  /** Latest session date whose first open is past: the current session, which lasts until the next one opens. Null where unknown. */
  readonly session: string | null;
  readonly certainty: 'firm' | 'rule' | 'unknown';
}

const MAX_SPAN = 40n * 366n * DAY;
const SEARCH_DAYS = 60; // no exchange in the calendar closes longer; New York's longest since 2000 is 7 days, Shanghai's 11

/** Days from the date of an instant on, in a direction, while the calendar covers them. */
function* days(exchange: Exchange, from: string, step: 1 | -1): Generator<DayPlan> {
  for (let count = 0, date = from; count < SEARCH_DAYS; count += 1, date = dayAfter(date, step)) {
    const plan = planOf(exchange, date);
    if (plan.kind === 'unknown') return;
    yield plan;
  }
}

/**
 * Trading windows that overlap [from, to], oldest first; none for an unknown exchange or outside its calendar.
 * Throws RangeError over 40 years, more than any calendar holds.
 */
export function tradingWindows(mic: string, from: EpochMicros, to: EpochMicros): TradingWindow[] {
  if (to - from > MAX_SPAN) throw new RangeError('a span of sessions is limited to 40 years');
  const exchange = exchangeOf(mic);
  const found: TradingWindow[] = [];
  if (!exchange || to < from) return found;
  const end = localDate(exchange.zone, to);
  const start = localDate(exchange.zone, from);
  let closed: readonly string[] = [];
  let gap = false;
  const [first, last] = knownDates(exchange);
  for (let date = start < first ? first : start; date <= end && date <= last; date = dayAfter(date)) {
    const { kind, windows, note, own } = planOf(exchange, date);
    if (kind === 'unknown') gap = found.length > 0;
    if (own && windows.length === 0) closed = [...closed, date];
    for (const [at, { open, close }] of windows.entries()) {
      const dates = own ? [...closed, date] : closed;
      const marks = { ...(dates.length > 0 ? { own: dates } : {}), ...(gap ? { unknownBefore: true as const } : {}) };
      if (open <= to && close > from) found.push({ date, open, close, note, first: at === 0, last: at === windows.length - 1, ...marks });
      closed = [];
      gap = false;
    }
  }
  return found;
}

/** First and last date of which anything is known; not all between them need be, where the user added one outside of the calendar. */
function knownDates({ from, to, own }: Exchange): readonly [first: string, last: string] {
  let [first, last] = [from, to];
  for (const date of own.keys()) {
    if (date < first) first = date;
    if (date > last) last = date;
  }
  return [first, last];
}

const midnightOf = (exchange: Exchange, date: string): EpochMicros => atLocalFirst(exchange.zone, date, 0n);

/** Latest close and next open around an instant; an unverified session on the way hides what lies beyond it. */
function neighbours(exchange: Exchange, date: string, time: EpochMicros): { lastClose: EpochMicros | null; nextOpen: EpochMicros | null; start: EpochMicros | null; end: EpochMicros | null } {
  let lastClose: EpochMicros | null = null;
  let start: EpochMicros | null = null;
  for (const plan of days(exchange, date, -1)) {
    if (plan.kind === 'unverified' && plan.date < date) {
      start = midnightOf(exchange, dayAfter(plan.date));
      break;
    }
    const window = plan.windows.findLast(({ close }) => close <= time);
    if (window) {
      lastClose = start = window.close;
      break;
    }
  }
  for (const plan of days(exchange, date, 1)) {
    if (plan.kind === 'unverified' && plan.date > date) return { lastClose, start, nextOpen: null, end: midnightOf(exchange, plan.date) };
    const window = plan.windows.find(({ open }) => open > time);
    if (window) return { lastClose, start, nextOpen: window.open, end: window.open };
  }
  return { lastClose, start, nextOpen: null, end: null };
}

/** Latest session date whose first open is at or before the instant. A session at unverified times counts once its date is over. */
function currentSession(exchange: Exchange, date: string, time: EpochMicros): string | null {
  for (const plan of days(exchange, date, -1)) {
    const opened = plan.windows[0];
    if (opened ? opened.open <= time : plan.kind === 'unverified' && plan.date < date) return plan.date;
  }
  return null;
}

const earliest = (time: EpochMicros, candidates: readonly (EpochMicros | null | undefined)[]): EpochMicros | null =>
  candidates.reduce<EpochMicros | null>((best, next) => (next != null && next > time && (best === null || next < best) ? next : best), null);

/** The stretch of a window around an instant between its auctions. */
function stretch(window: Window, auctions: readonly Window[], time: EpochMicros): Window & { readonly auction: boolean } {
  let { open, close } = window;
  for (const auction of auctions) {
    if (auction.open < window.open || auction.close > window.close) continue;
    if (time >= auction.open && time < auction.close) return { ...auction, auction: true };
    if (auction.close <= time && auction.close > open) open = auction.close;
    if (auction.open > time && auction.open < close) close = auction.open;
  }
  return { open, close, auction: false };
}

function closedReason(plan: DayPlan, time: EpochMicros): { kind: 'closed' | 'lunch' | 'pre-open'; reason: string } {
  const { kind, windows, regular, preOpen } = plan;
  const [first, last] = [windows[0], windows.at(-1)];
  if (first && last && time >= first.close && time < last.open) return plan.lunch ? { kind: 'lunch', reason: 'lunch' } : { kind: 'closed', reason: 'between-sessions' };
  if (preOpen !== null && first && time >= preOpen && time < first.open) return { kind: 'pre-open', reason: 'pre-open' };
  if (plan.holiday !== null) return { kind: 'closed', reason: 'holiday' };
  if (kind === 'weekend' || (kind === 'trading' && isWeekend(plan.date))) return { kind: 'closed', reason: 'weekend' };
  if (first && regular && time >= regular.open && time < first.open) return { kind: 'closed', reason: 'late-open' };
  if (last && regular && time >= last.close && time < regular.close) return { kind: 'closed', reason: 'early-close' };
  return { kind: 'closed', reason: 'night' };
}

const UNKNOWN: Phase = {
  kind: 'unknown', reason: null, holiday: null, start: null, end: null, changes: null, nextOpen: null, lastClose: null, session: null, certainty: 'unknown',
};

function computePhase(exchange: Exchange, time: EpochMicros): Phase {
  const date = localDate(exchange.zone, time);
  const plan = planOf(exchange, date);
  if (plan.kind === 'unknown') {
    const next = [exchange.from, ...exchange.own.keys()].filter((known) => known > date).toSorted()[0];
    return next === undefined ? UNKNOWN : { ...UNKNOWN, changes: midnightOf(exchange, next) };
  }
  const tomorrow = midnightOf(exchange, dayAfter(date));
  const around = neighbours(exchange, date, time);
  if (plan.kind === 'unverified') {
    return { ...UNKNOWN, ...around, holiday: plan.holiday, start: midnightOf(exchange, date), end: tomorrow, changes: tomorrow };
  }
  const { lastClose, nextOpen } = around;
  const known = { lastClose, nextOpen, session: currentSession(exchange, date, time), certainty: plan.certainty };
  const window = plan.windows.find(({ open, close }) => time >= open && time < close);
  if (window) {
    const { open, close, auction } = stretch(window, plan.auctions, time);
    return { ...known, kind: auction ? 'auction' : 'open', reason: auction ? 'auction' : null, holiday: null, start: open, end: close, changes: close };
  }
  const { kind, reason } = closedReason(plan, time);
  return {
    ...known, kind, reason,
    holiday: reason === 'holiday' ? plan.holiday : null,
    start: kind === 'pre-open' ? plan.preOpen : around.start,
    end: around.end,
    changes: earliest(time, [around.end, tomorrow, plan.preOpen, plan.regular?.open, plan.regular?.close]),
  };
}

const shift = (time: EpochMicros | null, by: bigint): EpochMicros | null => (time === null ? null : micros(time + by));
const clamp = (time: bigint): EpochMicros => (time < MIN_MICROS ? MIN_MICROS : time > MAX_MICROS ? MAX_MICROS : time) as EpochMicros;

/** The last phases asked for: a desk asks for the same one at every poll until it ends. */
const recent = new Map<string, { readonly exchange: Exchange; readonly from: EpochMicros; readonly phase: Phase }>();

/**
 * The phase of an exchange at an instant, every edge `delayMs` later, as a delayed feed shows it.
 * A null or unknown `mic`, and a date outside the calendar, is `unknown`, never closed.
 */
export function phaseAt(mic: string | null, time: EpochMicros, delayMs = 0): Phase {
  const exchange = exchangeOf(mic);
  if (!exchange) return UNKNOWN;
  const key = `${exchange.mic} ${delayMs}`;
  const known = recent.get(key);
  if (known?.exchange === exchange && time >= known.from && known.phase.changes !== null && time < known.phase.changes) return known.phase;
  const delay = BigInt(Math.round(delayMs * 1000));
  const there = computePhase(exchange, clamp(time - delay));
  const phase: Phase = delay === 0n ? there : {
    ...there, start: shift(there.start, delay), end: shift(there.end, delay), changes: shift(there.changes, delay),
    nextOpen: shift(there.nextOpen, delay), lastClose: shift(there.lastClose, delay),
  };
  if (recent.size > 1000) recent.clear();
  recent.set(key, { exchange, from: time, phase });
  return phase;
}

/** The session that is current at an instant: the latest whose first open is past. Null where the calendar doesn't know. */
export const sessionDateAt = (mic: string | null, time: EpochMicros, delayMs = 0): string | null => phaseAt(mic, time, delayMs).session;

/** The trading date before `date` (`YYYY-MM-DD`, itself trading or not); null outside the calendar. */
export function previousTradingDate(mic: string | null, date: string): string | null {
  const exchange = exchangeOf(mic);
  if (!exchange || planOf(exchange, date).kind === 'unknown') return null;
  for (const { kind, date: before } of days(exchange, dayAfter(date, -1), -1)) {
    if (kind === 'trading' || kind === 'unverified') return before;
  }
  return null;
}

export interface CalendarRange {
  /** Dates covered, both included. */
  readonly from: string;
  readonly to: string;
  /** Last date that is published or confirmed; later ones are projected by rule. */
  readonly firmTo: string;
  readonly firm: readonly (readonly [string, string])[];
  /** What is uncertain, in words. */
  readonly uncertain: string;
  readonly note: string | null;
}

/** What the calendar covers for an exchange, and how far it is to be trusted; null for an unknown one. */
export function calendarRange(mic: string | null): CalendarRange | null {
  const exchange = exchangeOf(mic);
  if (!exchange) return null;
  const { from, to, firm, uncertain, note } = exchange;
  return { from, to, firmTo: firm.at(-1)?.[1] ?? from, firm, uncertain, note };
}
