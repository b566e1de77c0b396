/**
 * Trading time: the axis on which nights, weekends, holidays and lunch breaks take no width. Maps an instant to the
 * milliseconds of trading that came before it, and back. Instants are milliseconds since 1970 UTC (doubles, for pixels).
 */
import type { SessionWindow } from '../../shared/channels.ts';

/** One stretch of continuous trading, [open, close). */
export interface TradingStretch {
  readonly open: number;
  readonly close: number;
  /** Session date `YYYY-MM-DD`; a lunch break splits a date into two stretches. */
  readonly date: string;
  /** `half day`, `late open`, ...; null for a regular stretch. */
  readonly note: string | null;
  /** By rule, outside of what is published or confirmed. */
  readonly projected?: boolean;
  /** Dates of the user's that it rests on: its own, and closed ones before it. */
  readonly own?: readonly string[];
}

export interface Timeline {
  /** Oldest first; empty on a plain time axis. */
  readonly stretches: readonly TradingStretch[];
  /** False where closed time has its width. */
  readonly collapsed: boolean;
  /** Each stretch is a whole day: the line runs on from one to the next. */
  readonly daily: boolean;
  /** Trading milliseconds at an instant: never falls, stands still while the market is closed. */
  toTrading(time: number): number;
  /** The instant of a trading time; where two share it (a close and the next open) the open. */
  fromTrading(trading: number): number;
  /** Index of the stretch that an instant belongs to; prints outside every stretch go to the nearest. -1 on a plain axis. */
  stretchOf(time: number): number;
}

/** In place of a date: a stretch between known dates of which the calendar knows nothing. */
export const UNKNOWN = 'unknown';

/** Wire windows to stretches: sorted, and cut where they overlap, so that the axis can never run backwards. */
export function stretchesOf(windows: readonly SessionWindow[]): TradingStretch[] {
  const sorted = windows
    .map(({ openMicros, closeMicros, date, note, projected = false, own, unknownBefore = false }) => ({
      open: Number(openMicros) / 1000, close: Number(closeMicros) / 1000, date, note, unknownBefore, ...(projected ? { projected } : {}), ...(own ? { own } : {}),
    }))
    .filter(({ open, close }) => Number.isFinite(open) && close > open)
    .sort((a, b) => a.open - b.open);
  const stretches: TradingStretch[] = [];
  for (const { unknownBefore, ...stretch } of sorted) {
    const previous = stretches.at(-1);
    const open = previous ? Math.max(previous.close, stretch.open) : stretch.open;
    // What the calendar does not know is no closed market: it has its width.
    if (unknownBefore && previous && open > previous.close) stretches.push({ open: previous.close, close: open, date: UNKNOWN, note: null });
    if (stretch.close > open) stretches.push({ ...stretch, open });
  }
  return stretches;
}

/** An index without a calendar: every instant has its width. */
export const PLAIN_TIMELINE: Timeline = { stretches: [], collapsed: false, daily: false, toTrading: (time) => time, fromTrading: (trading) => trading, stretchOf: () => -1 };

/**
 * The axis over `stretches` (sorted, not overlapping). Before the first open and after the last close it stands still. Without `collapse`
 * closed time has its width too.
 */
export function createTimeline(stretches: readonly TradingStretch[], collapse = true, daily = false): Timeline {
  if (stretches.length === 0) return PLAIN_TIMELINE;
  const before: number[] = []; // trading time at each open
  let total = 0;
  for (const { open, close } of stretches) {
    before.push(total);
    total += close - open;
  }
  let latest = 0; // points come in time order: the stretch found last is nearly always right again

  /** Last stretch whose open is at or before `time`, 0 before the first. */
  const opened = (time: number): number => {
    const here = stretches[latest];
    const next = stretches[latest + 1];
    if (here && here.open <= time && (!next || time < next.open)) return latest;
    let low = 0;
    let high = stretches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((stretches[middle]?.open ?? 0) <= time) low = middle;
      else high = middle - 1;
    }
    latest = low;
    return low;
  };

  const stretchOf = (time: number): number => {
    const index = opened(time);
    const stretch = stretches[index];
    const next = stretches[index + 1];
    // A print between two stretches: after a close it settles the old one, shortly before an open it belongs to the new one.
    return stretch && next && time > stretch.close && next.open - time < time - stretch.close ? index + 1 : index;
  };
  if (!collapse) return { ...PLAIN_TIMELINE, stretches, stretchOf, daily };

  return {
    stretches,
    stretchOf,
    collapsed: true,
    daily,
    toTrading(time) {
      const index = opened(time);
      const stretch = stretches[index];
      if (!stretch) return 0;
      return (before[index] ?? 0) + Math.max(0, Math.min(time, stretch.close) - stretch.open);
    },
    fromTrading(trading) {
      let index = 0;
      for (let high = stretches.length - 1; index < high;) {
        const middle = (index + high + 1) >> 1;
        if ((before[middle] ?? 0) <= trading) index = middle;
        else high = middle - 1;
      }
      const stretch = stretches[index];
      if (!stretch) return trading;
      return Math.min(stretch.close, stretch.open + Math.max(0, trading - (before[index] ?? 0)));
    },
  };
}

/** One stretch per session date, its whole day by the exchange's clock: the axis of long ranges, where a day is a slot. */
export function dayStretches(stretches: readonly TradingStretch[], midnightBefore: (time: number) => number): TradingStretch[] {
  const days: TradingStretch[] = [];
  for (const { open, date, note, projected = false, own } of stretches) {
    const previous = days.at(-1);
    if (previous?.date === date) continue;
    const start = Math.max(previous?.close ?? Number.NEGATIVE_INFINITY, midnightBefore(open));
    days.push({ open: start, close: start + DAY, date, note, ...(projected ? { projected } : {}), ...(own ? { own } : {}) });
  }
  return days;
}
const DAY = 86_400_000;

/**
 * Stretches with plain time in place of what the calendar does not know: from `from` on, where it begins later, and up to `to`, where it ends
 * before. `slack`: so long a closure is no end of it.
 */
export function withUnknown(stretches: readonly TradingStretch[], from: number, to: number, slack: number): TradingStretch[] {
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (!first || !last) return [];
  const all = [...stretches];
  if (first.open - from > slack) all.unshift({ open: from, close: first.open, date: '', note: null });
  if (to - last.close > slack) all.push({ open: last.close, close: to, date: 'after', note: null });
  return all;
}
