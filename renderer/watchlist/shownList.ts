/** The current list as it is shown, kept up with states, values and edits; rows change places by a value at most once a second, so that they can be read. */
import { type Cell, createCell } from '../store/cell.ts';
import type { PageDesk } from '../store/pageDesk.ts';
import type { References } from '../store/references.ts';
import type { RowValues } from './columns.ts';
import { listItems, orderedIds, sameItems, type ShownItem } from './listItems.ts';
import { currentList } from './lists.ts';
import type { Watchlists } from './watchlists.ts';

const SORT_MS = 1000;

export interface ShownList {
  readonly items: Cell<readonly ShownItem[]>;
  readonly rowOf: (id: string) => RowValues;
  /** All members in the order shown, without pins and groups. */
  order(): readonly string[];
  close(): void;
}

export function openShownList(desk: PageDesk, { lists }: Pick<Watchlists, 'lists'>, references: Pick<References, 'of'>): ShownList {
  const items = createCell<readonly ShownItem[]>([]);
  const rowOf = (id: string): RowValues => ({ id, quote: desk.quotes.get(id), info: desk.info.get(id), reference: references.of.get(id) });
  const input = () => ({ list: currentList(lists.get()), pairs: lists.get().pairs, indices: desk.indices.get() ?? [], rowOf, allDisconnected: desk.arrangement.get().allDisconnected });
  let sortedAt = -Infinity;

  const show = (): void => {
    sortedAt = desk.elapsed();
    const next = listItems(input());
    if (!sameItems(items.get(), next)) items.set(next);
  };
  const showSorted = (): void => {
    if (currentList(lists.get()).sort !== null && desk.elapsed() - sortedAt >= SORT_MS) show();
  };
  const stops = [desk.arrangement.subscribe(show), lists.subscribe(show), desk.pulse.subscribe(showSorted)];
  show();
  return {
    items, rowOf,
    order: () => orderedIds(input()),
    close() {
      for (const stop of stops) stop();
    },
  };
}
