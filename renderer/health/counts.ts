/** How many indices are in which state, in words: one source for the line at the bottom and the health panel. */
import type { FeedState } from '../../shared/channels.ts';
import type { Counts } from '../store/arrangement.ts';

const ORDER = [['live', 'live'], ['quiet', 'quiet'], ['stalled', 'stalled'], ['closed', 'closed'], ['disconnected', 'disconnected'], ['nodata', 'without data']] as const satisfies readonly (readonly [FeedState, string])[];

export const countRows = (counts: Counts): readonly { readonly state: FeedState; readonly word: string; readonly count: number }[] =>
  ORDER.map(([state, word]) => ({ state, word, count: counts[state] }));

/** `18 indices: 12 live, 1 quiet, 1 stalled, 4 closed`. */
export function countWords(total: number, counts: Counts): string {
  const parts = countRows(counts).filter(({ count }) => count > 0).map(({ word, count }) => `${count} ${word}`);
  return `${total} ${total === 1 ? 'index' : 'indices'}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}
