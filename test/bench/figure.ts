/** One measured figure: ours against a peer in the same run, always as a cost. */
export interface Figure {
  readonly name: string;
  readonly ours: number;
  readonly peer: number;
  readonly peerName: string;
  readonly unit: string;
  /** ours / peer; less is better. */
  readonly ratio: number;
  /** Upper bound of the ratio. */
  readonly goal: number;
}

/**
 * Every group file exports `run`: it yields its figures as they are measured and leaves nothing running. `wanted`: whether anybody asked for a
 * part of it, by a piece of its figures' names; a group may measure all the same.
 */
export type Group = (wanted: (part: string) => boolean) => AsyncIterable<Figure>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function figure(name: string, ours: number, peer: number, peerName: string, unit: string, goal: number): Figure {
  return { name, ours, peer, peerName, unit, ratio: ours / peer, goal };
}
