/** Session-true marks on the axis of every exchange of the calendar in every year, held against its source tables. */
import { expect, test } from 'vitest';
import { calendarNote } from '../../../renderer/chart/calendarNote.ts';
import { sessionScale } from '../../../renderer/chart/sessionScale.ts';
import { timeTicks } from '../../../renderer/chart/timeTicks.ts';
import { createTimeline, stretchesOf, type Timeline, withUnknown } from '../../../renderer/chart/timeline.ts';
import { calendarRange, tradingWindows } from '../../../shared/sessions.ts';
import { type EpochMicros, micros } from '../../../shared/time.ts';
import { atLocalFirst, dateOf, dayNumber } from '../../../shared/zone.ts';
import { holidays, sessions, specials, windowsByTable } from '../shared/calendar/tables.ts';

const DAY = 86_400_000;
const DAY_MICROS = 86_400_000_000n;
const SPACING = 72;
const ROOM = 160;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const weekday = (date: string): string => WEEKDAYS[new Date(`${date}T12:00Z`).getUTCDay()]!;
const plus = (date: string, days: number): string => dateOf(dayNumber(date) + BigInt(days));

/** As the host sends them, and the page lays them out. */
function timelineOver(mic: string, from: EpochMicros, to: EpochMicros): Timeline {
  const windows = tradingWindows(mic, from, to).map(({ date, open, close, note }) => ({ date, openMicros: String(open), closeMicros: String(close), note }));
  return createTimeline(withUnknown(stretchesOf(windows), Number(from) / 1000, Number(to) / 1000, 16 * DAY));
}

/** A year's week, by turns: any, that of its first special day or holiday, that of its first change of clocks. */
function mondayOf(mic: string, offset: (time: number) => string, year: number): string {
  const any = plus(`${year}-01-08`, (year * 37 + mic.charCodeAt(1) * 11 + mic.charCodeAt(3) * 5) % 350);
  const special = (): string | undefined => [...specials, ...holidays].find((row) => row.mic === mic && row.date > `${year}-01-08` && row.date.startsWith(String(year)))?.date;
  const change = (): string | undefined => {
    const month = [2, 3, 9, 10].find((at) => offset(Date.UTC(year, at, 8)) !== offset(Date.UTC(year, at - 1, 8)));
    return month === undefined ? undefined : `${year}-${String(month + 1).padStart(2, '0')}-02`;
  };
  const date = [any, special() ?? any, change() ?? any][year % 3]!;
  return plus(date, -((new Date(`${date}T12:00Z`).getUTCDay() + 6) % 7));
}

test.each([...sessions])('%s: each session of a week is marked at its open, everything else lies inside of sessions', (mic, { tz, range }) => {
  let marked = 0;
  const zoned = new Intl.DateTimeFormat('en', { timeZone: tz, timeZoneName: 'longOffset' });
  const offset = (time: number): string => zoned.formatToParts(time).find(({ type }) => type === 'timeZoneName')!.value;
  for (let year = 2000; year <= Math.min(2030, Number(range[1].slice(0, 4))); year += 1) {
    const monday = mondayOf(mic, offset, year);
    const dates = Array.from({ length: 7 }, (_, at) => plus(monday, at)).filter((date) => date >= range[0] && date <= range[1]);
    const days = new Map(dates.flatMap((date) => {
      const windows = windowsByTable(mic, date);
      return windows === null || windows.length === 0 ? [] : [[date, windows] as const];
    }));
    const [from, to] = [atLocalFirst(tz, monday, 0n), atLocalFirst(tz, plus(monday, 7), 0n)];
    const timeline = timelineOver(mic, micros(from - 20n * DAY_MICROS), micros(to + 5n * DAY_MICROS));
    const perDay = [...days.keys()].map((date) => timeline.stretches.reduce((sum, stretch) => sum + (stretch.date === date ? stretch.close - stretch.open : 0), 0));
    // A day of an hour beside whole ones has its mark too, where there is room.
    const width = Math.max(1000, Math.ceil((ROOM * perDay.reduce((sum, length) => sum + length, 0)) / Math.min(...perDay, Number.MAX_VALUE)));
    const [start, end] = [Number(from) / 1000, Number(to) / 1000];
    const place = sessionScale(timeline, start, end).range([0, width]);
    const labels = timeTicks({ timeline, zone: tz, from: start, to: end, place, spacing: SPACING }).map(({ label }) => label);
    // Read as a person does: a weekday begins a date, a clock goes on in it.
    let day = '';
    const read = labels.map((label) => {
      const [first = '', clock = first] = label.split(' ');
      if (first !== clock) day = first;
      return [day, clock] as const;
    });
    const told = `${mic} ${monday}: ${labels.join(' ')}`;
    expect([told, read.filter((mark, at) => at === 0 || read[at - 1]![0] !== mark[0]).map((mark) => mark.join(' '))])
      .toEqual([told, [...days].map(([date, windows]) => `${weekday(date)} ${windows[0]![0]}`)]);
    const open = new Map([...days].map(([date, windows]) => [weekday(date), windows]));
    expect([told, read.filter(([name, clock]) => !open.get(name)?.some(([opens, closes]) => clock >= opens && clock < closes))]).toEqual([told, []]);
    marked += days.size;
  }
  expect(marked).toBeGreaterThan(90);
});

test.each([...sessions.keys()])('%s: before and after what its calendar covers the axis says that it does not know', (mic) => {
  const { from, to } = calendarRange(mic)!;
  const { tz } = sessions.get(mic)!;
  const note = (first: string, last: string): string | null => {
    const [start, end] = [atLocalFirst(tz, first, 0n), atLocalFirst(tz, last, 0n)];
    return calendarNote(timelineOver(mic, start, micros(end)), Number(start) / 1000, Number(end) / 1000, tz);
  };
  expect([note(plus(from, -60), plus(from, 30)), note(plus(to, -30), plus(to, 60))]).toEqual([expect.stringMatching(/^sessions before .* are not known/), expect.stringMatching(/^sessions after .* are not known/)]);
  expect(note(plus(from, 40), plus(from, 80))).toBeNull();
});
