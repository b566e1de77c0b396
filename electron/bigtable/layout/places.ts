/** Canonical keys to the places of their rows, by the registry's layouts. Pure. */
import { type IndexId, type KeyRange, RESOLUTIONS } from '../../../shared/rowKey.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import { borderKey, type IndexLayout, type Layouts, mostShards, prefixed, type Zone } from './layouts.ts';
import { shardOf, shardPrefix } from './schedule.ts';
import { movedPlace, type Piece, samePlace } from './translate.ts';

/** Whether any row of these canonical ranges may lie elsewhere than its key says. */
export const movesAny = (layouts: Layouts, ranges: readonly KeyRange[]): boolean => ranges.some((range) => (layouts.zones[firstZone(layouts.zones, range.start)]?.range.start ?? range.end) < range.end);

/**
 * Where the rows of canonical ranges lie, in the order of their canonical start. Places that the schedule does not name are read too where
 * a writer that knows nothing of shards, or had them an age ago, would have put a row: the unsharded key, and every shard of the span.
 */
export function piecesOf(layouts: Layouts, ranges: readonly KeyRange[]): Piece[] {
  return disjoint(ranges).flatMap((range) => {
    const pieces: Piece[] = [];
    let { start } = range;
    const { zones } = layouts;
    for (let at = firstZone(zones, start); at < zones.length && start < range.end; at += 1) {
      const zone = zones[at];
      if (!zone || zone.range.start >= range.end) break;
      if (zone.range.start > start) pieces.push(samePlace({ start, end: zone.range.start }));
      const within = intersection(range, zone.range);
      if (within) pieces.push(...zonePieces(layouts, zone, within, zone.range.start <= range.start && range.end <= zone.range.end));
      start = zone.range.end;
    }
    if (start < range.end) pieces.push(samePlace({ start, end: range.end }));
    return pieces;
  });
}

function zonePieces(layouts: Layouts, { id, prefix }: Zone, range: KeyRange, named: boolean): Piece[] {
  if (prefix === null) return [];
  const since = layouts.left.get(id);
  // Who asks for more than this index gets every row once, under its new name; who names the old one gets its rows.
  const wanted = since === undefined || named ? range : intersection(range, { start: prefix, end: borderKey(prefix, since) });
  return wanted ? ownPieces(layouts, id, prefix, wanted, new Set()) : [];
}

/** Of canonical keys that start with `prefix`, `ID#` or `ID@RES#`. */
function ownPieces(layouts: Layouts, id: IndexId, prefix: string, range: KeyRange, seen: ReadonlySet<IndexId>): Piece[] {
  const layout = layouts.byId.get(id);
  if (!layout) return [samePlace(range)];
  const { formerly } = layout;
  if (formerly === null || seen.has(formerly.id)) return shardPieces(layout, prefix, range);
  const border = `${prefix}${layout.formerBorder}`;
  const own = intersection(range, { start: prefix, end: border });
  const older = intersection(range, { start: border, end: prefixed(prefix).end });
  const old = `${formerly.id}${prefix.slice(id.length)}`;
  return [
    ...(own ? shardPieces(layout, prefix, own) : []),
    ...(older ? ownPieces(layouts, formerly.id, old, movedPlace(older, old, prefix).physical, new Set([...seen, id])).map((piece) => renamed(piece, prefix, old)) : []),
  ];
}

const renamed = (piece: Piece, prefix: string, old: string): Piece => ({
  ...piece, canonical: movedPlace(piece.canonical, prefix, old).physical, from: piece.from === '' ? old : piece.from, to: prefix,
});

function shardPieces({ id, schedule, eras }: IndexLayout, prefix: string, range: KeyRange): Piece[] {
  if (prefix !== `${id}#`) return [samePlace(range)];
  const shards = schedule === null ? mostShards(null) : shardsWithin(eras, prefix, range);
  return [samePlace(range), ...(shards === 1 ? [] : Array.from({ length: shards }, (_, shard) => movedPlace(range, shardPrefix(id, shard), prefix)))];
}

