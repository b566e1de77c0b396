/** The demo's day, 2019-11-06, from the bundled files: who is in it, what is known at 14:20 UTC, and what comes after. */
import { max, min } from '../../shared/decimal.ts';
import { infoFor } from '../../shared/indices.ts';
import type { IndexInfo } from '../../shared/quote.ts';
import { ok, type Result } from '../../shared/result.ts';
import { indexIdOf } from '../../shared/rowKey.ts';
import { tradingWindows } from '../../shared/sessions.ts';
import { type EpochMicros, HOUR, micros, MINUTE, utc } from '../../shared/time.ts';
import { atLocalFirst } from '../../shared/zone.ts';
import type { WriteRow } from '../bigtable/reader.ts';
import { registryRow } from '../bigtable/registry.ts';
import { inTimeOrder, type SourceTick, ticksOfMinute } from './minuteTicks.ts';
import { daysBetween, moveDays } from './moveDays.ts';
import type { Due } from './pacer.ts';
import { type FileBars, readBars } from './readBars.ts';
import type { SourceBar } from './sourceBar.ts';
import { dailyRow, type DailyBar, tickRow } from './tickRow.ts';

const BEFORE = '2019-11-05';
const DAY = '2019-11-06';
/** Ten minutes before the New York open: Europe live, Asia closed. */
export const DEMO_START = utc(2019, 11, 6, 14, 20);
/** Three minutes past the New York close: it is seen to settle and close, and the official close comes in. */
export const DEMO_END = utc(2019, 11, 6, 21, 3);
const OFFICIAL_CLOSE_AT = micros(utc(2019, 11, 6, 21, 0) + 2n * MINUTE);

interface Series {
  readonly info: IndexInfo;
  /** File and the date that its first bar moves to. */
  readonly files: readonly (readonly [file: string, date: string])[];
  /** Daily bars with the official closes. */
  readonly daily: string | null;
}

const known = (id: string, label: string | null): IndexInfo => ({ ...infoFor(indexIdOf(id)), label });

/**
 * DE30 has no market: the contract trades by its broker's hours (01:15 to 22:00 Berlin in these files), which no calendar here
 * knows. Under Xetra's hours its evening prints would be called out of session, so it is judged by its age alone (states.md, row 4).
 */
const DE30: IndexInfo = {
  id: indexIdOf('DE30'), name: 'Germany 30 (CFD)', mic: null, zone: 'Europe/Berlin', region: 'Europe', currency: 'EUR', decimals: 2, delayMs: 0,
  label: 'CFD mid (OANDA), not the index; prices of 2019-02-21',
};

/**
 * The SX5E files end at 17:33 in Berlin, with Xetra's closing auction; STOXX says that it disseminates the index until 17:50, and the calendar
 * holds that. From 17:33 on the demo shows a stalled index, which is what it is: nothing comes while prices are due, and no price is invented.
 */
const SERIES: readonly Series[] = [
  { info: known('SPX', null), files: [['mplfinance_SPX_1min_2019-11-05_06.csv', BEFORE]], daily: 'mplfinance_SPX_daily_2019-11-01_06.csv' },
  {
    info: known('SX5E', 'prices of 2024-07-30'), daily: null,
    files: [['lean_SX5E_1min_20240729_trade.csv', BEFORE], ['lean_SX5E_1min_20240730_trade.csv', DAY]],
  },
  { info: DE30, daily: null, files: [['lean_DE30EUR_1min_20190220_quote.csv', BEFORE], ['lean_DE30EUR_1min_20190221_quote.csv', DAY]] },
  { info: known('NKY', 'prices of 2021-01-14'), daily: null, files: [['lean_N225_1min_20210114_trade.csv', DAY]] },
  {
    info: known('NIFTY', 'prices of 2019-01-02'), daily: null,
    files: [['lean_NIFTY50_1min_20190101_trade.csv', BEFORE], ['lean_NIFTY50_1min_20190102_trade.csv', DAY]],
  },
];

