/** Open, high and low of the current session, from its ticks. */
import type { IndexInfo, Tick } from '../../shared/quote.ts';
import { compare, type Decimal } from '../../shared/decimal.ts';
import { phaseAt, tradingWindows } from '../../shared/sessions.ts';
import { DAY, type EpochMicros, micros, MINUTE } from '../../shared/time.ts';
import { atLocalFirst, localDate } from '../../shared/zone.ts';

const SETTLING = 30n * MINUTE; // official closes print after the close
const LONGEST_BREAK = 14n * DAY;

export interface SessionSpan {
  /** `YYYY-MM-DD`, or null where no session is known. */
  readonly date: string | null;
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  /** Desk instant at which another session may be the current one. */
  readonly checkAt: bigint;
}

export interface Day {
  readonly span: SessionSpan;
  checkAt: bigint;
  open: { readonly key: string; readonly price: Decimal } | null;
  high: Decimal | null;
  low: Decimal | null;
  /** Every tick of the session up to now was read; before that the figures are not shown. */
  whole: boolean;
}

/** The session that is current at `now`; the zone's calendar day for an index without a calendar. */
export function sessionSpan(info: IndexInfo, now: EpochMicros): SessionSpan {
  const { session, kind, changes } = phaseAt(info.mic, now, info.delayMs);
  if (info.mic === null || kind === 'unknown') {
    const date = localDate(info.zone, now);
    const from = atLocalFirst(info.zone, date, 0n);
    return { date, from, to: micros(from + DAY), checkAt: from + DAY };
  }
  const windows = session === null ? [] : tradingWindows(info.mic, micros(now - LONGEST_BREAK), micros(now + DAY)).filter((window) => window.date === session);
  const [first, last] = [windows[0], windows.at(-1)];
  const checkAt = changes ?? now + MINUTE;
  return first && last ? { date: session, from: first.open, to: micros(last.close + SETTLING), checkAt } : { date: session, from: now, to: now, checkAt };
}

export const createDay = (span: SessionSpan, whole: boolean): Day => ({ span, checkAt: span.checkAt, open: null, high: null, low: null, whole });

/** Adds a tick; the same one any number of times. */
export function addToDay(day: Day, tick: Tick): void {
  if (tick.time < day.span.from || tick.time >= day.span.to) return;
  if (day.open === null || tick.key >= day.open.key) day.open = { key: tick.key, price: tick.price };
  if (day.high === null || higher(tick.price, day.high)) day.high = tick.price;
  if (day.low === null || higher(day.low, tick.price)) day.low = tick.price;
}

/** Whether the loss or change of a tick can change the figures: then the session must be read again. */
export function dependsOn(day: Day, tick: Tick): boolean {
  return tick.time >= day.span.from && tick.time < day.span.to;
}

export const dayView = (day: Day): { open: string; high: string; low: string } | null =>
  day.whole && day.open !== null && day.high !== null && day.low !== null ? { open: day.open.price, high: day.high, low: day.low } : null;

/** Prices of one index mostly have the same shape, and then compare as text. */
function higher(a: Decimal, b: Decimal): boolean {
  if (a === b) return false;
  const alike = a.length === b.length && a.charCodeAt(0) !== MINUS && b.charCodeAt(0) !== MINUS && a.indexOf('.') === b.indexOf('.');
  return alike ? a > b : compare(a, b) > 0;
}
const MINUS = 45;
