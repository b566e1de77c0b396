/** What the cursor walks on: the points of a line, or the bars of a bar chart. One position each, in order. */
import type { Candle } from './candles.ts';
import type { ChartModel } from './chartModel.ts';
import { firstVisible, nearestPoint } from './cursor.ts';

export interface Track {
  /** Positions in view, [first, last]; last < first where there are none. */
  readonly first: number;
  readonly last: number;
  /** Milliseconds: where a position stands on the axis. */
  time(at: number): number;
  value(at: number): number;
  /** Identity of a position, which survives points that come and go. */
  key(at: number): { readonly time: number; readonly sequence: number };
  /** Position of an identity, or of the nearest one left. */
  find(key: { readonly time: number; readonly sequence: number }): number;
  /** Position nearest to an instant. */
  nearest(time: number): number;
  /** The bar at a position; null on a line. */
  bar(at: number): Candle | null;
}

/** `count`: points on screen, in a view from an instant to another. */
export function trackOf(model: Pick<ChartModel, 'points' | 'bars'>, count: number, { from, to }: { readonly from: number; readonly to: number }): Track {
  const { points } = model;
  const bars = model.bars();
  if (bars) {
    const position = (time: number): number => {
      let [low, high] = [0, bars.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((bars[middle]?.start ?? 0) <= time) low = middle;
        else high = middle - 1;
      }
      return low;
    };
    const first = bars.length > 0 && (bars[position(from)]?.end ?? 0) <= from ? position(from) + 1 : position(from);
    const last = bars.length > 0 ? position(to) : -1;
    const middle = (at: number): number => ((bars[at]?.start ?? 0) + (bars[at]?.end ?? 0)) / 2;
    const within = (at: number): number => Math.max(first, Math.min(last, at));
    return {
      first, last, time: middle,
      value: (at) => bars[at]?.close ?? 0,
      key: (at) => ({ time: (bars[at]?.start ?? 0) * 1000, sequence: 0 }),
      find: ({ time }) => within(position(time / 1000)),
      nearest: (time) => within(position(time)),
      bar: (at) => bars[at] ?? null,
    };
  }
  const first = firstVisible(points, from);
  let last = count - 1;
  if (to * 1000 < (points.times[last] ?? 0)) last = firstVisible(points, to) - 1;
  const { times, values, sequences } = points; // the same lists until the next revision
  return {
    first, last,
    time: (at) => (times[at] ?? 0) / 1000,
    value: (at) => values[at] ?? 0,
    key: (at) => ({ time: times[at] ?? 0, sequence: sequences[at] ?? 0 }),
    find({ time, sequence }) {
      let index = nearestPoint(points, first, last + 1, time / 1000);
      while (index < last && times[index + 1] === time && (sequences[index] ?? 0) < sequence) index++;
      return index;
    },
    nearest: (time) => nearestPoint(points, first, last + 1, time),
    bar: () => null,
  };
}
