import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FileBars, readBars, type ReadOptions } from '../../../electron/ingest/readBars.ts';
import { demoDataFolder } from '../../../electron/ingest/demo.ts';
import { formatIso } from '../../../shared/time.ts';
import { indexIdOf } from '../../../shared/rowKey.ts';
import { fileOf } from './import/files.ts';

const FOLDER = demoDataFolder() ?? '';
const AUTO: ReadOptions = { format: 'auto', index: null, zone: null, day: null };

async function bundled(file: string): Promise<FileBars> {
  const read = await readBars(join(FOLDER, file), AUTO);
  if (!read.ok) throw new Error(read.error.what);
  return read.value;
}

async function parse(name: string, text: string, options: Partial<ReadOptions> = {}): Promise<FileBars> {
  const read = await readBars(fileOf(name, text), { ...AUTO, ...options });
  if (!read.ok) throw new Error(`${read.error.what}; ${read.error.next}`);
  return read.value;
}

const refusal = async (name: string, text: string, options: Partial<ReadOptions> = {}): Promise<string> => {
  const read = await readBars(fileOf(name, text), { ...AUTO, ...options });
  return read.ok ? 'accepted' : `${read.error.code} ${read.error.what}; ${read.error.next}`;
};

describe('the bundled files', () => {
  // first and last bar of each file: UTC start and close, counted from the files by hand
  test.each([
    ['mplfinance_SPX_1min_2019-11-05_06.csv', 'mplfinance', 'SPX', 782, '2019-11-05T14:30', '3080.49', '2019-11-06T21:00', '3076.73'],
    ['mplfinance_SPX_daily_2019-11-01_06.csv', 'mplfinance', 'SPX', 4, '2019-11-01T04:00', '3066.91', '2019-11-06T05:00', '3076.78'],
    ['lean_SX5E_1min_20240729_trade.csv', 'lean-trade', 'SX5E', 511, '2024-07-29T07:02', '4885.89', '2024-07-29T15:32', '4819.21'],
    ['lean_SX5E_1min_20240730_trade.csv', 'lean-trade', 'SX5E', 511, '2024-07-30T07:02', '4836.16', '2024-07-30T15:32', '4845.2'],
    ['lean_NIFTY50_1min_20190101_trade.csv', 'lean-trade', 'NIFTY', 378, '2019-01-01T03:37', '10881.7', '2019-01-01T10:01', '10910.1'],
    ['lean_NIFTY50_1min_20190102_trade.csv', 'lean-trade', 'NIFTY', 377, '2019-01-02T03:37', '10868.85', '2019-01-02T10:01', '10792.5'],
    ['lean_N225_1min_20210114_trade.csv', 'lean-trade', 'NKY', 304, '2021-01-14T00:00', '28427.42', '2021-01-14T06:15', '28698.26'],
    // mids: (11313.4 + 11319.4) / 2 and (11422.9 + 11426.9) / 2
    ['lean_DE30EUR_1min_20190220_quote.csv', 'lean-quote', 'DE30', 1206, '2019-02-20T00:15', '11316.4', '2019-02-20T20:59', '11424.9'],
    ['lean_DE30EUR_1min_20190221_quote.csv', 'lean-quote', 'DE30', 1233, '2019-02-21T00:15', '11412.1', '2019-02-21T20:59', '11411.85'],
  ])('%s is read whole', async (file, format, index, count, from, firstClose, to, lastClose) => {
    const read = await bundled(file);
    const iso = (nth: number): string => formatIso(read.bars.at(nth)!.start).slice(0, 16);
    expect(read).toMatchObject({ format, index, rejectedCount: 0 });
    expect([read.bars.length, iso(0), read.bars[0]?.close, iso(-1), read.bars.at(-1)?.close]).toEqual([count, from, firstClose, to, lastClose]);
  });

  test('every line of a file is a bar, a header or empty', async () => {
    const read = await bundled('lean_DE30EUR_1min_20190220_quote.csv');
    expect(read.read).toBe(readFileSync(join(FOLDER, read.file), 'utf8').split('\n').length);
  });

  test('mplfinance columns go by name: O,C,H,L in the minutes', async () => {
    const first = (await bundled('mplfinance_SPX_1min_2019-11-05_06.csv')).bars[0];
    expect(first).toMatchObject({ open: '3080.8', high: '3081.47', low: '3080.3', close: '3080.49', line: 2 });
  });

  test('the extra 16:00 print is kept, and is not the official close', async () => {
    const bars = (await bundled('mplfinance_SPX_1min_2019-11-05_06.csv')).bars.filter((bar) => bar.date === '2019-11-05');
    expect(formatIso(bars.at(-1)!.start)).toBe('2019-11-05T21:00:00.000000Z');
    expect(bars.at(-1)?.close).toBe('3074.75');
  });
});

