import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calendarRange, type Phase, phaseAt, previousTradingDate, sessionDateAt, tradingWindows } from '../../../shared/sessions.ts';
import { DAY, type EpochMicros, formatIso, HOUR, micros, MIN_MICROS, parseTime } from '../../../shared/time.ts';
import { atLocalFirst, dateOf, dayNumber, localDate, wallClock } from '../../../shared/zone.ts';
import { sessions, specials, windowsByTable } from './calendar/tables.ts';

const MICS = [...sessions.keys()];
const zoneOf = (mic: string): string => sessions.get(mic)!.tz;
/** `YYYY-MM-DD HH:MM[:SS]` on the exchange's own clock. */
function at(mic: string, local: string): EpochMicros {
  const [date = '', ofDay = '00:00'] = local.split(' ');
  const [hour = 0, minute = 0, second = 0] = ofDay.split(':').map(Number);
  return atLocalFirst(zoneOf(mic), date, BigInt(hour * 3600 + minute * 60 + second) * 1_000_000n);
}
function clock(mic: string, time: EpochMicros): string {
  const { hour, minute } = wallClock(zoneOf(mic), time);
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
const hours = (mic: string, date: string): string => {
  const from = at(mic, date);
  return tradingWindows(mic, from, micros(at(mic, dateOf(dayNumber(date) + 1n)) - 1n)).filter((window) => window.date === date)
    .map(({ open, close }) => `${clock(mic, open)}-${clock(mic, close)}`).join(' ');
};
const told = (mic: string, local: string, delayMs = 0): string => {
  const { kind, reason } = phaseAt(mic, at(mic, local), delayMs);
  return reason === null || reason === kind ? kind : `${kind}: ${reason}`;
};

const mic = fc.constantFrom(...MICS);
const covered = mic.chain((name) => {
  const [from, to] = sessions.get(name)!.range;
  return fc.record({ mic: fc.constant(name), day: fc.bigInt({ min: dayNumber(from), max: dayNumber(to) }), ofDay: fc.bigInt({ min: 0n, max: DAY - 1n }) });
});
const instant = covered.map(({ mic: name, day, ofDay }) => ({ mic: name, time: micros(day * DAY + ofDay) }));
const isOpen = ({ kind }: Phase): boolean => kind === 'open' || kind === 'auction';

describe('trading windows', () => {
  test('are those of the tables, read a second way', () => {
    fc.assert(fc.property(covered, ({ mic: name, day }) => {
      const date = dateOf(day);
      expect(hours(name, date)).toBe((windowsByTable(name, date) ?? []).map((window) => window.join('-')).join(' '));
    }), { numRuns: 400 });
    for (const { mic: name, date } of specials) expect(hours(name, date)).toBe((windowsByTable(name, date) ?? []).map((window) => window.join('-')).join(' '));
  });

  test('a clipped day ends or starts as its row says', () => {
    for (const { mic: name, date, open, close, kind } of specials) {
      if (kind !== 'early_close' && kind !== 'late_open') continue;
      const windows = hours(name, date);
      expect([name, date, windows.slice(0, 5), windows.slice(-5)]).toEqual([name, date, open, close]);
    }
  });

  test.each([
    ['XTKS', '2024-11-01', '09:00-11:30 12:30-15:00'], // Tokyo closed half an hour earlier until this day
    ['XTKS', '2024-11-05', '09:00-11:30 12:30-15:30'],
    ['XTKS', '2008-12-30', '09:00-11:00'],
    ['XNYS', '2019-11-28', ''],
    ['XNYS', '2019-11-29', '09:30-13:00'],
    ['XCBO', '2019-11-06', '02:15-08:15 08:30-15:15'],
    ['XCBO', '2019-11-29', '02:15-08:15 08:30-12:15'],
    ['XNSE', '2024-03-02', '09:15-10:00 11:30-12:30'], // a Saturday, two windows
    ['XNSE', '2024-11-01', '18:00-19:00'], // muhurat on a holiday
    ['XNSE', '2021-02-24', '09:15-17:00'], // shifted; the halt in it does not close the session
    ['XNSE', '2026-11-08', ''], // times not verified
    ['XKRX', '2026-11-19', '10:00-16:30'],
    ['XHKG', '2023-10-09', '14:00-16:00'],
    ['XSHG', '2016-01-07', '09:30-09:59'],
    ['XTSE', '2008-12-17', '09:30-16:00'], // an outage is told, the session stays
    ['XEUR', '2024-12-24', '09:00-14:05'],
    ['XSHG', '2027-01-04', ''], // beyond the calendar
  ])('%s on %s: %s', (name, date, windows) => expect(hours(name, date)).toBe(windows));

  test('local hours stay through clock changes, whatever the viewer', () => {
    const open = (date: string): string => formatIso(tradingWindows('XNYS', at('XNYS', date), at('XNYS', `${date} 23:00`))[0]!.open);
    expect([open('2024-11-01'), open('2024-11-04')]).toEqual(['2024-11-01T13:30:00.000000Z', '2024-11-04T14:30:00.000000Z']);
    // Sydney and Sao Paulo change the other way round, Sao Paulo at a midnight that does not exist
    expect(hours('XASX', '2024-10-04')).toBe('10:00-16:00');
    expect(hours('XASX', '2024-10-08')).toBe('10:00-16:00');
    expect(hours('BVMF', '2018-11-05')).toBe('10:00-18:00');
  });

  test('carry their date, place and note', () => {
    const [morning, afternoon] = tradingWindows('XTKS', at('XTKS', '2024-11-05'), at('XTKS', '2024-11-05 23:00'));
    expect([morning, afternoon]).toMatchObject([{ date: '2024-11-05', first: true, last: false, note: null }, { date: '2024-11-05', first: false, last: true }]);
    const note = (name: string, date: string): unknown => tradingWindows(name, at(name, date), at(name, `${date} 23:00`))[0]?.note;
    expect(note('XNYS', '2019-11-29')).toBe('early close');
    expect(note('XNYS', '2015-07-08')).toBe('halt 11:32-15:10');
    expect(note('XNSE', '2024-11-01')).toBe('muhurat');
    expect(note('XHKG', '2023-10-09')).toBe('late open');
  });

  test('are ordered, apart, and exactly those that overlap the span', () =>
    fc.assert(fc.property(instant, fc.bigInt({ min: 0n, max: 40n * DAY }), ({ mic: name, time }, span) => {
      const to = micros(time + span);
      const found = tradingWindows(name, time, to);
      for (const [index, window] of found.entries()) {
        expect(window.open < window.close && window.open <= to && window.close > time).toBe(true);
        if (index > 0) expect(found[index - 1]!.close <= window.open).toBe(true);
      }
      const wider = tradingWindows(name, micros(time - 2n * DAY), micros(to + 2n * DAY));
      expect(found).toEqual(wider.filter(({ open, close }) => open <= to && close > time));
    })));

  test('a span has a limit, an empty one nothing, an unknown exchange nothing', () => {
    const from = parseTime('2000-01-01');
    expect(() => tradingWindows('XNYS', from, micros(from + 41n * 366n * DAY))).toThrow(RangeError);
    expect(tradingWindows('XNYS', from, micros(from - 1n))).toEqual([]);
    expect(tradingWindows('XXXX', from, micros(from + DAY))).toEqual([]);
    expect(tradingWindows('XNYS', parseTime('1990-01-01'), parseTime('2000-01-03T15:00:00Z'))).toHaveLength(1);
  });
});

describe('phases', () => {
  test.each([
    ['XNYS', '2019-11-06 09:29:59', 'closed: night'], ['XNYS', '2019-11-06 09:30', 'open'], ['XNYS', '2019-11-06 15:59:59', 'open'], ['XNYS', '2019-11-06 16:00', 'closed: night'],
    ['XNYS', '2019-11-09 12:00', 'closed: weekend'], ['XNYS', '2019-11-28 12:00', 'closed: holiday'],
    ['XNYS', '2019-11-29 13:00', 'closed: early-close'], ['XNYS', '2019-11-29 15:59:59', 'closed: early-close'], ['XNYS', '2019-11-29 16:00', 'closed: night'],
    ['XTKS', '2024-11-05 11:30', 'lunch'], ['XTKS', '2024-11-05 12:30', 'open'], ['XTKS', '2024-11-01 15:10', 'closed: night'], ['XTKS', '2024-11-05 15:10', 'open'],
    ['XTKS', '2008-12-30 13:00', 'closed: early-close'], // no lunch where no afternoon follows
    ['XCBO', '2019-11-06 08:15', 'closed: between-sessions'], ['XCBO', '2019-11-06 08:30', 'open'],
    ['XHKG', '2023-10-09 09:29', 'closed: night'], ['XHKG', '2023-10-09 12:30', 'closed: late-open'], ['XHKG', '2023-10-09 14:00', 'open'],
    ['XKRX', '2026-11-19 09:30', 'closed: late-open'], ['XKRX', '2026-11-19 16:00', 'open'],
    ['XNSE', '2019-01-02 08:59:59', 'closed: night'], ['XNSE', '2019-01-02 09:07', 'pre-open'], ['XNSE', '2019-01-02 09:15', 'open'],
    ['XNSE', '2024-11-01 12:00', 'closed: holiday'], ['XNSE', '2024-11-01 17:50', 'pre-open'], ['XNSE', '2024-11-01 18:30', 'open'], ['XNSE', '2024-11-01 19:00', 'closed: holiday'],
    ['XNSE', '2024-03-02 10:30', 'closed: between-sessions'], ['XNSE', '2024-03-02 13:00', 'closed: weekend'],
    ['XNSE', '2026-11-08 18:30', 'unknown'], ['XNSE', '2026-11-09 00:00', 'closed: night'], // muhurat at unverified times
    ['XNSE', '2026-12-31 23:59', 'closed: night'], ['XNSE', '2027-01-01 00:00', 'unknown'], ['XNYS', '1999-12-31 12:00', 'unknown'], ['XNYS', '2031-01-01 00:00', 'unknown'],
    ['XTKS', '2024-11-05 15:25', 'auction'], ['XTKS', '2024-11-05 15:30', 'closed: night'], ['XTKS', '2024-11-01 14:56', 'open'],
    ['XLON', '2026-11-30 11:59:59', 'open'], ['XLON', '2026-11-30 12:01:59', 'auction'], ['XLON', '2026-11-30 12:02', 'open'], ['XLON', '2016-03-18 12:01', 'open'],
    ['BVMF', '2026-11-30 17:55', 'auction'], ['BVMF', '2026-07-01 16:54:59', 'open'], ['BVMF', '2026-07-01 16:55', 'auction'],
  ])('%s at %s local: %s', (name, local, phase) => expect(told(name, local)).toBe(phase));

  test('name the holiday', () => {
    expect(phaseAt('XNYS', at('XNYS', '2019-11-28 12:00')).holiday).toBe('Thanksgiving');
    expect(phaseAt('XNYS', at('XNYS', '2019-11-29 12:00')).holiday).toBeNull();
  });

  test('tell the next open over weekends, holidays and lunches', () => {
    const next = (name: string, local: string): string => formatIso(phaseAt(name, at(name, local)).nextOpen!);
    expect(next('XNYS', '2019-11-27 17:00')).toBe(formatIso(at('XNYS', '2019-11-29 09:30')));
    expect(next('XNYS', '2019-11-29 14:00')).toBe(formatIso(at('XNYS', '2019-12-02 09:30')));
    expect(next('XTKS', '2024-11-05 11:45')).toBe(formatIso(at('XTKS', '2024-11-05 12:30')));
    expect(next('XSHG', '2026-09-30 16:00')).toBe(formatIso(at('XSHG', '2026-10-08 09:30')));
    expect(next('XNYS', '2001-09-10 17:00')).toBe(formatIso(at('XNYS', '2001-09-17 09:33')));
  });

  test('promise no open that the calendar does not know', () => {
    expect(phaseAt('XNSE', at('XNSE', '2026-12-31 18:00')).nextOpen).toBeNull();
    expect(phaseAt('XNSE', at('XNSE', '2026-11-07 12:00'))).toMatchObject({ nextOpen: null, end: at('XNSE', '2026-11-08') }); // muhurat comes first
    expect(phaseAt('XNSE', at('XNSE', '2026-11-09 01:00'))).toMatchObject({ lastClose: null, start: at('XNSE', '2026-11-09') });
  });

  test('keep the current session until the next open', () => {
    const session = (local: string): string | null => sessionDateAt('XNYS', at('XNYS', local));
    expect(['2019-11-06 09:29:59', '2019-11-06 09:30', '2019-11-06 20:00', '2019-11-10 12:00', '2019-11-11 09:30'].map(session))
      .toEqual(['2019-11-05', '2019-11-06', '2019-11-06', '2019-11-08', '2019-11-11']);
    expect(sessionDateAt('XNSE', at('XNSE', '2026-11-08 18:30'))).toBeNull();
    expect(sessionDateAt('XNSE', at('XNSE', '2026-11-09 01:00'))).toBe('2026-11-08');
    expect(sessionDateAt(null, at('XNYS', '2019-11-06'))).toBeNull();
  });

  test('cover their instant, end where they say, and keep kind and reason until they change', () =>
    fc.assert(fc.property(instant, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), ({ mic: name, time }, share) => {
      const phase = phaseAt(name, time);
      if (phase.start !== null) expect(phase.start <= time).toBe(true);
      if (phase.end !== null) expect(phase.end > time).toBe(true);
      if (phase.changes === null) return;
      expect(phase.changes > time && (phase.end === null || phase.changes <= phase.end)).toBe(true);
      const later = micros(time + BigInt(Math.floor(Number(phase.changes - time) * share)));
      phaseAt(name, micros(time - HOUR)); // another question between must not matter
      expect({ ...phaseAt(name, later) }).toEqual(phase);
      if (phase.end !== null && phase.changes === phase.end) expect(phaseAt(name, phase.end).kind).not.toBe(phase.kind);
    }), { numRuns: 700 }));

  test('are open exactly inside a trading window; close and next open are its edges', () =>
    fc.assert(fc.property(instant, ({ mic: name, time }) => {
      const phase = phaseAt(name, time);
      if (phase.kind === 'unknown') return;
      expect(isOpen(phase)).toBe(tradingWindows(name, time, time).length === 1);
      if (phase.lastClose !== null) {
        expect(phase.lastClose <= time && isOpen(phaseAt(name, micros(phase.lastClose - 1n)))).toBe(true);
        expect(tradingWindows(name, phase.lastClose, time).every(({ close }) => close > time)).toBe(true);
      }
      if (phase.nextOpen !== null) {
        expect(phase.nextOpen > time && isOpen(phaseAt(name, phase.nextOpen))).toBe(true);
        expect(tradingWindows(name, time, micros(phase.nextOpen - 1n)).every(({ open }) => open <= time)).toBe(true);
      }
    }), { numRuns: 700 }));

  test('shift every edge by the delay', () =>
    fc.assert(fc.property(instant, fc.constantFrom(1, 60_000, 900_000, 20 * 60_000), ({ mic: name, time }, delayMs) => {
      const by = BigInt(delayMs) * 1000n;
      const [there, here] = [phaseAt(name, time), phaseAt(name, micros(time + by), delayMs)];
      const moved = (edge: EpochMicros | null): bigint | null => (edge === null ? null : edge + by);
      expect(here).toEqual({ ...there, start: moved(there.start), end: moved(there.end), changes: moved(there.changes), nextOpen: moved(there.nextOpen), lastClose: moved(there.lastClose) });
    })));

  test('an exchange nobody knows is unknown, never closed; so are the ends of time', () => {
    for (const name of [null, 'XXXX', '__proto__']) expect(phaseAt(name, parseTime('2019-11-09'))).toMatchObject({ kind: 'unknown', nextOpen: null, session: null, certainty: 'unknown' });
    expect(phaseAt('XTKS', MIN_MICROS, 900_000).kind).toBe('unknown');
    expect(phaseAt('XTKS', parseTime('9999-12-31T23:59:59Z'), 0).kind).toBe('unknown');
  });

  test('the calendar begins by itself', () => {
    const { changes } = phaseAt('XNYS', parseTime('1999-06-01'));
    expect(formatIso(changes!)).toBe('2000-01-01T05:00:00.000000Z');
  });
});

