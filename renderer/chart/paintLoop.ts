/**
 * Paints at most once per frame's time: at once (after the message that brought news is worked through) when the last paint is a frame ago,
 * with the next animation frame otherwise. Asking for an animation frame costs more than a slow feed's whole paint.
 */
const FRAME = 16; // milliseconds

export interface PaintLoop {
  /** Something changed. `least`: so long after the last paint the next may come at once, milliseconds. */
  invalidate(least?: number): void;
  /** Call when a paint begins, asked for or not: it answers for all that is scheduled. */
  begun(): void;
  /** Call when it drew. */
  drew(): void;
  stop(): void;
}

export function createPaintLoop(paint: () => void): PaintLoop {
  let scheduled = 0;
  let pending = false;
  let paintedAt = Number.NEGATIVE_INFINITY;
  const begun = (): void => {
    if (scheduled !== 0) cancelAnimationFrame(scheduled);
    scheduled = 0;
    pending = false;
  };
  return {
    begun,
    stop: begun,
    drew() {
      paintedAt = performance.now();
    },
    invalidate(least = FRAME) {
      if (scheduled !== 0 || pending) return;
      if (document.hidden || performance.now() - paintedAt < least) {
        scheduled = requestAnimationFrame(paint);
        return;
      }
      pending = true;
      queueMicrotask(() => {
        if (pending) paint();
      });
    },
  };
}
