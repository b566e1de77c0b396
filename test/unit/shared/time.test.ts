import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  floorDiv, floorMod, formatIso, fromMillis, fromNanos, MAX_MICROS, micros, MIN_MICROS, parseMicros, parseTime, toMillis, utc,
} from '../../../shared/time.ts';

const instant = fc.bigInt({ min: MIN_MICROS, max: MAX_MICROS }).map(micros);

describe('instants', () => {
  test('the years 0001..9999 and nothing else', () => {
    expect(formatIso(MIN_MICROS)).toBe('0001-01-01T00:00:00.000000Z');
    expect(formatIso(MAX_MICROS)).toBe('9999-12-31T23:59:59.999999Z');
    expect(() => micros(MIN_MICROS - 1n)).toThrow(RangeError);
    expect(() => micros(MAX_MICROS + 1n)).toThrow(RangeError);
  });

  test('division floors on both sides of 1970', () =>
    fc.assert(fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 12n }), (value, divisor) => {
      const rest = floorMod(value, divisor);
      expect(floorDiv(value, divisor) * divisor + rest).toBe(value);
      expect(rest >= 0n && rest < divisor).toBe(true);
    })));

  test('nanoseconds floor toward minus infinity', () => {
    expect(fromNanos(-1n)).toEqual({ time: -1n, remainder: 999 });
    expect(fromNanos(1999n)).toEqual({ time: 1n, remainder: 999 });
    expect(fromNanos(-2000n)).toEqual({ time: -2n, remainder: 0 });
  });

  test('milliseconds floor both ways', () => {
    expect(toMillis(-1n)).toBe(-1);
    expect(toMillis(1999n)).toBe(1);
    expect(fromMillis(-0.5)).toBe(-1000n);
  });
});

describe('text', () => {
  test('ISO text and micros text read back to the same instant', () =>
    fc.assert(fc.property(instant, (time) => {
      expect(parseTime(formatIso(time))).toBe(time);
      expect(parseTime(String(time))).toBe(time);
      expect(parseMicros(String(time))).toBe(time);
    })));

  test('ISO text sorts as time does', () =>
    fc.assert(fc.property(instant, instant, (a, b) => { expect(formatIso(a) < formatIso(b)).toBe(a < b); })));

  test('agrees with Date where Date is exact', () =>
    fc.assert(fc.property(fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }), (date) => {
      expect(formatIso(fromMillis(date.getTime()))).toBe(date.toISOString().replace('Z', '000Z'));
      expect(utc(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCMilliseconds() * 1000))
        .toBe(fromMillis(date.getTime()));
    })));

  test.each([
    ['2019-11-06T14:20:00Z', '2019-11-06T14:20:00.000000Z'],
    ['2019-11-06T14:20Z', '2019-11-06T14:20:00.000000Z'],
    ['2019-11-06', '2019-11-06T00:00:00.000000Z'],
    ['2019-11-06 09:20:00 -05:00', '2019-11-06T14:20:00.000000Z'],
    ['2019-11-06T19:50:00+0530', '2019-11-06T14:20:00.000000Z'],
    ['2019-11-06T13:50:00-00:30', '2019-11-06T14:20:00.000000Z'],
    ['2019-11-06t14:20:00.5z', '2019-11-06T14:20:00.500000Z'],
    ['2019-11-06T14:20:00,000001Z', '2019-11-06T14:20:00.000001Z'],
    ['2019-11-06T14:20:00.999999999Z', '2019-11-06T14:20:00.999999Z'],
    ['1969-12-31T23:59:59.9999999Z', '1969-12-31T23:59:59.999999Z'],
    ['2019-11-06T24:00:00Z', '2019-11-07T00:00:00.000000Z'],
    ['0', '1970-01-01T00:00:00.000000Z'],
    ['-1', '1969-12-31T23:59:59.999999Z'],
  ])('%s is %s', (text, iso) => expect(formatIso(parseTime(text))).toBe(iso));

  test.each([
    '', ' ', 'now', '2019-02-29', '2019-13-01', '2019-11-06T25:00:00Z', '2019-11-06T24:00:01Z', '2019-11-06T14:60:00Z', '2019-11-06T14:20:60Z',
    '0000-12-31', '10000-01-01', '2019-11-06T14:20:00+19:00', '2019-11-06T14:20:00+05:60', '1e15', '0x10', '１５７３０５００００００００００',
    '9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00', '253402300800000000', '2019-11-06T14:20:00.0000000001Z',
  ])('refuses %j', (text) => expect(() => parseTime(text)).toThrow(RangeError));

  test('a local time without a zone is refused with what to add', () => expect(() => parseTime('2019-11-06T14:20:00')).toThrow(/zone.*Z or an offset/));

  test.each(['', '1.5', ' 1', '+1', '--1', '1e3', '9999999999999999999'])('micros of the wire refuse %j', (text) => expect(() => parseMicros(text)).toThrow(RangeError));
});
