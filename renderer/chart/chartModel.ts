/** One chart's life outside React: loads, takes the live tail in, moves its view, and paints at most once per animation frame. */
import type { QuoteView, TicksEvent } from '../../shared/channels.ts';
import { createBarDrawing } from './barDrawing.ts';
import { type Candle, createCandles } from './candles.ts';
import { createChartLoader } from './chartLoader.ts';
import type { ChartSource } from './chartSource.ts';
import { type ChartView, createChartView } from './chartView.ts';
import type { Drawing, Drawn } from './drawing.ts';
import { barExtent, createExtent, withBase } from './extent.ts';
import { type Frame, nextFrame, type Plot } from './frame.ts';
import { findGaps } from './gaps.ts';
import { firstVisible } from './cursor.ts';
import { createLineDrawing } from './lineDrawing.ts';
import { MANY_POINTS, pause } from './pause.ts';
import { createPaintLoop } from './paintLoop.ts';
import { createPoints, type Points } from './points.ts';
import type { Detail, Kind, PriceScaleKind } from './settings.ts';
import { isDaily, type Reach, type Span, spanOf } from './span.ts';
import { createVolumes } from './volumes.ts';
import { barInterval, hasBars, wishFor } from './wish.ts';

/** Which index, on which exchange's clock. */
export interface ChartSubject {
  readonly id: string;
  readonly mic: string | null;
  /** The exchange's. */
  readonly zone: string;
  readonly decimals: number | null;
}

/** How the series is shown; each may change while the chart lives. */
export interface ChartLook {
  readonly kind: Kind;
  readonly scale: PriceScaleKind;
  /** Zone of labels. */
  readonly zone: string;
  readonly collapse: boolean;
  readonly detail: Detail;
  /** Instant that percent starts from, milliseconds; null: the left edge. */
  readonly rebase: number | null;
}

export interface ChartModel {
  readonly points: Points;
  readonly view: () => ChartView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Called with what is on screen: at once, and after each paint. */
  readonly onPaint: (listener: (drawn: Drawn, plot: Plot) => void) => () => void;
  readonly resize: (width: number, height: number) => void;
  /** The frame is laid out: draw into `plot`. */
  readonly place: (frame: Frame, plot: Plot) => void;
  readonly setQuote: (quote: QuoteView | undefined) => void;
  readonly takeTicks: (event: TicksEvent) => void;
  readonly setLook: (look: ChartLook) => void;
  /** Moves the view; null where nothing is laid out yet. */
  readonly move: (to: (span: Span, reach: Reach) => Reach | null) => void;
  readonly reach: () => Reach;
  readonly span: () => Span | null;
  /** Bars on screen where the kind has them, else null. */
  readonly bars: () => readonly Candle[] | null;
  /** Value that percent and comparison start from, where the view begins or at the chosen instant. */
  readonly percentBase: () => number | null;
  /** Room on the axis for what is drawn beside the series; null for none. */
  readonly widen: (read: (() => { readonly low: number; readonly high: number } | null) | null) => void;
  /** Reads everything again, under what is on screen. */
  readonly reload: () => void;
  /** Starts loading; returns the way to end it all. */
  readonly open: () => () => void;
}

const FUTURE = 5_000_000; // a tick stamped further ahead of the desk clock is not shown, microseconds
const PLAIN_LOOK: ChartLook = { kind: 'line', scale: 'linear', zone: 'UTC', collapse: true, detail: 'auto', rebase: null };

