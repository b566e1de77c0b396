/**
 * Where a pointer event lies in the chart. The chart's place in the window is kept for a moment: asking the document with every event makes it
 * lay out, out of turn, what the event before has just drawn.
 */
import { zoomOf } from '../theme/textSize.ts';

/** Something beside the chart may push it away without a word: its place is asked for again after so long, milliseconds. */
const KEPT = 300;

export interface AreaBox {
  /** CSS pixels of the chart. */
  place(event: Pick<MouseEvent, 'clientX' | 'clientY'>): [x: number, y: number];
  close(): void;
}

export function createAreaBox(area: Element): AreaBox {
  let [left, top, zoom] = [0, 0, 1];
  let asked = Number.NEGATIVE_INFINITY;
  const moved = (): void => {
    asked = Number.NEGATIVE_INFINITY;
  };
  const observer = new ResizeObserver(moved);
  observer.observe(area);
  area.addEventListener('pointerenter', moved);
  area.addEventListener('pointerdown', moved);
  window.addEventListener('resize', moved);
  document.addEventListener('scroll', moved, { capture: true, passive: true });
  return {
    place({ clientX, clientY }) {
      const time = performance.now();
      if (time - asked > KEPT) {
        ({ left, top } = area.getBoundingClientRect());
        zoom = zoomOf(area);
        asked = time;
      }
      return [(clientX - left) / zoom, (clientY - top) / zoom];
    },
    close() {
      observer.disconnect();
      area.removeEventListener('pointerenter', moved);
      area.removeEventListener('pointerdown', moved);
      window.removeEventListener('resize', moved);
      document.removeEventListener('scroll', moved, { capture: true });
    },
  };
}
