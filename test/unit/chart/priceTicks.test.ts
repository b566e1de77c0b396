import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactPrice } from '../../../renderer/chart/priceText.ts';
import { priceAxis, steadyPriceAxis } from '../../../renderer/chart/priceScale.ts';
import { niceStep, priceDomain, stepValue } from '../../../renderer/chart/priceTicks.ts';

const prices = fc.tuple(fc.double({ min: 0.01, max: 200_000, noNaN: true }), fc.double({ min: 0, max: 5000, noNaN: true }));

describe('price axis', () => {
  test('holds every price, ticks are exact decimals a nice step apart', () => {
    fc.assert(fc.property(prices, fc.integer({ min: 2, max: 12 }), fc.integer({ min: 0, max: 4 }), ([low, span], count, decimals) => {
      const planned = priceDomain(low, low + span, count, decimals);
      const domain = { ...planned, ticks: planned.ticks() };
      expect(domain.low).toBeLessThanOrEqual(low);
      expect(domain.high).toBeGreaterThanOrEqual(low + span);
      expect(domain.ticks.length).toBeGreaterThan(0);
      expect(domain.ticks.length).toBeLessThanOrEqual(count + 3);
      const units = domain.ticks.map(({ text }) => BigInt(text.replace('.', '')));
      const scale = new Set(domain.ticks.map(({ text }) => (text.split('.')[1] ?? '').length));
      expect(scale.size).toBe(1); // equally many decimals on the whole axis
      const steps = new Set(units.slice(1).map((value, index) => value - units[index]!));
      expect(steps.size).toBeLessThanOrEqual(1);
      for (const step of steps) expect(String(step)).toMatch(/^[125]0*$/);
    }));
  });

  test('steps are 1, 2 or 5 times a power of ten and cut the span into at most count parts', () => {
    fc.assert(fc.property(fc.double({ min: 1e-6, max: 1e7, noNaN: true }), fc.integer({ min: 1, max: 20 }), (span, count) => {
      const step = niceStep(span, count);
      expect([1, 2, 5]).toContain(step.factor);
      expect(span / stepValue(step)).toBeLessThanOrEqual(count * (1 + 1e-9));
    }));
  });

  test('a flat line still has an axis', () => {
    const domain = priceDomain(16.84, 16.84, 6, 2);
    expect(domain.high).toBeGreaterThan(domain.low);
    expect(domain.ticks().map(({ text }) => text).filter((text) => !/^\d+\.\d{2}$/.test(text))).toEqual([]); // none between two prices
  });

  test('is the same object while prices move within it, another when they leave or shrink far', () => {
    const held = priceAxis({ low: 100, high: 110, count: 6, decimals: 2, scale: 'linear', base: null });
    expect(steadyPriceAxis(held, { low: 100.2, high: 109.5, count: 6, decimals: 2, scale: 'linear', base: null })).toBe(held);
    expect(steadyPriceAxis(held, { low: 100, high: 118, count: 6, decimals: 2, scale: 'linear', base: null })).not.toBe(held);
    expect(steadyPriceAxis(held, { low: 104, high: 104.5, count: 6, decimals: 2, scale: 'linear', base: null })).not.toBe(held);
  });
});

describe('price text', () => {
  test('keeps every digit of the producer', () => {
    expect(exactPrice('6512.3712', 2, 'en-US')).toBe('6,512.3712');
    expect(exactPrice('6512.4', 2, 'en-US')).toBe('6,512.40');
    expect(exactPrice('45120', 0, 'en-US')).toBe('45,120');
    expect(exactPrice('-1234567.5', 2, 'en-US')).toBe('−1,234,567.50');
    expect(exactPrice('9007199254740993.123456789', 2, 'en-US')).toBe('9,007,199,254,740,993.123456789');
    expect(exactPrice('no price', 2, 'en-US')).toBe('no price');
  });

  test("speaks the user's locale", () => {
    expect(exactPrice('23950.75', 2, 'de-DE')).toBe('23.950,75');
    expect(exactPrice('1438.359985', 2, 'en-IN')).toBe('1,438.359985');
  });

  test('digits in are digits out', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 1, max: 8 }), (units, places) => {
      const digits = units.toString().padStart(places + 1, '0');
      const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
      expect(exactPrice(text, places, 'en-US').replaceAll(',', '')).toBe(text);
    }));
  });
});
