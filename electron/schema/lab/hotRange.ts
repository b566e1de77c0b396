/**
 * Which part of the writes the busiest key range takes. The method: all rows of the first half of the writes are sorted by key and cut into so
 * many ranges of about equal bytes, as a server would have split a table of that size; the second half of the writes is counted by the range it
 * falls in. A row is never cut, and no range spans two tables. Pure.
 */
export interface PlacedWrite {
  /** Ordered as the tables stand; any text. */
  readonly table: string;
  readonly key: string;
  readonly bytes: number;
}

export interface HotRange {
  /** Of the events, not of the rows: a layout that writes each twice can't hide it. 0 to 1. */
  readonly share: number;
  readonly ranges: number;
}

/** `events`: the writes of each, in the order in which they are written. */
export function busiestRange(events: readonly (readonly PlacedWrite[])[], tablets: number): HotRange {
  const half = Math.floor(events.length / 2);
  const starts = cut(events.slice(0, half).flat(), tablets);
  const counts = new Map<number, number>();
  for (const event of events.slice(half)) {
    for (const at of new Set(event.map((write) => rangeAt(starts, placeOf(write))))) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  return { share: events.length > half ? most / (events.length - half) : 0, ranges: starts.length };
}

const placeOf = ({ table, key }: PlacedWrite): string => `${table}\0${key}`;

/** The first keys of the ranges; the first range begins before everything. */
function cut(writes: readonly PlacedWrite[], tablets: number): string[] {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const write of writes) {
    const place = placeOf(write);
    sizes.set(place, (sizes.get(place) ?? 0) + write.bytes);
    total += write.bytes;
  }
  const starts = [''];
  let before = 0;
  let table: string | null = null;
  for (const place of [...sizes.keys()].sort()) {
    const own = place.slice(0, place.indexOf('\0'));
    // a table's first range begins with the table, whatever its first row is
    if (table !== null && own !== table) starts.push(`${own}\0`);
    else if (before >= (total * starts.length) / tablets && starts.length < tablets) starts.push(place);
    table = own;
    before += sizes.get(place) ?? 0;
  }
  return starts;
}

function rangeAt(starts: readonly string[], place: string): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? '') <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
