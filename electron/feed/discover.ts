/** Ids that nobody registered: found by asking for one row outside all that is known. */
import { decodeKey, type IndexId, isIndexId, keyAfter, type KeyRange, tickRange } from '../../shared/rowKey.ts';
import type { Problem } from '../../shared/result.ts';
import type { Reader } from '../bigtable/reader.ts';

/** Every key that starts as an id does: from "-" up to "_" inclusive. Metadata ("!") sorts before it. */
const EVERY_ID: KeyRange = { start: '-', end: '`' };
const RANGES_PER_REQUEST = 100;

/** The three disjoint ranges of an id, in key order: ticks, bars, shards. */
export const rangesOfId = (id: string): KeyRange[] => [
  { start: `${id}#`, end: `${id}$` },
  { start: `${id}@`, end: `${id}A` },
  { start: `${id}~`, end: `${id}\u007f` },
];

/** What is left of `ranges` without `holes`; both sorted and disjoint. */
export function subtract(ranges: readonly KeyRange[], holes: readonly KeyRange[]): KeyRange[] {
  const left: KeyRange[] = [];
  let next = 0;
  for (const range of ranges) {
    let start = range.start;
    while (next > 0 && (holes[next - 1]?.end ?? '') > start) next -= 1;
    for (let hole = holes[next]; hole !== undefined && hole.start < range.end; hole = holes[(next += 1)]) {
      if (hole.end <= start) continue;
      if (hole.start > start) left.push({ start, end: hole.start });
      start = hole.end;
    }
    if (start < range.end) left.push({ start, end: range.end });
  }
  return left;
}

const byStart = (a: KeyRange, b: KeyRange): number => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0);

/** All keys that belong to none of `ids` and to none of `junk`, as sorted ranges. */
export const complement = (ids: Iterable<string>, junk: readonly KeyRange[] = []): KeyRange[] => subtract([EVERY_ID], merged([...[...ids].flatMap(rangesOfId), ...junk].sort(byStart)));

function merged(sorted: readonly KeyRange[]): KeyRange[] {
  const out: KeyRange[] = [];
  for (const range of sorted) {
    const last = out.at(-1);
    if (last && range.start < last.end) out[out.length - 1] = { start: last.start, end: range.end > last.end ? range.end : last.end };
    else out.push(range);
  }
  return out;
}

/** The range to pass over after meeting a key that is no tick: all bars of an id, all shards of it, or everything with the same strange start. */
export function passOver(key: string): KeyRange {
  const id = /^[A-Z0-9^._-]*/.exec(key)?.[0] ?? '';
  const next = key.charAt(id.length);
  if (next === '') return { start: key, end: keyAfter(key) };
  // One UTF-16 unit up can leave the byte order of other planes; such a key is passed over alone.
  return next > '\u007f' ? { start: key, end: keyAfter(key) } : { start: `${id}${next}`, end: `${id}${String.fromCharCode(next.charCodeAt(0) + 1)}` };
}

/** A known index that is read seldom: [start, end) holds a row only if it printed since. */
export interface Sleeper {
  readonly id: IndexId;
  readonly range: KeyRange;
}

export interface Found {
  readonly ids: readonly IndexId[];
  /** Sleepers that printed. */
  readonly awake: readonly IndexId[];
  /** Ranges without ticks that were passed over. */
  readonly junk: readonly KeyRange[];
  /** Steps ran out: there may be more. */
  readonly more: boolean;
  readonly requests: number;
  readonly error: Problem | null;
}

/**
 * Ids with ticks outside `ranges` known so far, at most `steps` requests. One request tells that nothing is new; every find costs one more.
 * `ranges` from `complement`. The same request asks whether `sleepers` printed: that costs no request of its own.
 */
export async function discover(reader: Reader, ranges: readonly KeyRange[], steps: number, deadlineMs: number, signal?: AbortSignal, sleepers: readonly Sleeper[] = []): Promise<Found> {
  const ids: IndexId[] = [];
  const awake: IndexId[] = [];
  const junk: KeyRange[] = [];
  const sleeping = new Map(sleepers.map(({ id, range }) => [id, range]));
  let requests = 0;
  let left = sleepers.length === 0 ? [...ranges] : [...ranges, ...sleeping.values()].sort(byStart);
  while (left.length > 0) {
    if (requests >= steps) return { ids, awake, junk, more: true, requests, error: null };
    const asked = left.slice(0, RANGES_PER_REQUEST);
    const outcome = await reader.read({ ranges: asked, limit: 1, deadlineMs, ...(signal ? { signal } : {}) });
    requests += 1;
    if (!outcome.ok) return { ids, awake, junk, more: true, requests, error: outcome.error };
    const key = outcome.rows[0]?.key;
    if (key === undefined) {
      left = left.slice(asked.length);
      continue;
    }
    const decoded = decodeKey(key);
    const found = decoded?.kind === 'tick' && decoded.shard === null ? decoded.index : null;
    const slept = found === null ? undefined : sleeping.get(found);
    if (found !== null && slept) awake.push(found);
    else if (found !== null && isIndexId(found)) ids.push(found);
    else junk.push(passOver(key));
    // Nothing lies before the key that was found.
    const rest = subtract(left, [{ start: '', end: key }]);
    left = subtract(rest, found === null ? [passOver(key)] : slept ? [slept] : [tickRange(found), ...rangesOfId(found).slice(1)]);
  }
  return { ids, awake, junk, more: false, requests, error: null };
}
