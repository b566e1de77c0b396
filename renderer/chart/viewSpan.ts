/** Which stretch of time a chart shows: the same object until time, a new event, the calendar or a move asks for another. Milliseconds. */
import { baseAt, firstVisible } from './cursor.ts';
import type { Points } from './points.ts';
import { isDaily, type Reach, type Span, spanOf } from './span.ts';
import type { TradingStretch } from './timeline.ts';

/** A tick stamped further ahead of the desk clock is not shown, microseconds. */
const FUTURE = 5_000_000;

interface ViewSpanContext {
  readonly points: Points;
  readonly collapse: () => boolean;
  readonly stretches: (daily: boolean) => readonly TradingStretch[];
  /** Data is at hand from here on; null: nothing is loaded. */
  readonly from: () => number | null;
  /** Desk time at the last look. */
  readonly latest: () => number;
}

export interface ViewSpan {
  readonly reach: () => Reach;
  /** As it was worked out last; null where it must be anew. */
  readonly held: () => Span | null;
  readonly at: (clock: number) => Span;
  readonly move: (to: Reach) => void;
  readonly forget: () => void;
  /** Points up to here are shown, microseconds. */
  readonly limit: (clock: number) => number;
  /** Newest event at or before the clock. */
  readonly lastEvent: (clock: number) => number | null;
  /** `baseAt` where the view begins, or at `rebase`. */
  readonly percentBase: (rebase: number | null) => number | null;
}

export function createViewSpan(first: Reach, context: ViewSpanContext): ViewSpan {
  const { points } = context;
  let reach = first;
  let span: Span | null = null;
  let event: number | null = null;

  const limit = (clock: number): number => clock * 1000 + FUTURE;

  function lastEvent(clock: number): number | null {
    const bound = limit(clock);
    for (let i = points.length - 1; i >= 0; i--) {
      const time = points.times[i] ?? 0;
      if (time <= bound) return time / 1000;
    }
    return null;
  }

  return {
    limit, lastEvent,
    reach: () => reach,
    held: () => span,
    at(clock) {
      const newest = lastEvent(clock);
      if (span !== null && clock < span.until && clock >= context.latest() && (!span.still || newest === event)) return span;
      const from = context.from();
      const oldest = from === null ? undefined : points.times[firstVisible(points, from)];
      const next = spanOf({
        range: reach, now: clock, lastEvent: newest, stretches: context.stretches(isDaily(reach)), firstEvent: oldest === undefined ? null : oldest / 1000, collapse: context.collapse(),
      });
      event = newest;
      if (span === null || !sameSpan(span, next)) span = next;
      return span;
    },
    move(to) {
      reach = to;
      span = null;
    },
    forget() {
      span = null;
    },
    percentBase: (rebase) => baseAt(points, rebase ?? span?.from ?? 0),
  };
}

const sameSpan = (a: Span, b: Span): boolean =>
  a.from === b.from && a.to === b.to && a.until === b.until && a.live === b.live && a.timeline.stretches.length === b.timeline.stretches.length && a.timeline.collapsed === b.timeline.collapsed;
