/** What every list under measurement must be able to do. All get the same quotes, as the host sends them. */
import type { IndexView, QuoteView } from '../../../shared/channels.ts';

export interface Contender {
  push(quotes: readonly QuoteView[]): void;
  destroy(): void;
}

/** Shows `quotes` in `place`, 484 by 800 pixels. */
export type Make = (place: HTMLElement, indices: readonly IndexView[], quotes: readonly QuoteView[]) => Contender;
