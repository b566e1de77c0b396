/** One chart's life outside React: loads, takes the live tail in, moves its view, and paints. */
import type { QuoteView, TicksEvent } from '../../shared/channels.ts';
import type { Seen } from './ahead.ts';
import { type Candle, createCandles } from './candles.ts';
import { createChartLoader } from './chartLoader.ts';
import type { ChartLook } from './chartLook.ts';
import type { ChartSource } from './chartSource.ts';
import { type ChartView, createChartView, type StillView } from './chartView.ts';
import type { Frame, Plot } from './frame.ts';
import { createPainting, type PaintListener, type Room } from './painting.ts';
import { createPoints, type Points } from './points.ts';
import type { Reach, Span } from './span.ts';
import { createViewSpan } from './viewSpan.ts';
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

export interface ChartModel {
  readonly points: Points;
  /** What React shows. */
  readonly view: () => ChartView;
  /** The same without gaps: another one only where something else changed. */
  readonly still: () => StillView;
  /** What is on screen at this moment: ahead of `view` while the view moves. */
  readonly seen: () => Seen;
  readonly subscribe: (listener: () => void) => () => void;
  /** Called with what is on screen: at once, and after each paint. */
  readonly onPaint: (listener: PaintListener) => () => void;
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
  readonly widen: (read: Room | null) => void;
  /** Reads everything again, under what is on screen. */
  readonly reload: () => void;
  /** Starts loading; returns the way to end it all. */
  readonly open: () => () => void;
}

const PLAIN_LOOK: ChartLook = { kind: 'line', scale: 'linear', zone: 'UTC', collapse: true, detail: 'auto', rebase: null };

export function createChartModel(info: ChartSubject, range: Reach, source: ChartSource, firstLook: ChartLook = { ...PLAIN_LOOK, zone: info.zone }): ChartModel {
  const points = createPoints();
  const volumes = createVolumes();
  const candles = createCandles(points, volumes.of);
  const cell = createChartView();
  let look = firstLook;
  let base: number | null = null;
  let closed = true;

  const now = (): number => Number(source.now()) / 1000;
  const span = createViewSpan(range, {
    points, collapse: () => look.collapse, stretches: (daily) => loader.calendar.stretches(daily), from: () => loader.from(), latest: () => loader.latest(),
  });
  const loader = createChartLoader({
    info, points, source, cell, now, lastEvent: span.lastEvent, reach: span.reach, span: span.at, forced: () => look.detail !== 'auto',
    wish: (wanted) => wishFor(wanted, span.reach(), look.kind, look.detail, painting.size().width, now()),
    forgetSpan: span.forget,
    loaded: () => painting.paint(),
  });
  const readBars = (shown: Span, limit: number): ReturnType<typeof candles.read> =>
    candles.read(barInterval(shown, span.reach(), look.detail, painting.size().width), shown.timeline, loader.figures(), limit);
  const painting = createPainting({ points, cell, span, decimals: info.decimals, now, look: () => look, base: () => base, loader: () => loader, readBars });

  return {
    points, view: cell.view, still: cell.still, subscribe: cell.subscribe,
    seen: painting.seen, onPaint: painting.onPaint, resize: painting.resize, place: painting.place, widen: painting.widen,
    reach: span.reach,
    span: span.held,
    percentBase: () => span.percentBase(look.rebase),
    bars() {
      const shown = span.held();
      return hasBars(look.kind) && shown !== null && loader.from() !== null ? readBars(shown, span.limit(now())).list : null;
    },
    setQuote(quote) {
      const nextBase = quote?.base ? Number(quote.base.price) : null;
      const moved = nextBase !== base;
      base = nextBase !== null && Number.isFinite(nextBase) ? nextBase : null;
      const put = quote?.price && quote.eventMicros ? points.putTick({ eventMicros: quote.eventMicros, sequence: quote.sequence ?? 0, price: quote.price }) : false;
      if (put || moved) painting.invalidate();
    },
    takeTicks(event) {
      if (event.index !== info.id) return;
      let changed = false;
      for (const { eventMicros, sequence } of event.removed) changed = points.remove(eventMicros, sequence) || changed;
      for (const tick of event.ticks) {
        volumes.put(tick);
        changed = points.putTick(tick) || changed;
      }
      if (changed) painting.invalidate();
    },
    setLook(next) {
      if (next === look) return;
      const before = look;
      look = next;
      if (next.collapse !== before.collapse) span.forget();
      painting.restyle(next.kind !== before.kind);
      if (!closed) loader.want();
    },
    move(to) {
      const shown = span.held();
      const next = shown === null ? null : to(shown, span.reach());
      if (next === null) return;
      span.move(next);
      painting.moved();
      loader.want();
    },
    reload: () => loader.load(),
    open() {
      closed = false;
      painting.open();
      loader.load();
      const timer = setInterval(() => {
        loader.follow(now());
        painting.passed();
      }, 1000);
      return () => {
        closed = true;
        clearInterval(timer);
        painting.close();
        loader.close();
      };
    },
  };
}
