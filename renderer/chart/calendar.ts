/** The sessions around what a chart shows, read from the host, renewed before they run out and extended as the view goes back. Milliseconds. */
import type { SessionsRequest, SessionWindow } from '../../shared/channels.ts';
import type { Problem, Result } from '../../shared/result.ts';
import { fromMillis } from '../../shared/time.ts';
import { timeOfDay } from '../../shared/zone.ts';
import { dayStretches, stretchesOf, type TradingStretch, withUnknown } from './timeline.ts';

const DAY = 86_400_000;
/** Longer than any closure: a previous session is always among them. */
const BACK = 16 * DAY;
const AHEAD = 3 * DAY;
/** One request's most, and before any calendar begins. */
const MOST = 40 * 365 * DAY;

export interface Calendar {
  /** Oldest first, plain time where the calendar knows nothing; empty where it knows none at all or was never read. */
  stretches(daily?: boolean): readonly TradingStretch[];
  /** Whether what is known ends within a day of `clock`, or begins after `from`. Never for an index without a calendar. */
  lacks(clock: number, from?: number): boolean;
  /** Reads anew, around `clock` and back to `event`. Resolves with what went wrong, or null; what was known stays then. */
  renew(clock: number, event: number): Promise<Problem | null>;
  /** The next look reads anew: the clock jumped. */
  forget(): void;
}

export function createCalendar(mic: string | null, zone: string, read: (request: SessionsRequest) => Promise<Result<readonly SessionWindow[]>>): Calendar {
  let known: readonly TradingStretch[] = [];
  let days: readonly TradingStretch[] | null = null;
  let since = Number.POSITIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  const micros = (millis: number): string => String(Math.floor(millis) * 1000);
  const reach = (clock: number, from: number): number => Math.max(clock - MOST, Math.min(clock, from));
  return {
    stretches(daily = false) {
      if (!daily) return known;
      // Closed dates are no days of the axis; an exchange's day begins at its own midnight.
      days ??= dayStretches(known.filter(({ date }) => date.length === 10), (time) => time - Number(timeOfDay(zone, fromMillis(time))) / 1000);
      return days.length === 0 ? days : withUnknown(days, since, until, BACK);
    },
    lacks: (clock, from = clock) => mic !== null && (clock > until - DAY || reach(clock, from) < since),
    async renew(clock, event) {
      if (mic === null) return null;
      const from = reach(clock, event) - BACK;
      const answer = await read({ mic, fromMicros: micros(from), toMicros: micros(clock + AHEAD) });
      if (!answer.ok) return answer.error;
      days = null;
      since = from;
      until = clock + AHEAD;
      known = withUnknown(stretchesOf(answer.value), since, until, BACK);
      return null;
    },
    forget() {
      until = Number.NEGATIVE_INFINITY;
    },
  };
}
