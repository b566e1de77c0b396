/** What must be known about a value beside its state: flags in words, and the chip for what the number is at all. */
import type { Flag, IndexView, QuoteView } from '../../shared/channels.ts';

const WORDS: Readonly<Record<Flag, string | null>> = {
  delayed: 'delayed', replay: null, 'test-clock': null, skew: 'clock skew', future: 'future row passed over', sampled: 'sampled',
  'no-calendar': 'no calendar: judged by age', 'out-of-session': 'printed outside the session', settling: 'printed just after the close',
  corrected: 'corrected by its source', deleted: 'its newest row was deleted',
};

/** Flags that ask for care; the others inform. */
const BAD: ReadonlySet<Flag> = new Set(['skew', 'future', 'out-of-session', 'deleted']);

export interface Note {
  readonly words: string;
  readonly bad: boolean;
}

const signed = (ms: number): string => `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1000).toFixed(1)} s`;

/** Replay and test clocks are marked in the top line once for everything. */
export function notesOf(quote: Pick<QuoteView, 'flags' | 'delayMs' | 'skewMs'>): readonly Note[] {
  const wordsOf = (flag: Flag): string | null => {
    if (flag === 'delayed') return `delayed ${delayWords(quote.delayMs)}`;
    if (flag === 'skew') return quote.skewMs === null ? 'clock skew unknown' : `clock skew ${signed(quote.skewMs)}, corrected`;
    return WORDS[flag] ?? null;
  };
  return quote.flags.flatMap((flag) => {
    const words = wordsOf(flag);
    return words === null ? [] : [{ words, bad: BAD.has(flag) }];
  });
}

/** `15 min`, `20 s`. */
export const delayWords = (ms: number): string => (ms >= 60_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 1000)} s`);

/** Words of a label that make its number another thing than the index. */
const KINDS = /\b(CFD|ETF|futures?|proxy|indicative|synthetic|estimate)\b/i;

/** Chips of a row: what changes the meaning of its number (`CFD`, `15 min`), never the rest of a label. */
export function chipsOf({ label, delayMs }: Pick<IndexView, 'label' | 'delayMs'>): readonly string[] {
  const kind = label === null ? undefined : (KINDS.exec(label)?.[0] ?? (/\bnot the index\b/i.test(label) ? 'not the index' : undefined));
  return [...(kind === undefined ? [] : [kind]), ...(delayMs > 0 ? [delayWords(delayMs)] : [])];
}
