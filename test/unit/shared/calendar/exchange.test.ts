import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exchangeOf, KNOWN_MICS, minutesOf, type Span } from '../../../../shared/calendar/exchange.ts';
import { encodeCalendar } from '../../../fixtures/calendar/encode.ts';
import { holidays, sessions, specials } from './tables.ts';

const data = readFileSync(`${import.meta.dirname}/../../../../shared/calendar/data.ts`, 'utf8');
const clock = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const pair = ({ open, close }: Span): [string, string] => [clock(open), clock(close)];

describe('the compact calendar', () => {
  test('is what the tables beside the encoder give', () => expect(data).toBe(encodeCalendar()));

  test('stays under 60 kB', () => expect(Buffer.byteLength(data)).toBeLessThan(60_000));

  test('knows the exchanges of the table and no other', () => {
    expect([...KNOWN_MICS].sort()).toEqual([...sessions.keys()].sort());
    for (const mic of [null, 'XXXX', '', 'constructor', '__proto__', 'toString']) expect(exchangeOf(mic)).toBeNull();
  });

  test('decodes to every holiday with its name, and no more', () => {
    expect(KNOWN_MICS.flatMap((mic) => [...exchangeOf(mic)!.holidays].map(([date, name]) => `${mic},${date},${name}`)).sort())
      .toEqual(holidays.map(({ mic, date, name }) => `${mic},${date},${name}`).sort());
    expect(holidays.length).toBe(6350);
  });

  test('decodes to every special day, and no more', () => {
    const decoded = KNOWN_MICS.flatMap((mic) => [...exchangeOf(mic)!.specials].flatMap(([date, rows]) =>
      rows.map(({ kind, span }) => `${mic},${date},${span ? pair(span).join() : ','},${kind}`)));
    expect(decoded.sort()).toEqual(specials.map(({ mic, date, open, close, kind }) => `${mic},${date},${open},${close},${kind}`).sort());
    expect(specials.length).toBe(881);
  });

  test.each([...sessions])('decodes the hours, zone, range and weekend days of %s', (mic, entry) => {
    const exchange = exchangeOf(mic)!;
    expect([exchange.mic, exchange.zone, exchange.from, exchange.to, exchange.note]).toEqual([mic, entry.tz, ...entry.range, entry.note ?? null]);
    expect(exchange.regular.map(({ from, spans }) => ({ from, sessions: spans.map(pair) }))).toEqual(entry.regular);
    expect([...exchange.weekend].filter((date) => date !== '')).toEqual(entry.weekend ?? []);
  });

  test.each(KNOWN_MICS)('says what is firm and what is uncertain for %s', (mic) => {
    const { firm, uncertain, from, to } = exchangeOf(mic)!;
    expect(uncertain).not.toBe('');
    expect(firm.length).toBeGreaterThan(0);
    for (const [start, end] of firm) expect(from <= start && start < end && end <= to).toBe(true);
  });

  test('reads a clock', () => expect([minutesOf('00:00'), minutesOf('09:30'), minutesOf('24:00')]).toEqual([0, 570, 1440]));
});
