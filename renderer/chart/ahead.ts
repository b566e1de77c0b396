/** What is on screen while the view moves: ahead of React, which lays out the last of it once the view is at rest. */
import type { ChartView } from './chartView.ts';
import type { Frame } from './frame.ts';
import type { Gap } from './gaps.ts';

export interface Seen {
  readonly frame: Frame | null;
  readonly gaps: readonly Gap[];
  /** Whether the right edge follows the present. */
  readonly live: boolean;
}

export interface Ahead {
  /** Null while React has laid out all there is. */
  readonly seen: () => Seen | null;
  readonly moving: () => boolean;
  /** The view moved; `settle` is called when it has not for a while. */
  moved(): void;
  put(frame: Frame, live: boolean): void;
  putGaps(gaps: readonly Gap[]): void;
  /** Whether React may go on telling what it told of the present: back and forth it need not follow each step. */
  lags(): boolean;
  /** Forgets: another frame takes its place. */
  rest(): void;
}

/** A view that did not move for so long is at rest, milliseconds. */
const REST = 140;
/** While it moves, so late React may tell that it left the present, milliseconds. */
const LAG = 250;

export function createAhead(view: () => ChartView, settle: () => void): Ahead {
  let seen: { readonly frame: Frame; readonly gaps: readonly Gap[]; readonly live: boolean } | null = null;
  let moving = false;
  let movedAt = 0;
  /** So long React's answer to `live` is another, milliseconds of `performance.now`. */
  let since = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function settleSoon(): void {
    timer = undefined;
    const left = movedAt + REST - performance.now();
    if (left > 1) timer = setTimeout(settleSoon, left);
    else settle();
  }

  return {
    seen: () => seen,
    moving: () => moving,
    moved() {
      moving = true;
      movedAt = performance.now();
      timer ??= setTimeout(settleSoon, REST);
    },
    put(frame, live) {
      seen = { frame, live, gaps: seen?.gaps ?? view().gaps };
      since = live === view().live ? Number.POSITIVE_INFINITY : Math.min(since, performance.now());
    },
    putGaps(gaps) {
      if (seen !== null) seen = { ...seen, gaps };
    },
    lags: () => seen !== null && performance.now() - since <= LAG,
    rest() {
      moving = false;
      seen = null;
      since = Number.POSITIVE_INFINITY;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
