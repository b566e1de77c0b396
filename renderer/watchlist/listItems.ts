/** What a list shows from top to bottom: trouble, groups with their titles, rows, and under a closed index its companion. */
import type { FeedState, IndexView } from '../../shared/channels.ts';
import { REGIONS } from '../../shared/quote.ts';
import { stateWord } from '../state/words.ts';
import type { ListItem } from '../store/arrangement.ts';
import type { RowValues } from './columns.ts';
import type { Lists, WatchList } from './lists.ts';
import { sortIds } from './sortRows.ts';

export type ShownItem = ListItem | { readonly kind: 'companion'; readonly key: string; readonly id: string; readonly of: string };

export interface ListInput {
  readonly list: WatchList;
  readonly pairs: Lists['pairs'];
  readonly indices: readonly IndexView[];
  readonly rowOf: (id: string) => RowValues;
  /** Nothing reaches the page: rows stay where they are. */
  readonly allDisconnected: boolean;
}

const STATES: readonly FeedState[] = ['live', 'quiet', 'stalled', 'disconnected', 'nodata', 'closed'];
const isTrouble = (state: FeedState | undefined): boolean => state === 'stalled' || state === 'disconnected';

/** Members in the user's own order. */
export function memberIds({ all, ids }: Pick<WatchList, 'all' | 'ids'>, indices: readonly IndexView[]): readonly string[] {
  if (!all) return ids;
  if (ids.length === 0) return indices.map(({ id }) => id);
  const known = new Set(indices.map(({ id }) => id));
  const moved = new Set(ids);
  return [...ids.filter((id) => known.has(id)), ...indices.flatMap(({ id }) => (moved.has(id) ? [] : [id]))];
}

/** Members in the order shown, pins and groups aside. */
export function orderedIds({ list, indices, rowOf }: Pick<ListInput, 'list' | 'indices' | 'rowOf'>): readonly string[] {
  const ids = memberIds(list, indices);
  return list.sort === null ? ids : sortIds(ids, list.sort, rowOf);
}

/** Its companion: the user's word, else the registry's; null for none. */
export function companionOf(id: string, pairs: Lists['pairs'], info: IndexView | undefined): string | null {
  const companion = pairs[id] ?? info?.companion ?? '';
  return companion === '' || companion === id ? null : companion;
}

export function listItems(input: ListInput): ShownItem[] {
  const { list, pairs, rowOf } = input;
  const ids = orderedIds(input);
  const known = new Set(input.indices.map(({ id }) => id));
  const items: ShownItem[] = [];
  const add = (id: string): void => {
    items.push({ kind: 'index', key: id, id });
    const row = rowOf(id);
    const companion = row.quote?.state === 'closed' ? companionOf(id, pairs, row.info) : null;
    if (companion !== null && known.has(companion)) items.push({ kind: 'companion', key: `${id}>${companion}`, id: companion, of: id });
  };
  const pinned = new Set(list.pinTrouble && !input.allDisconnected ? ids.filter((id) => isTrouble(rowOf(id).quote?.state)) : []);
  if (pinned.size > 0) {
    items.push({ kind: 'group', key: 'group trouble', title: 'Trouble', trouble: true, closed: false });
    for (const id of [...pinned].sort()) add(id);
  }
  const rest = pinned.size === 0 ? ids : ids.filter((id) => !pinned.has(id));
  for (const { key, title, closed, rows } of groupsOf(list.group, rest, rowOf)) {
    if (title !== null && rows.length > 0) items.push({ kind: 'group', key: `group ${key}`, title, trouble: false, closed });
    for (const id of rows) add(id);
  }
  return items;
}

interface Group {
  readonly key: string;
  readonly title: string | null;
  readonly closed: boolean;
  readonly rows: readonly string[];
}

function groupsOf(group: WatchList['group'], ids: readonly string[], rowOf: ListInput['rowOf']): readonly Group[] {
  switch (group) {
    case 'none':
      return [{ key: 'all', title: null, closed: false, rows: ids }];
    case 'state': {
      const by = Map.groupBy(ids, (id): FeedState => rowOf(id).quote?.state ?? 'nodata');
      return STATES.map((state) => ({ key: state, title: stateWord(state), closed: state === 'closed', rows: by.get(state) ?? [] }));
    }
    case 'region': {
      const by = Map.groupBy(ids, (id) => rowOf(id).info?.region ?? 'Other');
      return REGIONS.map((region) => {
        const rows = by.get(region) ?? [];
        const closed = rows.length > 0 && rows.every((id) => rowOf(id).quote?.state === 'closed');
        return { key: region, title: closed ? `${region} · closed` : region, closed, rows };
      });
    }
  }
}

/** The same things in the same places: nothing to draw again. */
export const sameItems = (a: readonly ShownItem[], b: readonly ShownItem[]): boolean =>
  a.length === b.length && a.every((item, at) => item.key === b[at]?.key && (item.kind !== 'group' || item.title === (b[at] as typeof item).title));
