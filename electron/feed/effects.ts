/** What a read did to an index's rows, as ticks. */
import type { Tick } from '../../shared/quote.ts';
import type { Track } from './track.ts';

export interface Effects {
  /** Ticks that are news: newer than all before, or late: written into a span that had been read whole. Oldest first. */
  readonly added: readonly Tick[];
  /** Ticks from spans that had not been read before, or that were there and showed late. Oldest first. */
  readonly backfill: readonly Tick[];
  readonly corrected: readonly Tick[];
  readonly removed: readonly Tick[];
  /** The newest tick before the read. */
  readonly before: Tick | null;
}

/** Effects that are being gathered: the same lists, growing. Most stay empty, and of the others most get one tick. */
export type Gathered = { -readonly [List in keyof Effects]: List extends 'before' ? Tick | null : Tick[] };
const NO_TICKS: Tick[] = [];

export function and(list: Tick[], tick: Tick): Tick[] {
  if (list.length === 0) return [tick];
  list.push(tick);
  return list;
}

export const gathering = (track: Track): Gathered => ({ added: NO_TICKS, backfill: NO_TICKS, corrected: NO_TICKS, removed: NO_TICKS, before: track.latest?.tick ?? null });
export const noEffects = (track: Track): Effects => gathering(track);
