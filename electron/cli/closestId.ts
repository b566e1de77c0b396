/** The id of a table that somebody may have meant, of ids as they are on screen. Pure. */
import { physicalId } from '../bigtable/layout/foreignId.ts';
import type { IndexId } from '../../shared/rowKey.ts';

const MOST_EDITS = 2;
const MAX_WORD = 48;

/** Letters and digits alone, in one case: `spx500`, `SPX-500` and `^_SPX500` are alike. */
const fold = (word: string): string => word.slice(0, MAX_WORD).toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Null where none is alike, or differs in up to two letters (one for each three that it has). */
export function closestId(word: string, ids: readonly IndexId[]): IndexId | null {
  const wanted = fold(word);
  let best: { readonly id: IndexId; readonly edits: number } | null = null;
  for (const id of ids) {
    const edits = distance(wanted, fold(physicalId(id) ?? id));
    if (edits <= Math.min(MOST_EDITS, Math.floor(wanted.length / 3)) && (best === null || edits < best.edits)) best = { id, edits };
  }
  return best?.id ?? null;
}

/** Letters to change, add or leave out (Levenshtein). */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) row.push(Math.min((row[j - 1] ?? 0) + 1, (above[j] ?? 0) + 1, (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    above = row;
  }
  return above[b.length] ?? 0;
}
