/** The list's edge: dragged, or moved by arrows, Home and End, it makes the list wider or narrower; Enter and a double press as wide as usual. */
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useCell, usePage } from '../store/hooks.ts';
import { zoomOf } from '../theme/textSize.ts';

const STEP = 16;
const pageOf = (handle: HTMLElement | null): HTMLElement | null => handle?.closest<HTMLElement>('.page') ?? null;

function lay(handle: HTMLElement | null, width: number | null): void {
  const style = pageOf(handle)?.style;
  if (width === null) style?.removeProperty('--list-width');
  else style?.setProperty('--list-width', `${width}px`);
}

interface Room {
  readonly width: number;
  readonly least: number;
  readonly most: number;
}

/** As the style sheet has it: how wide the list is, and between what. */
function roomOf(handle: HTMLElement): Room {
  const page = pageOf(handle) ?? handle;
  const style = getComputedStyle(page);
  const px = (name: string): number => Number.parseFloat(style.getPropertyValue(name)) || 0;
  const least = px('--list-least');
  return {
    width: Math.round((handle.parentElement?.getBoundingClientRect().width ?? 0) / zoomOf(handle)), least,
    most: Math.max(least, Math.floor(page.getBoundingClientRect().width / zoomOf(page) - px('--list-beside'))),
  };
}

export function WidthHandle() {
  const { watchlist } = usePage();
  const chosen = useCell(watchlist.width);
  const handle = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Room>({ width: 0, least: 0, most: 0 });
  const dragging = useRef(() => {});
  useEffect(() => () => dragging.current(), []);
  useLayoutEffect(() => lay(handle.current, chosen), [chosen]);
  useEffect(() => {
    const element = handle.current;
    const page = pageOf(element);
    if (!element?.parentElement || !page) return undefined;
    const look = (): void => setRoom((old) => {
      const next = roomOf(element);
      return old.width === next.width && old.most === next.most && old.least === next.least ? old : next;
    });
    const observer = new ResizeObserver(look);
    observer.observe(element.parentElement);
    observer.observe(page);
    return () => observer.disconnect();
  }, []);

  const within = (width: number, { least, most }: Room): number => Math.max(least, Math.min(most, Math.round(width)));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = roomOf(event.currentTarget);
    const goal = { ArrowLeft: now.width - STEP, ArrowRight: now.width + STEP, Home: now.least, End: now.most, Enter: null }[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    watchlist.width.set(goal === null ? null : within(goal, now));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    const element = event.currentTarget;
    const [start, before] = [event.clientX, roomOf(element)];
    let width: number | null = null;
    const onMove = (move: globalThis.PointerEvent): void => {
      width = within(before.width + (move.clientX - start) / zoomOf(element), before);
      lay(element, width);
    };
    const stop = (): void => {
      dragging.current = () => {};
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('pointercancel', onCancel);
    };
    const onUp = (): void => {
      stop();
      if (width !== null) watchlist.width.set(width);
    };
    const onCancel = (): void => {
      stop();
      lay(element, watchlist.width.get());
    };
    dragging.current();
    dragging.current = stop;
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', onCancel);
  };
  return (
    <div
      ref={handle} className="width-handle" role="separator" tabIndex={0} aria-orientation="vertical" aria-label="Width of the watchlist" title="Width of the list: drag, or arrow keys; Enter: as usual"
      aria-valuenow={room.width} aria-valuemin={room.least} aria-valuemax={Math.max(room.most, room.width)} onKeyDown={onKeyDown} onPointerDown={onPointerDown} onDoubleClick={() => watchlist.width.set(null)}
    />
  );
}
