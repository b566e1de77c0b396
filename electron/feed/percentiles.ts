/** Latency percentiles over the newest samples, in fixed memory. */
import type { Percentiles } from '../../shared/channels.ts';

export interface SampleWindow {
  add(value: number): void;
  /** Nearest-rank percentiles, null without a sample. */
  percentiles(): Percentiles | null;
}

export function sampleWindow(size = 512): SampleWindow {
  const samples = new Float64Array(size);
  let count = 0;
  return {
    add(value) {
      samples[count % size] = value;
      count += 1;
    },
    percentiles() {
      if (count === 0) return null;
      const sorted = samples.slice(0, Math.min(count, size)).sort();
      const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
      return { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99) };
    },
  };
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
