import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromScaled } from '../../../shared/decimal.ts';
import { formatAge, formatPercent, formatPrice, formatSigned, formatTime, NO_VALUE, setReader } from '../../../shared/format.ts';
import { MIN_MICROS, parseTime } from '../../../shared/time.ts';

describe('prices', () => {
  test.each([
    ['3074.62', 2, 'en-US', '3,074.62'], ['3074.62', 2, 'de-DE', '3.074,62'], ['3074.62', 2, 'pt-BR', '3.074,62'], ['3074.62', 2, 'fr-FR', '3\u202f074,62'], ['1234567.5', 2, 'en-IN', '12,34,567.50'],
    ['13024.8272', 2, 'en-US', '13,024.83'], ['13024.8272', 4, 'en-US', '13,024.8272'], ['140000', 0, 'en-US', '140,000'], ['-37.63', 2, 'en-US', '−37.63'], ['-37.63', 2, 'sv-SE', '−37,63'],
    ['1.005', 2, 'en-US', '1.01'], ['-0.001', 2, 'en-US', '0.00'], ['9007199254740993.01', 2, 'en-US', '9,007,199,254,740,993.01'],
    ['123456789012345678901234567890.123456789', 9, 'en-US', '123,456,789,012,345,678,901,234,567,890.123456789'],
  ])('%s at %d in %s: %s', (text, decimals, locale, shown) => expect(formatPrice(text, decimals, locale)).toBe(shown));

  test('no price is a dash, never a zero', () => {
    for (const text of [null, '', 'NaN', '1e3']) expect(formatPrice(text, 2, 'en-US')).toBe(NO_VALUE);
    expect([formatSigned(null, 2), formatPercent(null)]).toEqual([NO_VALUE, NO_VALUE]);
  });

  test.each([['0.0000012', '0.0000012'], ['6512.37', '6,512.37'], ['6512', '6,512.00'], ['-1.5', '−1.50'], ['12.3456', '12.3456']])('%s with decimals that nobody told: its own digits, %s', (text, shown) => {
    expect(formatPrice(text, null, 'en-US')).toBe(shown);
  });

  test('a malformed locale does not blank the screen', () => expect(formatPrice('1234.5', 2, 'not a locale!')).toBe('1,234.50'));

  test('keep every digit they have room for', () =>
    fc.assert(fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 9 }), (units, scale) => {
      const shown = formatPrice(fromScaled(units, scale), scale, 'en-US').replaceAll(',', '').replace('−', '-');
      const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
      const cut = digits.length - scale;
      expect(shown).toBe(`${units < 0n ? '-' : ''}${digits.slice(0, cut)}${scale > 0 ? `.${digits.slice(cut)}` : ''}`);
    })));
});

describe('changes', () => {
  test.each([
    ['2.16', '+2.16'], ['-0.05', '−0.05'], ['0', '0.00'], ['0.004', '0.00'], ['-0.004', '0.00'], ['-0.005', '−0.01'], ['1234.5', '+1,234.50'],
  ])('%s is %s', (text, shown) => expect(formatSigned(text, 2, 'en-US')).toBe(shown));

  test('percent', () => {
    expect([formatPercent('0.0703', 'en-US'), formatPercent('-1.2', 'de-DE'), formatPercent('0.001', 'en-US'), formatPercent('0.0703', 'en-US', 4)]).toEqual(['+0.07%', '−1,20%', '0.00%', '+0.0703%']);
  });
});

describe('ages', () => {
  test.each([
    [0, '0.0s'], [-3000, '0.0s'], [449, '0.4s'], [9999, '9.9s'], [10_000, '10s'], [14_999, '14s'], [59_999, '59s'], [60_000, '1:00'], [252_000, '4:12'], [3_599_999, '59:59'],
    [3_600_000, '1 h 00'], [11_100_000, '3 h 05'], [172_799_999, '47 h 59'], [172_800_000, '2 d'], [864_000_000, '10 d'], [null, NO_VALUE], [NaN, NO_VALUE], [Infinity, NO_VALUE],
  ])('%d ms is %s', (ms, shown) => expect(formatAge(ms)).toBe(shown));
});

describe('times in a zone', () => {
  const time = parseTime('2024-11-03T06:30:05.123456Z');
  test.each([
    ['minute', '01:30'], ['second', '01:30:05'], ['milli', '01:30:05.123'], ['micro', '01:30:05.123456'], ['date', '2024-11-03'], ['date-minute', '2024-11-03 01:30'],
    ['date-second', '2024-11-03 01:30:05'], ['offset', 'UTC−05:00'],
  ] as const)('%s is %s', (style, shown) => expect(formatTime('America/New_York', time, style)).toBe(shown));

  test.each([
    ['en-US', '12', '1:30 AM', '1:30:05.123 AM'], ['en-US', 'locale', '1:30 AM', '1:30:05.123 AM'], ['de-DE', 'locale', '01:30', '01:30:05.123'], ['fi-FI', 'locale', '01.30', '01.30.05.123'],
    ['zh-TW', 'locale', '上午1:30', '上午1:30:05.123'], ['en-US', '24', '01:30', '01:30:05.123'],
  ] as const)('in %s with %s hours: %s', (locale, hours, minute, milli) => {
    expect(['minute', 'milli'].map((style) => formatTime('America/New_York', time, style as 'minute', { locale, hours }).replace('\u00a0', ' '))).toEqual([minute, milli]);
  });

  test('midnight and noon of 12 hours', () => {
    const at = (text: string): string => formatTime('UTC', parseTime(text), 'second', { locale: 'en-US', hours: '12' }).replace('\u00a0', ' ');
    expect([at('2024-01-02T00:00:00Z'), at('2024-01-02T12:00:01Z'), at('2024-01-02T23:59:59Z')]).toEqual(['12:00:00 AM', '12:00:01 PM', '11:59:59 PM']);
  });

  test('the reader of a page is who is asked where nobody else is named', () => {
    setReader({ locale: 'de-DE', hours: '12' });
    const shown = [formatPrice('1234.5', 2), formatPercent('-1.2'), formatPrice('1234.5', 2, 'en-US')];
    setReader({ locale: undefined, hours: '24' });
    expect(shown).toEqual(['1.234,50', '−1,20%', '1,234.50']);
  });

  test('both passes of a repeated hour differ by their offset', () => {
    const first = parseTime('2024-11-03T05:30:05.123456Z');
    expect(formatTime('America/New_York', first, 'micro')).toBe(formatTime('America/New_York', time, 'micro'));
    expect(formatTime('America/New_York', first, 'offset')).toBe('UTC−04:00');
    expect([formatTime('Asia/Kolkata', first, 'offset'), formatTime('UTC', first, 'offset')]).toEqual(['UTC+05:30', 'UTC+00:00']);
  });

  test('before 1970 too', () => {
    expect(formatTime('UTC', parseTime('1928-01-03T15:00:00.000001Z'), 'micro')).toBe('15:00:00.000001');
    expect(formatTime('UTC', MIN_MICROS, 'date')).toBe('0001-01-01');
  });
});
