/**
 * Where a pointer event lies in the chart. The chart's place in the window is kept for a moment: asking the document with every event makes it
 * lay out, out of turn, what the event before has just drawn. While events follow each other the browser tells it after its own layout.
 */
import { zoomOf } from '../theme/textSize.ts';

/** Something beside the chart may push it away without a word: its place is asked for again after so long without an event, milliseconds. */
const KEPT = 300;
/** And so long while they follow each other. */
const KEPT_IN_TURN = 1_000;

export interface AreaBox {
  /** CSS pixels of the chart. */
  place(event: Pick<MouseEvent, 'clientX' | 'clientY'>): [x: number, y: number];
  close(): void;
}

export function createAreaBox(area: Element): AreaBox {
  let [left, top, zoom] = [0, 0, 1];
  let asked = Number.NEGATIVE_INFINITY;
  let used = Number.NEGATIVE_INFINITY;
  const take = (box: DOMRectReadOnly): void => {
    ({ left, top } = box);
    zoom = zoomOf(area);
    asked = performance.now();
  };
  // Observing begins with a word on the place as it was laid out last.
  const laidOut = new IntersectionObserver((entries) => {
    laidOut.disconnect();
    const last = entries.at(-1);
    if (last && asked !== Number.NEGATIVE_INFINITY) take(last.boundingClientRect);
  });
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
      if (asked === Number.NEGATIVE_INFINITY || time - used > KEPT) take(area.getBoundingClientRect());
      else if (time - asked > KEPT_IN_TURN) laidOut.observe(area);
      used = time;
      return [(clientX - left) / zoom, (clientY - top) / zoom];
    },
    close() {
      observer.disconnect();
      laidOut.disconnect();
      area.removeEventListener('pointerenter', moved);
      area.removeEventListener('pointerdown', moved);
      window.removeEventListener('resize', moved);
      document.removeEventListener('scroll', moved, { capture: true });
    },
  };
}
