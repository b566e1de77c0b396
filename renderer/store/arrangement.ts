/** The watchlist's order: trouble first by name, then regions; and the counts of the health line, made from the same states. */
import type { FeedState, IndexView, QuoteView } from '../../shared/channels.ts';
import { REGIONS, type Region } from '../../shared/quote.ts';

export type ListItem =
  | { readonly kind: 'group'; readonly key: string; readonly title: string; readonly trouble: boolean; readonly closed: boolean }
  | { readonly kind: 'index'; readonly key: string; readonly id: string };

export type Counts = Readonly<Record<FeedState, number>>;

export interface Arrangement {
  readonly items: readonly ListItem[];
  /** Stalled and disconnected ids by name; all of them when everything is disconnected. */
  readonly trouble: readonly string[];
  readonly counts: Counts;
  readonly total: number;
  /** Nothing reaches the page at all: groups stay as they are, the trouble line says it once. */
  readonly allDisconnected: boolean;
}

const isTrouble = (state: FeedState): boolean => state === 'stalled' || state === 'disconnected';
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `stateOf` undefined: no word on that index yet, counted as no data. */
export function arrange(indices: readonly IndexView[], stateOf: (id: string) => QuoteView['state'] | undefined): Arrangement {
  const counts: Record<FeedState, number> = { live: 0, quiet: 0, stalled: 0, closed: 0, disconnected: 0, nodata: 0 };
  const groups = new Map<Region, { id: string; closed: boolean }[]>(REGIONS.map((region) => [region, []]));
  const trouble: string[] = [];
  for (const { id } of indices) {
    const state = stateOf(id) ?? 'nodata';
    counts[state] += 1;
    if (isTrouble(state)) trouble.push(id);
  }
  trouble.sort(byName);
  const allDisconnected = indices.length > 0 && counts.disconnected === indices.length;
  const pinned = new Set(allDisconnected ? [] : trouble);
  for (const { id, region } of indices) {
    if (!pinned.has(id)) groups.get(region)?.push({ id, closed: stateOf(id) === 'closed' });
  }
  const items: ListItem[] = [];
  if (pinned.size > 0) {
    items.push({ kind: 'group', key: 'group trouble', title: 'Trouble', trouble: true, closed: false });
    for (const id of trouble) items.push({ kind: 'index', key: id, id });
  }
  for (const [region, rows] of groups) {
    if (rows.length === 0) continue;
    const closed = rows.every((row) => row.closed);
    items.push({ kind: 'group', key: `group ${region}`, title: closed ? `${region} · closed` : region, trouble: false, closed });
    for (const { id } of rows) items.push({ kind: 'index', key: id, id });
  }
  return { items, trouble, counts, total: indices.length, allDisconnected };
}