describe('mplfinance', () => {
  const HEADER = 'Date,Open,Close,High,Low,Volume\n';
  test('a stamp is New York time unless a zone is given', async () => {
    const row = '7/1/2019 9:30,1,1,1,1,0';
    expect(formatIso((await parse('mplfinance_SPX_x.csv', HEADER + row)).bars[0]!.start)).toBe('2019-07-01T13:30:00.000000Z');
    expect(formatIso((await parse('x.csv', HEADER + row, { index: indexIdOf('UKX'), zone: 'Europe/London', order: 'mdy' })).bars[0]!.start)).toBe('2019-07-01T08:30:00.000000Z');
  });

  test('each bad line is told with its number and reason, good neighbours stay', async () => {
    const lines = ['7/1/2019 9:30,1,1.5,2,0.5,0', '13/1/2019 9:31,1,1,1,1,0', '2/30/2019 9:31,1,1,1,1,0', '7/1/2019 9:61,1,1,1,1,0', '7/1/2019 9:32,NaN,1,1,1,0', '7/1/2019 9:33,1,1,1,2,0', '7/1/2019 9:34,1,1', '', '7/1/2019 9:35,0,0,0,0,0', '7/1/2019 9:36,x,1,1,1,0', '3/10/2019 2:30,1,1,1,1,0', '7/1/2019 9:30,1,1.5,2,0.5,0', '7/1/2019 9:30,1,1.6,2,0.5,0'];
    const read = await parse('mplfinance_SPX_x.csv', HEADER + lines.join('\n'), { order: 'mdy' });
    expect(read.rejected).toEqual([
      { line: 3, reason: 'no such date: "13/1/2019 9:31"' },
      { line: 4, reason: 'no such date: "2/30/2019 9:31"' },
      { line: 5, reason: 'no such time: "9:61"' },
      { line: 6, reason: 'NaN' },
      { line: 7, reason: 'high < low' },
      { line: 8, reason: 'short row' },
      { line: 10, reason: 'all-zero bar' },
      { line: 11, reason: 'open is not a number: "x"' },
      { line: 12, reason: '02:30 does not exist in America/New_York on 2019-03-10' },
      { line: 13, reason: 'exact duplicate' },
      { line: 14, reason: 'conflicting duplicate: last wins, reported (replaces line 2)' },
    ]);
    expect(read.bars.map(({ line, close }) => [line, close])).toEqual([[14, '1.6']]);
    expect(read.rejectedCount).toBe(11);
  });

  test('a negative price is a price; a byte order mark and CRLF are no part of it', async () => {
    const read = await parse('mplfinance_OIL_x.csv', `\uFEFF${HEADER.trim()}\r\n4/20/2020 14:29,-37.63,-37.63,-37.10,-40.32,248\r\n`);
    expect(read.bars[0]).toMatchObject({ open: '-37.63', high: '-37.1', low: '-40.32' });
  });

  test('without an index it says what to give', async () => {
    expect(await refusal('bars.csv', `${HEADER}7/21/2019 9:30,1,1,1,1,0`)).toBe('BAD_INPUT bars.csv: the file does not say which index it holds; give --index ID');
  });
});

