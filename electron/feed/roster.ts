/** The indices on the desk: taken over from the catalog's list, and which of them someone charts. */
import type { Clock } from '../../shared/clock.ts';
import type { IndexInfo } from '../../shared/quote.ts';
import { type IndexId, isIndexId } from '../../shared/rowKey.ts';
import { createEntry, type Entry } from './entry.ts';

export interface Roster {
  readonly entries: ReadonlyMap<IndexId, Entry>;
  /** The same as an array, for what looks at all of them every second: a map's iterator makes an object for each step. */
  readonly all: readonly Entry[];
  /** Entries become those of `list`. */
  adopt(list: readonly IndexInfo[]): { readonly fresh: readonly Entry[]; readonly removed: readonly IndexId[] };
  /** Replaces what `owner` charts. */
  watch(owner: symbol, ids: readonly string[]): void;
}

export function createRoster(clock: Pick<Clock, 'now' | 'elapsed'>): Roster {
  const entries = new Map<IndexId, Entry>();
  const watchers = new Map<symbol, readonly IndexId[]>();
  let watched = new Set<IndexId>();
  let all: readonly Entry[] = [];
  return {
    entries,
    get all() {
      return all;
    },
    adopt(list) {
      const fresh: Entry[] = [];
      const ids = new Set(list.map((info) => info.id));
      for (const info of list) {
        const known = entries.get(info.id);
        if (known) {
          known.info = info;
          known.base = null;
          continue;
        }
        const entry = createEntry(info, clock.now());
        entry.watched = watched.has(info.id);
        entry.lastAuditAt = clock.elapsed();
        entries.set(info.id, entry);
        fresh.push(entry);
      }
      const removed = [...entries.keys()].filter((id) => !ids.has(id));
      for (const id of removed) entries.delete(id);
      all = [...entries.values()];
      return { fresh, removed };
    },
    watch(owner, ids) {
      if (ids.length === 0) watchers.delete(owner);
      else watchers.set(owner, ids.filter(isIndexId));
      watched = new Set([...watchers.values()].flat());
      for (const entry of entries.values()) entry.watched = watched.has(entry.info.id);
    },
  };
}
