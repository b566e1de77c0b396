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

/** Points whose lowest and highest are kept as one: a view that moves looks at them anew with each step. */
const BLOCK = 32;

/** Lowest and highest of each whole block of `values`, as long as these only grow at their end. */
function createBlocks(): { clear(): void; grow(values: readonly number[], length: number): void; readonly lows: number[]; readonly highs: number[] } {
  const lows: number[] = [];
  const highs: number[] = [];
  return {
    lows, highs,
    clear() {
      lows.length = highs.length = 0;
    },
    grow(values, length) {
      for (let start = lows.length * BLOCK; start + BLOCK <= length; start += BLOCK) {
        let [low, high] = [values[start] ?? 0, values[start] ?? 0];
        for (let at = start + 1; at < start + BLOCK; at++) {
          const value = values[at] ?? 0;
          if (value < low) low = value;
          if (value > high) high = value;
        }
        lows.push(low);
        highs.push(high);
      }
    },
  };
}

export function createExtent(points: Points): { read(span: Span, limit: number): Extent } {
  let held: Span | null = null;
  let revision = -1;
  let next = 0;
  const blocks = createBlocks();
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    /** `limit` in microseconds: later points do not count. */
    read(span, limit) {
      if (points.revision !== revision) blocks.clear();
      if (span !== held || points.revision !== revision) {
        held = span;
        revision = points.revision;
        next = firstVisible(points, span.from);
        count = 0;
        low = Number.POSITIVE_INFINITY;
        high = Number.NEGATIVE_INFINITY;
      }
      const { times, values, length } = points;
      blocks.grow(values, length);
      const start = next;
      while (next < length && (times[next] ?? 0) <= limit) {
        const whole = next % BLOCK === 0 && next + BLOCK <= length && (times[next + BLOCK - 1] ?? 0) <= limit;
        const block = next / BLOCK;
        const [lowest, highest] = whole ? [blocks.lows[block] ?? 0, blocks.highs[block] ?? 0] : [values[next] ?? 0, values[next] ?? 0];
        if (lowest < low) low = lowest;
        if (highest > high) high = highest;
        next += whole ? BLOCK : 1;
      }
      count += next - start;
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
