/** The kinds of files that the samples stand for, files never seen, and what is refused. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { indexIdOf } from '../../../../shared/rowKey.ts';
import { accepted, AUTO, brief, refusal, SPX } from './files.ts';

const BARS = 'time,open,high,low,close,volume\n';
const UTC_ROW = '2024-03-11T13:30:00Z,1,3,0.5,2,7';
const ROW_AT = '1710163800000000 1 3 0.5 2 7';
const NY = { ...SPX, zone: 'America/New_York' };
const FIXED = /zone its times are/;

describe('bytes', () => {
  test.each([
    ['no final newline', BARS + UTC_ROW], ['CRLF', `${BARS}${UTC_ROW}\n`.replaceAll('\n', '\r\n')], ['a byte order mark', `\uFEFF${BARS}${UTC_ROW}\n`], ['old Mac line ends', `${BARS}${UTC_ROW}\n`.replaceAll('\n', '\r')],
    ['blank lines', `\n${BARS}\n${UTC_ROW}\n\n\n`], ['trailing commas', `${BARS}${UTC_ROW},,\n`], ['quotes', `"time","open","high","low","close","volume"\n"2024-03-11T13:30:00Z","1","3","0.5","2","7"\n`],
    ['tabs', `${BARS}${UTC_ROW}`.replaceAll(',', '\t')], ['semicolons', `${BARS}${UTC_ROW}`.replaceAll(',', ';')], ['pipes', `${BARS}${UTC_ROW}`.replaceAll(',', '|')],
  ])('%s', async (_name, text) => expect(brief(await accepted(text))).toEqual([ROW_AT]));
  test('gzip, in two members and UTF-16', async () => {
    expect(brief(await accepted(Buffer.concat([gzipSync(BARS), gzipSync(UTC_ROW)]), SPX, 'a.csv.gz'))).toEqual([ROW_AT]);
    expect(brief(await accepted(gzipSync(Buffer.from(BARS + UTC_ROW, 'utf16le')), SPX, 'b.gz'))).toEqual([ROW_AT]);
  });
  test('a cut gzip is refused', async () => expect(await refusal(gzipSync(BARS + `${UTC_ROW}\n`.repeat(2000)).subarray(0, 90))).toMatch(/^BAD_INPUT: file.csv: .*unexpected end/));
  test('windows-1252 is said', async () => {
    const whole = await accepted(Buffer.from('Datum;Eröffnung;Hoch;Tief;Schluss;Stücke\n05.07.2024;1,5;2,5;1,0;2,0;7\n', 'latin1'), { ...AUTO, index: indexIdOf('DAX') });
    expect(brief(whole)).toEqual(['1720130400000000 1.5 2.5 1 2 7']);
    expect(whole.warnings.join('\n')).toMatch(/windows-1252[^]*05.07.2024 are read day first/);
  });
  test('a quote that never closes is refused', async () => expect(await refusal(`${BARS}"2024-03-11T13:30:00Z,1,3,0.5,2,7\n`)).toMatch(/quote/i));
});

describe('what is no data', () => {
  test.each([
    ['<!DOCTYPE html><html><body>Sign in</body></html>', /a web page/], ['<html>', /a web page/], ['Exceeded the daily hits limit', /quota message/], ['No data', /no data/], ['', /empty/],
    ['{"Note": "Thank you for using Alpha Vantage! Our standard API call frequency is 5 calls per minute."}', /message in place of data.*5 calls/], ['{"Information": "rate limit"}', /rate limit/], ['{"Error Message": "Invalid API call."}', /Invalid API call/],
    ['PK\u0003\u0004xxxxxxxx', /zip archive or an Excel/], ['\u0001\0\u0002\0\0\0\u0003abcdefgh', /binary/], ['hello\nworld', /not a table/], ['a,b,c\n1,2,3\n', /no line names a time and a price/], ['{"a":1}', /JSON without a list of objects that name a time and a price/], ['{"Meta Data": {', /not complete JSON/],
  ])('%s', async (text, want) => expect(await refusal(text)).toMatch(want));
  test('a missing file', async () => expect(await refusal(BARS, { ...SPX, format: 'nonsense' })).toMatch(/no format called "nonsense"; give --format one of: auto, stooq/));
});

describe('columns', () => {
  test('go by name, in any order', async () => expect(brief(await accepted('volume,close,low,high,open,time\n7,2,0.5,3,1,2024-03-11T13:30:00Z'))).toEqual([ROW_AT]));
  test('two of one name are refused', async () => expect(await refusal(`time,open,high,low,close,close\n2024-03-11T13:30:00Z,1,3,0.5,2,2`)).toMatch(/two columns "close" \(5 and 6\)/));
  test('a header that most rows do not fit is refused', async () => {
    expect(await refusal(`${BARS}0,${UTC_ROW}\n1,${UTC_ROW}`)).toMatch(/line 1 names 6 columns, but most rows have 7 fields/);
    expect(await refusal(`${BARS}2024-03-11T13:30:00Z,8,203.93,8,241.26,8,278.60,8,197.42,7`)).toMatch(/most rows have 10 fields/);
  });
  test('one row that disagrees is rejected with its number', async () => {
    const whole = await accepted(`${BARS}${UTC_ROW}\n2024-03-11T13:31:00Z,1,203.93,3,0.5,2,7\n2024-03-11T13:32:00Z,1,3,0.5,2,7`);
    expect(whole.rejects).toEqual([{ line: 3, reason: 'long row: 7 fields, 6 columns' }]);
  });
  test('lines before the header and a header again are told', async () => {
    const whole = await accepted(`Symbol: SPX,,,,,\n${BARS}${UTC_ROW}\n${BARS}2024-03-11T13:31:00Z,1,3,0.5,2,7`);
    expect(whole.rejects).toEqual([{ line: 1, reason: 'preamble line: skip' }, { line: 4, reason: 'the header again: skip' }]);
  });
  test('a table without a header is not guessed', async () => expect(await refusal('2024-03-11T13:30:00Z,1,3,0.5,2,7')).toMatch(/add a header line/));
});

describe('time', () => {
  test('local times without a zone are asked for, never the host\'s', async () => expect(await refusal(`${BARS}2024-03-11 09:30:00,1,3,0.5,2,7`)).toMatch(FIXED));
  test('a header that says UTC is the file\'s word', async () => expect(brief(await accepted('Time (UTC),open,high,low,close,volume\n2024-03-11 13:30:00,1,3,0.5,2,7'.replace('Time', 'timestamp')))).toEqual([ROW_AT]));
  test('offsets may differ from row to row', async () => {
    const whole = await accepted(`${BARS}2024-03-11T09:30:00-04:00,1,3,0.5,2,7\n2024-03-11T14:31:00+01:00,1,3,0.5,2,7\n2024-03-11T13:32:00Z,1,3,0.5,2,7`);
    expect(whole.rows.map(({ time }) => time - 1710163800000000n)).toEqual([0n, 60_000_000n, 120_000_000n]);
  });
  test.each(['1710163800', '1710163800000', '1710163800000000', '1710163800000000000'])('epoch %s', async (stamp) => expect(brief(await accepted(`${BARS}${stamp},1,3,0.5,2,7`))).toEqual([ROW_AT]));
  test('epochs of two units are refused', async () => expect(await refusal(`${BARS}1710163800,1,3,0.5,2,7\n1710163860000,1,3,0.5,2,7`)).toMatch(/different units \(s, ms\)/));
  test('spreadsheet days and times, said', async () => {
    const whole = await accepted(`${BARS}45362.3958333333,1,3,0.5,2,7`, NY);
    expect(brief(whole)).toEqual([ROW_AT]);
    expect(whole.warnings.join()).toMatch(/spreadsheet days/);
    expect((await accepted(`Date,open,high,low,close\n45478,1,3,0.5,2`)).rows[0]).toMatchObject({ sessionDate: '2024-07-05', period: '1d' });
  });
  test('stamps at the end of the bar', async () => {
    expect(brief(await accepted(`${BARS}2024-03-11T13:31:00Z,1,3,0.5,2,7`, { ...SPX, stamp: 'end', period: '1m' }))).toEqual([ROW_AT]);
    expect(await refusal(`${BARS}2024-03-11T13:31:00Z,1,3,0.5,2,7`, { ...SPX, stamp: 'end' })).toMatch(/give --period, which --stamp end needs/);
    expect(await refusal('Date,open,high,low,close\n2024-07-05,1,3,0.5,2', { ...SPX, stamp: 'end' })).toMatch(/means nothing for days/);
  });
  test('a period closer than the rows is refused', async () => expect(await refusal(`${BARS}${UTC_ROW}\n2024-03-11T13:31:00Z,1,3,0.5,2,7`, { ...SPX, period: '5m' })).toMatch(/60 s apart, closer than --period 5m; give --period 1m/));
  test('a spacing or period that is taken is said', async () => {
    expect((await accepted(`${BARS}${UTC_ROW}\n2024-03-11T13:35:00Z,1,3,0.5,2,7`)).warnings.join()).toMatch(/taken for 5m/);
    expect((await accepted(`${BARS}${UTC_ROW}\n2024-03-11T13:45:00Z,1,3,0.5,2,7`)).warnings.join()).toMatch(/can not be told, rows are 900 s apart/);
  });
  test('days of an unknown exchange ask for its zone', async () => {
    expect(await refusal('Date,open,high,low,close\n2024-07-05,1,3,0.5,2', { ...AUTO, index: indexIdOf('XYZ') })).toMatch(/exchange of XYZ.*--zone/);
  });
  test('days stamped at midnight UTC keep their date', async () => {
    const whole = await accepted(`${BARS}2024-07-03T00:00:00Z,1,3,0.5,2,7\n2024-07-05T00:00:00Z,1,3,0.5,2,7`);
    expect(whole.rows.map((row) => row.kind === 'bar' && row.sessionDate)).toEqual(['2024-07-03', '2024-07-05']);
  });
  test('newest first through the hour that comes twice', async () => {
    const whole = await accepted(`${BARS}2024-11-03 02:00,1,3,0.5,2,5\n2024-11-03 01:30,1,3,0.5,2,4\n2024-11-03 01:00,1,3,0.5,2,3\n2024-11-03 01:30,1,3,0.5,2,2\n2024-11-03 01:00,1,3,0.5,2,1`, NY);
    expect(whole.rows.map(({ time, volume }) => `${(time - 1730610000000000n) / 60_000_000n} ${volume}`)).toEqual(['0 1', '30 2', '60 3', '90 4', '120 5']);
    expect(whole.warnings.join()).toMatch(/4 local times occurred twice/);
  });
});

describe('dates', () => {
  const daily = (...dates: string[]): string => `Date,open,high,low,close\n${dates.map((date) => `${date},1,3,0.5,2`).join('\n')}`;
  const days = async (...dates: string[]): Promise<unknown[]> => (await accepted(daily(...dates))).rows.map((row) => row.kind === 'bar' && row.sessionDate);
  test('one day past the 12th decides for the whole file', async () => {
    expect(await days('05/07/2024', '25/07/2024')).toEqual(['2024-07-05', '2024-07-25']);
    expect(await days('05/07/2024', '07/25/2024')).toEqual(['2024-05-07', '2024-07-25']);
  });
  test('contradicting days are refused', async () => expect(await refusal(daily('25/07/2024', '07/25/2024'))).toMatch(/no one order/));
  test('two-digit years are asked for too', async () => expect(await refusal(daily('05/07/08'))).toMatch(/reads? in 3 ways, 05\/07\/08 is 2008-07-05 as dmy \(1 on a weekend\) or 2008-05-07 as mdy or 2005-07-08 as ymd/));
  test('a nasdaq file that can only be day first is refused', async () => {
    expect(await refusal('Date,Close/Last,Volume,Open,High,Low\n25/07/2024,$2,1,$1,$3,$0.5')).toMatch(/nasdaq writes its dates mdy, but some can only be dmy; give --date-order dmy/);
  });
});

describe('numbers', () => {
  test('that read in two ways are refused with both', async () => {
    expect(await refusal('Date;open;high;low;close\n2024-07-05;18.424;18.526;18.391;18.450')).toMatch(/18.424 is 18.424 or 18424; give --decimal point or comma/);
    expect(brief(await accepted('Date;open;high;low;close\n2024-07-05;18.424;18.526;18.391;18.450', { ...SPX, decimal: 'comma' }))[0]).toMatch(/18424 18526 18391 18450/);
  });
  test('that contradict each other are refused', async () => expect(await refusal('Date;open;high;low;close\n2024-07-05;18.4;18,5;18.3;18.4')).toMatch(/contradict/));
  test('Swiss', async () => expect(brief(await accepted(`Date;open;high;low;close\n2024-07-05;12'003.45;12'050;11'990.1;12'001`, { ...AUTO, index: indexIdOf('SMI') }))[0]).toMatch(/12003.45 12050 11990.1 12001/));
});

describe('vendors', () => {
  test("Alpha Vantage's header alone is not Alpha Vantage", async () => {
    expect(await refusal('timestamp,open,high,low,close,volume\n2024-03-11 09:30:00,1.5,3,0.5,2,7\n2024-03-11 09:31:00,1,3,0.5,2,7')).toMatch(FIXED);
    expect((await accepted('timestamp,open,high,low,close,volume\n2024-03-11 09:31:00,1.0000,3.0000,0.5000,2.0000,7\n2024-03-11 09:30:00,1.0000,3.0000,0.5000,2.0000,7')).warnings.join()).toMatch(/America\/New_York, as alphavantage documents/);
  });
  test('Databento pretty', async () => {
    expect(brief(await accepted('ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol\n2024-03-11T13:30:00.000000000Z,33,1,17077,5180.250000000,5183.500000000,5178.000000000,5179.750000000,9120,ESH4', AUTO))).toEqual(['1710163800000000 5180.25 5183.5 5178 5179.75 9120']);
  });
  test('Nasdaq index', async () => expect((await accepted('Date,Close/Last,Open,High,Low\n07/05/2024,20391.97,20190.26,20415.08,20168.31', { ...AUTO, index: indexIdOf('NDX') })).rows[0]).toMatchObject({ sessionDate: '2024-07-05', volume: null }));
  test('Investing.com with text dates', async () => expect((await accepted('"Date","Price","Open","High","Low","Vol.","Change %"\n"Jul 05, 2024","8,203.93","8,241.26","8,278.60","8,197.42","1.2M","-0.45%"')).rows[0]).toMatchObject({ sessionDate: '2024-07-05', volume: '1200000', close: '8203.93' }));
  test('Lean', async () => {
    expect(brief(await accepted('34200000,1,3,0.5,2,7', { ...SPX, zone: 'America/New_York' }, '20240311_trade.csv'))).toEqual([ROW_AT]);
    expect((await accepted('30600000,1,3,0.5,2,7', AUTO, 'lean_SPX_1min_20240311_trade.csv'))).toMatchObject({ format: 'lean-trade', zone: 'America/Chicago', period: '1m' });
  });
  test('an index symbol is the index, two symbols are never merged', async () => {
    const text = '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n^SPX,D,20240705,000000,1,3,0.5,2,7,0\n^DAX,D,20240705,000000,1,3,0.5,2,7,0\n';
    expect((await accepted(text, AUTO)).rows.map(({ index }) => index)).toEqual(['SPX', 'DAX']);
    expect(await refusal(text, SPX)).toMatch(/2 symbols.*would merge/);
    expect((await accepted(text.replaceAll('^DAX,D', '^SPX,W'), AUTO)).rejects).toEqual([{ line: 3, reason: 'bars of period "W" are not kept' }]);
  });
  test('MetaTrader 5 ticks: the trade price, or the bid where there are only quotes, said', async () => {
    const file = (...rows: string[]): string => ['<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>', ...rows].join('\r\n');
    const quotes = await accepted(file('2024.03.08\t16:30:00.123\t5163.20\t5163.70\t\t\t6', '2024.03.08\t16:30:01.001\t\t5163.90\t\t\t4'), { ...SPX, zone: 'UTC' });
    expect(quotes).toMatchObject({ format: 'mt5', rows: [{ price: '5163.2', bid: '5163.2', ask: '5163.7', volume: null }], rejects: [{ line: 3, reason: 'no price' }] });
    expect(quotes.warnings.join()).toMatch(/price of a tick is its bid/);
    const trades = await accepted(file('2024.03.08\t16:30:00.123\t5163.20\t5163.70\t5163.50\t2\t56'), { ...SPX, zone: 'UTC' });
    expect(trades.rows).toMatchObject([{ price: '5163.5', bid: '5163.2', volume: '2' }]);
  });
  test('ticks of one instant all stay', async () => {
    const whole = await accepted('time,price,volume\n2024-03-11T13:30:00Z,5,1\n2024-03-11T13:30:00Z,5,1\n2024-03-11T13:30:00.000000001Z,4,1');
    expect(whole.rows.map((row) => row.kind === 'tick' && `${row.line} ${row.price} ${row.nanos}`)).toEqual(['2 5 0', '3 5 0', '4 4 1']);
  });
});

test('JSON in one piece beyond 64 MB is refused with the way out', async () => {
  expect(await refusal(`[${' '.repeat(64 * 1024 * 1024)}`, SPX, 'large.json')).toMatch(/^BAD_INPUT: large.json: more than 64 MB of JSON in one piece; give it as CSV, or as JSON lines, .*`jq -c/);
});

describe('bars that contradict themselves', () => {
  const bars = `${BARS}${[
    '2024-03-11T13:30:00Z,1,3,0.5,2,7', // sound
    '2024-03-11T13:31:00Z,0.4,3,0.5,2,7',
    '2024-03-11T13:32:00Z,1,3,0.5,3.1,7',
    '2024-03-11T13:33:00Z,1,0,0,2,7', // placeholders
    '2024-03-11T13:34:00Z,9007199254740993.1,9007199254740993,1,2,7', // equal as doubles
    '2024-03-11T13:35:00Z,1,1,3,2,7',
    '2024-03-11T13:36:00Z,3,3,0.5,0.5,7', // at the edges
  ].join('\n')}`;
  const NEXT = ': correct the row, or --outside keep takes it as written';
  test('are rejected by line, with what is wrong and what to do', async () => {
    const whole = await accepted(bars);
    expect(whole.rows.map(({ line }) => line)).toEqual([2, 8]);
    expect(whole.rejects).toEqual([
      { line: 3, reason: `open 0.4 is outside low 0.5 to high 3${NEXT}` }, { line: 4, reason: `close 3.1 is outside low 0.5 to high 3${NEXT}` }, { line: 5, reason: `open 1 is outside low 0 to high 0${NEXT}` },
      { line: 6, reason: `open 9007199254740993.1 is outside low 1 to high 9007199254740993${NEXT}` }, { line: 7, reason: 'high < low' },
    ]);
  });
  test('are kept as written where that is asked for, but never with high below low', async () => {
    const whole = await accepted(bars, { ...SPX, outside: 'keep' });
    expect(whole.rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 8]);
    expect(whole.rejects).toEqual([{ line: 7, reason: 'high < low' }]);
  });
  test('in Lean\'s files too', async () => {
    const lean = '30600000,1,3,2,3,0\n30660000,2,3,2,3,0';
    expect((await accepted(lean, SPX, 'lean_SPX_1min_20210104_trade.csv')).rejects).toEqual([{ line: 1, reason: `open 1 is outside low 2 to high 3${NEXT}` }]);
    expect((await accepted(lean, { ...SPX, outside: 'keep' }, 'lean_SPX_1min_20210104_trade.csv')).rejects).toEqual([]);
  });
});
