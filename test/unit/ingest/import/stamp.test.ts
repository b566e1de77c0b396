import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DateOrder, orderedDate, readStamp, undecidedDate } from '../../../../electron/ingest/import/stamp.ts';
import { localOrder } from '../../../../electron/ingest/import/localOrder.ts';
import { DAY, formatIso, MAX_MICROS, micros, MINUTE, MIN_MICROS } from '../../../../shared/time.ts';
import { dateOf, localDate, timeOfDay } from '../../../../shared/zone.ts';

const told = (text: string, order: DateOrder | null = null, clock: string | null = null): string => {
  const stamp = readStamp(text, order, clock);
  if (stamp.kind === 'bad') return 'bad';
  if (stamp.kind === 'instant') return `${formatIso(stamp.time)}+${stamp.nanos}`;
  return `${stamp.date} ${stamp.ofDay === null ? '-' : formatIso(micros(stamp.ofDay)).slice(stamp.ofDay === DAY ? 8 : 11, 26)}${stamp.nanos > 0 ? `+${stamp.nanos}` : ''}`;
};

test.each([
  ['2024-07-05', '2024-07-05 -'], ['2024/7/5', '2024-07-05 -'], ['20240705', '2024-07-05 -'], ['2024.03.08 16:30', '2024-03-08 16:30:00.000000'],
  ['2024-03-11T13:30:00Z', '2024-03-11T13:30:00.000000Z+0'], ['2024-03-11T13:30:00.123456789Z', '2024-03-11T13:30:00.123456Z+789'], ['2024-03-11 09:30:00-04:00', '2024-03-11T13:30:00.000000Z+0'],
  ['2024-03-11 09:30:00-0400', '2024-03-11T13:30:00.000000Z+0'], ['2024-03-11 13:30:00 UTC', '2024-03-11T13:30:00.000000Z+0'], ['2024-03-11T19:00+05:30', '2024-03-11T13:30:00.000000Z+0'],
  ['20180312 093000123', '2018-03-12 09:30:00.123000'], ['20180309 165900', '2018-03-09 16:59:00.000000'], ['20240705153500', '2024-07-05 15:35:00.000000'], ['202407051535', '2024-07-05 15:35:00.000000'],
  ['Jul 5, 2024', '2024-07-05 -'], ['05 Jul 2024', '2024-07-05 -'], ['5-Jul-24', '2024-07-05 -'], ['July 05, 2024', '2024-07-05 -'], ['5. Mai 2024', '2024-05-05 -'], ['Fri Jul 5 2024', '2024-07-05 -'], ['05 déc. 2023', '2023-12-05 -'],
  ['2024-07-05 9:30 AM', '2024-07-05 09:30:00.000000'], ['2024-07-05 12:00 AM', '2024-07-05 00:00:00.000000'], ['2024-07-05 12:15 pm', '2024-07-05 12:15:00.000000'],
  ['1710163800', '2024-03-11T13:30:00.000000Z+0'], ['1710163800123', '2024-03-11T13:30:00.123000Z+0'], ['1710163800123456', '2024-03-11T13:30:00.123456Z+0'], ['1710163800123456789', '2024-03-11T13:30:00.123456Z+789'],
  ['1710163800.5', '2024-03-11T13:30:00.500000Z+0'], ['-1325235600', '1928-01-03T15:00:00.000000Z+0'], ['45478', '2024-07-05 -'], ['45478.395833333', '2024-07-05 09:30:00.000000'],
  ['24:00', 'bad'], ['2024-02-30', 'bad'], ['2024-07-05 24:01', 'bad'], ['2024-07-05 9:60', 'bad'], ['2024-07-05 13:00 PM', 'bad'], ['2024-07-05 09:30 EST', 'bad'], ['2024-07-05 09:30+19:00', 'bad'],
  ['1.71016E+12', 'bad'], ['123456', 'bad'], ['', 'bad'], ['hello', 'bad'], ['05/07/2024', 'bad'],
] as const)('%s is %s', (text, want) => expect(told(text)).toBe(want));

test('a time in its own column', () => {
  expect([told('20240705', null, '153500'), told('2024.03.08', null, '16:30'), told('20240705', null, '93000'), told('20240705', null, '')]).toEqual(['2024-07-05 15:35:00.000000', '2024-03-08 16:30:00.000000', '2024-07-05 09:30:00.000000', '2024-07-05 -']);
});

