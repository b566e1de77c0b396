/** The measure on the plot: a box between two places, by a drag with Shift, or by Enter and the cursor keys. Moves with the view. */
import type { ChartModel } from './chartModel.ts';
import { type Frame, type Plot, plotOf } from './frame.ts';
import { measured, measuredText, type Place } from './measure.ts';
import { valueAt, yOf } from './priceScale.ts';

export interface MeasureTool {
  /** Pixels of the chart. */
  readonly drag: (from: readonly [number, number], to: readonly [number, number], done: boolean) => void;
  /** Begins at a place, or ends there; what was measured in words, or null where it begins. */
  start(place: Place): string | null;
  /** The other end moves; in words, null while nothing is measured. */
  to(place: Place): string | null;
  /** True when something was measured. */
  clear(): boolean;
  close(): void;
}

export function createMeasureTool(model: ChartModel, box: HTMLElement, label: HTMLElement, { decimals, locale }: { readonly decimals: number | null; readonly locale: string | undefined }): MeasureTool {
  let from: Place | null = null;
  let to: Place | null = null;
  let growing = false;
  let plot: Plot | null = null;

  function placeAt(frame: Frame, [x, y]: readonly [number, number]): Place {
    const at = plotOf(frame);
    return { time: frame.scale.copy().range([at.x, at.x + at.width]).invert(x), price: valueAt(frame.prices, at, y).toFixed(decimals ?? 2) };
  }

  function show(): string | null {
    const { frame } = model.seen();
    const figures = from && to ? measured(from, to, decimals, locale) : null;
    if (!frame || !from || !to || figures === null) {
      delete box.dataset['on'];
      return null;
    }
    const at = plot ?? plotOf(frame);
    const place = frame.scale.copy().range([at.x, at.x + at.width]);
    const [x1, x2] = [place(from.time), place(to.time)];
    const [y1, y2] = [yOf(frame.prices, at, Number(from.price)), yOf(frame.prices, at, Number(to.price))];
    box.style.transform = `translate(${Math.round(Math.min(x1, x2))}px, ${Math.round(Math.min(y1, y2))}px)`;
    box.style.width = `${Math.max(1, Math.round(Math.abs(x2 - x1)))}px`;
    box.style.height = `${Math.max(1, Math.round(Math.abs(y2 - y1)))}px`;
    const text = measuredText(figures);
    label.textContent = text;
    box.dataset['on'] = figures.points.startsWith('+') ? 'up' : 'down';
    return text;
  }

  const stop = model.onPaint((_, next) => {
    plot = next;
    if (from !== null) show();
  });
  return {
    drag(first, second, done) {
      const { frame } = model.seen();
      if (!frame) return;
      [from, to] = [placeAt(frame, first), placeAt(frame, second)];
      growing = !done;
      show();
    },
    start(place) {
      if (growing && from !== null) {
        growing = false;
        to = place;
        return show();
      }
      [from, to, growing] = [place, place, true];
      show();
      return null;
    },
    to(place) {
      if (!growing || from === null) return null;
      to = place;
      return show();
    },
    clear() {
      const was = from !== null;
      [from, to, growing] = [null, null, false];
      show();
      return was;
    },
    close: stop,
  };
}
