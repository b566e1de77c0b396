/** How wide the list is in its place at the page's edge, as the user made it; what the window leaves of that is the style sheet's to say. */
import { type Cell, createCell } from '../store/cell.ts';

const KEPT = 'frontrow.listWidth';
const MOST = 10_000;

function parseWidth(text: string | null): number | null {
  const width = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0;
  return width > 0 && width <= MOST ? width : null;
}

/** Pixels; null: as wide as usual. A storage that is full or forbidden costs the memory, never the width of this visit. */
export function openListWidth(storage: Pick<Storage, 'getItem' | 'setItem'>): Cell<number | null> {
  let text: string | null = null;
  try {
    text = storage.getItem(KEPT);
  } catch {
    text = null;
  }
  const cell = createCell(parseWidth(text));
  return {
    ...cell,
    set(next) {
      cell.set(next);
      try {
        storage.setItem(KEPT, next === null ? '' : String(next));
      } catch {
        // quota or private browsing
      }
    },
  };
}
