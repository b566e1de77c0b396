/** All that the list lives on, wired once outside React: lists, what is shown of them, the cursor, its width. */
import { type Cell, createCell } from '../store/cell.ts';
import type { PageDesk } from '../store/pageDesk.ts';
import { openReferences, type References } from '../store/references.ts';
import type { Column, ColumnId } from './columns.ts';
import { columnOf } from './columns.ts';
import { currentList } from './lists.ts';
import { openListWidth } from './listWidth.ts';
import { openShownList, type ShownList } from './shownList.ts';
import { createWatchlists, KEPT_LISTS, type Watchlists } from './watchlists.ts';

/** One line under the list: what was done, and whether it can be taken back. */
export interface Said {
  readonly text: string;
  readonly undo: boolean;
}

export interface WatchlistHandles extends Watchlists {
  readonly references: References;
  readonly shown: ShownList;
  /** Key of the row under the list's cursor; null: that of the index shown. */
  readonly cursor: Cell<string | null>;
  /** Column under the cursor; null: the row as a whole. */
  readonly column: Cell<ColumnId | null>;
  /** The columns that fit, left to right. */
  readonly fitting: Cell<readonly Column[]>;
  /** The list has the focus. */
  readonly focused: Cell<boolean>;
  readonly options: Cell<boolean>;
  readonly said: Cell<Said | null>;
  /** Pixels, in its place at the page's edge; null: as usual. */
  readonly width: Cell<number | null>;
  say(text: string, undo?: boolean): void;
}

interface Around {
  readonly desk: PageDesk;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

/** Pixels in a wide window, before anyone looked. */
export const USUAL_WIDTH = 484;
const SAID_MS = 8000;

export function openWatchlist({ desk, storage }: Around): { readonly watchlist: WatchlistHandles; readonly closeWatchlist: () => void } {
  const watchlists = createWatchlists(storage);
  const references = openReferences(desk);
  const shown = openShownList(desk, watchlists, references);
  const said = createCell<Said | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watchlist: WatchlistHandles = {
    ...watchlists, references, shown, said, cursor: createCell<string | null>(null), column: createCell<ColumnId | null>(null), fitting: createCell<readonly Column[]>([]),
    focused: createCell(false), width: openListWidth(storage), options: createCell(false),
    say(text, undo = false) {
      clearTimeout(timer);
      said.set({ text, undo });
      timer = setTimeout(() => said.set(null), SAID_MS);
    },
  };
  const needsPast = (): boolean => {
    const { columns, sort } = currentList(watchlists.lists.get());
    return columns.some((id) => columnOf(id).past) || (sort !== null && sort.by !== 'index' && sort.by !== 'state' && columnOf(sort.by).past === true);
  };
  const release = references.hold(() => (needsPast() ? shown.items.get().flatMap((item) => (item.kind === 'group' ? [] : [item.id])) : []));
  // Another window's edit: a list that lies in a window of panes is the desk's, too.
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === KEPT_LISTS) watchlists.adopt(newValue);
  };
  window.addEventListener('storage', onStorage);
  return {
    watchlist,
    closeWatchlist() {
      window.removeEventListener('storage', onStorage);
      release();
      clearTimeout(timer);
      shown.close();
      references.close();
    },
  };
}
