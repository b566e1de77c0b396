/** The base of a change (the last official close before the current session) and the change from it, exactly. */
import { exchangeOf } from './calendar/exchange.ts';
import { isWeekend, dayAfter } from './calendar/plan.ts';
import type { Base } from './channels.ts';
import { type Decimal, parseDecimal, percentChange, subtract } from './decimal.ts';
import type { Bar } from './quote.ts';
import { previousTradingDate, sessionDateAt } from './sessions.ts';
import type { EpochMicros } from './time.ts';
import { localDate } from './zone.ts';

export interface BaseInput {
  readonly mic: string | null;
  /** Zone of an index without a calendar entry; `UTC` when absent. */
  readonly zone?: string;
  /** Desk clock less known skew. */
  readonly now: EpochMicros;
  readonly delayMs: number;
  readonly clock: 'wall' | 'test' | 'replay';
  /** Newest first; bars without a session date are ignored. */
  readonly dailyBars: readonly Bar[];
}

export interface ChosenBase {
  readonly base: Base | null;
  /** Why there is none, with the date of what there is: `no official close since 2026-11-27`. */
  readonly note: string | null;
}

type Dated = Bar & { readonly sessionDate: string };

/**
 * The base right now: the official close of the trading day before the current session, which lasts until the next open.
 * An older close is never a silent stand-in. On the replay clock alone, the previous session's last bar may be.
 */
export function chooseBase(input: BaseInput): ChosenBase {
  const session = sessionDateAt(input.mic, input.now, input.delayMs);
  const today = session ?? localDate(exchangeOf(input.mic)?.zone ?? input.zone ?? 'UTC', input.now);
  const before = input.dailyBars.filter((bar): bar is Dated => bar.sessionDate !== null && bar.sessionDate < today);
  const oldest = session === null ? previousWeekday(today) : previousTradingDate(input.mic, session);
  const official = newest(before.filter((bar) => bar.officialClose !== null));
  if (official && official.officialClose !== null && oldest !== null && official.sessionDate >= oldest) {
    return { base: { price: official.officialClose, date: official.sessionDate, kind: 'official' }, note: null };
  }
  const last = input.clock === 'replay' ? newest(before) : undefined;
  if (last && oldest !== null && last.sessionDate >= oldest) return { base: { price: last.close, date: last.sessionDate, kind: 'last-bar' }, note: null };
  if (official) return { base: null, note: `no official close since ${official.sessionDate}` };
  return { base: null, note: input.clock === 'replay' ? 'no close' : 'no official close' };
}

const newest = (bars: readonly Dated[]): Dated | undefined =>
  bars.reduce<Dated | undefined>((best, bar) => (best === undefined || bar.sessionDate > best.sessionDate ? bar : best), undefined);

/** Where no calendar tells the previous trading day, no weekday may lie between it and today. */
function previousWeekday(date: string): string {
  let before = dayAfter(date, -1);
  while (isWeekend(before)) before = dayAfter(before, -1);
  return before;
}

export interface Change {
  readonly change: Decimal;
  /** Four places; null for a base of zero. */
  readonly changePercent: Decimal | null;
}

/** Exact change of a price from a base; null without a base or where either is not a decimal. */
export function changeFrom(price: string | null, base: Pick<Base, 'price'> | null): Change | null {
  const [to, from] = [parseDecimal(price ?? ''), parseDecimal(base?.price ?? '')];
  if (to === undefined || from === undefined) return null;
  return { change: subtract(to, from), changePercent: percentChange(from, to) ?? null };
}
