/**
 * Bars from ticks, exactly: prices stay decimal text, nothing is made where there was no tick. 1m, 5m and 1h are [start, start + length) of
 * UTC; a 1d bar starts at its session date's first instant and holds what sessionDay.ts says. Pure.
 */
import { add, compare, type Decimal } from './decimal.ts';
import type { Tick } from './quote.ts';
import type { Resolution } from './rowKey.ts';
import { type Market, sessionDay, sessionDayAt } from './sessionDay.ts';
import type { SessionDay } from './sessionDay.ts';
import { DAY, type EpochMicros, floorDiv, HOUR, micros, MINUTE } from './time.ts';

/** The resolutions that are made from ticks. */
export const MADE_RESOLUTIONS = ['1m', '5m', '1h', '1d'] as const satisfies readonly Resolution[];
export type MadeResolution = (typeof MADE_RESOLUTIONS)[number];

const LENGTHS: Readonly<Record<MadeResolution, bigint>> = { '1m': MINUTE, '5m': 5n * MINUTE, '1h': HOUR, '1d': DAY };
/** Nominal length; a day's real one follows its date. */
export const barLength = (resolution: MadeResolution): bigint => LENGTHS[resolution];
/** Start of the bar that holds an instant: 1m, 5m and 1h are aligned to UTC. */
export const alignedStart = (time: bigint, length: bigint): bigint => floorDiv(time, length) * length;

export interface BarFigures {
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  /** Sum of the volumes that are known; null where none is. */
  readonly volume: Decimal | null;
  readonly ticks: number;
  /** How many of the ticks are under retention, and will go. */
  readonly expiring: number;
}

/** The ticks of one minute on one day: what all bars are joined from. */
export interface MinutePart extends BarFigures {
  readonly start: EpochMicros;
  /** The day bar that it belongs to; null outside of every session. */
  readonly date: string | null;
}

export interface MadeBar extends BarFigures {
  readonly resolution: MadeResolution;
  readonly start: EpochMicros;
  /** 1d only. */
  readonly date: string | null;
}

export type BarTick = Pick<Tick, 'time' | 'sequence' | 'price' | 'volume' | 'family'>;

type Growing = { -readonly [Name in keyof MinutePart]: MinutePart[Name] };

export interface MinuteFold {
  /** Ticks come newest first; within one microsecond the higher sequence is the newer. */
  add(tick: BarTick): void;
  /** The parts so far, newest first; the fold goes on without them. */
  take(): MinutePart[];
}

/** Folds the ticks of one index; memory is a few words a minute. */
export function createMinuteFold(market: Market): MinuteFold {
  let parts: MinutePart[] = [];
  let part: Growing | null = null;
  let partEnd = 0n;
  let day: SessionDay | null = null;

  function dateOf(time: EpochMicros): string | null {
    if (day === null || time < day.from || time >= day.to) day = sessionDayAt(market, time);
    return day?.date ?? null;
  }

  return {
    add({ time, price, volume, family }) {
      const expires = family === 'q' ? 1 : 0;
      const same = part !== null && time >= part.start && time < partEnd;
      // sessions begin and end with whole minutes, so that a minute outside of them is so as a whole
      const date = same && part?.date === null ? null : dateOf(time);
      if (part !== null && same && part.date === date) {
        part.open = price;
        if (higher(price, part.high)) part.high = price;
        if (higher(part.low, price)) part.low = price;
        part.volume = sum(part.volume, volume);
        part.ticks += 1;
        part.expiring += expires;
        return;
      }
      part = { start: micros(alignedStart(time, MINUTE)), date, open: price, high: price, low: price, close: price, volume, ticks: 1, expiring: expires };
      partEnd = part.start + MINUTE;
      parts.push(part);
    },
    take() {
      const taken = parts;
      [parts, part] = [[], null];
      return taken;
    },
  };
}

/** Bars of one resolution, oldest first, joined from all their parts. Parts come oldest first; exact, since every bar holds whole parts. */
export function joinParts(market: Market, parts: readonly MinutePart[], resolution: MadeResolution): MadeBar[] {
  const bars: MadeBar[] = [];
  let bar: ({ -readonly [Name in keyof MadeBar]: MadeBar[Name] }) | null = null;
  for (const part of parts) {
    if (resolution === '1d' && part.date === null) continue;
    const start: bigint = resolution === '1d' && part.date !== null ? sessionDay(market, part.date).start : alignedStart(part.start, LENGTHS[resolution]);
    if (bar !== null && bar.start === start) {
      bar.close = part.close;
      if (higher(part.high, bar.high)) bar.high = part.high;
      if (higher(bar.low, part.low)) bar.low = part.low;
      bar.volume = sum(bar.volume, part.volume);
      bar.ticks += part.ticks;
      bar.expiring += part.expiring;
      continue;
    }
    const { open, high, low, close, volume, ticks, expiring } = part;
    bar = { resolution, start: micros(start), date: resolution === '1d' ? part.date : null, open, high, low, close, volume, ticks, expiring };
    bars.push(bar);
  }
  return bars;
}

/** All bars of a list of ticks in any order. */
export function barsOf(market: Market, ticks: readonly BarTick[]): MadeBar[] {
  const fold = createMinuteFold(market);
  for (const tick of ticks.toSorted((a, b) => (a.time === b.time ? b.sequence - a.sequence : a.time < b.time ? 1 : -1))) fold.add(tick);
  const parts = fold.take().reverse();
  return MADE_RESOLUTIONS.flatMap((resolution) => joinParts(market, parts, resolution));
}

const sum = (a: Decimal | null, b: Decimal | null): Decimal | null => (a === null ? b : b === null ? a : add(a, b));

/** Prices of one index mostly have the same shape, and then compare as text. */
function higher(a: Decimal, b: Decimal): boolean {
  if (a === b) return false;
  const alike = a.length === b.length && a.charCodeAt(0) !== MINUS && b.charCodeAt(0) !== MINUS && a.indexOf('.') === b.indexOf('.');
  return alike ? a > b : compare(a, b) > 0;
}
const MINUS = 45;
