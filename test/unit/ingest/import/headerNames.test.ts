/** What the name of a column says of its stamps: taken where it means one thing, else refused with the option that tells. */
import { describe, expect, test } from 'vitest';
import { splitZone, zoneOfWord } from '../../../../electron/ingest/import/headerZone.ts';
import { accepted, brief, refusal, SPX } from './files.ts';

const PRICES = 'open,high,low,close';
const AT = '1710163800000000 1 3 0.5 2 -'; // 13:30 UTC, 09:30 New York
const NEXT = '1710163860000000 1 3 0.5 2 -';
const rows = (...stamps: readonly string[]): string => stamps.map((stamp) => `${stamp},1,3,0.5,2\n`).join('');
const END = { ...SPX, stamp: 'end' } as const;

describe('stamps by other names', () => {
  test.each([
    ['ts', '1710163800000'], ['start', '2024-03-11T13:30:00Z'], ['Start_Time', '1710163800'], ['open_time', '1710163800000000'], ['Open time', '2024-03-11T13:30:00Z'],
    ['close_time,start', '2024-03-11T13:31:00Z,2024-03-11T13:30:00Z'], ['end,time', '2024-03-11T13:31:00Z,2024-03-11T13:30:00Z'], ['date,start', '2024-03-11,13:30Z'],
  ])('%s', async (names, stamp) => expect(brief(await accepted(`${names},${PRICES}\n${rows(stamp)}`))).toEqual([AT]));

  test.each(['end', 'close_time', 'Close time', 'bar_end', 'date,end'])('%s is no start, and read as an end only when that is said', async (names) => {
    const [a, b] = names.startsWith('date') ? ['2024-03-11,13:31Z', '2024-03-11,13:32Z'] : ['2024-03-11T13:31:00Z', '2024-03-11T13:32:00Z'];
    const text = `${names},${PRICES}\n${rows(a, b)}`;
    expect(await refusal(text)).toMatch(/^BAD_INPUT: file.csv: its column "[^"]*" holds the ends of bars, and no column their starts; give --stamp end$/);
    expect(brief(await accepted(text, END))).toEqual([AT, NEXT]);
  });
  test.each([['1710163859999', '1710163919999'], ['1710163859999999', '1710163919999999'], ['1710163859999999999', '1710163919999999999']])('an end written as its last instant: %s', async (a, b) =>
    expect(brief(await accepted(`close_time,${PRICES}\n${rows(a, b)}`, { ...END, period: '1m' }))).toEqual([AT, NEXT]));
  test('a start is no end, a span no instant, the end of a day no day', async () => {
    expect(await refusal(`start,${PRICES}\n${rows('2024-03-11T13:30:00Z')}`, { ...END, period: '1m' })).toMatch(/"start" holds the starts of bars.*leave --stamp out/);
    expect(await refusal('end,price\n2024-03-11T13:30:00Z,1\n')).toMatch(/"end" is the end of a span.*rename the column to time/);
    expect(await refusal(`end,${PRICES}\n${rows('2024-03-11', '2024-03-12')}`)).toMatch(/"end" holds dates.*rename the column to date/);
  });
});

describe('a zone in brackets', () => {
  test.each([
    ['Time (UTC)', '2024-03-11 13:30'], ['Timestamp (GMT)', '2024-03-11 13:30'], ['Time (UTC-5)', '2024-03-11 08:30'], ['time [UTC+05:30]', '2024-03-11 19:00'], ['Date,Time (America/New_York)', '2024-03-11,09:30'],
    ['Time (EST),Time (UTC)', '2024-03-11 08:30,2024-03-11 13:30'],
  ])('%s', async (names, stamp) => {
    const whole = await accepted(`${names},${PRICES}\n${rows(stamp)}`);
    expect(brief(whole)).toEqual([AT]);
    expect(whole.warnings.join()).not.toMatch(/documents/);
  });
  test.each([['Time (EST)', 'EST'], ['Time (ET)', 'ET'], ['Date,Time [CST]', 'CST'], ['Time (local)', 'local'], ['Time (Europe/Nowhere)', 'Europe/Nowhere'], ['Date (UTC),Time (CET)', 'UTC / CET']])('%s does not tell one', async (names, word) => {
    const stamp = names.startsWith('Date') ? '2024-03-11,09:30' : '2024-03-11 09:30';
    const text = `${names},${PRICES}\n${rows(stamp)}`;
    expect(await refusal(text)).toMatch(new RegExp(`its header says that times are in "${word}", which does not tell one zone; give --zone`));
    expect(brief(await accepted(text, { ...SPX, zone: 'America/New_York' }))).toEqual([AT]);
  });
  test('two columns of one name are refused', async () => expect(await refusal(`Time (EST),Time (CET),${PRICES}\n${rows('2024-03-11 09:30,2024-03-11 14:30')}`)).toMatch(/names two columns "time" \(1 and 2\)/));
  test('units and formats are no zones', () => {
    for (const cell of ['Time (ms)', 'Date (yyyy-mm-dd)', 'time', 'Time ()', `time (${' '.repeat(60_000)}(`]) expect(splitZone(cell)).toBeNull();
    expect([zoneOfWord('utc+14'), zoneOfWord('UTC+99'), zoneOfWord('est5edt')]).toEqual(['+14:00', null, null]);
  });
});
