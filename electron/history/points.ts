/** Points for a chart, oldest first, and how many a width can show. Pure. */
import type { HistoryAnswer } from '../../shared/channels.ts';
import { toPixelNumber } from '../../shared/decimal.ts';
import type { Bar, Tick } from '../../shared/quote.ts';
import { minMaxPerPixel } from '../../shared/series.ts';
import { type EpochMicros, toMillis } from '../../shared/time.ts';
import { lengthOf } from './pages.ts';

export interface Point {
  readonly time: bigint;
  readonly sequence: number;
  readonly price: Tick['price'];
}

export const MAX_PIXELS = 8_192;
export const pointsFor = (pixels: number): number => 2 * Math.max(1, Math.min(MAX_PIXELS, Math.floor(pixels)));

export const tickPoint = (tick: Tick): Point => ({ time: tick.time, sequence: tick.sequence, price: tick.price });

/** A bar's close stands at its last instant, so that it lies inside its session; a day's at the start of its date. */
export const barPoint = (bar: Bar): Point => ({ time: bar.resolution === '1d' ? bar.start : bar.start + lengthOf(bar.resolution) - 1n, sequence: 0, price: bar.close });

/** At most about two points per pixel, every column's minimum and maximum among them. Numbers serve for pixels only; prices stay text. */
export function reduce(points: readonly Point[], from: EpochMicros, to: EpochMicros, pixels: number): readonly Point[] {
  if (points.length <= pointsFor(pixels)) return points;
  const times = Float64Array.from(points, (point) => toMillis(point.time));
  const values = Float64Array.from(points, (point) => toPixelNumber(point.price));
  return minMaxPerPixel(times, values, toMillis(from), toMillis(to), pointsFor(pixels) / 2).flatMap((at) => points[at] ?? []);
}

export function answerOf(index: string, points: readonly Point[], about: Omit<HistoryAnswer, 'index' | 'times' | 'sequences' | 'prices'>): HistoryAnswer {
  return { index, times: points.map((point) => String(point.time)), sequences: points.map((point) => point.sequence), prices: points.map((point) => point.price), ...about };
}
