/** Rows taken by the pointer and put elsewhere; Escape lets go. */
import { zoomOf } from '../theme/textSize.ts';
import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';

export interface RowDrag {
  readonly id: string;
  /** The gap where it would go: above the item at this place. */
  readonly place: number;
}

/** Closer than this to its start a press is a click. */
const SLACK = 5;
const EDGE = 24;

export function useRowDrag(body: RefObject<HTMLElement | null>, rowHeight: number, count: number, drop: (id: string, place: number) => void): { readonly drag: RowDrag | null; readonly grab: (event: PointerEvent, id: string) => void; readonly dragged: () => boolean } {
  const [drag, setDrag] = useState<RowDrag | null>(null);
  const state = useRef({ drop, count, rowHeight, stop: (): void => {}, moved: false });
  useEffect(() => {
    Object.assign(state.current, { drop, count, rowHeight });
  });
  useEffect(() => () => state.current.stop(), []);

  const grab = useCallback((event: PointerEvent, id: string) => {
    const own = state.current;
    own.moved = false;
    if (event.button !== 0 || event.pointerType === 'touch') return; // touch scrolls
    const startY = event.clientY;
    let place: number | null = null;
    const onMove = (move: globalThis.PointerEvent): void => {
      const box = body.current;
      if (!box || (place === null && Math.abs(move.clientY - startY) < SLACK)) return;
      own.moved = true;
      const scroller = box.parentElement;
      const sight = scroller?.getBoundingClientRect();
      if (scroller && sight && move.clientY > sight.bottom - EDGE) scroller.scrollTop += own.rowHeight / 2;
      else if (scroller && sight && move.clientY < sight.top + EDGE * 2) scroller.scrollTop -= own.rowHeight / 2;
      const next = Math.max(0, Math.min(own.count, Math.round((move.clientY - box.getBoundingClientRect().top) / zoomOf(box) / own.rowHeight)));
      if (next === place) return;
      place = next;
      setDrag({ id, place: next });
    };
    const end = (dropped: boolean): void => {
      own.stop();
      if (dropped && place !== null) own.drop(id, place);
    };
    const onUp = (): void => end(true);
    const onCancel = (): void => end(false);
    const onKey = (key: KeyboardEvent): void => {
      if (key.key === 'Escape') end(false);
    };
    own.stop();
    own.stop = () => {
      own.stop = () => {};
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('pointercancel', onCancel);
      window.removeEventListener('keydown', onKey, true);
      setDrag(null);
    };
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', onCancel);
    window.addEventListener('keydown', onKey, true);
  }, [body]);
  // The click that ends a drag chooses nothing.
  return { drag, grab, dragged: useCallback(() => state.current.moved, []) };
}
