/** What a chart shows: which stretch of trading time, on which sessions, ending where. Milliseconds throughout. */
import type { Range } from './settings.ts';
import { createTimeline, type Timeline, type TradingStretch } from './timeline.ts';

export type { Range } from './settings.ts';
/** A range that follows the present; the newest part of any length, which follows too; or a window that stands still. */
export type Reach =
  | Range
  | { readonly kind: 'tail'; /** Milliseconds of trading, or of whole days on a daily axis. */ readonly length: number; readonly daily: boolean }
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number };
export const RANGE_NAMES: Readonly<Record<Range, string>> = { '5m': '5 minutes', '1h': '1 hour', '1D': '1 day', '1W': '1 week', '1M': '1 month', '1Y': '1 year', All: 'all there is' };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;
/** Windows longer than this have one slot of equal width per day. */
export const DAILY_FROM = 120 * DAY;

interface Pace {
  readonly length: number;
  readonly step: number;
  readonly air: number;
}

/** The right edge moves in steps, with air for the steps to come: between two of them axes and grid stay exactly the same. */
const PACES: Readonly<Record<Range, Pace>> = {
  '5m': { length: 5 * MINUTE, step: 30 * SECOND, air: 5 * SECOND },
  '1h': { length: 60 * MINUTE, step: MINUTE, air: 45 * SECOND },
  '1D': { length: DAY, step: 5 * MINUTE, air: 8 * MINUTE },
  '1W': { length: 7 * DAY, step: 15 * MINUTE, air: 20 * MINUTE },
  '1M': { length: 31 * DAY, step: 60 * MINUTE, air: 60 * MINUTE },
  '1Y': { length: 366 * DAY, step: DAY, air: 0 },
  All: { length: 366 * DAY, step: DAY, air: 0 },
};
const TAIL_STEPS = 60;
/** Share of its length that a tail has free on its right, besides. */
export const TAIL_AIR = 0.5 / TAIL_STEPS;
const paceOf = (length: number): Pace => {
  const step = Math.max(SECOND, Math.round(length / TAIL_STEPS / SECOND) * SECOND);
  return { length: Math.max(SECOND, length - step), step, air: step / 2 };
};

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly timeline: Timeline;
  /** Whether trading goes on at `now`, on screen: then silence up to now is a gap. */
  readonly open: boolean;
  /** Whether a new event can move the span: a closed market's ends at its last. */
  readonly still: boolean;
  /** Whether the right edge follows the present. */
  readonly live: boolean;
  /** First open of the current session date: what lies before is an earlier session. Null where the axis makes no difference of them. */
  readonly sessionStart: number | null;
  /** The span stays the same until then by time alone. */
  readonly until: number;
}

export interface SpanRequest {
  readonly range: Reach;
  readonly now: number;
  /** Newest event known, or null. */
  readonly lastEvent: number | null;
  /** Sessions, or days on a daily axis, oldest first; empty where the calendar knows none. */
  readonly stretches: readonly TradingStretch[];
  /** Oldest point at hand, once loaded: a time before it without any data is left out. */
  readonly firstEvent?: number | null;
  /** False: closed time has its width too. */
  readonly collapse?: boolean;
}

/** Whether a window has a slot per day rather than per session. */
export function isDaily(range: Reach): boolean {
  if (typeof range === 'string') return range === '1Y' || range === 'All';
  return range.kind === 'tail' ? range.daily : range.to - range.from > DAILY_FROM;
}

/** The stretches of the dates that matter: all up to the last close of the session that is current at `now`. */
function upToCurrent(stretches: readonly TradingStretch[], now: number): { known: TradingStretch[]; dates: string[] } {
  const current = stretches.findLast(({ open }) => open <= now)?.date;
  const known = stretches.filter(({ open, date }) => open <= now || date === current);
  return { known, dates: [...new Set(known.map(({ date }) => date))] };
}

/** The next step after `value`, never `value` itself: there is always air on the right. */
const stepUp = (value: number, step: number): number => (Math.floor(value / step) + 1) * step;

/** `date` a month or a year before. */
function dateBack(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(day, last))).toISOString().slice(0, 10);
}

/** First date that a range of dates shows, of those up to the current one. */
function firstDate(range: Range, dates: readonly string[]): string | undefined {
  const current = dates.at(-1);
  if (current === undefined || range === 'All') return dates[0];
  if (range === '1D') return dates.at(-2) ?? current;
  if (range === '1W') return dates.at(-5) ?? dates[0];
  const back = dateBack(current, range === '1M' ? 1 : 12);
  return dates.find((date) => date > back) ?? current;
}

/**
 * 1D runs from the previous session's open to now, longer ranges over as many dates; 5m and 1h are that much trading time up to now. With
 * the market closed they end at the last event (ranges of dates at the close, or at what was printed after it). Without sessions the axis is plain time.
 */
