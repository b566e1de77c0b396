import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MAX_MICROS, micros, MIN_MICROS, MINUTE, parseTime, SECOND, utc } from '../../../shared/time.ts';
import { atLocal, atLocalFirst, dateOf, dayNumber, isZone, localDate, offsetAt, timeOfDay, wallClock } from '../../../shared/zone.ts';

const ZONES = [
  'UTC', 'America/New_York', 'America/Sao_Paulo', 'America/Mexico_City', 'America/St_Johns', 'Europe/London', 'Europe/Berlin', 'Africa/Monrovia', 'Africa/Casablanca',
  'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo', 'Australia/Sydney', 'Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kiritimati',
] as const;
const zone = fc.constantFrom(...ZONES);
const modern = fc.bigInt({ min: utc(1970, 1, 1), max: utc(2037, 1, 1) }).map(micros);

describe('offsets', () => {
  test('are what Intl says, at any instant and whatever was asked before', () => {
    const told = new Map(ZONES.map((name) => [name, new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })]));
    fc.assert(fc.property(zone, modern, (name, time) => {
      const text = told.get(name)!.formatToParts(Number(time / 1000n)).find(({ type }) => type === 'timeZoneName')!.value;
      const [, sign, hours = '0', minutes = '0', seconds = '0'] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)!;
      const offset = BigInt(hours) * HOUR + BigInt(minutes) * MINUTE + BigInt(seconds) * SECOND;
      expect(offsetAt(name, time)).toBe(sign === '-' ? -offset : offset);
    }), { numRuns: 800 });
  });

  test.each([
    ['America/St_Johns', utc(2006, 4, 2, 3, 31), -210n * MINUTE, -150n * MINUTE], // a minute past midnight, no quarter hour
    ['Africa/Monrovia', utc(1972, 1, 7, 0, 44, 30), -2670n * SECOND, 0n],
    ['America/New_York', utc(2024, 11, 3, 6), -240n * MINUTE, -300n * MINUTE],
    ['Pacific/Apia', utc(2011, 12, 30, 10), -600n * MINUTE, 840n * MINUTE],
  ])('change in %s to the microsecond', (name, change, before, after) => {
    expect(offsetAt(name, micros(change - 1n))).toBe(before);
    expect(offsetAt(name, change)).toBe(after);
    expect(offsetAt(name, micros(change - 1n))).toBe(before);
  });

  test('an unknown zone is told apart', () => {
    expect(isZone('Europe/Berlin')).toBe(true);
    expect(isZone('Europe/Frankfurt')).toBe(false);
    expect(() => offsetAt('Europe/Frankfurt', utc(2020, 1, 1))).toThrow(RangeError);
  });
});

describe('wall clocks', () => {
  test('every instant is one of those at its own local time', () =>
    fc.assert(fc.property(zone, modern, (name, time) => {
      const found = atLocal(name, localDate(name, time), timeOfDay(name, time));
      const times = found.kind === 'one' ? [found.time] : found.kind === 'two' ? [found.first, found.second] : [];
      expect(times).toContain(time);
    }), { numRuns: 400 }));

  test('a repeated hour has both instants, in order', () => {
    expect(atLocal('America/New_York', '2024-11-03', 90n * MINUTE)).toEqual({ kind: 'two', first: utc(2024, 11, 3, 5, 30), second: utc(2024, 11, 3, 6, 30) });
    expect(atLocalFirst('America/New_York', '2024-11-03', 90n * MINUTE)).toBe(utc(2024, 11, 3, 5, 30));
    expect(atLocal('Australia/Lord_Howe', '2024-04-07', 105n * MINUTE)).toMatchObject({ kind: 'two' }); // half an hour only
  });

  test.each([
    ['America/New_York', '2024-03-10', 150n * MINUTE, utc(2024, 3, 10, 7)],
    ['America/Sao_Paulo', '2018-11-04', 0n, utc(2018, 11, 4, 3)], // a date without a midnight
    ['Pacific/Apia', '2011-12-30', 12n * HOUR, utc(2011, 12, 30, 10)], // a date that never was
    ['Europe/London', '1968-02-18', 150n * MINUTE, utc(1968, 2, 18, 2)], // before 1970
  ])('a skipped time in %s on %s is the instant of the change', (name, date, ofDay, change) => {
    expect(atLocal(name, date, ofDay)).toEqual({ kind: 'none', before: change });
    expect(atLocalFirst(name, date, ofDay)).toBe(change);
  });

  test('24:00 is the next midnight', () => expect(atLocalFirst('Europe/Berlin', '2024-03-30', DAY)).toBe(atLocalFirst('Europe/Berlin', '2024-03-31', 0n)));

  test('the edges of the years are reachable where they exist, refused where not', () => {
    expect(atLocal('UTC', '0001-01-01', 0n)).toEqual({ kind: 'one', time: MIN_MICROS });
    expect(atLocal('America/New_York', '0001-01-01', 0n)).toMatchObject({ kind: 'one' });
    expect(() => atLocal('Asia/Tokyo', '0001-01-01', 0n)).toThrow(RangeError);
    expect(atLocal('Asia/Tokyo', '9999-12-31', 23n * HOUR)).toEqual({ kind: 'one', time: utc(9999, 12, 31, 14) });
    expect(() => atLocal('America/New_York', '9999-12-31', 23n * HOUR)).toThrow(RangeError);
    expect(wallClock('UTC', MAX_MICROS)).toEqual({ year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59 });
  });

  test('midnight prints as 0, not 24', () => expect(wallClock('America/New_York', parseTime('2024-01-01T05:00:00Z')).hour).toBe(0));

  test('the clock and the time of day tell the same', () =>
    fc.assert(fc.property(zone, modern, (name, time) => {
      const { hour, minute, second } = wallClock(name, time);
      expect(timeOfDay(name, time) / SECOND).toBe(BigInt(hour * 3600 + minute * 60 + second));
    })));
});

describe('dates', () => {
  test('day numbers read back and keep order', () =>
    fc.assert(fc.property(fc.bigInt({ min: MIN_MICROS / DAY, max: MAX_MICROS / DAY }), (day) => {
      const date = dateOf(day);
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(dayNumber(date)).toBe(day);
    })));

  test.each(['2019-02-29', '2019-00-10', '', 'today'])('%j is no date', (date) => expect(() => dayNumber(date)).toThrow(RangeError));
});
