import { describe, expect, test } from 'vitest';
import { type MarketEvent, marketEvents, type MarketShape, offsetOf, simulatedId } from '../../../../electron/ingest/live/market.ts';
import { micros } from '../../../../shared/time.ts';

const SHAPE: MarketShape = { indices: 20, rate: 500, skew: 1.1, late: 0.05, duplicate: 0.05, collisions: 0.05, corrections: 0.02, writers: 3, seed: 1, start: micros(1_717_423_200_000_000n) };
const take = (count: number, more: Partial<MarketShape> = {}): MarketEvent[] => {
  const events = marketEvents({ ...SHAPE, ...more });
  return Array.from({ length: count }, () => events.next().value);
};

describe('an invented market', () => {
  test('is the same for the same seed, another for its neighbour', () => {
    expect(take(3000)).toEqual(take(3000));
    expect(take(50, { seed: 2 })).not.toEqual(take(50));
    expect(take(50, { seed: 2 ** 33 + 1 })).not.toEqual(take(50));
  });

  test('holds the first prices that it always had', () => {
    expect(take(6).map(({ kind, tick }) => `${kind} ${tick.index} ${tick.time - SHAPE.start} ${tick.price}`)).toMatchInlineSnapshot(`
      [
        "plain SIM0010 0 9873.79",
        "plain SIM0002 2000 7006.07",
        "plain SIM0002 4000 7006.02",
        "plain SIM0001 6000 8071.45",
        "plain SIM0002 8000 7006.04",
        "collision SIM0001 6000 8071.42",
      ]
    `);
  });

  test.each([1, 3, 9])('what an event is called is what it is, with %i writers', (writers) => {
    const seen = new Map<string, string>();
    const newest = new Map<string, bigint>();
    const owner = new Map<string, number>();
    const counts = { plain: 0, late: 0, duplicate: 0, collision: 0, correction: 0 };
    for (const { kind, writer, tick } of take(5000, { writers })) {
      counts[kind] += 1;
      const identity = `${tick.index} ${tick.time} ${writer} ${tick.n}`;
      const last = newest.get(tick.index);
      const known = seen.get(identity);
      if (kind === 'duplicate') expect(known).toBe(tick.price);
      else if (kind === 'correction') expect(known !== undefined && known !== tick.price).toBe(true);
      else {
        expect(known).toBe(undefined);
        if (kind === 'late') expect(last !== undefined && tick.time < last && last - tick.time <= 30_000_000n).toBe(true);
        if (kind === 'collision') expect(tick.time).toBe(last);
        if (kind === 'plain') expect(last === undefined || tick.time > last).toBe(true);
        if (kind !== 'collision') {
          expect(owner.get(tick.index) ?? writer).toBe(writer);
          owner.set(tick.index, writer);
        } else expect(writer).toBe(((owner.get(tick.index) ?? 0) + 1) % writers);
      }
      seen.set(identity, tick.price);
      if (last === undefined || tick.time > last) newest.set(tick.index, tick.time);
      expect(Number(tick.price)).toBeGreaterThan(0);
    }
    for (const [kind, share] of [['late', 0.05], ['duplicate', 0.05], ['collision', 0.05], ['correction', 0.02]] as const) expect(Math.abs(counts[kind] / 5000 - share)).toBeLessThan(0.012);
  });

  test('events come at the asked-for rate, and the first index gets the most', () => {
    expect([0, 1, 500, 1000].map((nth) => offsetOf(nth, 500))).toEqual([0n, 2000n, 1_000_000n, 2_000_000n]);
    expect(offsetOf(1, 3)).toBe(333_332n);
    const plain = { late: 0, duplicate: 0, collisions: 0, corrections: 0 };
    const shares = (skew: number): number[] => [0, 1, 19].map((nth) => take(10_000, { ...plain, skew }).filter(({ tick }) => tick.index === simulatedId(nth)).length / 10_000);
    for (const [skew, expected] of [[0, [0.05, 0.05, 0.05]], [1, [0.278, 0.139, 0.0139]]] as const) {
      for (const [nth, share] of shares(skew).entries()) expect(Math.abs(share - (expected[nth] ?? 0))).toBeLessThan(0.02);
    }
  });

  test('more events than microseconds keep their own numbers', () => {
    const events = take(3000, { indices: 1, rate: 100_000_000, late: 0, duplicate: 0, collisions: 0, corrections: 0 });
    expect(new Set(events.map(({ tick }) => `${tick.time} ${tick.n}`)).size).toBe(3000);
  });
});
