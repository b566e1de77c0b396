/** The points of a long series that a width can show. Times in milliseconds, arrays in parallel; where a line breaks: renderer/chart/gaps.ts. */

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
