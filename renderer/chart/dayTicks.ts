/** Time axis of many days: years before months before weeks before days, as many as fit, each at the first session after its boundary. */
import { floorDiv, fromMillis } from '../../shared/time.ts';
import { offsetAt } from '../../shared/zone.ts';
import { dateParts, dayLabel, dayYearLabel, monthLabel, monthYearLabel } from './timeLabels.ts';
import type { TickRequest, TimeTick } from './timeTicks.ts';

const DAY = 86_400_000;
const DAY_MICROS = 86_400_000_000n;
const EDGE = 0.4;
/** The levels of a boundary, the mightiest last. */
const [DAYS, WEEK, MONTH, QUARTER, YEAR, DECADE] = [0, 1, 2, 3, 4, 5];

interface Begin {
  readonly time: number;
  readonly level: number;
  readonly year: number;
}

/** Instants where days begin: session opens where they are known, else local midnights (every so many, over years without sessions). */
function* begins({ timeline, zone, from, to }: TickRequest): Generator<number> {
  const [first, last] = [timeline.stretches.findIndex(({ close }) => close > from), timeline.stretches.findLastIndex(({ open }) => open < to)];
  const plain = function* (start: number, end: number): Generator<number> {
    // Over years a month's first day is all that can be labelled.
    const stride = end - start > 700 * DAY ? 'month' : 'day';
    const at = new Date(start + Number(offsetAt(zone, fromMillis(start))) / 1000);
    for (let year = at.getUTCFullYear(), month = at.getUTCMonth(), day = stride === 'month' ? 1 : at.getUTCDate() + 1; ;) {
      if (stride === 'month') month++;
      const local = Date.UTC(year, month, day);
      const time = local - Number(offsetAt(zone, fromMillis(local))) / 1000;
      if (time >= end) return;
      if (time >= start) yield time;
      if (stride === 'day') day++;
      else if (month > 11) [year, month] = [year + 1, month - 12];
    }
  };
  if (timeline.stretches.length === 0 || first < 0) {
    yield* plain(from, to);
    return;
  }
  let date = '';
  for (let i = Math.max(0, first); i <= last; i++) {
    const stretch = timeline.stretches[i];
    if (!stretch) continue;
    if (stretch.close - stretch.open > 2 * DAY) yield* plain(Math.max(from, stretch.open), Math.min(to, stretch.close));
    else if (stretch.date !== date && stretch.open >= from) yield stretch.open;
    ({ date } = stretch);
  }
}

const weekOf = (zone: string, time: number): bigint => floorDiv(floorDiv(fromMillis(time) + offsetAt(zone, fromMillis(time)), DAY_MICROS) + 3n, 7n); // weeks begin on Mondays

function levelled(request: TickRequest): Begin[] {
  const found: Begin[] = [];
  let before: { year: number; month: number; week: bigint } | null = null;
  for (const time of begins(request)) {
    const { year, month } = dateParts(request.zone, fromMillis(time));
    const week = weekOf(request.zone, time);
    let level = DAYS;
    if (before === null) level = DAYS;
    else if (year !== before.year) level = year % 10 === 0 ? DECADE : YEAR;
    else if (month !== before.month) level = (month - 1) % 3 === 0 ? QUARTER : MONTH;
    else if (week !== before.week) level = WEEK;
    before = { year, month, week };
    found.push({ time, level, year });
  }
  return found;
}

/** Ticks in order, labels never closer than `spacing`; a mightier boundary takes the place of a lesser one. */
export function dayTicks(request: TickRequest): TimeTick[] {
  const { from, to, place, spacing, zone } = request;
  const [left, right] = [place(from), place(to)];
  const middle = (time: number): number => Math.max(left + spacing * EDGE, Math.min(right - spacing * EDGE, place(time)));
  const all = levelled(request);
  const taken: number[] = [];
  const chosen: Begin[] = [];
  for (const level of [DECADE, YEAR, QUARTER, MONTH, WEEK, DAYS]) {
    const candidates = all.filter((begin) => begin.level === level);
    for (const begin of candidates) {
      const pixel = middle(begin.time);
      if (taken.some((other) => Math.abs(other - pixel) < spacing)) continue;
      taken.push(pixel);
      chosen.push(begin);
    }
  }
  chosen.sort((a, b) => a.time - b.time);
  let shown = 0;
  return chosen.map(({ time, level, year }) => {
    const at = fromMillis(time);
    // The first label says which year, unless a year's own does.
    const first = shown === 0;
    shown = year;
    if (level >= YEAR) return { time, label: String(year) };
    const labelled = level >= MONTH ? (first ? monthYearLabel : monthLabel) : first ? dayYearLabel : dayLabel;
    return { time, label: labelled(zone, at) };
  });
}