export interface DemoDay {
  readonly infos: readonly IndexInfo[];
  /** Registry, daily bars and all ticks up to DEMO_START. */
  readonly known: readonly WriteRow[];
  /** What comes after, by time, up to DEMO_END. */
  readonly coming: readonly Due[];
}

/** Reads the bundled files in `folder`. */
export async function loadDemoDay(folder: string): Promise<Result<DemoDay>> {
  const seed: WriteRow[] = SERIES.map(({ info }) => registryRow(info));
  const ticks: SourceTick[] = [];
  const coming: Due[] = [];
  const sources = new Map<string, string>();
  for (const series of SERIES) {
    const read = await readSeries(folder, series);
    if (!read.ok) return read;
    const { minutes, daily, format } = read.value;
    const { id } = series.info;
    sources.set(id, `demo:${format}`);
    for (const bar of minutes) ticks.push(...ticksOfMinute(id, bar));
    for (const bar of daily ?? []) {
      const row = dailyRow(officialDay(series.info, bar));
      if (bar.date < DAY) seed.push(row);
      else coming.push({ time: OFFICIAL_CLOSE_AT, row: () => row });
    }
    const made = daily === null ? dayOfMinutes(series.info, BEFORE, minutes) : null;
    if (made) seed.push(dailyRow(made));
  }
  for (const tick of inTimeOrder(ticks)) {
    const row = (ingest: EpochMicros): WriteRow => tickRow(tick, sources.get(tick.index) ?? 'demo', ingest);
    if (tick.time <= DEMO_START) seed.push(row(DEMO_START));
    else if (tick.time <= DEMO_END) coming.push({ time: tick.time, row });
  }
  return ok({ infos: SERIES.map(({ info }) => info), known: seed, coming: coming.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)) });
}

async function readSeries(folder: string, series: Series): Promise<Result<{ minutes: SourceBar[]; daily: readonly SourceBar[] | null; format: string }>> {
  const options = { format: 'auto', index: null, zone: null, day: null };
  const minutes: SourceBar[] = [];
  let format = '';
  for (const [file, date] of series.files) {
    const read = await readBars(`${folder}/${file}`, options);
    if (!read.ok) return read;
    format = read.value.format;
    minutes.push(...onto(read.value, date));
  }
  if (series.daily === null) return ok({ minutes, daily: null, format });
  const daily = await readBars(`${folder}/${series.daily}`, options);
  return daily.ok ? ok({ minutes, daily: daily.value.bars, format }) : daily;
}

function onto(file: FileBars, date: string): SourceBar[] {
  const first = file.bars[0];
  return first ? moveDays(file.bars, file.zone, daysBetween(first.date, date), () => {}) : [];
}

const officialDay = (info: IndexInfo, bar: SourceBar): DailyBar => ({
  index: info.id, start: atLocalFirst(info.zone, bar.date, 0n), date: bar.date,
  open: bar.open, high: bar.high, low: bar.low, close: bar.close, officialClose: bar.close, ticks: null,
});

/** A day from its minutes, closed by the last one, without an official close; a print before the open is not of the session. */
function dayOfMinutes(info: IndexInfo, date: string, minutes: readonly SourceBar[]): DailyBar | null {
  const start = atLocalFirst(info.zone, date, 0n);
  const open = info.mic === null ? undefined : tradingWindows(info.mic, start, micros(start + 24n * HOUR)).find((window) => window.date === date)?.open;
  const bars = minutes.filter((bar) => bar.date === date && (open === undefined || bar.start >= open));
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  return {
    index: info.id, start, date, open: first.open, close: last.close, officialClose: null, ticks: bars.length * 4,
    high: bars.reduce((high, bar) => max(high, bar.high), first.high), low: bars.reduce((low, bar) => min(low, bar.low), first.low),
  };
}
