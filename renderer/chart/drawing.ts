/** What a series kind makes of the points: text for its paths, and what labels, marks and crosshair need to know. */
import type { Frame, Plot } from './frame.ts';
import type { Silence } from './gaps.ts';

export interface LineInk {
  readonly kind: 'line';
  /** The paths stand this many pixels right of where they were made for: a view that pans moves them. */
  readonly shift: number;
  /** Path of earlier sessions; the same text while it did not change. */
  readonly past: string;
  /** Paths of the current session up to `tail`, left to right; the same array for many points at a time. */
  readonly body: readonly string[];
  /** Path from there to the newest point. */
  readonly tail: string;
  /** More points than a thick line can show: a one-pixel line is clearer, and painted five times as quickly. */
  readonly dense: boolean;
}

/** Candles or OHLC bars, and volume under them; `body` all but the newest one, the same text while only that grows. */
export interface BarInk {
  readonly kind: 'bars';
  readonly upBody: string;
  readonly downBody: string;
  readonly upTail: string;
  readonly downTail: string;
  readonly volumeBody: string;
  readonly volumeTail: string;
}

export interface Drawn {
  readonly ink: LineInk | BarInk;
  /** Newest point on screen, or null: its position in `points` and its pixels. */
  readonly last: { readonly index: number; readonly x: number; readonly y: number } | null;
  /** How many of the points are at or before the limit. */
  readonly count: number;
  /** True when a break or gap appeared or the series was drawn anew: marks need another look. */
  readonly joints: boolean;
  readonly silence: Silence;
}

export interface Drawing {
  /**
   * Draws up to `limit` (microseconds): later points are stamped ahead of the clock and stay unseen until their time comes. `moving`: the view
   * may be another one in a moment.
   */
  draw(frame: Frame, plot: Plot, limit: number, moving?: boolean): Drawn;
}