describe('trading dates', () => {
  test.each([
    ['XNYS', '2019-11-06', '2019-11-05'], ['XNYS', '2019-11-11', '2019-11-08'], ['XNYS', '2019-11-29', '2019-11-27'], ['XNYS', '2019-12-01', '2019-11-29'],
    ['XNSE', '2024-11-04', '2024-11-01'], ['XNSE', '2026-11-09', '2026-11-08'], // muhurat dates trade, verified times or not
    ['XSHG', '2026-10-08', '2026-09-30'],
  ])('before %s %s comes %s', (name, date, before) => expect(previousTradingDate(name, date)).toBe(before));

  test('none before the calendar or outside it', () => {
    expect(previousTradingDate('XNYS', '2000-01-03')).toBeNull();
    expect(previousTradingDate('XNYS', '1999-06-01')).toBeNull();
    expect(previousTradingDate('XSHG', '2027-01-05')).toBeNull();
    expect(previousTradingDate(null, '2019-11-06')).toBeNull();
  });

  test('every session follows its previous one with none between', () =>
    fc.assert(fc.property(instant, ({ mic: name, time }) => {
      const { session } = phaseAt(name, time);
      if (session === null) return;
      expect(session <= localDate(zoneOf(name), time)).toBe(true);
      const before = previousTradingDate(name, session);
      if (before === null) return;
      const between = tradingWindows(name, at(name, before), at(name, session)).filter(({ date }) => date > before && date < session);
      expect(between).toEqual([]);
      if (windowsByTable(name, before) !== null) expect(hours(name, before)).not.toBe('');
    })));
});

describe('what the calendar is worth', () => {
  test('range and certainty are told', () => {
    expect(calendarRange('XSHG')).toMatchObject({ from: '2000-01-01', to: '2026-12-31', firmTo: '2026-12-31' });
    expect(calendarRange('XNYS')).toMatchObject({ firmTo: '2028-12-31', to: '2030-12-31' });
    expect(calendarRange('XSHG')!.uncertain).toContain('2027');
    expect(calendarRange('XXXX')).toBeNull();
    expect(phaseAt('XNYS', at('XNYS', '2028-12-29 12:00')).certainty).toBe('firm');
    expect(phaseAt('XNYS', at('XNYS', '2029-01-02 12:00')).certainty).toBe('rule');
    expect(phaseAt('BVMF', at('BVMF', '2014-06-02 12:00')).certainty).toBe('rule');
  });
});
