/** Every sample file reads as `expected.json` says: rows, their order, and the rejected lines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportOptions } from '../../../../electron/ingest/import/plan.ts';
import { indexIdOf } from '../../../../shared/rowKey.ts';
import { AUTO, fileOf, readBoth, readWhole } from './files.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/formats');

interface Expected {
  readonly options: { readonly format: string; readonly zone?: string; readonly symbol?: string; readonly date?: string };
  readonly rows: readonly { readonly utcMicros: string; readonly open: string; readonly high: string; readonly low: string; readonly close: string; readonly volume: string; readonly sessionDate?: string }[];
  readonly rejects: readonly { readonly line: number; readonly reason: string }[];
}
const expected = Object.entries(JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Record<string, Expected>).filter(([name]) => !name.startsWith('__'));

// what each sample needs to be told, because the file says it nowhere
const TOLD: Readonly<Record<string, Partial<ImportOptions>>> = {
  '01_yahoo_daily.csv': { index: indexIdOf('SPX') },
  '03_stooq_5min.txt': { zone: 'Europe/Warsaw' },
  '05_histdata_ascii_m1.csv': { index: indexIdOf('SPX') },
  '06_histdata_tick.csv': { index: indexIdOf('SPX') },
  '07_mt5_export.csv': { index: indexIdOf('SPX'), zone: 'Europe/Athens' },
  '08_mt4_headerless.csv': { index: indexIdOf('SPX'), zone: 'Europe/Athens' },
  '09_alphavantage_intraday.csv': { index: indexIdOf('SPX') },
  '14_investing_dmy.csv': { index: indexIdOf('UKX'), order: 'dmy' },
  '16_nasdaq_stock_style.csv': { index: indexIdOf('NDX') },
  '18_german_semicolon.csv': { index: indexIdOf('DAX') },
  '20_barchart_footer.csv': { index: indexIdOf('SPX') },
  '22_order_chlo_utc.csv': { index: indexIdOf('SPX500'), zone: 'UTC' },
  '25_dst_and_order_torture.csv': { index: indexIdOf('SPX'), zone: 'America/New_York' },
  '28_bad_values.csv': { index: indexIdOf('SPX') },
};

describe.each(expected)('%s', (name, want) => {
  test.each(['auto', want.options.format])('reads as expected with --format %s', async (format) => {
    const whole = await readBoth(join(FOLDER, name), { ...AUTO, ...TOLD[name], format });
    if (typeof whole === 'string') throw new Error(whole);
    expect(whole.format).toBe(want.options.format);
    expect(whole.rows.map((row) => ({
      utcMicros: row.time.toString(),
      ...(row.kind === 'bar' ? { open: row.open, high: row.high, low: row.low, close: row.close } : { open: row.price, high: row.price, low: row.price, close: row.price }),
      volume: row.volume ?? '',
      ...(row.kind === 'bar' && row.sessionDate !== null ? { sessionDate: row.sessionDate } : {}),
    }))).toEqual(want.rows);
    expect(whole.rejects.map(({ line }) => line)).toEqual(want.rejects.map(({ line }) => line));
    // the reasons start alike, whatever they add
    for (const [i, { reason }] of whole.rejects.entries()) expect(reason.slice(0, 5)).toBe(want.rejects[i]!.reason.slice(0, 5));
  });
});

test('every sample is expected, and nothing else', () => expect(expected.map(([name]) => name)).toHaveLength(18));

describe('what the samples do not say is asked for', () => {
  test.each(['03_stooq_5min.txt', '07_mt5_export.csv', '08_mt4_headerless.csv', '22_order_chlo_utc.csv', '25_dst_and_order_torture.csv'])('%s: the zone', async (name) => {
    expect(await readWhole(join(FOLDER, name), { ...AUTO, ...TOLD[name], zone: null })).toMatch(/^BAD_INPUT: .*zone its times are.*; give --zone/);
  });
  test('the date order, with both readings', async () => {
    expect(await readWhole(join(FOLDER, '14_investing_dmy.csv'), { ...AUTO, index: indexIdOf('UKX') })).toBe(
      'BAD_INPUT: 14_investing_dmy.csv: its dates read in 2 ways, 05/07/2024 is 2024-07-05 as dmy or 2024-05-07 as mdy (1 on a weekend); give --date-order dmy or mdy');
  });
  test('the index', async () => {
    expect(await readWhole(join(FOLDER, '01_yahoo_daily.csv'), AUTO)).toMatch(/which index it holds; give --index ID$/);
  });
});

describe('HistData', () => {
  test('warns that the week opens at the same wall clock after the clock change, and reads New York if told', async () => {
    const path = join(FOLDER, '05_histdata_ascii_m1.csv');
    const documented = await readWhole(path, { ...AUTO, index: indexIdOf('SPX') });
    expect(documented).toMatchObject({ zone: 'UTC-05:00', period: '1m', warnings: expect.arrayContaining([expect.stringMatching(/look like America\/New_York/)]) });
    const told = await readWhole(path, { ...AUTO, index: indexIdOf('SPX'), zone: 'America/New_York' });
    const wanted = (JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Record<string, { alternativeZoneAmericaNewYork: string[] }>)['05_histdata_ascii_m1.csv']!;
    expect(told).toMatchObject({ warnings: [], rows: wanted.alternativeZoneAmericaNewYork.map((time) => ({ time: BigInt(time) })) });
  });
});

test('the UTF-16 variant of the MetaTrader file reads alike', async () => {
  const text = readFileSync(join(FOLDER, '07_mt5_export.csv'), 'utf8');
  const whole = await readWhole(fileOf('07b.csv', Buffer.from(`\uFEFF${text}`, 'utf16le')), { ...AUTO, ...TOLD['07_mt5_export.csv'] });
  expect(whole).toMatchObject({ format: 'mt5', counts: { rows: 2, rejected: 0 } });
  const bare = await readWhole(fileOf('07c.csv', Buffer.from(text, 'utf16le')), { ...AUTO, ...TOLD['07_mt5_export.csv'] });
  expect(bare).toMatchObject({ format: 'mt5', counts: { rows: 2, rejected: 0 } });
});
