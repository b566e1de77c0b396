/**
 * Points to bars of any interval: history's own bars where they are finer or as fine, every tick since then on top. Exact: open, high, low and
 * close are texts of the points themselves. An append changes the newest bar only.
 */
import { add, parseDecimal } from '../../shared/decimal.ts';
import type { Points } from './points.ts';
import type { Timeline } from './timeline.ts';
import { type ReadHistory, readMicros, readPrice } from './wireNumbers.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 31 * DAY;
/** Intervals of bars, milliseconds; weeks and months go by the calendar. */
const LADDER = [SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 4 * HOUR, DAY, WEEK, MONTH] as const;
/** Slots of a daily axis that an interval takes: five trading days a week. */
const slotsOf = (interval: number): number => (interval === WEEK ? 5 : interval === MONTH ? 21 : interval / DAY);
/** Pixels that a bar should have, and those that it must have where the user forces an interval. */
const [WIDE, NARROW] = [5, 1.5];

export interface Candle {
  /** Milliseconds, [start, end): the part of the axis that it stands on. */
  readonly start: number;
  readonly end: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly texts: { readonly open: string; readonly high: string; readonly low: string; readonly close: string };
  /** Exact sum of the known volumes, null where none is. */
  readonly volume: string | null;
}

/** Figures of history's bars, by the time of their point in microseconds. */
export interface BarFigures {
  readonly step: number;
  readonly times: readonly number[];
  readonly opens: readonly string[];
  readonly highs: readonly string[];
  readonly lows: readonly string[];
  readonly volumes: readonly (string | null)[];
}

/** Interval for a width: the smallest on which a bar has room; at least `least`, and `least` itself where `forced` and it can be seen. */
export function intervalFor(tradingSpan: number, daily: boolean, width: number, least: number, forced: boolean): number {
  const wide = forced ? NARROW : WIDE;
  const fits = (interval: number): boolean => ((daily ? slotsOf(interval) * DAY : interval) / tradingSpan) * width >= wide;
  return LADDER.find((interval) => interval >= least && (daily ? interval >= DAY : interval <= 4 * HOUR) && fits(interval)) ?? (daily ? MONTH : 4 * HOUR);
}

/** Figures of an answer that has them. */
export function figuresOf(answer: ReadHistory): BarFigures | null {
  const { opens, highs, lows, volumes, resolution } = answer;
  if (!opens || !highs || !lows || !volumes || resolution === 'tick') return null;
  const step = { '1m': MINUTE, '5m': 5 * MINUTE, '1h': HOUR, '1d': DAY }[resolution];
  return { step, times: answer.numbers?.times ?? answer.times.map((time) => readMicros(time) ?? Number.NaN), opens, highs, lows, volumes };
}

type Growing = { -readonly [Name in keyof Candle]: Candle[Name] } & { key: number; /** Time of what its open comes from. */ since: number };

/** The bar that an instant belongs to, as a number that never falls. */
function keyer(interval: number, timeline: Timeline): (time: number) => number {
  if (interval < DAY || timeline.stretches.length === 0) return (time) => Math.floor(time / interval);
  const keys: number[] = [];
  for (const [at, { date }] of timeline.stretches.entries()) {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    const dated = date.length === 10;
    const week = Math.floor((Date.UTC(year, month - 1, day) / DAY + 3) / 7);
    const key = interval === WEEK ? week : interval === MONTH ? year * 12 + month : at;
    keys.push(dated ? key : Number.NaN);
  }
  // In years that the calendar does not know a bar is as long as its name.
  return (time) => {
    const at = timeline.stretchOf(time);
    const key = keys[at] ?? Number.NaN;
    if (!Number.isNaN(key)) return key;
    const date = new Date(time);
    return interval === WEEK ? Math.floor((time / DAY + 3) / 7) : interval === MONTH ? date.getUTCFullYear() * 12 + date.getUTCMonth() + 1 : Math.floor(time / DAY) - 1e6;
  };
}

export interface Candles {
  /** Bars over points up to `limit` (microseconds); `rebuilt` where others than the newest may have changed. The array is the same while it grows. */
  read(interval: number, timeline: Timeline, figures: BarFigures | null, limit: number): { readonly list: readonly Candle[]; readonly rebuilt: boolean; /** Points read. */ readonly count: number };
}