test('the end of a day is the next midnight', () => {
  expect(readStamp('2024-11-04 24:00:00', null)).toMatchObject({ kind: 'local', date: '2024-11-04', ofDay: DAY });
});

const dates = fc.integer({ min: 0, max: 20_000 }).map((day) => dateOf(BigInt(day)));

test('a date written in an order reads back in it', () => {
  fc.assert(fc.property(dates, fc.constantFrom<DateOrder>('dmy', 'mdy'), fc.constantFrom('/', '-', '.'), fc.boolean(), (date, order, separator, padded) => {
    const [y = '', m = '', d = ''] = date.split('-').map((part) => (padded ? part : String(Number(part))));
    const text = (order === 'dmy' ? [d, m, y] : [m, d, y]).join(separator);
    expect(told(text, order)).toBe(`${date} -`);
  }));
});

test('a date that reads in two orders is never taken in one without being told', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 1, max: 31 }), fc.integer({ min: 1970, max: 2030 }), (a, b, year) => {
    const text = `${a}/${b}/${year}`;
    expect(readStamp(text, null).kind).toBe('bad');
    expect(undecidedDate(text)).toMatchObject({ a, b });
    const [dmy, mdy] = [orderedDate({ a, b, year: String(year) }, 'dmy'), orderedDate({ a, b, year: String(year) }, 'mdy')];
    if (a > 12) expect(mdy).toBeNull();
    if (b > 12) expect(dmy).toBeNull();
  }));
});

test('an instant in any epoch unit or as ISO text is the same instant', () => {
  fc.assert(fc.property(fc.bigInt({ min: 315_532_800_000_000n, max: 4_102_444_800_000_000n }), (time) => {
    const want = `${formatIso(micros(time))}+0`;
    expect(told(String(time))).toBe(want);
    expect(told(`${time}000`)).toBe(want);
    expect(told(formatIso(micros(time)))).toBe(want);
    expect(told(`${time / 1000n}`)).toBe(`${formatIso(micros((time / 1000n) * 1000n))}+0`);
    expect(told(`${time / 1_000_000n}`)).toBe(`${formatIso(micros((time / 1_000_000n) * 1_000_000n))}+0`);
  }));
});

test('the plain ISO form reads as the patterns read it', () => {
  const digits = (most: number) => fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, '0'));
  const parts = fc.tuple(fc.integer({ min: 1965, max: 2205 }), digits(13), digits(32), fc.constantFrom('T', ' '), digits(25), digits(61), digits(61), fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 10 }).chain((n) => fc.stringMatching(new RegExp(`^\\.[0-9]{${n}}$`)))), fc.constantFrom('', 'Z'));
  fc.assert(fc.property(parts, ([year, month, day, between, hour, minute, second, fraction, zone]) => {
    const text = (gap: string): string => `${year}-${month}-${day}${gap}${hour}:${minute}:${second}${fraction}${zone}`;
    expect(told(text(between))).toBe(told(text('  '))); // two blanks: not the plain form
  }), { numRuns: 400 });
});

test('no text throws, and what is read lies within the years 1 to 9999', () => {
  fc.assert(fc.property(fc.stringMatching(/^[-0-9/.:TZ +APManeu]*$/), fc.constantFrom<DateOrder | null>('dmy', 'mdy', 'ymd', null), (text, order) => {
    const stamp = readStamp(text, order);
    if (stamp.kind === 'instant') expect(stamp.time >= MIN_MICROS && stamp.time <= MAX_MICROS).toBe(true);
  }));
});

// minutes over the night on which New York's clocks go back, and the night on which they go forward
const nights = fc.constantFrom(1_730_592_000_000_000n, 1_710_028_800_000_000n);
test('minutes in order, upwards or downwards, come back as themselves through a clock change', () => {
  fc.assert(fc.property(nights, fc.boolean(), fc.integer({ min: 1, max: 30 }), (from, descending, step) => {
    const zone = 'America/New_York';
    const times = Array.from({ length: Math.floor(1440 / step) }, (_, i) => micros(from + BigInt(i * step) * MINUTE));
    if (descending) times.reverse();
    const resolve = localOrder(zone, descending, true);
    for (const time of times) expect(resolve(localDate(zone, time), timeOfDay(zone, time))).toMatchObject({ time });
  }));
});

test('ticks of one local instant stay in one pass', () => {
  const resolve = localOrder('America/New_York', false, false);
  const at = (ofDay: bigint): unknown => resolve('2024-11-03', ofDay);
  expect(at(90n * MINUTE)).toEqual(at(90n * MINUTE));
});
