/** Lowest and highest price in view, kept up while points are appended. */
import { firstCandle } from './barDrawing.ts';
import type { Candle } from './candles.ts';
import { firstVisible } from './cursor.ts';
import type { Points } from './points.ts';
import type { Span } from './span.ts';

export interface Extent {
  readonly low: number;
  readonly high: number;
  /** Points in view. */
  readonly count: number;
}

/** The base counts as near, and gets room on the axis, within this share of what the prices themselves span. */
const NEAR = 0.75;

export function createExtent(points: Points): { read(span: Span, limit: number): Extent } {
  let held: Span | null = null;
  let revision = -1;
  let next = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    /** `limit` in microseconds: later points do not count. */
    read(span, limit) {
      if (span !== held || points.revision !== revision) {
        held = span;
        revision = points.revision;
        next = firstVisible(points, span.from);
        count = 0;
        low = Number.POSITIVE_INFINITY;
        high = Number.NEGATIVE_INFINITY;
      }
      const from = span.from * 1000;
      const { times, values, length } = points;
      for (; next < length; next++) {
        const time = times[next] ?? 0;
        if (time > limit) break;
        if (time < from) continue;
        const value = values[next] ?? 0;
        if (value < low) low = value;
        if (value > high) high = value;
        count++;
      }
      return { low, high, count };
    },
  };
}

/** Lowest low and highest high of the bars in view. */
export function barExtent(list: readonly Candle[], span: Span): Extent {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (let i = firstCandle(list, span.from); i < list.length; i++) {
    const candle = list[i];
    if (!candle || candle.start > span.to) break;
    if (candle.low < low) low = candle.low;
    if (candle.high > high) high = candle.high;
    count++;
  }
  return { low, high, count };
}

/** The extent with the base in it: always over a day, where the change from it is the story; else only when it is near. */
export function withBase({ low, high }: Extent, base: number | null, always: boolean): { low: number; high: number } {
  if (base === null) return { low, high };
  const room = (high - low) * (always ? 3 : NEAR) + Math.abs(base) * (always ? 0.01 : 0);
  return base < low - room || base > high + room ? { low, high } : { low: Math.min(low, base), high: Math.max(high, base) };
}
