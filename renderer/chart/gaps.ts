/** Where the line must break: between sessions always, and inside a session where data is missing for too long. */
import type { Points } from './points.ts';
import type { Timeline } from './timeline.ts';

/** A silence over this many usual intervals is a gap. */
const INTERVALS = 5;
/** Shorter silences are never drawn as gaps: an index may print every few seconds only. Milliseconds. */
const SHORTEST = 15_000;
/** How long after an open the first print may take. Milliseconds. */
const OPEN_GRACE = 30_000;
/** Intervals needed before a cadence counts as learned. */
const ENOUGH = 20;
/** A short range of history holds fewer: so many give a first idea, by their median. With less the floor alone decides. */
const FEWEST = 3;
/** Newest points that the cadence is learned from. */
const SAMPLE = 600;

export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Longest silence without a gap, milliseconds, for points of history and of the live tail. */
export interface Silence {
  readonly history: number;
  readonly tail: number;
}

export type Joint = 'joined' | 'session' | 'gap';

function usual(intervals: readonly number[], fewest: number): number | undefined {
  if (intervals.length < fewest) return undefined;
  const sorted = Float64Array.from(intervals).sort();
  return sorted[Math.floor(sorted.length * (sorted.length < ENOUGH ? 0.5 : 0.9))];
}

const isHistory = (points: Points, index: number): boolean => (points.times[index] ?? 0) <= points.historyUntil;

/**
 * Learns the usual interval (90th percentile inside sessions) of history and live tail apart: history comes as bars or thinned out to the
 * chart's width, the tail as every tick.
 */
export function learnSilence(points: Points, timeline: Timeline): Silence {
  const history: number[] = [];
  const tail: number[] = [];
  for (let i = Math.max(1, points.length - SAMPLE); i < points.length; i++) {
    const [before, after] = [points.times[i - 1] ?? 0, points.times[i] ?? 0];
    if (timeline.stretchOf(before / 1000) !== timeline.stretchOf(after / 1000)) continue;
    (isHistory(points, i - 1) ? history : tail).push((after - before) / 1000);
  }
  // Until history has a rhythm of its own, both share what there is; until the tail has, it may be as slow as history was.
  const ofHistory = Math.max(points.historyStep, usual(history, ENOUGH) ?? usual([...history, ...tail], FEWEST) ?? 0);
  const silence = (step: number): number => Math.max(SHORTEST, INTERVALS * step);
  return { history: silence(ofHistory), tail: silence(usual(tail, ENOUGH) ?? ofHistory) };
}

/** Longest silence allowed before the point at `index`. */
const allowedBefore = (points: Points, index: number, silence: Silence): number =>
  isHistory(points, index - 1) ? silence.history : silence.tail;

/** Days from one instant to another, by the days of the axis; 0 inside one, and where the calendar knows none. */
const daysBetween = (timeline: Timeline, before: number, after: number): number => (timeline.stretches.length === 0 ? 0 : timeline.stretchOf(after) - timeline.stretchOf(before));

/** Days of the axis without any point between two that have one. */
function missingDays({ points, count, timeline, from, until }: GapSearch): Gap[] {
  const gaps: Gap[] = [];
  const { stretches } = timeline;
  if (points.thinned || stretches.length === 0) return gaps;
  const { times } = points;
  let day = -1;
  let dayEnd = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const after = (times[i] ?? 0) / 1000;
    if (after < dayEnd) continue; // nearly every point: the day of the one before
    const before = day;
    day = timeline.stretchOf(after);
    dayEnd = stretches[day]?.close ?? Number.POSITIVE_INFINITY;
    if (before < 0 || day - before < 2 || after < from || (times[i - 1] ?? 0) / 1000 > until) continue;
    const [first, last] = [stretches[before + 1], stretches[day - 1]];
    if (first && last) gaps.push({ from: first.open, to: last.close });
  }
  return gaps;
}

/** How the points at `index - 1` and `index` belong together. */
export function jointAt(points: Points, index: number, timeline: Timeline, silence: Silence): Joint {
  const before = (points.times[index - 1] ?? 0) / 1000;
  const after = (points.times[index] ?? 0) / 1000;
  if (timeline.daily) return points.thinned || daysBetween(timeline, before, after) < 2 ? 'joined' : 'gap';
  if (timeline.stretchOf(before) !== timeline.stretchOf(after)) return 'session';
  const allowed = allowedBefore(points, index, silence);
  if (after - before <= allowed) return 'joined';
  // A lone print after the close is far away on the clock, but no trading time is missing before it.
  return timeline.toTrading(after) - timeline.toTrading(before) > allowed ? 'gap' : 'joined';
}

export interface GapSearch {
  readonly points: Points;
  /** Only the first `count` points are on screen (a future-stamped tick is not). */
  readonly count: number;
  readonly timeline: Timeline;
  readonly silence: Silence;
  /** Data is known to be loaded from here on. */
  readonly from: number;
  /** Data is expected up to here: desk time. */
  readonly until: number;
}

/** Every silence that is too long inside a session, also from an open to the first print and from the last print to the close or to now. */
export function findGaps(search: GapSearch): Gap[] {
  const { points, count, timeline, silence, from, until } = search;
  if (timeline.daily) return missingDays(search);
  const gaps: Gap[] = [];
  const first = (points.times[0] ?? 0) / 1000;
  const stretches = timeline.stretches;
  const silent = (start: number, end: number, allowed: number): void => {
    if (end - start > allowed) gaps.push({ from: start, to: end });
  };
  if (count === 0) return gaps;
  let stretch = -1;
  /** Closes the books of every stretch from `stretch` up to `next`: what was missing up to its close, and stretches without any print. */
  const settleUpTo = (next: number, last: number, allowed: number): void => {
    for (let i = Math.max(0, stretch); i < next; i++) {
      const { open, close } = stretches[i] ?? { open: 0, close: 0 };
      const begin = Math.max(open, from);
      if (i === stretch) silent(Math.max(last, begin), Math.min(close, until), allowed);
      else if (begin < close) silent(begin, Math.min(close, until), allowed + OPEN_GRACE);
    }
  };
  let last = first;
  let lastAllowed = silence.tail;
  let stretchEnd = Number.NEGATIVE_INFINITY;
  const shortest = Math.min(silence.history, silence.tail);
  const { times } = points;
  for (let i = 0; i < count; i++) {
    const time = (times[i] ?? 0) / 1000;
    if (time < stretchEnd && time - last <= shortest) {
      last = time;
      continue;
    }
    const allowed = isHistory(points, i) ? silence.history : silence.tail;
    const here = timeline.stretchOf(time);
    if (stretches.length > 0 && here !== stretch) {
      settleUpTo(here, last, lastAllowed);
      const open = Math.max(stretches[here]?.open ?? time, from);
      if (time > open) silent(open, time, allowed + OPEN_GRACE);
      stretch = here;
    } else if (i > 0 && jointAt(points, i, timeline, silence) === 'gap') {
      gaps.push({ from: last, to: time });
    }
    last = time;
    lastAllowed = allowed;
    stretchEnd = stretches[here]?.close ?? Number.POSITIVE_INFINITY;
  }
  if (stretches.length > 0) settleUpTo(stretches.length, last, lastAllowed);
  else silent(last, until, lastAllowed);
  return gaps;
}
