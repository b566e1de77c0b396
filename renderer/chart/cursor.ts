/** The crosshair's place among the points: nearest to a pixel, or moved by keys. Pure: positions in, positions out. */
import type { Points } from './points.ts';

/** Position of the visible point whose time is nearest to `time` (milliseconds), among [first, count). -1 where there is none. */
export function nearestPoint(points: Points, first: number, count: number, time: number): number {
  if (count <= first) return -1;
  const micros = time * 1000;
  const { times } = points;
  let low = first;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < micros) low = middle + 1;
    else high = middle;
  }
  const before = low - 1;
  return before >= first && micros - (times[before] ?? 0) <= (times[low] ?? 0) - micros ? before : low;
}

/** First point at or after `from` (milliseconds). */
export function firstVisible(points: Points, from: number): number {
  const { times } = points;
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < from * 1000) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Value that a comparison begins with: of the first point at or after `since` (milliseconds), whatever older ones are at hand; else of the newest; null of none. */
export const baseAt = (points: Points, since: number): number | null => points.values[Math.min(firstVisible(points, since), points.length - 1)] ?? null;

/** Where a key moves the cursor from position `at` within [first, last]; null when the key is not the cursor's. A page is a tenth of what is in view. */
export function movedByKey(key: string, at: number, first: number, last: number): number | null {
  const page = Math.max(1, Math.round((last - first) / 10));
  const within = (position: number): number => Math.max(first, Math.min(last, position));
  switch (key) {
    case 'ArrowLeft': case 'ArrowDown': return within(at - 1);
    case 'ArrowRight': case 'ArrowUp': return within(at + 1);
    case 'PageUp': return within(at + page);
    case 'PageDown': return within(at - page);
    case 'Home': return first;
    case 'End': return last;
    default: return null;
  }
}
