/** What a chart tells React: one immutable object, another one only when something in it changed. */
import type { Problem } from '../../shared/result.ts';
import type { Frame } from './frame.ts';
import type { Gap } from './gaps.ts';

export interface ChartView {
  readonly status: 'loading' | 'ready' | 'empty' | 'failed';
  readonly problem: Problem | null;
  readonly frame: Frame | null;
  readonly gaps: readonly Gap[];
  /** Whether the right edge follows the present. */
  readonly live: boolean;
  /** A slot per day. */
  readonly daily: boolean;
  /** What the reader must know about the data: cut off, unreadable, no calendar. */
  readonly note: string | null;
  /** Newest event known, milliseconds, where none is in view: an empty range, or an open market silent for longer. Else null. */
  readonly lastEvent: number | null;
}

/** What stands still while a gap grows by the second. */
export type StillView = Omit<ChartView, 'gaps'>;

export interface ChartViewCell {
  readonly view: () => ChartView;
  /** The same object while nothing but gaps changed. */
  readonly still: () => StillView;
  /** Lays `change` over the view and tells the subscribers, unless it changes nothing. */
  readonly show: (change: Partial<ChartView>) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createChartView(): ChartViewCell {
  let view: ChartView = { status: 'loading', problem: null, frame: null, gaps: [], live: true, daily: false, note: null, lastEvent: null };
  let still: StillView = view;
  const listeners = new Set<() => void>();
  return {
    view: () => view,
    still: () => still,
    show(change) {
      const next = { ...view, ...change };
      const changed = (Object.keys(next) as (keyof ChartView)[]).filter((key) => next[key] !== view[key]);
      if (changed.length === 0) return;
      view = next;
      if (changed.some((key) => key !== 'gaps')) still = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