export function createChartModel(info: ChartSubject, range: Reach, source: ChartSource, firstLook: ChartLook = { ...PLAIN_LOOK, zone: info.zone }): ChartModel {
  const points = createPoints();
  const volumes = createVolumes();
  const candles = createCandles(points, volumes.of);
  const extent = createExtent(points);
  const paintListeners = new Set<(drawn: Drawn, plot: Plot) => void>();
  const cell = createChartView();
  const { view, show, subscribe } = cell;
  let look = firstLook;
  let reach = range;
  let drawing: Drawing | null = null;
  let span: Span | null = null;
  let spanEvent: number | null = null;
  let base: number | null = null;
  let plot: Plot | null = null;
  let [width, height] = [0, 0];
  let wasSilent = false;
  let painted: Drawn | null = null;
  let closed = true;
  let beside: (() => { readonly low: number; readonly high: number } | null) | null = null;
  /** What the frame on screen was made for: while it is the same, the frame is too. */
  let framed: readonly unknown[] = [];

  const now = (): number => Number(source.now()) / 1000;

  /** Newest event at or before the clock, milliseconds. */
  function lastEvent(clock: number): number | null {
    const limit = clock * 1000 + FUTURE;
    for (let i = points.length - 1; i >= 0; i--) {
      const time = points.times[i] ?? 0;
      if (time <= limit) return time / 1000;
    }
    return null;
  }

  function lookAt(clock: number): Span {
    const event = lastEvent(clock);
    if (span !== null && clock < span.until && clock >= loader.latest() && (!span.still || event === spanEvent)) return span;
    const from = loader.from();
    const first = from === null ? null : (points.times[firstVisible(points, from)] ?? null);
    const next = spanOf({ range: reach, now: clock, lastEvent: event, stretches: loader.calendar.stretches(isDaily(reach)), firstEvent: first === null ? null : first / 1000, collapse: look.collapse });
    spanEvent = event;
    if (span === null || next.from !== span.from || next.to !== span.to || next.until !== span.until || next.live !== span.live || next.timeline.stretches.length !== span.timeline.stretches.length || next.timeline.collapsed !== span.timeline.collapsed) span = next;
    return span;
  }

  const loader = createChartLoader({
    info, points, source, cell, now, lastEvent, reach: () => reach, span: lookAt, forced: () => look.detail !== 'auto',
    wish: (wanted) => wishFor(wanted, reach, look.kind, look.detail, width, now()),
    forgetSpan: () => { span = null; },
    loaded: () => paint(),
  });

  const readBars = (shown: Span, limit: number): ReturnType<typeof candles.read> => candles.read(barInterval(shown, reach, look.detail, width), shown.timeline, loader.figures(), limit);

  function makeDrawing(): Drawing {
    if (look.kind === 'line' || look.kind === 'area') return createLineDrawing(points);
    return createBarDrawing({ points, read: (_, limit) => readBars(span ?? lookAt(now()), limit) }, look.kind);
  }

  /** Value where the view begins, or at the chosen instant: the point at or before it, else the first in view. */
  function percentBase(): number | null {
    const index = firstVisible(points, look.rebase ?? span?.from ?? 0);
    return points.values[Math.min(index, points.length - 1)] ?? null;
  }

  function paint(): void {
    loop.begun();
    if (closed || loader.from() === null || width === 0) return;
    const clock = now();
    const limit = clock * 1000 + FUTURE;
    const shown = lookAt(clock);
    let seen = hasBars(look.kind) ? barExtent(readBars(shown, limit).list, shown) : extent.read(shown, Math.min(limit, shown.to * 1000));
    const more = beside?.() ?? null;
    if (more !== null && seen.count > 0) seen = { low: Math.min(seen.low, more.low), high: Math.max(seen.high, more.high), count: seen.count };
    const silentSince = seen.count === 0 && shown.live ? lastEvent(clock) : null;
    // An open market silent for longer than the range has an axis too: the hatched gap on it is the news.
    const held = view().frame;
    const alone = shown.open && silentSince !== null ? points.values[points.times.findLastIndex((time) => time <= limit)] : undefined;
    if (seen.count === 0 && alone === undefined && !(held !== null && !shown.live)) {
      show({ status: 'empty', gaps: [], lastEvent: silentSince });
      return;
    }
    if (silentSince !== view().lastEvent) show({ lastEvent: silentSince });
    loop.drew();
    const from = look.scale === 'percent' ? percentBase() : null;
    const made = [shown, seen.low, seen.high, base, width, height, look.scale, look.zone, from];
    if (held !== null && view().status === 'ready' && made.every((part, at) => part === framed[at])) {
      draw(held, limit, clock, shown);
      return;
    }
    framed = made;
    // A window without any price keeps the axis it had.
    const bounds = seen.count > 0 ? withBase(seen, base, reach === '1D') : alone !== undefined ? withBase({ low: alone, high: alone, count: 0 }, base, reach === '1D') : { low: held?.prices.low ?? 0, high: held?.prices.high ?? 1 };
    const frame = nextFrame(held, {
      span: shown, zone: look.zone, daily: shown.timeline.daily || (isDaily(reach) && shown.timeline.stretches.length === 0), scale: look.scale, percentBase: from, ...bounds, decimals: info.decimals, width, height,
    });
    if (frame !== held || view().status !== 'ready') {
      if (typeof reach === 'string' && reach !== 'All' && reach !== '1Y') {
        points.trim(shown.from * 1000);
        loader.trimmed(shown.from - 60_000);
      }
      show({ status: 'ready', problem: null, frame, live: shown.live });
      return; // the series layer asks for it once React has put the frame in place
    }
    show({ live: shown.live });
    draw(frame, limit, clock, shown);
  }
  const loop = createPaintLoop(paint);

  function draw(frame: Frame, limit: number, clock: number, shown: Span): void {
    if (plot === null) return;
    drawing ??= makeDrawing();
    const drawn = drawing.draw(frame, plot, limit);
    const newest = (points.times[drawn.count - 1] ?? 0) / 1000;
    const silent = shown.open && clock - newest > drawn.silence.tail;
    if (drawn.joints || silent || wasSilent) markGaps(drawn, newest, clock, shown);
    wasSilent = silent;
    painted = drawn;
    for (const listener of paintListeners) listener(drawn, plot);
  }

  function markGaps(drawn: Drawn, newest: number, clock: number, shown: Span): void {
    const found = findGaps({ points, count: drawn.count, timeline: shown.timeline, silence: drawn.silence, from: Math.min(Math.max(loader.from() ?? 0, shown.from), newest), until: Math.min(clock, shown.to, loader.until()) })
      .filter((gap) => gap.to > shown.from && gap.from < shown.to);
    const held = view().gaps;
    if (found.length !== held.length || found.some((gap, index) => gap.from !== held[index]?.from || gap.to !== held[index]?.to)) show({ gaps: found });
  }

  const invalidate = (): void => {
    if (!closed) loop.invalidate();
  };

  return {
    points, view, subscribe, percentBase,
    reach: () => reach,
    span: () => span,
    bars: () => (hasBars(look.kind) && span !== null && loader.from() !== null ? readBars(span, now() * 1000 + FUTURE).list : null),
    onPaint(listener) {
      paintListeners.add(listener);
      if (painted !== null && plot !== null) listener(painted, plot);
      return () => paintListeners.delete(listener);
    },
    resize(nextWidth, nextHeight) {
      if (nextWidth === width && nextHeight === height) return;
      [width, height] = [nextWidth, nextHeight];
      paint();
    },
    place(frame, next) {
      plot = next;
      const clock = now();
      const drawIt = (): void => {
        if (frame === view().frame && next === plot && span !== null && !closed) draw(frame, clock * 1000 + FUTURE, clock, span);
      };
      // So many points take long to draw: not in the turn that React took for the frame.
      if (points.length > MANY_POINTS) void pause().then(drawIt);
      else drawIt();
    },
    setQuote(quote) {
      const nextBase = quote?.base ? Number(quote.base.price) : null;
      const moved = nextBase !== base;
      base = nextBase !== null && Number.isFinite(nextBase) ? nextBase : null;
      const put = quote?.price && quote.eventMicros ? points.putTick({ eventMicros: quote.eventMicros, sequence: quote.sequence ?? 0, price: quote.price }) : false;
      if (put || moved) invalidate();
    },
    takeTicks(event) {
      if (event.index !== info.id) return;
      let changed = false;
      for (const { eventMicros, sequence } of event.removed) changed = points.remove(eventMicros, sequence) || changed;
      for (const tick of event.ticks) {
        volumes.put(tick);
        changed = points.putTick(tick) || changed;
      }
      if (changed) invalidate();
    },
    setLook(next) {
      if (next === look) return;
      const before = look;
      look = next;
      if (next.kind !== before.kind) [drawing, painted] = [null, null];
      if (next.collapse !== before.collapse) span = null;
      framed = [];
      if (closed) return;
      paint();
      loader.want();
    },
    move(to) {
      if (span === null) return;
      const next = to(span, reach);
      if (next === null) return;
      reach = next;
      span = null;
      invalidate();
      loader.want();
    },
    widen(read) {
      beside = read;
      invalidate();
    },
    reload: () => loader.load(),
    open() {
      closed = false;
      loader.load();
      const timer = setInterval(() => {
        loader.follow(now());
        invalidate();
      }, 1000);
      return () => {
        closed = true;
        clearInterval(timer);
        loop.stop();
        loader.close();
      };
    },
  };
}
