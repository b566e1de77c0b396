/** Points for a chart, oldest first, and how many a width can show. Pure. */
import type { HistoryAnswer } from '../../shared/channels.ts';
import { toPixelNumber } from '../../shared/decimal.ts';
import type { Bar, Tick } from '../../shared/quote.ts';
import { minMaxPerPixel } from '../../shared/series.ts';
import { type EpochMicros, toMillis } from '../../shared/time.ts';
import { lengthOf } from '../bigtable/pages.ts';

export interface Point {
  readonly time: bigint;
  readonly sequence: number;
  readonly price: Tick['price'];
}

export const MAX_PIXELS = 8_192;
export const pointsFor = (pixels: number): number => 2 * Math.max(1, Math.min(MAX_PIXELS, Math.floor(pixels)));

export const tickPoint = (tick: Tick): Point => ({ time: tick.time, sequence: tick.sequence, price: tick.price });

/** A bar's close stands at its last instant, so that it lies inside its session, and at `now` while it still grows; a day's at the start of its date. */
export function barPoint(bar: Pick<Bar, 'start' | 'resolution' | 'close'>, now: EpochMicros): Point {
  const last = bar.start + lengthOf(bar.resolution) - 1n;
  return { time: bar.resolution === '1d' ? bar.start : last > now && bar.start <= now ? now : last, sequence: 0, price: bar.close };
}

/**
 * At most about two points per pixel, every column's minimum and maximum among them, and both ends of every silence that shows: its length
 * is told to the second. Numbers serve for pixels only; prices stay text.
 */
export function reduce(points: readonly Point[], from: EpochMicros, to: EpochMicros, pixels: number): readonly Point[] {
  if (points.length <= pointsFor(pixels)) return points;
  const columns = pointsFor(pixels) / 2;
  const times = Float64Array.from(points, (point) => toMillis(point.time));
  const values = Float64Array.from(points, (point) => toPixelNumber(point.price));
  const kept = new Uint8Array(points.length);
  for (const at of minMaxPerPixel(times, values, toMillis(from), toMillis(to), columns)) kept[at] = 1;
  // So long a silence leaves a column empty, whose two points its ends take.
  const silence = (2 * (toMillis(to) - toMillis(from))) / columns;
  for (let at = 1; at < points.length; at += 1) if ((times[at] ?? 0) - (times[at - 1] ?? 0) >= silence) kept[at - 1] = kept[at] = 1;
  return points.filter((_, at) => kept[at] === 1);
}

export function answerOf(index: string, points: readonly Point[], about: Omit<HistoryAnswer, 'index' | 'times' | 'sequences' | 'prices'>): HistoryAnswer {
  return { index, times: points.map((point) => String(point.time)), sequences: points.map((point) => point.sequence), prices: points.map((point) => point.price), ...about };
}
