/** Wheel, drag and keys on the plot, to moves of the view. Outside React; a drag begins after a few pixels, so that a click is none. */
import type { AreaBox } from './areaBox.ts';
import type { ChartModel } from './chartModel.ts';
import { plotOf } from './frame.ts';
import { scaleOver } from './sessionScale.ts';
import type { Reach } from './span.ts';
import { beginningAt, panned, zoomed } from './viewport.ts';

const CLICK = 4;
const WHEEL = 0.0016;
export const KEY_ZOOM = 1.4;
const KEY_PAN = 0.2;

export interface Gestures {
  /** True when the key moved the view. */
  key(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>): boolean;
  close(): void;
}

export interface GestureActions {
  readonly now: () => number;
  /** What the chart follows when it goes back to live. */
  readonly home: Reach;
  /** A drag with Shift measures. Pixels of the chart. */
  readonly measure: (from: readonly [number, number], to: readonly [number, number], done: boolean) => void;
}

export const zoomBy = (model: ChartModel, factor: number, at?: number): void => model.move((span) => zoomed(span, factor, at ?? span.to));
export const panBy = (model: ChartModel, share: number, now: number): void => model.move((span) => panned(span, share, now));

export function createGestures(model: ChartModel, area: HTMLElement, { place }: Pick<AreaBox, 'place'>, { now, home, measure }: GestureActions): Gestures {
  let drag: { readonly pointer: number; readonly x: number; readonly y: number; last: number; readonly measuring: boolean; moved: boolean } | null = null;
  const plot = (): { readonly x: number; readonly width: number } => {
    const { frame } = model.seen();
    return frame ? plotOf(frame) : { x: 0, width: 1 };
  };
  const timeAt = (x: number): number => {
    const { frame } = model.seen();
    const { x: left, width } = plot();
    return frame ? scaleOver(frame.scale, left, left + width).invert(x) : 0;
  };

  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    event.stopPropagation(); // the chart's alone: the page need not look for others who listen, in every frame
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) panBy(model, (event.shiftKey && dx === 0 ? dy : dx) / plot().width, now());
    else if (dy !== 0) zoomBy(model, Math.exp(Math.max(-300, Math.min(300, dy)) * WHEEL), timeAt(place(event)[0]));
  };
  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const [x, y] = place(event);
    drag = { pointer: event.pointerId, x, y, last: x, measuring: event.shiftKey, moved: false };
    area.addEventListener('pointermove', onMove);
  };
  const onMove = (event: PointerEvent): void => {
    if (drag?.pointer !== event.pointerId) return;
    const [x, y] = place(event);
    if (!drag.moved) {
      if (Math.abs(x - drag.x) < CLICK && Math.abs(y - drag.y) < CLICK) return;
      drag.moved = true;
      area.setPointerCapture(event.pointerId);
      area.dataset['drag'] = drag.measuring ? 'measure' : 'pan';
    }
    if (drag.measuring) measure([drag.x, drag.y], [x, y], false);
    else panBy(model, (drag.last - x) / plot().width, now());
    drag.last = x;
  };
  const onUp = (event: PointerEvent): void => {
    if (drag?.pointer !== event.pointerId) return;
    if (drag.moved && drag.measuring) measure([drag.x, drag.y], place(event), true);
    drag = null;
    area.removeEventListener('pointermove', onMove);
    delete area.dataset['drag'];
  };
  const onDouble = (): void => model.move(() => home);

  area.addEventListener('wheel', onWheel, { passive: false });
  area.addEventListener('pointerdown', onDown);
  area.addEventListener('pointerup', onUp);
  area.addEventListener('pointercancel', onUp);
  area.addEventListener('dblclick', onDouble);

  return {
    key({ key, shiftKey, ctrlKey, altKey, metaKey }) {
      if (ctrlKey || altKey || metaKey) return false;
      if (key === '+' || key === '=') zoomBy(model, 1 / KEY_ZOOM);
      else if (key === '-' || key === '_') zoomBy(model, KEY_ZOOM);
      else if (!shiftKey) return false;
      else if (key === 'ArrowLeft') panBy(model, -KEY_PAN, now());
      else if (key === 'ArrowRight') panBy(model, KEY_PAN, now());
      else if (key === 'Home') model.move((span) => beginningAt(span, (model.points.times[0] ?? span.from * 1000) / 1000));
      else if (key === 'End') model.move(() => home);
      else return false;
      return true;
    },
    close() {
      area.removeEventListener('wheel', onWheel);
      area.removeEventListener('pointerdown', onDown);
      area.removeEventListener('pointermove', onMove);
      area.removeEventListener('pointerup', onUp);
      area.removeEventListener('pointercancel', onUp);
      area.removeEventListener('dblclick', onDouble);
    },
  };
}
