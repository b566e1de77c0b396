/** Time axis ticks: session opens first, then calendar boundaries of the exchange's own clock, as many as fit. */
import { currentReader } from '../../shared/format.ts';
import { fromMillis } from '../../shared/time.ts';
import { localDate, offsetAt, timeOfDay } from '../../shared/zone.ts';
import { dayTicks } from './dayTicks.ts';
import { clockLabel, dateLabel, offsetLabel, weekdayLabel } from './timeLabels.ts';
import type { Timeline } from './timeline.ts';

export interface TimeTick {
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  readonly label: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [
  SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
  HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 48 * HOUR, 7 * 24 * HOUR,
];
const MOST = 400;
const EDGE = 0.4; // of the spacing: half a label

/**
 * First instant at or after `time` whose wall clock in `zone` is a multiple of `step` from local midnight. A change of offset on the way
 * is followed, so both passes of a repeated hour are boundaries.
 */
export function nextBoundary(zone: string, time: number, step: number): number {
  const past = (at: number): number => {
    const rest = (Math.ceil(at) + Number(offsetAt(zone, fromMillis(at))) / 1000) % step; // offsets are whole seconds
    return rest < 0 ? rest + step : rest;
  };
  const start = Math.ceil(time);
  const rest = past(start);
  if (rest === 0) return start;
  const candidate = start + step - rest;
  const after = past(candidate);
  return after === 0 ? candidate : candidate + (after > step / 2 ? step - after : -after);
}

/** Whether the wall clock at `time` comes twice that day (clocks go back): then its label needs the offset. */
function repeated(zone: string, time: number): boolean {
  const here = offsetAt(zone, fromMillis(time));
  const [before, after] = [offsetAt(zone, fromMillis(time - 3 * HOUR)), offsetAt(zone, fromMillis(time + 3 * HOUR))];
  if (before === after) return false;
  const shift = Number(before - after) / 1000;
  if (shift <= 0) return false;
  const twin = here === before ? time + shift : time - shift;
  return offsetAt(zone, fromMillis(twin)) !== here;
}

/** What a label is made of. */
interface Written {
  readonly day: string;
  readonly clock: string;
  readonly midnight: boolean;
}
/** A moving view asks for the same few in every frame. */
let written = { zone: '', seconds: false, reader: currentReader(), ticks: new Map<number, Written>() };
const MOST_WRITTEN = 1_000;

function writtenAt(zone: string, time: number, seconds: boolean): Written {
  const reader = currentReader();
  if (written.zone !== zone || written.seconds !== seconds || written.reader !== reader || written.ticks.size >= MOST_WRITTEN) written = { zone, seconds, reader, ticks: new Map() };
  const known = written.ticks.get(time);
  if (known) return known;
  const at = fromMillis(time);
  const clock = clockLabel(zone, time, seconds) + (repeated(zone, time) ? ` ${offsetLabel(zone, at)}` : '');
  const made = { day: localDate(zone, at), clock, midnight: timeOfDay(zone, at) === 0n };
  written.ticks.set(time, made);
  return made;
}

export interface TickRequest {
  readonly timeline: Timeline;
  readonly zone: string;
  readonly from: number;
  readonly to: number;
  /** Pixel of an instant. */
  readonly place: (time: number) => number;
  /** Least distance of two labels, pixels. */
  readonly spacing: number;
  /** A slot per day. */
  readonly daily?: boolean;
}

/** More sessions than this in view are told by their dates. */
const MOST_SESSIONS = 6;

/** Ticks in order, labels never closer than `spacing`. */
export function timeTicks({ timeline, zone, from, to, place, spacing, daily = false }: TickRequest): TimeTick[] {
  const tradingSpan = timeline.toTrading(to) - timeline.toTrading(from);
  const width = Math.abs(place(to) - place(from));
  if (tradingSpan <= 0 || width <= 0) return [];
  const dates = new Set(timeline.stretches.flatMap(({ open, close, date }) => (close > from && open < to ? date : [])));
  if (daily || dates.size > MOST_SESSIONS || (timeline.stretches.length === 0 && to - from > 8 * 24 * HOUR)) return dayTicks({ timeline, zone, from, to, place, spacing });
  const step = STEPS.find((candidate) => (candidate / tradingSpan) * width >= spacing) ?? STEPS.at(-1) ?? HOUR;
  const stretches = timeline.stretches.length === 0 ? [{ open: from, close: to, date: '' }] : timeline.stretches;

  const opens: number[] = [];
  let date = '';
  for (const stretch of timeline.stretches) {
    if (stretch.date !== date && stretch.open >= from && stretch.open < to) opens.push(stretch.open);
    date = stretch.date;
  }
  const taken: number[] = [];
  const [left, right] = [place(from), place(to)];
  /** Where a label's middle comes to stand: at the edges it is pushed inwards. */
  const middle = (time: number): number => Math.max(left + spacing * EDGE, Math.min(right - spacing * EDGE, place(time)));
  const fits = (pixel: number): boolean => taken.every((other) => Math.abs(other - pixel) >= spacing);
  const chosen: number[] = [];
  const take = (time: number): void => {
    const pixel = middle(time);
    if (!fits(pixel)) return;
    taken.push(pixel);
    chosen.push(time);
  };
  for (const open of opens.toReversed()) take(open); // the newest session's open matters most
  for (const { open, close } of stretches) {
    if (close <= from || open >= to) continue;
    const end = Math.min(close, to);
    let time = nextBoundary(zone, Math.max(open, from), step);
    for (let count = 0; time < end && count < MOST; count++) {
      take(time);
      time = nextBoundary(zone, time + step / 2 + 1, step);
    }
  }
  chosen.sort((a, b) => a - b);

  let shown = '';
  return chosen.map((time) => {
    const { day, clock, midnight } = writtenAt(zone, time, step < MINUTE);
    const label = day === shown ? clock : midnight && step >= MINUTE ? dateLabel(zone, fromMillis(time)) : `${weekdayLabel(zone, fromMillis(time))} ${clock}`;
    shown = day;
    return { time, label };
  });
}
