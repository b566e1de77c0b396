/** One crosshair for all charts of a page: whoever has the pointer tells the instant, the others follow. */

export interface SharedCursor {
  /** Milliseconds, or null where the crosshair is nowhere. `owner`: who says so. */
  set(owner: object, time: number | null): void;
  subscribe(listener: (owner: object, time: number | null) => void): () => void;
}

export function createSharedCursor(): SharedCursor {
  const listeners = new Set<(owner: object, time: number | null) => void>();
  return {
    set(owner, time) {
      if (listeners.size < 2) return; // a chart alone
      for (const listener of listeners) listener(owner, time);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The page's. */
export const pageCursor = createSharedCursor();
