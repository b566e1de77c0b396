/** The window's title: the shown index where its price may be trusted, else what is wrong, readable from a task bar. */
import type { IndexView, QuoteView } from '../../shared/channels.ts';
import { showPrice, showSignedPercent } from '../state/shown.ts';
import { stateWord } from '../state/words.ts';

/** `replay` marks what is not today's market. */
export function titleOf(quote: QuoteView | undefined, info: IndexView | undefined, replay: boolean): string {
  const end = replay ? 'REPLAY · Frontrow' : 'Frontrow';
  if (quote === undefined) return end;
  if (quote.price === null || (quote.state !== 'live' && quote.state !== 'quiet')) return `${quote.index} ${stateWord(quote.state)} · ${end}`;
  const change = quote.changePercent === null ? '' : ` ${showSignedPercent(quote.changePercent)}`;
  return `${quote.index} ${showPrice(quote.price, info?.decimals)}${change} · ${end}`;
}
