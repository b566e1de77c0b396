/** All that a page lives on, wired once outside React: desk, the user's choices, the index shown, and what is loaded for it. */
import type { Market } from '../../shared/channels.ts';
import { createCell, type Cell } from '../store/cell.ts';
import { createPageDesk, type PageDesk, type PageDeskOptions } from '../store/pageDesk.ts';
import { openSessionBook, type SessionBook } from '../store/sessionBook.ts';
import { openSparklines, type Sparklines } from '../store/sparklines.ts';
import { openTape, type TapeStore } from '../tape/tapeStore.ts';
import { applyTheme } from '../theme/applyTheme.ts';
import { firstChoice } from './selection.ts';
import { createView, type View } from './view.ts';

/** Stable for the life of the page; values live in their cells. */
export interface PageHandles {
  readonly desk: PageDesk;
  readonly view: View;
  /** The index shown; null while there is none. */
  readonly selected: Cell<string | null>;
  readonly sessions: SessionBook;
  readonly sparklines: Sparklines;
  readonly tape: TapeStore;
  readonly close: () => void;
}

export function openPage(market: Market, storage: Pick<Storage, 'getItem' | 'setItem'>, options?: PageDeskOptions): PageHandles {
  const desk = createPageDesk(market, options);
  const view = createView(storage);
  const selected = createCell<string | null>(null);
  const tape = openTape(desk);
  const sessions = openSessionBook(desk);
  const sparklines = openSparklines(desk);

  // Where the user chose none, the first choice stays once it has a price: it must not wander as others come to life.
  let settled: string | null = null;
  const choose = (): void => {
    const id = firstChoice(desk.arrangement.get(), [view.chosen.get(), settled], desk.quotes.get);
    if (id !== null && desk.quotes.get(id)?.price != null) settled = id;
    selected.set(id);
  };
  const show = (): void => {
    const id = selected.get();
    if (id !== null) tape.show(id);
  };
  const stops = [
    desk.arrangement.subscribe(choose), view.chosen.subscribe(choose), selected.subscribe(show), desk.epoch.subscribe(show),
    view.theme.subscribe(() => applyTheme(view.theme.get())),
  ];
  applyTheme(view.theme.get());
  return {
    desk, view, selected, sessions, sparklines, tape,
    close() {
      for (const stop of stops) stop();
      tape.close();
      sessions.close();
      sparklines.close();
      desk.close();
    },
  };
}