/** Most shards of any time in the range. */
function shardsWithin(eras: IndexLayout['eras'], prefix: string, { start, end }: KeyRange): number {
  let most = 1;
  for (const [at, { border, shards }] of eras.entries()) {
    const newest = `${prefix}${eras[at + 1]?.border ?? ''}`;
    const oldest = `${prefix}${border}`;
    if (shards > most && (start > newest ? start : newest) < (end < oldest ? end : oldest)) most = shards;
  }
  return most;
}

/** The one physical key at which a row with this canonical key belongs. Fails where the index's schedule can't be read. */
export function homeOf(layouts: Layouts, key: string): Result<string, Problem> {
  const separator = key.search(/[#@]/);
  const id = key.slice(0, Math.max(0, separator)) as IndexId;
  const layout = layouts.byId.get(id);
  if (!layout) return ok(key);
  const prefix = prefixOf(key, id);
  return prefix === null ? ok(key) : homeIn(layouts, layout, prefix, key.slice(prefix.length), NO_NAMES);
}

const NO_NAMES: ReadonlySet<IndexId> = new Set();

function homeIn(layouts: Layouts, layout: IndexLayout, prefix: string, rest: string, seen: ReadonlySet<IndexId>): Result<string, Problem> {
  const { id, schedule, formerly, eras } = layout;
  const key = `${prefix}${rest}`;
  if (formerly !== null && rest >= layout.formerBorder && !seen.has(formerly.id)) {
    const old = `${formerly.id}${prefix.slice(id.length)}`;
    const older = layouts.byId.get(formerly.id);
    return older ? homeIn(layouts, older, old, rest, new Set([...seen, id])) : ok(`${old}${rest}`);
  }
  // A key without sequence is no identity of ours: it stays where every read looks.
  if (prefix !== `${id}#` || !/^\d{19}#\d{6}$/.test(rest)) return ok(key);
  if (schedule === null) return failed(problem('BAD_DATA', `registry row "!index#${id}", column m:shards can't be read, so where rows of ${id} belong is not known`, `correct that column, or set it anew with \`frontrow shard ${id} N\``));
  const shards = eras.findLast(({ border }) => rest < border)?.shards ?? 1;
  return ok(shards === 1 ? key : `${shardPrefix(id, shardOf(key, shards))}${rest}`);
}

/** Every place where a read would find a row with this canonical key: what a deletion names. */
export const placesOf = (layouts: Layouts, key: string): string[] => piecesOf(layouts, [{ start: key, end: `${key}\0` }]).map(({ physical }) => physical.start);

/** `ID#`, or `ID@RES#`; null for any other key. */
function prefixOf(key: string, id: string): string | null {
  if (key.startsWith(`${id}#`)) return `${id}#`;
  const resolution = RESOLUTIONS.find((one) => key.startsWith(`${id}@${one}#`));
  return resolution === undefined ? null : `${id}@${resolution}#`;
}

/** The first zone that does not end at or before `key`. */
function firstZone(zones: readonly Zone[], key: string): number {
  let [low, high] = [0, zones.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((zones[middle]?.range.end ?? '') <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function intersection(a: KeyRange, b: KeyRange): KeyRange | null {
  const start = a.start > b.start ? a.start : b.start;
  const end = a.end < b.end ? a.end : b.end;
  return start < end ? { start, end } : null;
}

/** Sorted, and those that overlap joined: a read gives every row once. */
function disjoint(ranges: readonly KeyRange[]): KeyRange[] {
  const out: KeyRange[] = [];
  for (const range of [...ranges].sort((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = out.at(-1);
    if (last && range.start < last.end) out[out.length - 1] = { start: last.start, end: range.end > last.end ? range.end : last.end };
    else out.push(range);
  }
  return out;
}
