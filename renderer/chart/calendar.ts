/** The sessions around the desk's present, read from the host and renewed before they run out. Milliseconds throughout. */
import type { SessionsRequest, SessionWindow } from '../../shared/channels.ts';
import type { Problem, Result } from '../../shared/result.ts';
import { stretchesOf, type TradingStretch } from './timeline.ts';

const DAY = 86_400_000;
/** Longer than any closure: a previous session is always among them. */
const BACK = 16 * DAY;
const AHEAD = 3 * DAY;

export interface Calendar {
  /** Oldest first; empty where the calendar knows none or was never read. */
  stretches(): readonly TradingStretch[];
  /** Whether what is known ends within a day of `clock`. Never for an index without a calendar. */
  ends(clock: number): boolean;
  /** Reads anew, around `clock` and back to `event`. Resolves with what went wrong, or null; what was known stays then. */
  renew(clock: number, event: number): Promise<Problem | null>;
  /** The next look reads anew: the clock jumped. */
  forget(): void;
}

export function createCalendar(mic: string | null, read: (request: SessionsRequest) => Promise<Result<readonly SessionWindow[]>>): Calendar {
  let stretches: readonly TradingStretch[] = [];
  let until = Number.NEGATIVE_INFINITY;
  const micros = (millis: number): string => String(Math.floor(millis) * 1000);
  return {
    stretches: () => stretches,
    ends: (clock) => mic !== null && clock > until - DAY,
    async renew(clock, event) {
      if (mic === null) return null;
      const answer = await read({ mic, fromMicros: micros(Math.min(clock, event) - BACK), toMicros: micros(clock + AHEAD) });
      if (!answer.ok) return answer.error;
      stretches = stretchesOf(answer.value);
      until = clock + AHEAD;
      return null;
    },
    forget() {
      until = Number.NEGATIVE_INFINITY;
    },
  };
}
