import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { sessionScale } from '../../../renderer/chart/sessionScale.ts';
import { dateLabel, exactClockLabel, fullDateLabel, labelSpacing, lengthLabel, momentLabel, offsetLabel } from '../../../renderer/chart/timeLabels.ts';
import { nextBoundary, timeTicks } from '../../../renderer/chart/timeTicks.ts';
import { createTimeline, PLAIN_TIMELINE, type TradingStretch } from '../../../renderer/chart/timeline.ts';
import { type Reader, setReader } from '../../../shared/format.ts';
import type { EpochMicros } from '../../../shared/time.ts';

const HOUR = 3_600_000;
const NEW_YORK = 'America/New_York';

function ticksOf(stretches: readonly TradingStretch[], zone: string, from: number, to: number, width: number): string[] {
  const timeline = stretches.length === 0 ? PLAIN_TIMELINE : createTimeline(stretches);
  const place = sessionScale(timeline, from, to).range([0, width]);
  const ticks = timeTicks({ timeline, zone, from, to, place, spacing: 72 });
  const pixels = ticks.map(({ time }) => place(time));
  pixels.slice(1).forEach((pixel, index) => expect(pixel - pixels[index]!).toBeGreaterThanOrEqual(0.5 * 72));
  return ticks.map(({ label }) => label);
}

describe('time ticks', () => {
  test('two New York sessions: each open with its day, between them full hours', () => {
    const [tuesday, wednesday] = [Date.UTC(2019, 10, 5, 14, 30), Date.UTC(2019, 10, 6, 14, 30)];
    const stretches = [tuesday, wednesday].map((open, index) => ({ open, close: open + 6.5 * HOUR, date: `2019-11-0${5 + index}`, note: null }));
    const labels = ticksOf(stretches, NEW_YORK, tuesday, wednesday + 2 * HOUR, 700);
    expect(labels).toContain('Tue 09:30');
    expect(labels).toContain('Wed 09:30');
    expect(labels.filter((label) => !label.includes('09:30')).every((label) => /^\d\d:00$/.test(label))).toBe(true);
  });

  test('Tokyo lunch: no tick inside the break', () => {
    const open = Date.UTC(2021, 0, 14);
    const stretches = [{ open, close: open + 2.5 * HOUR, date: '2021-01-14', note: null }, { open: open + 3.5 * HOUR, close: open + 6 * HOUR, date: '2021-01-14', note: null }];
    const timeline = createTimeline(stretches);
    const place = sessionScale(timeline, open, open + 6 * HOUR).range([0, 1200]);
    const ticks = timeTicks({ timeline, zone: 'Asia/Tokyo', from: open, to: open + 6 * HOUR, place, spacing: 72 });
    expect(ticks.map(({ label }) => label)).toEqual(['Thu 09:00', '09:30', '10:00', '10:30', '11:00', '12:30', '13:00', '13:30', '14:00', '14:30']);
  });

  test('clocks go forward: the skipped hour has no tick, spacing on the clock stays whole', () => {
    const midnight = Date.UTC(2026, 2, 8, 5); // New York jumps from 02:00 to 03:00
    expect(ticksOf([], NEW_YORK, midnight, midnight + 5 * HOUR, 600)).toEqual(['Sun, Mar 8', '01:00', '03:00', '04:00', '05:00']);
  });

  test('clocks go back: both hours are there, in order, told apart by their offset', () => {
    const midnight = Date.UTC(2026, 10, 1, 4);
    expect(ticksOf([], NEW_YORK, midnight, midnight + 4 * HOUR, 600).filter((label) => label.includes('01:00'))).toEqual(['01:00 −04:00', '01:00 −05:00']);
  });

  test('boundaries are multiples of the step on the wall clock, and never before the asked time', () => {
    const zones = fc.constantFrom('UTC', NEW_YORK, 'Asia/Kolkata', 'Australia/Lord_Howe', 'Europe/Berlin');
    fc.assert(fc.property(zones, fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2030, 0) }), fc.constantFrom(1000, 60_000, 900_000, 1_800_000, HOUR), (zone, time, step) => {
      const boundary = nextBoundary(zone, time, step);
      expect(boundary).toBeGreaterThanOrEqual(time);
      expect(boundary - time).toBeLessThanOrEqual(2 * step);
      const clock = exactClockLabel(zone, (BigInt(boundary) * 1000n) as EpochMicros);
      const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number);
      expect(((hour * 60 + minute) * 60 + second) * 1000 % step).toBe(0);
    }), { numRuns: 300 });
  });

  test('labels of time', () => {
    expect(exactClockLabel(NEW_YORK, 1_573_056_726_612_000n as EpochMicros)).toBe('11:12:06.612');
    expect(exactClockLabel(NEW_YORK, 1_573_056_726_612_345n as EpochMicros)).toBe('11:12:06.612345');
    expect(offsetLabel(NEW_YORK, 1_573_056_726_612_000n as EpochMicros)).toBe('−05:00');
    expect(offsetLabel('Asia/Kolkata', 0n as EpochMicros)).toBe('+05:30');
    expect([lengthLabel(45_000), lengthLabel(12 * 60_000), lengthLabel(2 * HOUR + 5 * 60_000)]).toEqual(['45 s', '12 min', '2 h 05 min']);
  });
});

