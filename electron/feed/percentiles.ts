/** Latency percentiles over the newest samples, in fixed memory. The samples are kept sorted: asked each second, sorting them anew would cost more than a read. */
import type { Percentiles } from '../../shared/channels.ts';

export interface SampleWindow {
  add(value: number): void;
  /** Nearest-rank percentiles, null without a sample. */
  percentiles(): Percentiles | null;
}

export function sampleWindow(size = 512): SampleWindow {
  const samples = new Float64Array(size);
  const sorted = new Float64Array(size);
  let count = 0;
  return {
    add(value) {
      const slot = count % size;
      let kept = Math.min(count, size);
      if (kept === size) {
        kept -= 1;
        const oldest = placeOf(sorted, size, samples[slot] ?? 0);
        sorted.copyWithin(oldest, oldest + 1);
      }
      const place = placeOf(sorted, kept, value);
      sorted.copyWithin(place + 1, place, kept);
      sorted[place] = samples[slot] = value;
      count += 1;
    },
    percentiles() {
      if (count === 0) return null;
      const kept = Math.min(count, size);
      const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * kept) - 1)] ?? 0;
      return { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99) };
    },
  };
}

/** Where the first of the `count` ascending values that is not below `value` stands. */
function placeOf(sorted: Float64Array, count: number, value: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Events per second over the newest seconds. */
export interface RateMeter {
  add(count: number): void;
  /** `elapsed` in milliseconds; call about once a second. */
  perSecond(elapsed: number): number;
}

export function rateMeter(spanMs = 10_000): RateMeter {
  let total = 0;
  const marks: { at: number; total: number }[] = [];
  return {
    add(count) {
      total += count;
    },
    perSecond(elapsed) {
      marks.push({ at: elapsed, total });
      while (marks.length > 2 && elapsed - (marks[1]?.at ?? elapsed) >= spanMs) marks.shift();
      if (marks.length > 256) marks.splice(1, 1);
      const first = marks[0];
      return first && elapsed > first.at ? ((total - first.total) * 1000) / (elapsed - first.at) : 0;
    },
  };
}