export function spanOf(request: SpanRequest): Span {
  const { range, now, lastEvent, stretches, firstEvent = null, collapse = true } = request;
  if (typeof range !== 'string' && range.kind === 'fixed') return fixedSpan(range, now, stretches, collapse);
  const { length, step, air } = typeof range === 'string' ? PACES[range] : paceOf(range.length);
  const { known, dates } = upToCurrent(stretches, now);
  if (known.length === 0) {
    const still = lastEvent !== null && now - lastEvent > length && range !== 'All';
    const end = stepUp((still ? lastEvent : now) + air, step);
    const from = range === 'All' && firstEvent !== null ? firstEvent : end - length - step - air;
    return { from, to: end, timeline: createTimeline([], true), open: !still && !isDaily(range), still, live: true, sessionStart: null, until: still ? Number.POSITIVE_INFINITY : end - air };
  }
  const timeline = createTimeline(known, collapse, isDaily(range));
  const trading = known.find((stretch) => stretch.open <= now && now < stretch.close);
  const open = trading !== undefined;
  const following = { timeline, live: true } as const;
  const currentDate = dates.at(-1);
  const sessionStart = known.find(({ date }) => date === currentDate)?.open ?? null;
  const lastClose = known.findLast(({ open: begin }) => begin <= now)?.close ?? now;
  // What settles after a close is the newest price, and so in view: on a collapsed axis it stands at the close.
  const settled = (close: number): number => (open ? close : Math.max(close, Math.min(lastEvent ?? close, now)));

  if (isDaily(range)) {
    const begin = typeof range === 'string'
      ? (known.find(({ date }) => date === firstDate(range, dates))?.open ?? now)
      : timeline.fromTrading(Math.max(0, timeline.toTrading(lastClose) - range.length));
    const until = stretches.find((stretch) => stretch.open > now)?.open ?? Number.POSITIVE_INFINITY;
    return { ...following, from: Math.min(fromFirst(known, begin, firstEvent), lastClose - DAY), to: settled(lastClose), open: false, still: !open, sessionStart: null, until };
  }

  const total = collapse ? timeline.toTrading(Number.MAX_SAFE_INTEGER) : known.at(-1)?.close ?? now;
  const anchor = open ? now : Math.min(lastEvent ?? now, now);
  const endTrading = Math.min(total, stepUp(timeline.toTrading(anchor) + air, step));
  const until = trading
    ? Math.min(trading.close, endTrading < total ? timeline.fromTrading(endTrading - air) : trading.close)
    : (stretches.find((stretch) => stretch.open > now)?.open ?? Number.POSITIVE_INFINITY);

  if (range === '1D' || range === '1W' || range === '1M') {
    const first = known.find(({ date }) => date === firstDate(range, dates))?.open ?? 0;
    // An old event on a closed market: show the sessions around it, not empty ones.
    const old = !open && lastEvent !== null && lastEvent < first;
    if (old) return { ...spanOf({ ...request, now: lastEvent, lastEvent: null }), open: false, still: true, until };
    const empty = firstEvent !== null && sessionStart !== null && firstEvent >= sessionStart;
    const from = empty ? sessionStart : range === '1D' ? first : fromFirst(known, first, firstEvent);
    return { ...following, from, to: open ? timeline.fromTrading(endTrading) : settled(lastClose), open, still: !open, sessionStart: range === '1D' ? sessionStart : null, until };
  }
  const startTrading = Math.max(collapse ? 0 : Number.NEGATIVE_INFINITY, endTrading - length - step - air);
  return { ...following, from: timeline.fromTrading(startTrading), to: settled(collapse ? endOf(timeline, endTrading) : endTrading), open, still: !open, sessionStart, until };
}

/** `begin`, or the stretch of the first event where that is later. */
const fromFirst = (known: readonly TradingStretch[], begin: number, firstEvent: number | null): number =>
  firstEvent === null ? begin : Math.max(begin, known.find(({ close }) => close > firstEvent)?.open ?? begin);

function fixedSpan({ from, to }: { readonly from: number; readonly to: number }, now: number, stretches: readonly TradingStretch[], collapse: boolean): Span {
  const timeline = createTimeline(stretches, collapse, to - from > DAILY_FROM);
  const trading = stretches.some((stretch) => stretch.open <= now && now < stretch.close);
  return { from, to, timeline, open: trading && now >= from && now <= to && to - from <= DAILY_FROM, still: false, live: false, sessionStart: null, until: Number.POSITIVE_INFINITY };
}

/** `fromTrading` answers the next open where a close shares its trading time; the right edge belongs to the close. */
function endOf(timeline: Timeline, trading: number): number {
  const time = timeline.fromTrading(trading);
  const index = timeline.stretches.findIndex(({ open }) => open === time);
  return index > 0 ? (timeline.stretches[index - 1]?.close ?? time) : time;
}
