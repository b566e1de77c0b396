/** What the user chose on this page, kept for the next visit: index, range, chart, theme, side panel. */
import { type ChartSettings, readChartSettings } from '../chart/settings.ts';
import { type Cell, createCell } from '../store/cell.ts';

export const RANGES = ['5m', '1h', '1D', '1W', '1M', '1Y', 'All'] as const;
export type ChartRange = (typeof RANGES)[number];
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const PANELS = ['tape', 'health'] as const;
export type Panel = (typeof PANELS)[number];

export interface View {
  /** The user's index; null: none chosen yet. */
  readonly chosen: Cell<string | null>;
  /** Listeners hear of every choice, also of the same again: it ends a range of two instants. */
  readonly range: Cell<ChartRange>;
  /** How charts are drawn; its range counts only where the user chose two instants. A pane with settings of its own lays its own cell here. */
  readonly chart: Cell<ChartSettings>;
  readonly theme: Cell<Theme>;
  readonly panel: Cell<Panel>;
  /** Narrow windows only: the side panel is a drawer there. */
  readonly drawer: Cell<boolean>;
  /** Keys and signs, over the page. */
  readonly help: Cell<boolean>;
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** A cell that remembers. A storage that is full or forbidden costs the memory, never the page. */
function kept<T extends string | null>(storage: Storage, name: string, initial: T, accepts: (text: string) => boolean): Cell<T> {
  const key = `frontrow.${name}`;
  let stored: string | null = null;
  try {
    stored = storage.getItem(key);
  } catch {
    stored = null;
  }
  const cell = createCell<T>(stored !== null && accepts(stored) ? (stored as T) : initial);
  return {
    ...cell,
    set(next) {
      cell.set(next);
      try {
        if (next !== null) storage.setItem(key, next);
      } catch {
        // private browsing or quota: the choice lasts as long as the page
      }
    },
  };
}

/** Tells of every set. */
function retold<T>(cell: Cell<T>): Cell<T> {
  const listeners = new Set<() => void>();
  return {
    get: cell.get,
    set(next) {
      cell.set(next);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Settings of the chart as JSON. */
function keptChart(storage: Storage): Cell<ChartSettings> {
  const text = kept<string | null>(storage, 'chart', null, () => true);
  const cell = createCell(readChartSettings(text.get()));
  return {
    ...cell,
    set(next) {
      cell.set(next);
      text.set(JSON.stringify(next));
    },
  };
}

const oneOf = (names: readonly string[]) => (text: string): boolean => names.includes(text);

export function createView(storage: Storage): View {
  return {
    chosen: kept<string | null>(storage, 'index', null, (text) => /^[A-Z0-9^._-]{1,24}$/.test(text)),
    range: retold(kept<ChartRange>(storage, 'range', '1D', oneOf(RANGES))),
    chart: keptChart(storage),
    theme: kept<Theme>(storage, 'theme', 'system', oneOf(THEMES)),
    panel: kept<Panel>(storage, 'panel', 'tape', oneOf(PANELS)),
    drawer: createCell(false),
    help: createCell(false),
  };
}
