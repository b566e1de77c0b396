/** Small external stores for useSyncExternalStore: one value, or one value per index id, each with its own listeners. */

export interface Cell<T> {
  readonly get: () => T;
  /** Listeners hear of it only where the value is another one (Object.is). */
  readonly set: (next: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createCell<T>(initial: T): Cell<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return;
      value = next;
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

/** One value per id; a change wakes only the listeners of its id. */
export interface Keyed<T> {
  readonly get: (id: string) => T | undefined;
  readonly set: (id: string, next: T) => void;
  readonly delete: (id: string) => void;
  readonly subscribe: (id: string, listener: () => void) => () => void;
}

export function createKeyed<T>(): Keyed<T> {
  const values = new Map<string, T>();
  const listeners = new Map<string, Set<() => void>>();
  const wake = (id: string): void => {
    const own = listeners.get(id);
    if (own) for (const listener of own) listener();
  };
  return {
    get: (id) => values.get(id),
    set(id, next) {
      if (Object.is(values.get(id), next)) return;
      values.set(id, next);
      wake(id);
    },
    delete(id) {
      if (values.delete(id)) wake(id);
    },
    subscribe(id, listener) {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
      };
    },
  };
}
