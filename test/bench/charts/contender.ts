/** What every chart under measurement must be able to do. All start from the same thing: the host's answer, decimal text and all. */
import type { HistoryAnswer } from '../../../shared/channels.ts';

export interface Contender {
  /** One more point (milliseconds, decimal text) at the right end; the chart goes on showing about as many as it was made with. */
  push(time: number, price: string): void;
  /** True once the series is in the document (or on the canvas). */
  drawn(): boolean;
  /** Moves the view by a share of its width, or shows `factor` of it: what a wheel or a drag does. */
  pan?(share: number): void;
  zoom?(factor: number): void;
  /** Where pointer moves go, in the document. */
  hover?(x: number, y: number): void;
  destroy(): void;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Mounts a chart of `history` (oldest first) into `place`. From text to pixels: all of it is timed. */
export type Make = (place: HTMLElement, history: HistoryAnswer, size: Size) => Contender;

/** Asked for the first time it is needed: what a browser's own events bring along costs no chart a look at the page with every step. */
export function once<T>(ask: () => T): () => T {
  let held: { readonly value: T } | null = null;
  return () => (held ??= { value: ask() }).value;
}
