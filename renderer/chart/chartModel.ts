/** One chart's life outside React: loads, takes the live tail in, and paints at most once per animation frame. */
import type { HistoryAnswer, HistoryRequest, QuoteView, SessionsRequest, SessionWindow, TicksEvent } from '../../shared/channels.ts';
import { problem, type Result } from '../../shared/result.ts';
import { createCalendar } from './calendar.ts';
import { type ChartView, createChartView } from './chartView.ts';
import { createDrawing, type Drawn } from './drawing.ts';
import { createExtent, withBase } from './extent.ts';
import { type Frame, nextFrame, type Plot } from './frame.ts';
import { findGaps } from './gaps.ts';
import { createPoints, type Points } from './points.ts';
import { type Range, type Span, spanOf } from './span.ts';

/** What the chart needs from its surroundings; all calls may fail as values, never throw. */
export interface ChartSource {
  load(request: HistoryRequest): Promise<Result<HistoryAnswer>>;
  sessions(request: SessionsRequest): Promise<Result<readonly SessionWindow[]>>;
  /** Desk time, microseconds. */
  now(): bigint;
}

/** Which index, on which exchange's clock. */
export interface ChartSubject {
  readonly id: string;
  readonly mic: string | null;
  readonly zone: string;
  readonly decimals: number | null;
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
  /** Reads everything again, under what is on screen. */
  readonly reload: () => void;
  /** Starts loading; returns the way to end it all. */
  readonly open: () => () => void;
}

const FRAME = 16; // milliseconds
const FUTURE = 5_000_000; // a tick stamped further ahead of the desk clock is not shown, microseconds
const JUMP_BACK = 60_000;
const JUMP_AHEAD = 30 * 60_000;
const micros = (millis: number): string => String(Math.floor(millis) * 1000);

