/**
 * Puts a chart on screen: domain, frame, series and gaps, at most once per animation frame. A frame goes to React, which lays out what stands
 * still; while the view moves it goes to the layers alone, and to React when the view has come to rest.
 */
import { createAhead, type Seen } from './ahead.ts';
import { createBarDrawing } from './barDrawing.ts';
import type { Candles } from './candles.ts';
import type { ChartLook } from './chartLook.ts';
import type { ChartViewCell } from './chartView.ts';
import type { Drawing, Drawn } from './drawing.ts';
import { barExtent, createExtent, type Extent, withBase } from './extent.ts';
import { type Frame, nextFrame, type Plot } from './frame.ts';
import { findGaps } from './gaps.ts';
import { createLineDrawing } from './lineDrawing.ts';
import { lookSame } from './markPlaces.ts';
import { createPaintLoop } from './paintLoop.ts';
import { MANY_POINTS, pause } from './pause.ts';
import type { Points } from './points.ts';
import { isDaily, type Span } from './span.ts';
import type { ViewSpan } from './viewSpan.ts';
import { hasBars } from './wish.ts';

export type PaintListener = (drawn: Drawn, plot: Plot, frame: Frame) => void;
export type Room = () => { readonly low: number; readonly high: number } | null;

interface PaintingContext {
  readonly points: Points;
  readonly cell: ChartViewCell;
  readonly span: ViewSpan;
  readonly decimals: number | null;
  /** Desk time, milliseconds. */
  readonly now: () => number;
  readonly look: () => ChartLook;
  readonly base: () => number | null;
  readonly loader: () => { readonly from: () => number | null; readonly until: () => number; readonly trimmed: (from: number) => void };
  readonly readBars: (shown: Span, limit: number) => ReturnType<Candles['read']>;
}

export interface Painting {
  readonly seen: () => Seen;
  readonly size: () => { readonly width: number; readonly height: number };
  readonly paint: () => void;
  /** Something changed: paint soon. */
  invalidate(): void;
  /** Nothing but time passed: paint soon, and tell of it only where that is seen. */
  passed(): void;
  /** The view moves: paint soon, without React. */
  moved(): void;
  readonly resize: (width: number, height: number) => void;
  readonly place: (frame: Frame, plot: Plot) => void;
  /** Draws everything anew; `kind`: with another drawing. */
  restyle(kind: boolean): void;
  readonly widen: (read: Room | null) => void;
  readonly onPaint: (listener: PaintListener) => () => void;
  open(): void;
  close(): void;
}

const HALF_FRAME = 8;

