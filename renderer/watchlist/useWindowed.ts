/** Which rows of a long list are in sight, and how wide it is: fixed row height, a few rows over on each side. */
import { type RefObject, useLayoutEffect, useState } from 'react';

const OVER = 4;

export interface Visible {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

export const visibleRows = (scrollTop: number, height: number, rowHeight: number, count: number): Visible => ({
  first: Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight)) - OVER),
  end: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + OVER),
});

/** `width` in pixels without the scroll bar; undefined before the first look. */
export function useWindowed(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): { readonly visible: Visible; readonly width: number | undefined } {
  const [visible, setVisible] = useState<Visible>({ first: 0, end: Math.min(count, 40) });
  const [width, setWidth] = useState<number | undefined>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = (): void => {
      const next = visibleRows(element.scrollTop, element.clientHeight, rowHeight, count);
      setVisible((old) => (old.first === next.first && old.end === next.end ? old : next));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width));
      look();
    });
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller, count, rowHeight]);
  return { visible, width };
}
