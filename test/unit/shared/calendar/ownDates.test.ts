import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { chooseBase } from '../../../../shared/change.ts';
import { exchangeOf, KNOWN_MICS, setOwnDates } from '../../../../shared/calendar/exchange.ts';
import { OWN_LIMITS, type OwnDate, wrongDate, wrongOwnDate } from '../../../../shared/calendar/ownDate.ts';
import { changeOwnDates, parseOwnDates } from '../../../../shared/calendar/ownDatesFile.ts';
import { planOf } from '../../../../shared/calendar/plan.ts';
import { sessionDay } from '../../../../shared/sessionDay.ts';
import { phaseAt, previousTradingDate, tradingWindows } from '../../../../shared/sessions.ts';
import { DAY, formatIso, micros, parseTime } from '../../../../shared/time.ts';
import { dateOf, dayNumber } from '../../../../shared/zone.ts';

afterEach(() => setOwnDates([]));

const HEAD = 'mic,date,open,close,note';
const file = (...lines: string[]): string => [HEAD, ...lines, ''].join('\n');
const closed = (mic: string, date: string, note: string | null = null): OwnDate => ({ mic, date, windows: [], note });
const open = (mic: string, date: string, hours: string, note: string | null = null): OwnDate =>
  ({ mic, date, note, windows: hours.split(' ').map((window) => ({ open: window.slice(0, 5), close: window.slice(6) })) });
const hours = (mic: string, date: string): string =>
  tradingWindows(mic, micros(dayNumber(date) * DAY - DAY), micros(dayNumber(date) * DAY + 2n * DAY)).filter((window) => window.date === date).map((window) => `${formatIso(window.open).slice(11, 16)}-${formatIso(window.close).slice(11, 16)}`).join(' ');

