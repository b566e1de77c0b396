import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, compare, type Decimal, decimal, divide, fromScaled, max, min, parseDecimal, percentChange, subtract, toFixed, toPixelNumber } from '../../../shared/decimal.ts';

/** Decimals with the big integer and scale that they stand for. */
const scaledValue = fc.record({ units: fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), scale: fc.integer({ min: 0, max: 12 }) });
const value = scaledValue.map(({ units, scale }) => fromScaled(units, scale));
const at = (given: Decimal, scale: number): bigint => {
  const [whole = '', fraction = ''] = given.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
};
const D = decimal;

describe('canonical text', () => {
  test.each([
    ['3074.75', '3074.75'], ['0003074.7500', '3074.75'], ['+1', '1'], ['-0', '0'], ['-0.000', '0'], ['.5', '0.5'], ['-.50', '-0.5'], ['5.', '5'], ['00', '0'],
    ['13024.8272', '13024.8272'], ['1438.359985', '1438.359985'], ['0.1', '0.1'], ['9007199254740993', '9007199254740993'],
  ])('%s is %s', (text, canonical) => expect(parseDecimal(text)).toBe(canonical));

  test.each(['', '.', '-', '+.', '1e3', '1,000', "1'000", '0x1', 'NaN', 'Infinity', ' 1', '1 ', '1.2.3', '--1', '١', '1'.repeat(41), `0.${'1'.repeat(41)}`, '1\n'])(
    '%j is none', (text) => expect(parseDecimal(text)).toBeUndefined());

  test('is a fixed point, and equal values have equal text', () =>
    fc.assert(fc.property(value, fc.integer({ min: 0, max: 3 }), (a, zeros) => {
      expect(parseDecimal(a)).toBe(a);
      expect(parseDecimal((a.includes('.') ? a : `${a}.`) + '0'.repeat(zeros))).toBe(a);
    })));

  test('decimal() throws on what is none', () => expect(() => decimal('1e3')).toThrow(RangeError));
});

describe('arithmetic is exact', () => {
  test('sums and differences are those of the integers', () =>
    fc.assert(fc.property(value, value, (a, b) => {
      expect(at(add(a, b), 12)).toBe(at(a, 12) + at(b, 12));
      expect(at(subtract(a, b), 12)).toBe(at(a, 12) - at(b, 12));
      expect(subtract(add(a, b), b)).toBe(a);
    })));

  test('0.1 + 0.2 is 0.3', () => expect(add(D('0.1'), D('0.2'))).toBe('0.3'));

  test('order is the order of the integers', () =>
    fc.assert(fc.property(value, value, (a, b) => {
      const [x, y] = [at(a, 12), at(b, 12)];
      expect(compare(a, b)).toBe(x < y ? -1 : x > y ? 1 : 0);
      expect(compare(max(a, b), min(a, b))).toBeGreaterThanOrEqual(0);
      expect([a, b]).toContain(max(a, b));
      expect(add(max(a, b), min(a, b))).toBe(add(a, b));
    })));

  test('a quotient is within half a unit of its last place', () =>
    fc.assert(fc.property(value, value, fc.integer({ min: 0, max: 8 }), (a, b, places) => {
      const quotient = divide(a, b, places);
      expect(quotient === undefined).toBe(b === '0');
      if (b === '0') return;
      // |2 (q b - a)| <= |b| in units of 10^-places
      const error = 2n * (at(quotient!, places) * at(b, 12) - at(a, 12) * 10n ** BigInt(places));
      expect((error < 0n ? -error : error) <= (at(b, 12) < 0n ? -at(b, 12) : at(b, 12))).toBe(true);
    })));

  test.each([['1', '8', 2, '0.13'], ['-1', '8', 2, '-0.13'], ['1', '-8', 2, '-0.13'], ['5', '10', 0, '1'], ['-5', '10', 0, '-1'], ['2', '3', 4, '0.6667']])(
    '%s / %s to %d places is %s', (a, b, places, quotient) => expect(divide(D(a), D(b), places)).toBe(quotient));

  test.each([
    ['3074.62', '3076.78', '0.0703'], ['100', '99.5', '-0.5'], ['-37.63', '10.01', '126.6011'], ['-10', '-20', '-100'], ['3', '4', '33.3333'], ['100', '100', '0'],
  ])('from %s to %s is %s%%', (from, to, percent) => expect(percentChange(D(from), D(to))).toBe(percent));

  test('nothing is a percentage of zero', () => expect(percentChange(D('0'), D('1'))).toBeUndefined());
});

describe('fixed places', () => {
  test.each([
    ['1.005', 2, '1.01'], ['-1.005', 2, '-1.01'], ['0.5', 0, '1'], ['-0.4', 0, '0'], ['3', 2, '3.00'], ['2.675', 2, '2.68'], ['12345678901234567890.125', 2, '12345678901234567890.13'],
  ])('%s at %d is %s', (text, places, fixed) => expect(toFixed(D(text), places)).toBe(fixed));

  test('rounds to the nearest, keeps the places', () =>
    fc.assert(fc.property(value, fc.integer({ min: 0, max: 8 }), (a, places) => {
      const fixed = toFixed(a, places);
      expect(fixed).toMatch(places === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${places}}$`));
      const error = 2n * (at(decimal(fixed), 12) - at(a, 12));
      expect((error < 0n ? -error : error) <= 10n ** BigInt(12 - places)).toBe(true);
    })));

  test('integers at a scale become text without a double', () => {
    expect(fromScaled(3_074_750_000_001n, 9)).toBe('3074.750000001');
    expect(fromScaled(-5n, 9)).toBe('-0.000000005');
    expect(fromScaled(7n, 0)).toBe('7');
    expect(toPixelNumber(D('3074.75'))).toBe(3074.75);
  });
});
