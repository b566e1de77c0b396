/** Series for drawing: the points that a width can show, and where a line must break. Times in milliseconds, arrays in parallel. */

/** A trading window on the time axis, [open, close); windows are ordered and apart. */
export interface DrawnWindow {
  readonly open: number;
  readonly close: number;
}

/**
 * Indexes of the points to draw, in order: of each bucket the first minimum and the first maximum, and the series' first and
 * last point. `buckets[i]` is the point's pixel column; equal neighbours form a bucket, so any monotone scale does.
 */
export function minMaxPerBucket(buckets: ArrayLike<number>, values: ArrayLike<number>): number[] {
  const length = Math.min(buckets.length, values.length);
  const kept: number[] = [];
  let start = 0;
  while (start < length) {
    let [low, high, end] = [start, start, start + 1];
    for (; end < length && buckets[end] === buckets[start]; end += 1) {
      const value = values[end] ?? NaN;
      if (value < (values[low] ?? NaN)) low = end;
      if (value > (values[high] ?? NaN)) high = end;
    }
    if (start === 0 && low !== 0 && high !== 0) kept.push(0);
    kept.push(Math.min(low, high));
    if (low !== high) kept.push(Math.max(low, high));
    if (end === length && kept.at(-1) !== length - 1) kept.push(length - 1);
    start = end;
  }
  return kept;
}

/** As `minMaxPerBucket`, for times between `from` and `to` (ascending) over `pixels` equal columns: at most 2 per pixel, and the ends. */
export function minMaxPerPixel(times: ArrayLike<number>, values: ArrayLike<number>, from: number, to: number, pixels: number): number[] {
  const width = Math.max(1, Math.floor(pixels));
  const columns = new Float64Array(times.length);
  for (let at = 0; at < times.length; at += 1) {
    // Multiplied before divided: whole milliseconds land in their exact column. The end of the span belongs to the last column,
    // what lies outside to the columns at the ends.
    const column = to > from ? Math.floor((((times[at] ?? from) - from) * width) / (to - from)) : 0;
    columns[at] = Math.max(0, Math.min(width - 1, column));
  }
  return minMaxPerBucket(columns, values);
}

/** Position of a time when everything outside the windows is collapsed: milliseconds of trading before it. */
export function tradedBefore(windows: readonly DrawnWindow[]): (time: number) => number {
  const sums = new Float64Array(windows.length + 1);
  for (const [at, { open, close }] of windows.entries()) sums[at + 1] = (sums[at] ?? 0) + (close - open);
  return (time) => {
    const at = windowAt(windows, time);
    const window = windows[at];
    return window === undefined ? 0 : (sums[at] ?? 0) + Math.min(time, window.close) - window.open;
  };
}

/** Index of the last window that opens at or before a time, -1 for none. */
export function windowAt(windows: readonly DrawnWindow[], time: number): number {
  let [low, high] = [0, windows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((windows[middle]?.open ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The usual distance of neighbours in trading time, their median; null below three points. */
export function cadence(times: ArrayLike<number>, windows: readonly DrawnWindow[]): number | null {
  const gaps = tradingGaps(times, windows).slice(1).filter((gap) => gap > 0).sort((a, b) => a - b);
  return gaps.length < 2 ? null : (gaps[gaps.length >> 1] ?? null);
}

/** Drawn gap of a series with `k` = 5: longer than five times its cadence. */
export const GAP_FACTOR = 5;

/**
 * Indexes i where nothing may be drawn between points i-1 and i: more than `limit` milliseconds of trading without a point.
 * Nights and lunches don't count, an outage up to the close or from the open does. No windows: all time is trading time.
 */
export function gapsIn(times: ArrayLike<number>, windows: readonly DrawnWindow[], limit: number): number[] {
  return tradingGaps(times, windows).flatMap((gap, at) => (at > 0 && gap > limit ? [at] : []));
}

function tradingGaps(times: ArrayLike<number>, windows: readonly DrawnWindow[]): number[] {
  const position = windows.length === 0 ? (time: number) => time : tradedBefore(windows);
  const gaps: number[] = [];
  for (let at = 0, last = NaN; at < times.length; at += 1) {
    const here = position(times[at] ?? NaN);
    gaps.push(at === 0 ? 0 : here - last);
    last = here;
  }
  return gaps;
}

/** Indexes i where a session (or its lunch) lies between points i-1 and i: the place of a break mark. */
export function sessionBreaksIn(times: ArrayLike<number>, windows: readonly DrawnWindow[]): number[] {
  const breaks: number[] = [];
  for (let at = 1, last = windowAt(windows, times[0] ?? NaN); at < times.length; at += 1) {
    const here = windowAt(windows, times[at] ?? NaN);
    if (here !== last) breaks.push(at);
    last = here;
  }
  return breaks;
}