describe('the file', () => {
  test('is read: closed, hours, a break, notes with commas and quotes', () => {
    expect(parseOwnDates(file('XNYS,2026-12-24,,,"Storm, again"', 'XTKS,2026-12-30,12:30,15:30,', 'XTKS,2026-12-30,09:00,11:30,half "day"', '# a remark', ',,,,'))).toEqual({
      dates: [closed('XNYS', '2026-12-24', 'Storm, again'), open('XTKS', '2026-12-30', '09:00-11:30 12:30-15:30', 'half "day"')], problems: [],
    });
  });

  test('as a spreadsheet may write it', () =>
    expect(parseOwnDates('\uFEFFNote;MIC;Date;Open;Close\r\n;xlon;2026-12-23;8:00;12:30:00\r\n;;;;\r\n')).toEqual({ dates: [open('XLON', '2026-12-23', '08:00-12:30')], problems: [] }));

  test.each([
    ['XXXX,2026-12-24,,,', 'line 2: the calendar has no exchange "XXXX"'],
    ['XNYS,24/12/2026,,,', 'line 2: "24/12/2026": a date is YYYY-MM-DD'],
    ['XNYS,2026-02-30,,,', 'line 2: "2026-02-30": 2026-02-30 is no day of the calendar'],
    ['XNYS,1969-12-31,,,', 'line 2: "1969-12-31": a date is from 1970-01-01 to 2099-12-31'],
    ['XNYS,2026-12-24,25:00,26:00,', 'line 2: an opening time is HH:MM, 00:00 to 23:59; XNYS 2026-12-24 stays as the calendar has it'],
    ['XNYS,2026-12-24,09:30,,', 'line 2: a closing time is HH:MM, to 24:00; XNYS 2026-12-24 stays as the calendar has it'],
    ['XNYS,2026-12-24,13:00,09:30,', 'line 2: 13:00 to 09:30 ends before it begins; XNYS 2026-12-24 stays as the calendar has it'],
    ['XNYS,2026-12-24,,,"no end', 'line 2: a quote is not closed'],
    ['XNYS,2026-12-24,,,a,b', 'line 2: it has 6 cells, and there are 5 columns'],
    [`XNYS,2026-12-24,,,${'x'.repeat(81)}`, 'line 2: a note has at most 80 characters; XNYS 2026-12-24 stays as the calendar has it'],
  ])('%s costs itself alone and is told', (line, told) => {
    expect(parseOwnDates(file(line, 'XLON,2026-12-24,,,'))).toEqual({ dates: [closed('XLON', '2026-12-24')], problems: [told] });
  });

  test('a date with one wrong line stays as the calendar has it: half of a day would be a guess', () => {
    const { dates, problems } = parseOwnDates(file('XTKS,2026-12-30,09:00,11:30,', 'XTKS,2026-12-30,11:00,15:30,', 'XNYS,2026-12-24,,,', 'XNYS,2026-12-24,09:30,13:00,'));
    expect(dates).toEqual([]);
    expect(problems).toEqual([
      'line 3: 11:00 to 15:30 begins before 09:00 to 11:30 ends; XTKS 2026-12-30 stays as the calendar has it', 'line 5: open, and closed by a line before; XNYS 2026-12-24 stays as the calendar has it',
    ]);
  });

  test('other columns, too much text, too many dates, too many mistakes', () => {
    expect(parseOwnDates('exchange,day\nXNYS,2026-12-24\n')).toEqual({ dates: [], problems: ['line 1: the first line must name the columns mic,date,open,close,note; mic, date, open, close, note are not there once'] });
    expect(parseOwnDates('x'.repeat(500_001)).problems).toEqual(['the file is larger than 500 kB']);
    const many = parseOwnDates(file(...Array.from({ length: OWN_LIMITS.dates + 1 }, (_, at) => `XNYS,${dateOf(dayNumber('2000-01-01') + BigInt(at))},,,`), 'XNYS,2000-01-02,,,'));
    expect([many.dates.length, many.problems]).toEqual([OWN_LIMITS.dates - 1, ['line 2002: more than 2000 dates; XNYS 2005-06-23 stays as the calendar has it', 'line 2003: closed twice; XNYS 2000-01-02 stays as the calendar has it']]);
    expect(parseOwnDates(file(...Array.from({ length: 30 }, () => 'NOPE'))).problems).toHaveLength(21);
    expect([parseOwnDates(''), parseOwnDates('\n# nothing yet\n')]).toEqual([{ dates: [], problems: [] }, { dates: [], problems: [] }]);
  });

  test('whatever is in it, what comes out may be kept', () =>
    fc.assert(fc.property(fc.oneof(fc.string(), fc.array(fc.constantFrom('XNYS', 'XLON', '2026-12-24', '09:30', '16:00', '"', ',', ';', '\n', 'x')).map((parts) => `${HEAD}\n${parts.join(',')}`)), (text) => {
      for (const date of parseOwnDates(text).dates) expect([wrongOwnDate(date), exchangeOf(date.mic)?.mic]).toEqual([null, date.mic]);
    })));

  test('a change touches its own date alone, keeps every other line, and takes back what it did', () => {
    const before = '# ours\r\nmic,date,open,close,note\r\nXNYS,2026-12-24,9:30,13:00,\r\nXTKS,wrong,,,\r\n';
    const changed = changeOwnDates(before, { mic: 'XNYS', date: '2026-12-24' }, { windows: [], note: ' Storm, "again" ' });
    expect(changed).toEqual({ ok: true, value: '# ours\r\nmic,date,open,close,note\r\nXTKS,wrong,,,\r\nXNYS,2026-12-24,,,"Storm, ""again"""\r\n' });
    expect(changeOwnDates(changed.ok ? changed.value : '', { mic: 'XNYS', date: '2026-12-24' }, null)).toEqual({ ok: true, value: '# ours\r\nmic,date,open,close,note\r\nXTKS,wrong,,,\r\n' });
    expect(changeOwnDates('', { mic: 'XNYS', date: '2026-12-24' }, { windows: [], note: null })).toEqual({ ok: true, value: 'mic,date,open,close,note\nXNYS,2026-12-24,,,\n' });
  });

  test('what would not be read back is not written', () => {
    const change = (text: string, mic: string, date: string, windows: OwnDate['windows'] = []) => changeOwnDates(text, { mic, date }, { windows, note: null });
    for (const refused of [change('exchange,day\n', 'XNYS', '2026-12-24'), change('', 'XXXX', '2026-12-24'), change('', 'XNYS', '2026-13-24'), change('', 'XNYS', '2026-12-24', [{ open: '16:00', close: '09:00' }])]) expect(refused).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    const full = file(...Array.from({ length: OWN_LIMITS.dates }, (_, at) => `XNYS,${dateOf(dayNumber('2000-01-01') + BigInt(at))},,,`));
    expect(change(full, 'XLON', '2026-12-24')).toMatchObject({ ok: false, error: { what: 'there is room for 2000 dates of your own' } });
  });

  const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
  const windows = fc.uniqueArray(clock, { maxLength: 8 }).map((times) => times.sort().slice(0, times.length - (times.length % 2))).map((times) => times.flatMap((at, i) => (i % 2 === 0 ? [{ open: at, close: times[i + 1]! }] : [])));
  const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }).map((at) => at.toISOString().slice(0, 10));
  test('any date that may be kept is read as it was written', () =>
    fc.assert(fc.property(fc.constantFrom(...KNOWN_MICS), date, windows, fc.string({ maxLength: 80 }).map((note) => note.trim()), (mic, day, own, note) => {
      fc.pre(wrongOwnDate({ mic, date: day, windows: own, note }) === null);
      const written = changeOwnDates(file('XLON,2026-12-24,,,'), { mic, date: day }, { windows: own, note });
      expect(parseOwnDates(written.ok ? written.value : '').dates).toContainEqual({ mic, date: day, windows: own, note: note === '' ? null : note });
    })));
});

