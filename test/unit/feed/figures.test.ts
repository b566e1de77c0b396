import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCadence, learnGaps } from '../../../electron/feed/cadence.ts';
import { createFigures } from '../../../electron/feed/figures.ts';
import { rateMeter, sampleWindow } from '../../../electron/feed/percentiles.ts';
import { problem } from '../../../shared/result.ts';
import type { Tick } from '../../../shared/quote.ts';

test('percentiles are nearest-rank and forget what left the window', () => {
  const window = sampleWindow(100);
  expect(window.percentiles()).toBeNull();
  for (let value = 1; value <= 100; value += 1) window.add(value);
  expect(window.percentiles()).toEqual({ p50: 50, p95: 95, p99: 99 });
  for (let i = 0; i < 100; i += 1) window.add(7);
  expect(window.percentiles()).toEqual({ p50: 7, p95: 7, p99: 7 });
});

test('percentiles are those of the newest samples sorted, whatever came', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (values, size) => {
    const window = sampleWindow(size);
    for (const value of values) window.add(value);
    const sorted = values.slice(-size).sort((a, b) => a - b);
    const rank = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
    expect(window.percentiles()).toEqual({ p50: rank(0.5), p95: rank(0.95), p99: rank(0.99) });
  }));
});

test('a rate looks back ten seconds', () => {
  const meter = rateMeter(10_000);
  meter.perSecond(0);
  meter.add(100);
  expect(meter.perSecond(1000)).toBe(100);
  for (let at = 2000; at <= 20_000; at += 1000) meter.perSecond(at);
  expect(meter.perSecond(21_000)).toBe(0);
});

test('a cancelled read costs nothing, a failed one counts as an error', () => {
  const figures = createFigures();
  figures.sample(0);
  figures.meter(17_000, 5, 3, null);
  figures.meter(1, 0, 3, problem('CANCELLED', 'x', 'y'));
  figures.meter(1, 0, 3, problem('STORE_TIMEOUT', 'x', 'y'));
  figures.sample(1000);
  expect(figures.view()).toMatchObject({ readsPerSecond: 17_001, rowsPerSecond: 5, errors: 1, readMs: { p50: 3, p95: 3, p99: 3 } });
  expect(figures.view().nodeShare).toBeCloseTo(1, 3);
});

test('the expected interval is the p99 of the hour, once 20 gaps are known', () => {
  const cadence = createCadence();
  const hour = 3_600_000_000n;
  for (let i = 0n; i < 20n; i += 1n) {
    expect(cadence.expectedMs(hour)).toBeNull();
    cadence.learn(hour + i * 1_000_000n, hour + (i + 1n) * 1_000_000n);
  }
  expect(cadence.expectedMs(hour)).toBe(1000);
  for (let i = 0n; i < 300n; i += 1n) cadence.learn(hour + i * 1_000_000n, hour + (i + 1n) * 1_000_000n);
  cadence.learn(hour, hour + 300_000_000n); // one outage among hundreds
  expect(cadence.expectedMs(hour)).toBe(1000);
  cadence.learn(hour, hour + 3_000_000_000n); // a break is no rhythm
  expect(cadence.expectedMs(hour)).toBe(1000);
});

test('an hour that knows too little goes by the last one that knows enough', () => {
  const cadence = createCadence();
  const hour = 3_600_000_000n;
  const print = (from: bigint, seconds: bigint, times: bigint): void => {
    for (let i = 0n; i < times; i += 1n) cadence.learn(from + i * seconds * 1_000_000n, from + (i + 1n) * seconds * 1_000_000n);
  };
  print(14n * hour, 25n, 30n);
  expect([cadence.expectedMs(15n * hour), cadence.expectedMs(26n * hour)]).toEqual([25_000, 25_000]); // the next hour, and past midnight
  print(15n * hour, 5n, 19n);
  expect(cadence.expectedMs(15n * hour)).toBe(25_000);
  print(15n * hour + 1_000_000_000n, 5n, 1n);
  expect([cadence.expectedMs(15n * hour), cadence.expectedMs(14n * hour)]).toEqual([5_000, 25_000]);
});

test('a late tick teaches no gap', () => {
  const learned: bigint[] = [];
  const tick = (time: bigint): Tick => ({ time }) as Tick;
  learnGaps({ learn: (a, b) => void learned.push(b - a), expectedMs: () => null }, { before: tick(10n), backfill: [tick(1n), tick(3n)], added: [tick(5n), tick(12n), tick(15n)] });
  expect(learned).toEqual([2n, 2n, 3n]);
});
