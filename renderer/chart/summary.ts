/** The visible range as a small table for those who don't see the line: equal stretches of time with first, high, low and last. */
import { add, parseDecimal } from '../../shared/decimal.ts';
import type { Candle } from './candles.ts';
import type { Points } from './points.ts';

export interface SummaryRow {
  /** Time of the row's first point, microseconds. */
  readonly time: number;
  readonly points: number;
  readonly first: string;
  readonly high: string;
  readonly low: string;
  readonly last: string;
  /** Exact sum of the known volumes; null where none is, and on lines. */
  readonly volume: string | null;
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
    rows.push({ time: points.times[start] ?? 0, points: end - start, first: text(start), high: text(high), low: text(low), last: text(end - 1), volume: null });
  }
  return rows;
}

/** As `summaryRows`, over the bars at positions [first, end). */
export function barRows(bars: readonly Candle[], first: number, end: number, most: number): SummaryRow[] {
  const rows: SummaryRow[] = [];
  const size = Math.max(1, Math.ceil((end - first) / most));
  for (let start = first; start < end; start += size) {
    const part = bars.slice(start, Math.min(end, start + size));
    const [begin, last] = [part[0], part.at(-1)];
    if (!begin || !last) break;
    const high = part.reduce((a, b) => (b.high > a.high ? b : a));
    const low = part.reduce((a, b) => (b.low < a.low ? b : a));
    let volume: string | null = null;
    for (const bar of part) {
      const [sum, more] = [parseDecimal(volume ?? '0'), parseDecimal(bar.volume ?? '')];
      if (sum !== undefined && more !== undefined) volume = add(sum, more);
    }
    rows.push({ time: begin.start * 1000, points: part.length, first: begin.texts.open, high: high.texts.high, low: low.texts.low, last: last.texts.close, volume });
  }
  return rows;
}