describe('the user\'s word', () => {
  test('goes before the table: a holiday trades, a session is off, hours are others', () => {
    setOwnDates([open('XNYS', '2019-11-28', '10:00-13:00'), closed('XNYS', '2019-11-06', 'Storm'), open('XTKS', '2021-01-14', '09:00-11:30')]);
    expect([hours('XNYS', '2019-11-28'), hours('XNYS', '2019-11-06'), hours('XTKS', '2021-01-14')]).toEqual(['15:00-18:00', '', '00:00-02:30']);
    const at = (text: string) => phaseAt('XNYS', parseTime(text));
    expect(at('2019-11-06T15:00:00Z')).toMatchObject({ kind: 'closed', reason: 'holiday', holiday: 'Storm', session: '2019-11-05', nextOpen: parseTime('2019-11-07T14:30:00Z') });
    expect(at('2019-11-28T15:30:00Z')).toMatchObject({ kind: 'open', session: '2019-11-28', certainty: 'firm' });
    expect([at('2019-11-28T14:45:00Z').reason, at('2019-11-28T18:30:00Z').reason, at('2019-11-28T22:00:00Z').reason]).toEqual(['late-open', 'early-close', 'night']);
    expect([previousTradingDate('XNYS', '2019-11-07'), previousTradingDate('XNYS', '2019-11-29')]).toEqual(['2019-11-05', '2019-11-28']);
  });

  test('tells whose it is, on a date and after one that it closes', () => {
    setOwnDates([closed('XNYS', '2019-11-06', 'Storm'), open('XNYS', '2019-11-07', '09:30-13:00', 'rehearsal'), closed('XNYS', '2019-11-09')]);
    expect(tradingWindows('XNYS', parseTime('2019-11-05'), parseTime('2019-11-12')).map((window) => [window.date, window.note, window.own])).toEqual([
      ['2019-11-05', null, undefined], ['2019-11-07', 'your date: rehearsal', ['2019-11-06', '2019-11-07']], ['2019-11-08', null, undefined], ['2019-11-11', null, ['2019-11-09']],
    ]);
  });

  test('is followed by bars and base at once, and taken back at once', () => {
    const market = { mic: 'XNYS', zone: 'America/New_York' };
    const bar = { sessionDate: '2019-11-05', officialClose: '3074.62', close: '3074.62' } as never;
    const base = () => chooseBase({ mic: 'XNYS', now: parseTime('2019-11-07T15:00:00Z'), delayMs: 0, clock: 'wall', dailyBars: [bar] }).note;
    const length = () => Number(sessionDay(market, '2019-11-06').to - sessionDay(market, '2019-11-06').from) / 60e6;
    expect([length(), base()]).toEqual([420, 'no official close since 2019-11-05']);
    setOwnDates([closed('XNYS', '2019-11-06')]);
    expect([length(), base()]).toEqual([0, null]);
    setOwnDates([]);
    expect([length(), base()]).toEqual([420, 'no official close since 2019-11-05']);
  });

  test('outside of the calendar it tells of its date alone', () => {
    setOwnDates([open('XNYS', '2031-01-06', '09:30-16:00'), closed('XNYS', '1999-12-31')]);
    const at = (text: string) => phaseAt('XNYS', parseTime(text));
    expect(at('2031-01-06T15:00:00Z')).toMatchObject({ kind: 'open', session: '2031-01-06', nextOpen: null, certainty: 'firm' });
    expect(at('2031-01-06T12:00:00Z')).toMatchObject({ kind: 'closed', reason: 'night', nextOpen: parseTime('2031-01-06T14:30:00Z') });
    expect([at('2031-01-05T15:00:00Z'), at('2031-01-07T15:00:00Z').kind]).toMatchObject([{ kind: 'unknown', changes: parseTime('2031-01-06T05:00:00Z') }, 'unknown']);
    expect(at('1999-12-30T15:00:00Z')).toMatchObject({ kind: 'unknown', changes: parseTime('1999-12-31T05:00:00Z') });
    expect(at('1999-12-31T15:00:00Z')).toMatchObject({ kind: 'closed', reason: 'holiday' });
    expect(tradingWindows('XNYS', parseTime('2030-12-31'), parseTime('2031-01-10')).map((window) => [window.date, window.unknownBefore])).toEqual([['2030-12-31', undefined], ['2031-01-06', true]]);
  });

  test('changes its exchange\'s date and no other', () => {
    const day = fc.record({ mic: fc.constantFrom(...KNOWN_MICS), date: fc.bigInt({ min: dayNumber('1999-01-01'), max: dayNumber('2032-01-01') }).map(dateOf), hours: fc.constantFrom('', '09:00-12:00', '08:00-11:00 13:00-15:00') });
    const planned = (mic: string, date: string) => planOf(exchangeOf(mic)!, date);
    fc.assert(fc.property(day, fc.array(day, { maxLength: 5 }), ({ mic, date, hours: own }, others) => {
      const around = [...others.map((other) => ({ mic: other.mic, date: other.date })), ...KNOWN_MICS.map((name) => ({ mic: name, date })), { mic, date: dateOf(dayNumber(date) + 1n) }, { mic, date: dateOf(dayNumber(date) - 1n) }].filter((other) => other.mic !== mic || other.date !== date);
      setOwnDates([]);
      const before = around.map((other) => planned(other.mic, other.date));
      setOwnDates([own === '' ? closed(mic, date) : open(mic, date, own)]);
      expect(around.map((other) => planned(other.mic, other.date))).toEqual(before);
      expect(planned(mic, date)).toMatchObject({ own: true, certainty: 'firm', kind: own === '' ? 'holiday' : 'trading', windows: { length: own === '' ? 0 : own.split(' ').length } });
    }), { numRuns: 60 });
  });
});

test.each([['2026-12-24', null], ['2024-02-29', null], ['2023-02-29', '2023-02-29 is no day of the calendar'], ['2026-1-1', 'a date is YYYY-MM-DD'], ['2100-01-01', 'a date is from 1970-01-01 to 2099-12-31']])('the date %s: %s', (date, wrong) => expect(wrongDate(date)).toBe(wrong));
