/** Which day bar holds an instant: by the effective-dated sessions of the index's exchange, else by its zone's date. */
import { type Exchange, exchangeOf } from './calendar/exchange.ts';
import { dayAfter, planOf } from './calendar/plan.ts';
import { DAY, type EpochMicros, MAX_MICROS, micros, MIN_MICROS, MINUTE } from './time.ts';
import { atLocalFirst, localDate } from './zone.ts';

/** A day holds its official close too, which prints after the last window; so long a print after the close is `settling` (state.ts). */
const SETTLING = 30n * MINUTE;
const LAST = '9999-12-31';

export interface SessionDay {
  /** `YYYY-MM-DD` in the exchange's zone. */
  readonly date: string;
  /** First instant of the date there, whatever the sessions: where its bar starts. */
  readonly start: EpochMicros;
  /** Its ticks: [from, to). Empty where the date has no session. */
  readonly from: EpochMicros;
  readonly to: EpochMicros;
}

export interface Market {
  readonly mic: string | null;
  readonly zone: string;
}

/** The calendar date at an instant where the index trades. */
export const marketDate = ({ mic, zone }: Market, time: EpochMicros): string => localDate(exchangeOf(mic)?.zone ?? zone, time);

const days = new Map<string, { readonly exchange: Exchange | null; readonly day: SessionDay }>();

/**
 * The day of a date. From the first open to half an hour after the last close, breaks between its windows included; the whole date for
 * an index without a calendar, outside the calendar's years, and where the session's times are not verified.
 */
export function sessionDay({ mic, zone }: Market, date: string): SessionDay {
  const key = `${mic ?? ''} ${zone} ${date}`;
  const exchange = exchangeOf(mic);
  const known = days.get(key);
  if (known && known.exchange === exchange) return known.day;
  if (days.size > 20_000) days.clear();
  const day = makeDay(exchange, zone, date);
  days.set(key, { exchange, day });
  return day;
}

function makeDay(exchange: Exchange | null, zone: string, date: string): SessionDay {
  const home = exchange?.zone ?? zone;
  const start = firstInstant(home, date);
  const plan = exchange && planOf(exchange, date);
  if (!plan || plan.kind === 'unknown' || plan.kind === 'unverified') return { date, start, from: start, to: firstInstant(home, dayAfter(date)) };
  const [first, last] = [plan.windows[0], plan.windows.at(-1)];
  return first && last ? { date, start, from: first.open, to: micros(last.close + SETTLING) } : { date, start, from: start, to: start };
}

/** Clipped to the years 0001..9999. */
function firstInstant(zone: string, date: string): EpochMicros {
  if (date.length > 10) return MAX_MICROS; // 10000-01-01
  try {
    return atLocalFirst(zone, date, 0n);
  } catch (error) {
    if (error instanceof RangeError && date === '0001-01-01') return MIN_MICROS;
    throw error;
  }
}

/** Zones reach into the years 0000 and 10000, whose days we do not make. */
const isKnown = (date: string): boolean => date.length === LAST.length && !date.startsWith('0000');
const EMPTY: SessionDay = { date: '', start: MIN_MICROS, from: MIN_MICROS, to: MIN_MICROS };

/** The day that holds an instant; null for one outside of every session: nights, holidays, before the open. */
export function sessionDayAt(market: Market, time: EpochMicros): SessionDay | null {
  const date = marketDate(market, time);
  if (!isKnown(date)) return null;
  // Where clocks go back over midnight, a date's first instant comes before the last of the date before it.
  for (const near of date === LAST ? [date] : [date, dayAfter(date)]) {
    const day = sessionDay(market, near);
    if (time >= day.from && time < day.to) return day;
  }
  return null;
}

/** Days whose ticks can lie in [from, to), oldest first; throws RangeError over 400 days. */
export function sessionDaysOver(market: Market, from: EpochMicros, to: EpochMicros): SessionDay[] {
  if (to - from > 400n * DAY) throw new RangeError('a span of session days is limited to 400');
  const found: SessionDay[] = [];
  const end = marketDate(market, to);
  const first = marketDate(market, from);
  for (let date = first.startsWith('0000') ? '0001-01-01' : first; ; date = dayAfter(date)) {
    const day = isKnown(date) ? sessionDay(market, date) : EMPTY;
    if (day.from < to && day.to > from) found.push(day);
    // One more: where clocks go back over midnight, the next date has begun already.
    if (date > end || date === LAST || date.length > LAST.length) return found;
  }
}