/** `volumeOf`: volume of a tick of the live tail by position, null where unknown. */
export function createCandles(points: Points, volumeOf: (time: number, sequence: number) => string | null = () => null): Candles {
  let list: Growing[] = [];
  let next = 0;
  let nextFigure = 0;
  let revision = -1;
  let made: { readonly interval: number; readonly timeline: Timeline; readonly figures: BarFigures | null } | null = null;
  let keyOf = (time: number): number => time;

  function addPoint(index: number, interval: number, timeline: Timeline, figures: BarFigures | null): void {
    const micros = points.times[index] ?? 0;
    const time = micros / 1000;
    const [close = 0, text = ''] = [points.values[index], points.texts[index]];
    let [open, high, low, openText, highText, lowText] = [close, close, close, text, text, text];
    let volume: string | null = null;
    let start = time;
    if (figures) {
      while ((figures.times[nextFigure] ?? Number.POSITIVE_INFINITY) < micros) nextFigure++;
      if (figures.times[nextFigure] === micros) {
        [openText, highText, lowText] = [figures.opens[nextFigure] ?? text, figures.highs[nextFigure] ?? text, figures.lows[nextFigure] ?? text];
        [open, high, low] = [readPrice(openText) ?? close, readPrice(highText) ?? close, readPrice(lowText) ?? close];
        volume = figures.volumes[nextFigure] ?? null;
        start = figures.step >= DAY ? time : Math.floor(time / figures.step) * figures.step;
      } else volume = volumeOf(micros, points.sequences[index] ?? 0);
    } else volume = volumeOf(micros, points.sequences[index] ?? 0);
    // What prints after a close or before an open belongs to that session's last or first bar.
    const own = timeline.stretches[timeline.stretchOf(start)];
    if (own) start = Math.max(own.open, Math.min(start, own.close - 1));
    const key = keyOf(start);
    const candle = list.at(-1);
    if (candle && candle.key === key) {
      // A tick within a bar of history comes before the bar's own point.
      if (start < candle.since) [candle.since, candle.open, candle.texts] = [start, open, { ...candle.texts, open: openText }];
      if (high > candle.high) [candle.high, candle.texts] = [high, { ...candle.texts, high: highText }];
      if (low < candle.low) [candle.low, candle.texts] = [low, { ...candle.texts, low: lowText }];
      if (candle.texts.close !== text) candle.texts = { ...candle.texts, close: text };
      candle.close = close;
      candle.volume = sum(candle.volume, volume);
      if (interval >= DAY) candle.end = Math.max(candle.end, own?.close ?? start);
      return;
    }
    const stretch = own;
    const whole = interval >= DAY;
    const floor = Math.floor(start / interval) * interval;
    const long = stretch !== undefined && stretch.close - stretch.open > 2 * DAY;
    const from = stretch && !long ? (whole ? stretch.open : Math.max(floor, Math.min(stretch.open, start))) : floor;
    const end = stretch && !long ? (whole ? stretch.close : Math.max(start, Math.min(floor + interval, stretch.close))) : floor + interval;
    list.push({ key, since: start, start: from, end, open, high, low, close, texts: { open: openText, high: highText, low: lowText, close: text }, volume });
  }

  return {
    read(interval, timeline, figures, limit) {
      const rebuilt = made?.interval !== interval || made.timeline !== timeline || made.figures !== figures || revision !== points.revision || (next > 0 && (points.times[next - 1] ?? 0) > limit);
      if (rebuilt) {
        list = [];
        next = 0;
        nextFigure = 0;
        revision = points.revision;
        made = { interval, timeline, figures };
        keyOf = keyer(interval, timeline);
      }
      for (; next < points.length && (points.times[next] ?? 0) <= limit; next++) addPoint(next, interval, timeline, figures);
      return { list, rebuilt, count: next };
    },
  };
}

function sum(a: string | null, b: string | null): string | null {
  const [x, y] = [parseDecimal(a ?? ''), parseDecimal(b ?? '')];
  return x === undefined ? (y ?? null) : y === undefined ? x : add(x, y);
}