export function createPainting({ points, cell, span, decimals, now, look, base, loader, readBars }: PaintingContext): Painting {
  const { view, show } = cell;
  const extent = createExtent(points);
  const listeners = new Set<PaintListener>();
  let drawing: Drawing | null = null;
  let plot: Plot | null = null;
  let [width, height] = [0, 0];
  let wasSilent = false;
  /** Something besides time has changed since the listeners were told. */
  let news = true;
  let painted: Drawn | null = null;
  let closed = true;
  let beside: Room | null = null;
  /** What the frame on screen was made for: while it is the same, the frame is too. */
  let framed: readonly unknown[] = [];
  const ahead = createAhead(view, settle);

  const seen = (): Seen => ahead.seen() ?? view();

  function extentOf(shown: Span, limit: number): Extent {
    const own = hasBars(look().kind) ? barExtent(readBars(shown, limit).list, shown) : extent.read(shown, Math.min(limit, shown.to * 1000));
    const more = beside?.() ?? null;
    return more === null || own.count === 0 ? own : { low: Math.min(own.low, more.low), high: Math.max(own.high, more.high), count: own.count };
  }

  /** Prices that the axis must hold; null where there is nothing to draw an axis for. */
  function boundsOf(shown: Span, clock: number, limit: number): { readonly low: number; readonly high: number } | null {
    const own = extentOf(shown, limit);
    const silentSince = own.count === 0 && shown.live ? span.lastEvent(clock) : null;
    // An open market silent for longer than the range has an axis too: the hatched gap on it is the news.
    const alone = shown.open && silentSince !== null ? points.values[points.times.findLastIndex((time) => time <= limit)] : undefined;
    const held = seen().frame;
    if (own.count === 0 && alone === undefined && !(held !== null && !shown.live)) {
      ahead.rest();
      show({ status: 'empty', gaps: [], lastEvent: silentSince });
      return null;
    }
    if (silentSince !== view().lastEvent) show({ lastEvent: silentSince });
    const day = span.reach() === '1D';
    if (own.count > 0) return withBase(own, base(), day);
    // A window without any price keeps the axis it had.
    return alone === undefined ? { low: held?.prices.low ?? 0, high: held?.prices.high ?? 1 } : withBase({ low: alone, high: alone, count: 0 }, base(), day);
  }

  function paint(): void {
    loop.begun();
    if (closed || loader().from() === null || width === 0) return;
    const clock = now();
    const limit = span.limit(clock);
    const shown = span.at(clock);
    const bounds = boundsOf(shown, clock, limit);
    if (bounds === null) return;
    loop.drew();
    const { scale, zone, rebase } = look();
    const held = seen().frame;
    const percentBase = scale === 'percent' ? span.percentBase(rebase) : null;
    const made = [shown, bounds.low, bounds.high, width, height, scale, zone, percentBase];
    if (held !== null && view().status === 'ready' && made.every((part, at) => part === framed[at])) {
      draw(held, limit, clock, shown);
      return;
    }
    framed = made;
    const reach = span.reach();
    const frame = nextFrame(held, {
      span: shown, zone, daily: shown.timeline.daily || (isDaily(reach) && shown.timeline.stretches.length === 0), scale, percentBase, ...bounds, decimals, width, height,
      ...(ahead.moving() && held !== null ? { leastAxisWidth: held.axisWidth } : {}),
    });
    if (ahead.moving() && held !== null && plot !== null && view().status === 'ready' && frame.axisWidth === held.axisWidth && frame.width === held.width && frame.height === held.height) {
      ahead.put(frame, shown.live);
    } else if (frame !== held || view().status !== 'ready') {
      ahead.rest();
      if (typeof reach === 'string' && reach !== 'All' && reach !== '1Y') {
        points.trim(shown.from * 1000);
        loader().trimmed(shown.from - 60_000);
      }
      show({ status: 'ready', problem: null, frame, live: shown.live });
      return; // the series layer asks for it once React has put the frame in place
    }
    if (!ahead.lags()) show({ live: shown.live });
    draw(frame, limit, clock, shown);
  }
  const loop = createPaintLoop(paint);

  /** The view has come to rest: React lays out the frame that is on screen. */
  function settle(): void {
    const last = ahead.seen();
    ahead.rest();
    if (last !== null && !closed) show({ frame: last.frame, gaps: last.gaps, live: last.live });
  }

  function makeDrawing(): Drawing {
    const { kind } = look();
    if (kind === 'line' || kind === 'area') return createLineDrawing(points);
    return createBarDrawing({ points, read: (_, limit) => readBars(span.held() ?? span.at(now()), limit) }, kind);
  }

  function draw(frame: Frame, limit: number, clock: number, shown: Span): void {
    if (plot === null) return;
    drawing ??= makeDrawing();
    const drawn = drawing.draw(frame, plot, limit, ahead.moving());
    const newest = (points.times[drawn.count - 1] ?? 0) / 1000;
    const silent = shown.open && clock - newest > drawn.silence.tail;
    if (drawn.joints || silent || wasSilent) markGaps(drawn, newest, clock, shown, plot.width);
    else if (!news && beside === null && drawn.count === painted?.count) return; // what is compared has news of its own
    wasSilent = silent;
    painted = drawn;
    news = false;
    for (const listener of listeners) listener(drawn, plot, frame);
  }

  function markGaps(drawn: Drawn, newest: number, clock: number, shown: Span, plotWidth: number): void {
    const { from, until } = loader();
    const found = findGaps({ points, count: drawn.count, timeline: shown.timeline, silence: drawn.silence, from: Math.min(Math.max(from() ?? 0, shown.from), newest), until: Math.min(clock, shown.to, until()) })
      .filter((gap) => gap.to > shown.from && gap.from < shown.to);
    // A gap up to now grows with each second: another one only where that can be seen.
    const halfPixel = (shown.timeline.toTrading(shown.to) - shown.timeline.toTrading(shown.from)) / plotWidth / 2;
    if (lookSame(found, seen().gaps, halfPixel)) return;
    if (ahead.seen() === null) show({ gaps: found });
    else ahead.putGaps(found);
  }

  const passed = (): void => {
    if (!closed) loop.invalidate();
  };
  const invalidate = (): void => {
    news = true;
    passed();
  };

  return {
    seen, invalidate, passed,
    paint() {
      news = true;
      paint();
    },
    size: () => ({ width, height }),
    moved() {
      news = true;
      ahead.moved();
      if (!closed) loop.invalidate(HALF_FRAME); // pointer and wheel tell of themselves once per frame
    },
    resize(nextWidth, nextHeight) {
      if (nextWidth === width && nextHeight === height) return;
      [width, height] = [nextWidth, nextHeight];
      news = true;
      paint();
    },
    place(frame, next) {
      plot = next;
      news = true;
      if (frame !== view().frame || closed) return;
      const drawIt = (): void => {
        const shown = span.held();
        const current = seen().frame;
        const clock = now();
        if (next === plot && shown !== null && current !== null && !closed) draw(current, span.limit(clock), clock, shown);
      };
      // So many points take long to draw: not in the turn that React took for the frame.
      if (points.length > MANY_POINTS) void pause().then(drawIt);
      else drawIt();
    },
    restyle(kind) {
      news = true;
      settle();
      if (kind) [drawing, painted] = [null, null];
      framed = [];
      if (!closed) paint();
    },
    widen(read) {
      beside = read;
      invalidate();
    },
    onPaint(listener) {
      listeners.add(listener);
      const { frame } = seen();
      if (painted !== null && plot !== null && frame !== null) listener(painted, plot, frame);
      return () => listeners.delete(listener);
    },
    open() {
      closed = false;
    },
    close() {
      closed = true;
      ahead.rest();
      loop.stop();
    },
  };
}
