import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { infoFor } from '../../../shared/indices.ts';
import { indexIdOf } from '../../../shared/rowKey.ts';
import { marketDate, sessionDay, sessionDayAt, sessionDaysOver } from '../../../shared/sessionDay.ts';
import { DAY, formatIso, HOUR, MAX_MICROS, micros, MIN_MICROS, parseTime } from '../../../shared/time.ts';

const of = (id: string) => infoFor(indexIdOf(id));
const at = (id: string, time: string): string | null => sessionDayAt(of(id), parseTime(time))?.date ?? null;

describe('the day that holds an instant', () => {
  test('reaches from the first open to half an hour after the last close, breaks included', () => {
    const day = sessionDay(of('NKY'), '2021-01-14');
    expect([day.start, day.from, day.to].map(formatIso)).toEqual(['2021-01-13T15:00:00.000000Z', '2021-01-14T00:00:00.000000Z', '2021-01-14T06:30:00.000000Z']);
    expect(['2021-01-13T23:59:59.999999Z', '2021-01-14T00:00:00Z', '2021-01-14T02:45:00Z', '2021-01-14T06:15:00Z', '2021-01-14T06:30:00Z'].map((time) => at('NKY', time))).toEqual([null, '2021-01-14', '2021-01-14', '2021-01-14', null]);
  });

  test('follows the hours of its date: Tokyo closes half an hour later from 2024-11-05 on', () => {
    expect([at('NKY', '2024-11-01T06:45:00Z'), at('NKY', '2024-11-05T06:45:00Z')]).toEqual([null, '2024-11-05']);
  });

  test('is cut short on half days, and none on holidays and weekends', () => {
    expect(at('SPX', '2023-11-24T18:29:59Z')).toBe('2023-11-24');
    expect(at('SPX', '2023-11-24T18:30:00Z')).toBeNull();
    expect([at('SPX', '2023-11-23T15:00:00Z'), at('SPX', '2023-11-25T15:00:00Z')]).toEqual([null, null]);
    const holiday = sessionDay(of('SPX'), '2023-11-23');
    expect(holiday.from).toBe(holiday.to);
  });

  test('keeps local hours over a clock change', () => {
    expect(formatIso(sessionDay(of('SPX'), '2021-03-12').from)).toBe('2021-03-12T14:30:00.000000Z');
    expect(formatIso(sessionDay(of('SPX'), '2021-03-15').from)).toBe('2021-03-15T13:30:00.000000Z');
  });

  test('is the whole date without a calendar, before and after its years, and where the hours are not verified', () => {
    expect([at('SPX', '1950-06-03T03:59:59Z'), at('SPX', '1950-06-03T04:00:00Z')]).toEqual(['1950-06-02', '1950-06-03']);
    const zoned = { mic: null, zone: 'Europe/Berlin' };
    const spring = sessionDay(zoned, '2021-03-28');
    expect(spring.to - spring.from).toBe(23n * HOUR);
    expect(sessionDay(of('NIFTY'), '2026-11-08')).toMatchObject({ from: parseTime('2026-11-07T18:30:00Z'), to: parseTime('2026-11-08T18:30:00Z') });
  });

  test('starts with the first instant of its date, midnight or not', () => {
    // clocks went forward over midnight
    const day = sessionDay({ mic: null, zone: 'America/Sao_Paulo' }, '2018-11-04');
    expect(formatIso(day.start)).toBe('2018-11-04T03:00:00.000000Z');
    expect(marketDate({ mic: null, zone: 'America/Sao_Paulo' }, day.start)).toBe('2018-11-04');
    expect(marketDate({ mic: null, zone: 'America/Sao_Paulo' }, micros(day.start - 1n))).toBe('2018-11-03');
    // Samoa skipped a date
    const apia = { mic: null, zone: 'Pacific/Apia' };
    expect(sessionDay(apia, '2011-12-30').from).toBe(sessionDay(apia, '2011-12-30').to);
    expect(sessionDayAt(apia, parseTime('2011-12-30T10:00:00Z'))?.date).toBe('2011-12-31');
  });

  test('days never overlap, and the one that holds an instant is among those over it', () => {
    const zones = ['UTC', 'America/St_Johns', 'Asia/Tokyo', 'America/Havana', 'Pacific/Apia', 'Europe/Amsterdam', 'Atlantic/Azores'];
    const markets = fc.oneof(fc.constantFrom('SPX', 'NKY', 'SX5E', 'VIX', 'NIFTY', 'XJO').map(of), fc.constantFrom(...zones).map((zone) => ({ mic: null, zone })));
    fc.assert(fc.property(markets, fc.bigInt({ min: parseTime('1880-01-01'), max: parseTime('2040-01-01') }), (market, time) => {
      const day = sessionDayAt(market, micros(time));
      const over = sessionDaysOver(market, micros(time - DAY), micros(time + DAY));
      for (const [nth, one] of over.entries()) if (nth > 0) expect(one.from).toBeGreaterThanOrEqual(over[nth - 1]!.to);
      expect(over.filter(({ from, to }) => from <= time && to > time)).toEqual(day ? [day] : []);
      if (day) expect([day.from <= time && time < day.to, day.start <= day.from, market.mic !== null || day.start === day.from]).toEqual([true, true, true]);
    }), { numRuns: 400 });
  });

  test('of the first and the last instant that there are', () => {
    for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
      for (const time of [MIN_MICROS, MAX_MICROS]) expect(() => [sessionDayAt({ mic: null, zone }, time), sessionDaysOver({ mic: null, zone }, time, time)]).not.toThrow();
    }
    expect(sessionDayAt({ mic: null, zone: 'UTC' }, micros(MAX_MICROS - 1n))?.date).toBe('9999-12-31');
  });
});
