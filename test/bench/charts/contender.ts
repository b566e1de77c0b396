/** What every chart under measurement must be able to do. */
export interface Series {
  /** Milliseconds since 1970 UTC. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

export interface Contender {
  /** One more point at the right end; the chart goes on showing about as many as it was made with. */
  push(time: number, value: number): void;
  /** True once the series is in the document (or on the canvas). */
  drawn(): boolean;
  destroy(): void;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Brings a series into the form that the chart takes; what it returns mounts the chart, and only that is timed. */
export type Make = (series: Series) => (place: HTMLElement, size: Size) => Contender;
