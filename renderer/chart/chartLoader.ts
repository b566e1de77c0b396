/** Loads what a chart's view needs, when it needs it: sessions, then history, never more than one reading at a time; follows the desk clock. */
import { problem } from '../../shared/result.ts';
import { type Calendar, createCalendar } from './calendar.ts';
import { type BarFigures, figuresOf } from './candles.ts';
import type { ChartSource } from './chartSource.ts';
import type { ChartViewCell } from './chartView.ts';
import { MANY_POINTS, pause } from './pause.ts';
import type { Points } from './points.ts';
import { createReading } from './reading.ts';
import { isDaily, type Reach, type Span } from './span.ts';
import { covers, type Loaded, type Wish } from './wish.ts';

const JUMP_BACK = 60_000;
const JUMP_AHEAD = 30 * 60_000;
/** A view that moves is read for when it comes to rest. */
const REST = 120;
const YEAR = 366 * 86_400_000;

interface LoaderContext {
  readonly info: { readonly id: string; readonly mic: string | null; readonly zone: string };
  readonly points: Points;
  readonly source: ChartSource;
  readonly cell: ChartViewCell;
  /** Desk time, milliseconds. */
  readonly now: () => number;
  readonly lastEvent: (clock: number) => number | null;
  readonly reach: () => Reach;
  readonly forced: () => boolean;
  /** The view as it is wanted now, with a calendar that may just have changed. */
  readonly span: (clock: number) => Span;
  readonly wish: (span: Span) => Wish;
  readonly forgetSpan: () => void;
  readonly loaded: () => void;
}

export interface ChartLoader {
  readonly calendar: Calendar;
  /** Nothing is loaded: null. Milliseconds. */
  readonly from: () => number | null;
  readonly until: () => number;
  readonly figures: () => BarFigures | null;
  /** Desk time at the last look. */
  readonly latest: () => number;
  load(): void;
  /** The view moved: reads when it rests, unless what is at hand fills it. */
  want(): void;
  /** Time passed: a replay that starts over or a long sleep means reading again. */
  follow(clock: number): void;
  /** What was dropped at the left is not at hand any more. */
  trimmed(from: number): void;
  close(): void;
}

export function createChartLoader(context: LoaderContext): ChartLoader {
  const { info, points, source, cell, now } = context;
  const { view, show } = cell;
  const calendar = createCalendar(info.mic, info.zone, (request) => source.sessions(request));
  const reading = createReading(info.id, source);
  let generation = 0;
  let loaded: Loaded | null = null;
  let from: number | null = null;
  let figures: BarFigures | null = null;
  let latest = 0;
  let wantedAt = 0;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  function earliest(clock: number): number {
    const reach = context.reach();
    if (typeof reach === 'string') return reach === 'All' ? Number.NEGATIVE_INFINITY : reach === '1Y' ? clock - YEAR - 40 * 86_400_000 : reach === '1M' ? clock - 45 * 86_400_000 : clock;
    const length = reach.kind === 'fixed' ? reach.to - reach.from : reach.length * (reach.daily ? 1 : 5);
    return (reach.kind === 'fixed' ? reach.from : clock) - 2 * length;
  }

  /** The clock went back: what is at hand has not happened yet. */
  function forget(): void {
    points.clear();
    loaded = null;
    from = null;
    figures = null;
    calendar.forget();
  }

  async function load(): Promise<void> {
    const mine = ++generation;
    stopResting();
    if (view().status !== 'ready') show({ status: 'loading', problem: null });
    const clock = now();
    if (clock < latest) forget();
    let note: string | null = null;
    const begin = earliest(clock);
    const unknown = calendar.lacks(clock, begin) || clock < latest;
    const trouble = await (unknown ? calendar.renew(clock, Math.min(begin, context.lastEvent(clock) ?? clock)) : null);
    if (mine !== generation || closed) return;
    if (trouble !== null) note = `no trading calendar: ${trouble.what}`;
    latest = clock;
    context.forgetSpan();
    const wish = context.wish(context.span(clock));
    points.beginHistory(wish.to * 1000, wish.from * 1000);
    const wanted = (): boolean => mine === generation && !closed;
    const answer = await reading.read(wish, context.forced(), wish.to < clock - JUMP_BACK, wanted);
    if (answer === null || !wanted()) return;
    if (answer.ok && answer.value.times.length > MANY_POINTS) {
      await pause();
      if (!wanted()) return;
    }
    if (!answer.ok) {
      show(view().status === 'ready' ? { note: `older prices could not be read: ${answer.error.what}` } : { status: 'failed', problem: answer.error });
      return;
    }
    const unreadable = points.putHistory(answer.value);
    figures = figuresOf(answer.value);
    const cutOff = answer.value.truncated && answer.value.kind !== 'sampled';
    from = cutOff ? Number(answer.value.times[0] ?? 0) / 1000 : wish.from;
    loaded = { wish: { ...wish, from }, whole: !points.thinned && answer.value.resolution === 'tick' && !answer.value.truncated, open: wish.to >= clock };
    if (answer.value.truncated) note = cutOff ? 'the oldest part is cut off: too many rows' : 'the older part is sampled: too many rows';
    else if (unreadable > 0) note = `${unreadable} points could not be read and are left out`;
    else if (wish.figures && figures === null) note = 'bars are made from the points at hand: their open, high and low may be others';
    context.forgetSpan();
    if (points.length > MANY_POINTS) {
      await pause();
      if (!wanted()) return;
    }
    show({ note, daily: isDaily(context.reach()) });
    context.loaded();
  }

  function whenRested(): void {
    resting = undefined;
    if (closed || loaded === null) return;
    const left = wantedAt + REST - performance.now();
    if (left > 1) {
      resting = setTimeout(whenRested, left);
      return;
    }
    const clock = now();
    const span = context.span(clock);
    if (!covers(loaded, context.wish(span), span, clock) || calendar.lacks(clock, earliest(clock))) start();
  }

  function stopResting(): void {
    clearTimeout(resting);
    resting = undefined;
  }

  function start(): void {
    closed = false; // a chart may be opened again
    load().catch((error: unknown) => {
      show({ status: 'failed', problem: problem('INTERNAL', `chart of ${info.id}: ${error instanceof Error ? error.message : String(error)}`, 'choose the range again', true) });
    });
  }

  return {
    calendar,
    from: () => from,
    until: () => (loaded === null ? Number.NEGATIVE_INFINITY : loaded.open ? Number.POSITIVE_INFINITY : loaded.wish.to),
    figures: () => figures,
    latest: () => latest,
    load() {
      calendar.forget(); // the host may know other sessions than before
      start();
    },
    want() {
      if (closed || loaded === null) return;
      wantedAt = performance.now();
      resting ??= setTimeout(whenRested, REST);
    },
    follow(clock) {
      const back = clock < latest - JUMP_BACK;
      const ahead = latest > 0 && clock > latest + JUMP_AHEAD;
      if (back) forget();
      if (!back && !ahead && !(calendar.stretches().length > 0 && calendar.lacks(clock))) {
        latest = Math.max(latest, clock);
        return;
      }
      latest = clock;
      start();
    },
    trimmed(bound) {
      if (from !== null && bound > from && loaded !== null) {
        from = bound;
        loaded = { ...loaded, wish: { ...loaded.wish, from } };
      }
    },
    close() {
      closed = true;
      generation++;
      stopResting();
    },
  };
}