describe('as the reader writes', () => {
  afterEach(() => setReader({ locale: undefined, hours: '24' }));
  const [tuesday, wednesday] = [Date.UTC(2019, 10, 5, 14, 30), Date.UTC(2019, 10, 6, 14, 30)];
  const stretches = [tuesday, wednesday].map((open, index) => ({ open, close: open + 6.5 * HOUR, date: `2019-11-0${5 + index}`, note: null }));
  const axis = (): string[] => timeTicks({ timeline: createTimeline(stretches), zone: NEW_YORK, from: tuesday, to: wednesday + HOUR, place: sessionScale(createTimeline(stretches), tuesday, wednesday + HOUR).range([0, 500]), spacing: labelSpacing() }).map(({ label }) => label);
  const space = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');
  const moment = 1_573_056_726_612_000n as EpochMicros;
  test.each<[Reader, string, string, string, string, number]>([
    [{ locale: 'en-US', hours: '24' }, 'Tue 09:30', 'Wed, Nov 6', 'Wed, Nov 6 11:12:06', '11:12:06.612', 72],
    [{ locale: 'en-US', hours: '12' }, 'Tue 9:30 AM', 'Wed, Nov 6', 'Wed, Nov 6 11:12:06 AM', '11:12:06.612 AM', 78],
    [{ locale: 'de-DE', hours: '24' }, 'Di 09:30', 'Mi., 6. Nov.', 'Mi., 6. Nov. 11:12:06', '11:12:06.612', 78],
    [{ locale: 'en-GB', hours: 'locale' }, 'Tue 09:30', 'Wed 6 Nov', 'Wed 6 Nov 11:12:06', '11:12:06.612', 72],
    [{ locale: 'ja-JP', hours: '24' }, '火 09:30', '11月6日(水)', '11月6日(水) 11:12:06', '11:12:06.612', 72],
    [{ locale: 'fi-FI', hours: 'locale' }, 'ti 09.30', 'ke 6.11.', 'ke 6.11. 11.12.06', '11.12.06.612', 72],
  ])('%o', (reader, open, day, when, exact, spacing) => {
    setReader(reader);
    expect([space(axis()[0] ?? ''), space(dateLabel(NEW_YORK, moment)), space(momentLabel(NEW_YORK, Number(moment) / 1000)), space(exactClockLabel(NEW_YORK, moment))]).toEqual([open, day, when, exact]);
    expect(labelSpacing()).toBeGreaterThanOrEqual(spacing);
  });
  test('another reader gets other labels, the same one the same', () => {
    const full = (locale: string): string => {
      setReader({ locale, hours: '24' });
      return space(fullDateLabel(NEW_YORK, moment));
    };
    expect([full('en-US'), full('fr-FR'), full('en-US')]).toEqual(['Wed, Nov 6, 2019', 'mer. 6 nov. 2019', 'Wed, Nov 6, 2019']);
  });
});
