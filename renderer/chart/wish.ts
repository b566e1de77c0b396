/** What a chart asks its host for, so that a view is filled at the resolution that its width can show. Pure. Milliseconds. */
import type { HistoryRequest } from '../../shared/channels.ts';
import { DAY, intervalFor } from './candles.ts';
import type { Detail, Kind } from './settings.ts';
import { isDaily, type Reach, type Span } from './span.ts';

export interface Wish {
  readonly from: number;
  readonly to: number;
  readonly resolution: HistoryRequest['resolution'];
  readonly figures: boolean;
  readonly pixels: number;
  /** Milliseconds of time per pixel: what is loaded coarser than a view needs is loaded again. */
  readonly grain: number;
}

/** What is at hand. */
export interface Loaded {
  readonly wish: Wish;
  /** Nothing was left out: no view needs finer data. */
  readonly whole: boolean;
  /** Reached the present when it was read: the tail goes on from there. */
  readonly open: boolean;
}

const MINUTE = 60_000;
const DETAIL_MS = { '1m': MINUTE, '5m': 5 * MINUTE, '1h': 60 * MINUTE, '1d': DAY } as const;
/** Before any data: a range of everything begins there. */
export const EARLIEST = Date.UTC(1700, 0, 1);
/** A narrow chart asks as a wider one does: thinned out further, its gaps would go unseen. */
const LEAST_PIXELS = 640;
/** Data this much coarser than the view is not good enough. */
const COARSE = 1.6;

export const hasBars = (kind: Kind): boolean => kind === 'candles' || kind === 'bars';
export const leastInterval = (detail: Detail): number => (detail === 'auto' ? 0 : DETAIL_MS[detail]);

/** Interval of the bars in view. */
export function barInterval(span: Span, range: Reach, detail: Detail, width: number): number {
  return intervalFor(Math.max(1, span.timeline.toTrading(span.to) - span.timeline.toTrading(span.from)), isDaily(range), width, leastInterval(detail), detail !== 'auto');
}

/** The wish for a view of `width` pixels. A window that moves asks for one more screen on each side, in steps, so that going back finds it again. */
export function wishFor(span: Span, range: Reach, kind: Kind, detail: Detail, width: number, now: number): Wish {
  const length = Math.max(1, span.to - span.from);
  const pixels = Math.max(LEAST_PIXELS, Math.min(4000, Math.round(width)));
  let [from, to] = [span.from - MINUTE, Math.max(now, span.from)];
  if (range === 'All') from = EARLIEST;
  else if (isDaily(range)) from = span.from - 8 * DAY;
  if (typeof range !== 'string') {
    const step = 2 ** Math.ceil(Math.log2(length));
    from = Math.floor((span.from - step / 2) / step) * step;
    to = range.kind === 'fixed' ? Math.min(Math.max(now, from + 1), Math.ceil((span.to + step / 2) / step) * step) : Math.max(now, span.from);
  }
  const screens = Math.max(1, Math.min(4, (to - from) / length));
  const interval = hasBars(kind) ? barInterval(span, range, detail, width) : 0;
  // Bars shorter than a minute are made here, from ticks: of those more are read than a line shows, for each bar's open and close.
  const figures = interval >= MINUTE;
  const resolution = detail !== 'auto' ? detail : !figures ? 'auto' : interval >= DAY ? '1d' : interval >= 60 * MINUTE ? '1h' : interval >= 5 * MINUTE ? '5m' : '1m';
  const asked = Math.min(8000, Math.round((range === 'All' ? pixels : pixels * screens) * (interval > 0 && !figures ? 3 : 1)));
  return { from, to, resolution, figures, pixels: asked, grain: length / pixels };
}

/** Whether what is loaded fills a view as its wish would. */
export function covers({ wish: held, whole, open }: Loaded, wish: Wish, span: Span, now: number): boolean {
  return held.resolution === wish.resolution && held.figures === wish.figures && span.from >= held.from && (open || Math.min(span.to, now) <= held.to) && (whole || held.grain <= wish.grain * COARSE);
}
