/** What a range button shows: which stretch of trading time, on which sessions, ending where. Milliseconds throughout. */
import { createTimeline, type Timeline, type TradingStretch } from './timeline.ts';

export type Range = '5m' | '1h' | '1D';
export const RANGE_NAMES = { '5m': '5 minutes', '1h': '1 hour', '1D': '1 day' } as const;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The right edge moves in steps, with air for the steps to come: between two of them axes and grid stay exactly the same. */
const RANGES = {
  '5m': { length: 5 * MINUTE, step: 30 * SECOND, air: 5 * SECOND },
  '1h': { length: 60 * MINUTE, step: MINUTE, air: 45 * SECOND },
  '1D': { length: DAY, step: 5 * MINUTE, air: 8 * MINUTE },
} as const;

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly timeline: Timeline;
  /** Whether trading goes on at `now`: false ends the span at the last event. */
  readonly open: boolean;
  /** First open of the current session date: what lies before is an earlier session. Null on a plain axis. */
  readonly sessionStart: number | null;
  /** The span stays the same until then by time alone; on a closed market a new event can move it too. */
  readonly until: number;
}

export interface SpanRequest {
  readonly range: Range;
  readonly now: number;
  /** Newest event known, or null. */
  readonly lastEvent: number | null;
  /** Sessions around now, oldest first; empty where the calendar knows none. */
  readonly stretches: readonly TradingStretch[];
  /** Oldest point at hand, once loaded: a previous session without any data is left out. */
  readonly firstEvent?: number | null;
}

/** The stretches of the dates that matter: all up to the last close of the session that is current at `now`. */
function upToCurrent(stretches: readonly TradingStretch[], now: number): { known: TradingStretch[]; dates: string[] } {
  const begun = stretches.filter(({ open }) => open <= now);
  const current = begun.at(-1)?.date;
  const known = stretches.filter(({ open, date }) => open <= now || date === current);
  return { known, dates: [...new Set(known.map(({ date }) => date))] };
}

/** The next step after `value`, never `value` itself: there is always air on the right. */
const stepUp = (value: number, step: number): number => (Math.floor(value / step) + 1) * step;

/**
 * 1D runs from the previous session's open to now; 5m and 1h are that much trading time up to now. With the market closed all end
 * at the last event (1D at the close). Without sessions the axis is plain time.
 */
export function spanOf({ range, now, lastEvent, stretches, firstEvent = null }: SpanRequest): Span {
  const { length, step, air } = RANGES[range];
  const { known, dates } = upToCurrent(stretches, now);
  const timeline = createTimeline(known);
  const trading = known.find((stretch) => stretch.open <= now && now < stretch.close);
  const open = trading !== undefined;

  if (known.length === 0) {
    const still = lastEvent !== null && now - lastEvent > length;
    const end = stepUp((still ? lastEvent : now) + air, step);
    return { from: end - length - step - air, to: end, timeline, open: !still, sessionStart: null, until: still ? Number.POSITIVE_INFINITY : end - air };
  }

  const currentDate = dates.at(-1);
  const sessionStart = known.find(({ date }) => date === currentDate)?.open ?? null;
  const total = timeline.toTrading(Number.MAX_SAFE_INTEGER);
  const anchor = open ? now : Math.min(lastEvent ?? now, now);
  const anchorTrading = timeline.toTrading(anchor);
  const endTrading = Math.min(total, stepUp(anchorTrading + air, step));
  const until = trading
    ? Math.min(trading.close, endTrading < total ? timeline.fromTrading(endTrading - air) : trading.close)
    : (stretches.find((stretch) => stretch.open > now)?.open ?? Number.POSITIVE_INFINITY);

  if (range === '1D') {
    const previousDate = dates.at(-2) ?? currentDate;
    const previous = known.find(({ date }) => date === previousDate)?.open ?? 0;
    // An old event on a closed market: show the sessions around it, not two empty ones.
    const old = !open && lastEvent !== null && lastEvent < previous;
    if (old) return { ...spanOf({ range, now: lastEvent, lastEvent: null, stretches, firstEvent }), open: false, until };
    const empty = firstEvent !== null && sessionStart !== null && firstEvent >= sessionStart;
    const to = open ? timeline.fromTrading(endTrading) : (known.findLast(({ open: begin }) => begin <= now)?.close ?? now);
    return { from: empty ? sessionStart : previous, to, timeline, open, sessionStart, until };
  }
  const startTrading = Math.max(0, endTrading - length - step - air);
  return { from: timeline.fromTrading(startTrading), to: endOf(timeline, endTrading), timeline, open, sessionStart, until };
}

/** `fromTrading` answers the next open where a close shares its trading time; the right edge belongs to the close. */
function endOf(timeline: Timeline, trading: number): number {
  const time = timeline.fromTrading(trading);
  const index = timeline.stretches.findIndex(({ open }) => open === time);
  return index > 0 ? (timeline.stretches[index - 1]?.close ?? time) : time;
}
