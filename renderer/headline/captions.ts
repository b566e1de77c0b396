/** Words under the headline: what a change is measured from, and what must be known about a value. */
import type { Flag, QuoteView } from '../../shared/channels.ts';
import { assertNever } from '../../shared/result.ts';
import { showDate, showPrice } from '../state/shown.ts';

export function baseWords({ base, baseNote }: Pick<QuoteView, 'base' | 'baseNote'>, decimals: number | undefined): string {
  if (base === null) return baseNote ?? 'no official close';
  const at = `${showPrice(base.price, decimals)} · ${showDate(base.date)}`;
  switch (base.kind) {
    case 'official':
      return `from official close ${at}`;
    case 'last-bar':
      return `vs last bar ${at}`;
    default:
      return assertNever(base.kind);
  }
}

const WORDS: Readonly<Record<Flag, string | null>> = {
  delayed: 'delayed', replay: null, 'test-clock': null, skew: 'clock skew', future: 'a row stamped in the future was passed over', sampled: 'sampled',
  'no-calendar': 'no exchange calendar: judged by age only', 'out-of-session': 'printed outside the session', settling: 'settling after the close',
  corrected: 'corrected by its source', deleted: 'the newest row was deleted',
};

/** Flags that ask for care rather than inform. */
const BAD: ReadonlySet<Flag> = new Set(['skew', 'future', 'no-calendar', 'out-of-session', 'deleted']);

/** Replay and test clocks are marked in the top line once for everything. */
export function flagWords(quote: Pick<QuoteView, 'flags' | 'delayMs' | 'skewMs'>): readonly { readonly words: string; readonly bad: boolean }[] {
  const wordsOf = (flag: Flag): string | null => {
    if (flag === 'delayed') return `delayed ${Math.round(quote.delayMs / 60_000)} min`;
    if (flag === 'skew') return quote.skewMs === null ? 'clock skew unknown' : `clock skew ${(quote.skewMs / 1000).toFixed(1)} s corrected`;
    return WORDS[flag] ?? null;
  };
  return quote.flags.flatMap((flag) => {
    const words = wordsOf(flag);
    return words === null ? [] : [{ words, bad: BAD.has(flag) }];
  });
}
