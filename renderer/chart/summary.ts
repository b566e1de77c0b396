/** The visible range as a small table for those who don't see the line: equal stretches of time with first, high, low and last. */
import type { Points } from './points.ts';

export interface SummaryRow {
  /** Time of the row's first point, microseconds. */
  readonly time: number;
  readonly points: number;
  readonly first: string;
  readonly high: string;
  readonly low: string;
  readonly last: string;
}

/** At most `most` rows over the points at positions [first, count), split evenly by number of points. */
export function summaryRows(points: Points, first: number, count: number, most: number): SummaryRow[] {
  const total = count - first;
  if (total <= 0) return [];
  const size = Math.ceil(total / most);
  const rows: SummaryRow[] = [];
  for (let start = first; start < count; start += size) {
    const end = Math.min(count, start + size);
    let high = start;
    let low = start;
    for (let i = start + 1; i < end; i++) {
      if ((points.values[i] ?? 0) > (points.values[high] ?? 0)) high = i;
      if ((points.values[i] ?? 0) < (points.values[low] ?? 0)) low = i;
    }
    const text = (index: number): string => points.texts[index] ?? '';
    rows.push({ time: points.times[start] ?? 0, points: end - start, first: text(start), high: text(high), low: text(low), last: text(end - 1) });
  }
  return rows;
}
