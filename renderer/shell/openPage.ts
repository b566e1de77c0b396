/** All that a page lives on, wired once outside React: desk, the user's choices, the index shown, and what is loaded for it. */
import type { Market } from '../../shared/channels.ts';
import { type Commands, createCommands } from '../commands/commands.ts';
import { pageCommands } from '../commands/pageCommands.ts';
import { createCell, type Cell } from '../store/cell.ts';
import { createPageDesk, type PageDesk, type PageDeskOptions } from '../store/pageDesk.ts';
import { openSessionBook, type SessionBook } from '../store/sessionBook.ts';
import { openSparklines, type Sparklines } from '../store/sparklines.ts';
import { openWatched, type Watched } from '../store/watched.ts';
import { openTapes, type TapeStore } from '../tape/tapeStore.ts';
import { listCommands } from '../watchlist/listCommands.ts';
import { currentList } from '../watchlist/lists.ts';
import { openWatchlist, USUAL_WIDTH, type WatchlistHandles } from '../watchlist/openWatchlist.ts';
import { type LookHandles, openLook } from '../settings/openLook.ts';
import { openReplay, type ReplayHandles } from '../replay/openReplay.ts';
import { openWorkspace, whileListed, type WorkspaceHandles } from '../workspace/openWorkspace.ts';
import type { WindowHost } from '../workspace/windowHost.ts';
import { createNotices, type Notices } from './notices.ts';
import { firstChoice, tradesByCalendar } from './selection.ts';
import { titleOf } from './title.ts';
import { createView, type View } from './view.ts';

/** The browser's own window draws a title. */
const TITLE_MS = 1000;
/** First reads of all indices arrive within this. */
const SETTLE_MS = 2000;

/** Stable for the life of the page; values live in their cells. */
export interface PageHandles extends WorkspaceHandles, LookHandles {
  readonly desk: PageDesk;
  readonly view: View;
  /** The index shown; null while there is none. */
  readonly selected: Cell<string | null>;
  readonly sessions: SessionBook;
  readonly sparklines: Sparklines;
  readonly watchlist: WatchlistHandles;
  readonly tape: TapeStore;
  readonly watched: Watched;
  readonly commands: Commands;
  readonly notices: Notices;
  readonly replay: ReplayHandles;
  readonly close: () => void;
}

/** `windows` opens windows of panes (absent: none can be); `windowId`: this page is one of them. */
export interface PageOptions extends PageDeskOptions {
  readonly windows?: WindowHost;
  readonly windowId?: string | null;
}

export function openPage(market: Market, storage: Pick<Storage, 'getItem' | 'setItem'>, options?: PageOptions): PageHandles {
  const desk = createPageDesk(market, options);
  const view = createView(storage);
  const selected = createCell<string | null>(null);
  const watched = openWatched(desk);
  const tape = openTapes(desk, watched);
  const sessions = openSessionBook(desk);
  const notices = createNotices();
  const commands = createCommands(storage);
  const { close: closeLook, ...look } = openLook({ storage, view, commands, notices });
  const { watchlist, closeWatchlist } = openWatchlist({ desk, storage });
  const windowId = options?.windowId ?? null;
  if (windowId === null) commands.register(listCommands(watchlist, selected));
  const sparklines = openSparklines(desk, () => currentList(watchlist.lists.get()).trend);
  commands.register(pageCommands({ view, selected, watchlist }));
  const { close: closeReplay, ...replay } = openReplay({ desk, selected, commands, notices });
  const { close: closeWorkspace, ...workspace } = openWorkspace({ storage, windowId, host: options?.windows ?? null, notices, commands, view, selected, listWidth: () => document.querySelector('.page > .watchlist')?.clientWidth ?? USUAL_WIDTH });
  const forgetList = windowId === null ? () => {} : whileListed(workspace.workspace, () => commands.register(listCommands(watchlist, selected)));

  // Where the user chose none: one that trades if one shows up at once; after that it must not wander as others come to life.
  let settleBy = Infinity;
  const choose = (): void => {
    const before = selected.get();
    const settled = before !== null && (tradesByCalendar(desk.quotes.get(before), desk.info.get(before)) || desk.elapsed() > settleBy);
    const id = firstChoice(desk.arrangement.get(), [view.chosen.get(), settled ? before : null], desk.quotes.get, desk.info.get);
    if (settleBy === Infinity && id !== null && desk.quotes.get(id)?.price != null) settleBy = desk.elapsed() + SETTLE_MS;
    selected.set(id);
  };
  let [named, namedAt] = ['', -Infinity];
  const nameWindow = (): void => {
    if (desk.elapsed() - namedAt < TITLE_MS) return;
    namedAt = desk.elapsed();
    const id = selected.get() ?? '';
    const title = titleOf(desk.quotes.get(id), desk.info.get(id), desk.beat.get()?.kind === 'replay');
    if (named === title) return;
    named = title;
    document.title = title;
  };
  const stops = [
    desk.pulse.subscribe(nameWindow),
    desk.arrangement.subscribe(choose), view.chosen.subscribe(choose),
  ];
  return {
    desk, view, selected, sessions, sparklines, watchlist, tape, watched, commands, notices, replay, ...look, ...workspace,
    close() {
      forgetList();
      closeWorkspace();
      closeReplay();
      closeLook();
      for (const stop of stops) stop();
      tape.close();
      watched.close();
      sessions.close();
      sparklines.close();
      closeWatchlist();
      desk.close();
    },
  };
}