export function createChartModel(info: ChartSubject, range: Range, source: ChartSource): ChartModel {
  const points = createPoints();
  const drawing = createDrawing(points);
  const extent = createExtent(points);
  const paintListeners = new Set<(drawn: Drawn, plot: Plot) => void>();
  const { view, show, subscribe } = createChartView();
  const calendar = createCalendar(info.mic, (request) => source.sessions(request));
  let span: Span | null = null;
  let spanEvent: number | null = null;
  let base: number | null = null;
  let plot: Plot | null = null;
  let [width, height] = [0, 0];
  let generation = 0;
  let loaded = false;
  let loadedFrom = 0;
  let latest = 0; // desk time at the last look, milliseconds
  let scheduled = 0;
  let wasSilent = false;
  let painted: Drawn | null = null;
  let pending = false;
  let paintedAt = Number.NEGATIVE_INFINITY;
  let closed = true;

  let framed: { readonly span: Span | null; readonly low: number; readonly high: number; readonly base: number | null; readonly width: number; readonly height: number } =
    { span: null, low: 0, high: 0, base: null, width: 0, height: 0 }; // what the frame on screen was made for

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
    const moved = span === null || clock >= span.until || clock < latest || (!span.open && event !== spanEvent);
    if (span !== null && !moved) return span;
    const first = loaded && points.length > 0 ? (points.times.find((time) => time / 1000 >= loadedFrom) ?? null) : null;
    const next = spanOf({ range, now: clock, lastEvent: event, stretches: calendar.stretches(), firstEvent: first === null ? null : first / 1000 });
    spanEvent = event;
    if (span === null || next.from !== span.from || next.to !== span.to || next.until !== span.until || next.timeline.stretches.length !== span.timeline.stretches.length) span = next;
    return span;
  }

  async function load(): Promise<void> {
    const mine = ++generation;
    if (view().status !== 'ready') show({ status: 'loading', problem: null });
    const clock = now();
    let note: string | null = null;
    if (calendar.ends(clock) || clock < latest) {
      const trouble = await calendar.renew(clock, lastEvent(clock) ?? clock);
      if (mine !== generation || closed) return;
      if (trouble !== null) note = `no trading calendar: ${trouble.what}`;
    }
    latest = clock;
    span = null;
    const wanted = lookAt(clock);
    const from = wanted.from - 60_000; // the line enters from outside the frame
    const to = Math.max(clock, wanted.from);
    points.beginHistory(to * 1000);
    const answer = await source.load({ index: info.id, fromMicros: micros(from), toMicros: micros(to), resolution: 'auto', pixels: Math.max(200, Math.min(4000, Math.round(width))) });
    if (mine !== generation || closed) return;
    if (!answer.ok) {
      show(view().status === 'ready' ? { note: `older prices could not be read: ${answer.error.what}` } : { status: 'failed', problem: answer.error });
      return;
    }
    const unreadable = points.putHistory(answer.value);
    loaded = true;
    const cutOff = answer.value.truncated && answer.value.kind !== 'sampled';
    loadedFrom = cutOff ? Number(answer.value.times[0] ?? 0) / 1000 : from;
    if (answer.value.truncated) note = cutOff ? 'the oldest part is cut off: too many rows' : 'the older part is sampled: too many rows';
    else if (unreadable > 0) note = `${unreadable} points could not be read and are left out`;
    span = null;
    show({ note });
    paint();
  }

  function guard(work: Promise<void>): void {
    work.catch((error: unknown) => {
      show({ status: 'failed', problem: problem('INTERNAL', `chart of ${info.id}: ${error instanceof Error ? error.message : String(error)}`, 'choose the range again', true) });
    });
  }

  /** Follows the clock: a replay that starts over or a long sleep means reading again. */
  function follow(clock: number): void {
    const back = clock < latest - JUMP_BACK;
    const ahead = latest > 0 && clock > latest + JUMP_AHEAD;
    if (back) {
      points.clear();
      loaded = false;
      calendar.forget();
    }
    if (!back && !ahead && !(calendar.stretches().length > 0 && calendar.ends(clock))) {
      latest = Math.max(latest, clock);
      return;
    }
    latest = clock;
    guard(load());
  }

  function paint(): void {
    if (scheduled !== 0) cancelAnimationFrame(scheduled);
    scheduled = 0;
    pending = false;
    if (closed || !loaded || width === 0) return;
    const clock = now();
    const limit = clock * 1000 + FUTURE;
    const shown = lookAt(clock);
    const seen = extent.read(shown, limit);
    const silentSince = seen.count === 0 ? lastEvent(clock) : null;
    // An open market silent for longer than the range has an axis too: the hatched gap on it is the news.
    const alone = shown.open && silentSince !== null ? points.values[points.times.findLastIndex((time) => time <= limit)] : undefined;
    if (seen.count === 0 && alone === undefined) {
      show({ status: 'empty', gaps: [], lastEvent: silentSince });
      return;
    }
    if (silentSince !== view().lastEvent) show({ lastEvent: silentSince });
    paintedAt = performance.now();
    const same = framed.span === shown && framed.low === seen.low && framed.high === seen.high && framed.base === base && framed.width === width && framed.height === height;
    const held = view().frame;
    if (same && held !== null && view().status === 'ready') {
      draw(held, limit, clock, shown);
      return;
    }
    framed = { span: shown, low: seen.low, high: seen.high, base, width, height };
    const { low, high } = withBase(alone === undefined ? seen : { low: alone, high: alone, count: 0 }, base, range === '1D');
    const frame = nextFrame(held, { span: shown, zone: info.zone, low, high, decimals: info.decimals, width, height });
    if (frame !== held || view().status !== 'ready') {
      points.trim(shown.from * 1000);
      show({ status: 'ready', problem: null, frame });
      return; // the series layer asks for it once React has put the frame in place
    }
    draw(frame, limit, clock, shown);
  }

  function draw(frame: Frame, limit: number, clock: number, shown: Span): void {
    if (plot === null) return;
    const drawn = drawing.draw(frame, plot, limit);
    const newest = (points.times[drawn.count - 1] ?? 0) / 1000;
    const silent = shown.open && clock - newest > drawn.silence.tail;
    if (drawn.joints || silent || wasSilent) markGaps(drawn, newest, clock, shown);
    wasSilent = silent;
    painted = drawn;
    for (const listener of paintListeners) listener(drawn, plot);
  }

  function markGaps(drawn: Drawn, newest: number, clock: number, shown: Span): void {
    const found = findGaps({ points, count: drawn.count, timeline: shown.timeline, silence: drawn.silence, from: Math.min(Math.max(loadedFrom, shown.from), newest), until: Math.min(clock, shown.to) })
      .filter((gap) => gap.to > shown.from && gap.from < shown.to);
    const held = view().gaps;
    if (found.length !== held.length || found.some((gap, index) => gap.from !== held[index]?.from || gap.to !== held[index]?.to)) show({ gaps: found });
  }

  /**
   * Paints at most once per frame's time: at once (after the message that brought news is worked through) when the last paint is a frame
   * ago, with the next animation frame otherwise. Asking for an animation frame costs more than a slow feed's whole paint.
   */
  function invalidate(): void {
    if (scheduled !== 0 || pending || closed) return;
    if (document.hidden || performance.now() - paintedAt < FRAME) {
      scheduled = requestAnimationFrame(paint);
      return;
    }
    pending = true;
    queueMicrotask(paint);
  }

  return {
    points,
    view,
    subscribe,
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
      if (frame === view().frame && span !== null && !closed) draw(frame, clock * 1000 + FUTURE, clock, span);
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
      for (const tick of event.ticks) changed = points.putTick(tick) || changed;
      if (changed) invalidate();
    },
    reload: () => guard(load()),
    open() {
      closed = false;
      guard(load());
      const timer = setInterval(() => {
        follow(now());
        invalidate();
      }, 1000);
      return () => {
        closed = true;
        generation++;
        clearInterval(timer);
        if (scheduled !== 0) cancelAnimationFrame(scheduled);
        scheduled = 0;
      };
    },
  };
}
