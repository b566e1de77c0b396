/** The machine's part of waking and stopping. */
import { setMaxListeners } from 'node:events';

/** Wakes once; returns what forgets it. */
export function afterTimeout(wake: () => void, ms: number): () => void {
  const timer = setTimeout(wake, ms);
  return () => clearTimeout(timer);
}

/** One signal cancels every read in flight: many listeners on it are no leak. */
export function cancellation(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
