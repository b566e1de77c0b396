/** Finding an index by what people type: its id first, then words of its name. */
import type { IndexView } from '../../shared/channels.ts';

export const MAX_FOUND = 12;

/** Best first: id equal, id starts so, a word of the name starts so, anywhere. Empty text finds nothing. */
export function findIndex(indices: readonly IndexView[], typed: string): readonly IndexView[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return [];
  const score = ({ id, name }: IndexView): number => {
    const [code, words] = [id.toLowerCase(), name.toLowerCase()];
    if (code === text) return 0;
    if (code.startsWith(text)) return 1;
    if (words.startsWith(text) || words.includes(` ${text}`)) return 2;
    return code.includes(text) || words.includes(text) ? 3 : 4;
  };
  return indices
    .map((index) => ({ index, score: score(index) }))
    .filter((found) => found.score < 4)
    .toSorted((a, b) => a.score - b.score || (a.index.id < b.index.id ? -1 : 1))
    .slice(0, MAX_FOUND)
    .map((found) => found.index);
}
