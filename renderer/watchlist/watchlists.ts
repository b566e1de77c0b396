/** The user's lists on this page: kept at every change, and what was changed last can be taken back. */
import { type Cell, createCell } from '../store/cell.ts';
import { parseLists } from './keptLists.ts';
import type { Lists } from './lists.ts';

export interface Watchlists {
  readonly lists: Cell<Lists>;
  /** Makes a change; `what` names it where it can be taken back. False where nothing changed. */
  edit(change: (lists: Lists) => Lists, what?: string): boolean;
  /** What `undo` would take back; null: nothing. */
  readonly undoable: Cell<string | null>;
  undo(): void;
  /** What another window kept; there is nothing to take back then. */
  adopt(text: string | null): void;
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;
export const KEPT_LISTS = 'frontrow.watchlists';
const MOST_UNDO = 20;

/** A storage that is full or forbidden costs the memory, never the lists of this visit. */
export function createWatchlists(storage: Storage): Watchlists {
  let text: string | null = null;
  try {
    text = storage.getItem(KEPT_LISTS);
  } catch {
    text = null;
  }
  const lists = createCell(parseLists(text));
  const undoable = createCell<string | null>(null);
  const before: { readonly what: string; readonly lists: Lists }[] = [];

  function put(next: Lists): void {
    lists.set(next);
    try {
      storage.setItem(KEPT_LISTS, JSON.stringify(next));
    } catch {
      // quota or private browsing
    }
  }

  return {
    lists, undoable,
    edit(change, what) {
      const old = lists.get();
      const next = change(old);
      if (next === old) return false;
      if (what !== undefined) {
        before.push({ what, lists: old });
        if (before.length > MOST_UNDO) before.shift();
        undoable.set(what);
      }
      put(next);
      return true;
    },
    undo() {
      const last = before.pop();
      if (!last) return;
      undoable.set(before.at(-1)?.what ?? null);
      put(last.lists);
    },
    adopt(other) {
      before.length = 0;
      undoable.set(null);
      lists.set(parseLists(other));
    },
  };
}