describe('lean', () => {
  test("SPX is in Chicago's time", async () => {
    const read = await parse('lean_SPX_1min_20210104_trade.csv', '30600000,3764.61,3769.99,3764.61,3766.63,59');
    expect([formatIso(read.bars[0]!.start), read.bars[0]!.volume]).toEqual(['2021-01-04T14:30:00.000000Z', '59']);
  });

  test('a mid of odd digits keeps its half, exactly', async () => {
    const read = await parse('20190220_quote.csv', '900000,0.1,0.4,0.1,0.3,0,0.2,0.5,0.2,0.4,0', { index: indexIdOf('DE30'), zone: 'UTC' });
    expect(read.bars[0]).toMatchObject({ open: '0.15', high: '0.45', low: '0.15', close: '0.35', volume: null });
  });

  test('date, index and zone are asked for where the name does not tell them', async () => {
    const row = '900000,1,1,1,1,0';
    expect(await refusal('bars.csv', row, { format: 'lean-trade' })).toMatch(/no date in the name.*--day/);
    expect(await refusal('20190220_trade.csv', row)).toMatch(/which index.*--index/);
    expect(await refusal('lean_XYZ_1min_20190220_trade.csv', row)).toMatch(/zone of XYZ's stamps.*--zone/);
    expect(await refusal('lean_SPX_1min_20190220_trade.csv', row, { zone: 'Mars/Olympus' })).toMatch(/unknown zone Mars/);
    expect(await refusal('lean_SPX_1min_20199920_trade.csv', row)).toMatch(/no date in the name/);
    expect((await parse('bars.csv', row, { index: indexIdOf('SPX'), day: '2019-02-20' })).bars[0]?.date).toBe('2019-02-20');
  });

  test('a stamp past the day, a short row and a crossed side are rejected by line', async () => {
    const read = await parse('lean_DE30EUR_1min_20190220_quote.csv', '900000,1,1,1,1,0,1,1,1,1,0\n86400000,1,1,1,1,0,1,1,1,1,0\n960000,1,1,1\n1020000,1,1,2,1,0,1,1,1,1,0\n1080000,1,1,1,1,0,1,x,1,1,0');
    expect(read.rejected.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '2 not milliseconds of a day: "86400000"', '3 short row', '4 bid: high < low', '5 ask: high is not a decimal: "x"',
    ]);
  });
});

describe('any format of the importer', () => {
  test('ticks, an index with its zone, and what was taken for granted', async () => {
    const read = await parse('ticks.json', '[{"time":1710163800,"price":5},{"time":1710163800,"price":6},{"time":1710200000,"price":7}]', { index: indexIdOf('NKY') });
    expect(read).toMatchObject({ format: 'json', zone: 'Asia/Tokyo', bars: [], ticks: [{ date: '2024-03-11', price: '5' }, { date: '2024-03-11', price: '6' }, { date: '2024-03-12', price: '7' }] });
    const days = await parse('histdata.csv', '20180312 093000;5;7;4;6;0\n20180312 093100;5;7;4;6;0\n', { index: indexIdOf('SPX500') });
    expect(days).toMatchObject({ format: 'histdata', zone: '-05:00', bars: [{ period: '1m', date: '2018-03-12' }, {}], warnings: [expect.stringMatching(/UTC-05:00, as histdata documents/)] });
  });
  test('an unknown file or format, two indices, and no good row are refused', async () => {
    expect(await refusal('notes.txt', 'hello\nworld')).toMatch(/^BAD_INPUT notes.txt: not a table/);
    expect(await refusal('empty.csv', '')).toMatch(/empty/);
    expect(await refusal('x.csv', 'a,b', { format: 'nonsense' })).toMatch(/no format called "nonsense"; give --format one of: auto, stooq/);
    expect(await refusal('two.csv', 'ticker,time,price\nSPX,1710163800,5\nNDX,1710163800,5\n')).toMatch(/holds 2 indices; give each a file/);
    expect(await refusal('lean_SPX_1min_20210104_trade.csv', '30600000,0,0,0,0,0')).toMatch(/no good row \(line 1: all-zero bar\)/);
    expect(await readBars('/nowhere/bars.csv', AUTO)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
  });
});
