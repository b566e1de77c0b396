/**
 * What is known of one index's newest rows, and how a read changes it. Every read, scan or delta or page of a gap, is the same
 * statement: "between these two keys the table holds exactly these rows"; so all strategies come to the same prices.
 */
import type { Tick } from '../../shared/quote.ts';
import { type IndexId, type KeyRange, reverseTime, tickRange } from '../../shared/rowKey.ts';
import type { EpochMicros } from '../../shared/time.ts';
import { micros, MIN_MICROS } from '../../shared/time.ts';
import { packed } from '../bigtable/collect.ts';
import { decodeTick } from '../bigtable/decode.ts';
import { sameCells, sameValues, writtenAt } from './alike.ts';
import { isBeyond } from './horizon.ts';
import type { TopRange } from './ranges.ts';
import type { Row } from '../bigtable/reader.ts';

const RTS_DIGITS = 19;

/** A row as it was last read. */
export interface Seen {
  /** Packed: it is kept for long, and seldom looked into. */
  readonly row: Row;
  readonly tick: Tick;
}

export interface Counts {
  reads: number;
  rows: number;
  errors: number;
  late: number;
  duplicate: number;
  corrected: number;
  future: number;
  undecodable: number;
}

export interface Track {
  readonly id: IndexId;
  /** Newest row at or before the horizon; null while none is known. */
  latest: Seen | null;
  /** Everything newer than this key is unread, everything older was read or lies in `gaps`; null before the first read. */
  watermark: string | null;
  /** Newest row beyond the horizon: its time has not come. */
  future: string | null;
  /** What was asked of it last without and with its newest row, for the next time. */
  asked: readonly [TopRange] | null;
  audited: readonly [TopRange] | null;
  /** The last such row that came, until someone takes note of it. */
  arrivedAhead: Tick | null;
  /** Rows of the trailing window, by key: a re-read compares with them. */
  readonly recent: Map<string, Seen>;
  /** From the newest row down to this key (exclusive) `recent` is the whole truth, but for the hole. */
  coveredTo: string;
  /** A span inside it that nobody has read yet. */
  hole: KeyRange | null;
  /** Exclusive lower end of the trailing window, as a key. */
  trailingEnd: string;
  /** Spans between two reads that nobody has read yet: the poller takes them and has them filled. */
  gaps: KeyRange[];
  /** The newest row is gone and what follows it is unknown. */
  needsScan: boolean;
  /** The shown row was corrected, or stands where a newer one was deleted. Until the next newer row. */
  corrected: boolean;
  deleted: boolean;
  readonly undecodable: Set<string>;
  readonly counts: Counts;
}

/** The statement of one read: `rows` (newest first) are all rows of [from, to). */
export interface Coverage {
  readonly rows: readonly Row[];
  readonly from: string;
  readonly to: string;
}

export interface Effects {
  /** Ticks that are news: newer than all before, or late: written into a span that had been read whole. Oldest first. */
  readonly added: readonly Tick[];
  /** Ticks from spans that had not been read before, or that were there and showed late. Oldest first. */
  readonly backfill: readonly Tick[];
  readonly corrected: readonly Tick[];
  readonly removed: readonly Tick[];
  /** The newest tick before the read. */
  readonly before: Tick | null;
}

/** Effects that are being gathered: the same lists, growing. Most stay empty, and of the others most get one tick. */
type Gathered = { -readonly [List in keyof Effects]: List extends 'before' ? Tick | null : Tick[] };
const NO_TICKS: Tick[] = [];

function and(list: Tick[], tick: Tick): Tick[] {
  if (list.length === 0) return [tick];
  list.push(tick);
  return list;
}

const gathering = (track: Track): Gathered => ({ added: NO_TICKS, backfill: NO_TICKS, corrected: NO_TICKS, removed: NO_TICKS, before: track.latest?.tick ?? null });
export const noEffects = (track: Track): Effects => gathering(track);

export function createTrack(id: IndexId): Track {
  return {
    id, latest: null, watermark: null, future: null, asked: null, audited: null, arrivedAhead: null, recent: new Map(), coveredTo: '', hole: null, trailingEnd: '', gaps: [], needsScan: true, corrected: false, deleted: false,
    undecodable: new Set(), counts: { reads: 0, rows: 0, errors: 0, late: 0, duplicate: 0, corrected: 0, future: 0, undecodable: 0 },
  };
}

/**
 * Whether an audit found what is known and no more: its one row is the one that was asked for, as it was. Then a read from the top changes
 * nothing in the track, unless its trailing window is another one (it is charted now). Nearly every audit ends so: half of a quiet cycle.
 */
export function tellsNothing(track: Track, rows: readonly Row[], asked: string, readTo: string, horizon: EpochMicros): boolean {
  const [row] = rows;
  const { latest, recent, watermark } = track;
  return row !== undefined && rows.length === 1 && latest !== null && recent.size === 1 && watermark === row.key && latest.row.key === row.key && asked === readTo &&
    track.trailingEnd === readTo && track.coveredTo === readTo && track.hole === null && !track.needsScan && track.future === null &&
    !isBeyond(track.id, row.key, horizon) && sameCells(latest.row, row);
}

/** A read that reached up to the newest row: from the top of the range or from the horizon. `trailing` in microseconds. */
export function absorbTop(track: Track, coverage: Coverage, horizon: EpochMicros, trailing: bigint): Effects {
  const first = track.watermark === null;
  track.needsScan = false;
  const effects = absorb(track, coverage, horizon, first);
  const reached = track.watermark === null || coverage.to >= track.watermark;
  if (!reached) {
    const gap = { start: coverage.to, end: track.watermark ?? coverage.to };
    track.gaps.push(gap);
    track.hole = { start: gap.start, end: track.hole?.end ?? gap.end };
  } else {
    closeHole(track, coverage);
    if (coverage.to > track.coveredTo) track.coveredTo = coverage.to;
  }
  const newest = firstWithin(track.id, coverage.rows, horizon);
  if (newest) track.watermark = newest.key;
  else if (first || (track.latest === null && !track.needsScan)) track.watermark = coverage.to;
  prune(track, trailing);
  return effects;
}

function firstWithin(id: IndexId, rows: readonly Row[], horizon: EpochMicros): Row | undefined {
  for (const row of rows) if (!isBeyond(id, row.key, horizon)) return row;
  return undefined;
}

/** A page of a span below the newest row. */
export function absorbGap(track: Track, coverage: Coverage, horizon: EpochMicros, trailing: bigint): Effects {
  const effects = absorb(track, coverage, horizon, true);
  closeHole(track, coverage);
  if (track.hole === null && coverage.from <= track.coveredTo && coverage.to > track.coveredTo) track.coveredTo = coverage.to;
  prune(track, trailing);
  return effects;
}

const isCovered = (track: Track, key: string): boolean =>
  key < track.coveredTo && (track.hole === null || key < track.hole.start || key >= track.hole.end);

/**
 * Whether this row was written after a newer one that was shown before it. One that was written before only showed late: a batch is not
 * atomic across rows, and replicas lag.
 */
function isLate(track: Track, row: Row): boolean {
  const written = writtenAt(row);
  for (const [key, seen] of track.recent) if (key < row.key && writtenAt(seen.row) < written) return true;
  return false;
}

function closeHole(track: Track, coverage: Coverage): void {
  if (track.hole === null || coverage.from > track.hole.start || coverage.to <= track.hole.start) return;
  track.hole = coverage.to >= track.hole.end ? null : { start: coverage.to, end: track.hole.end };
}

/** Rows beyond the horizon only: [`ID#`, newest known future row], with that row itself when `audited`. */
export function absorbFuture(track: Track, rows: readonly Row[], audited: boolean): void {
  for (const row of rows) if (track.future === null || row.key < track.future) track.counts.future += 1;
  const newest = rows[0]?.key ?? null;
  if (rows[0] && (track.future === null || rows[0].key < track.future)) {
    const tick = decodeTick(rows[0]);
    if (tick.ok) track.arrivedAhead = tick.value;
  }
  // Gone: nearer ones may hide behind it, the next read from the top finds them.
  if (audited || (newest !== null && (track.future === null || newest < track.future))) track.future = newest;
}

function absorb(track: Track, coverage: Coverage, horizon: EpochMicros, catchUp: boolean): Effects {
  const effects = gathering(track);
  const known = knowsOf(track, coverage);
  for (let i = coverage.rows.length - 1; i >= 0; i -= 1) {
    const row = coverage.rows[i];
    if (row === undefined) continue;
    if (isBeyond(track.id, row.key, horizon)) {
      absorbFuture(track, [row], false);
      continue;
    }
    const last = track.recent.get(row.key);
    if (last !== undefined && sameCells(last.row, row)) continue;
    const decoded = decodeTick(row);
    if (!decoded.ok) {
      noteUndecodable(track, row.key);
      continue;
    }
    const seen = { row: packed(row), tick: decoded.value };
    if (last !== undefined) {
      track.recent.set(row.key, seen);
      if (sameValues(last.tick, seen.tick)) {
        track.counts.duplicate += 1;
        continue;
      }
      track.counts.corrected += 1;
      effects.corrected = and(effects.corrected, seen.tick);
      if (track.latest?.row.key === row.key) {
        track.latest = seen;
        track.corrected = true;
      }
      continue;
    }
    track.recent.set(row.key, seen);
    if (track.latest === null || row.key < track.latest.row.key) {
      track.latest = seen;
      track.corrected = false;
      track.deleted = false;
      if (catchUp) effects.backfill = and(effects.backfill, seen.tick);
      else effects.added = and(effects.added, seen.tick);
    } else if (isCovered(track, row.key) && isLate(track, row)) {
      track.counts.late += 1;
      effects.added = and(effects.added, seen.tick);
    } else effects.backfill = and(effects.backfill, seen.tick);
  }
  if (known) dropMissing(track, coverage, effects);
  return effects;
}

/** Whether any row of [from, to) was known before. Mostly one row is, the newest. */
function knowsOf({ recent, latest }: Track, { from, to }: Coverage): boolean {
  if (latest !== null && latest.row.key >= from && latest.row.key < to) return true;
  if (recent.size > 1 || latest === null) for (const key of recent.keys()) if (key >= from && key < to) return true;
  return false;
}

/** Rows that we knew in [from, to) and that are not there any more. */
function dropMissing(track: Track, coverage: Coverage, effects: Gathered): void {
  let present: Set<string> | null = null;
  for (const [key, seen] of track.recent) {
    if (key < coverage.from || key >= coverage.to) continue;
    present ??= new Set(coverage.rows.map((row) => row.key));
    if (present.has(key)) continue;
    if (key === track.latest?.row.key && !replaceLatest(track, coverage, present)) {
      track.needsScan = true;
      continue;
    }
    track.recent.delete(key);
    effects.removed = and(effects.removed, seen.tick);
  }
}

/** The newest row was deleted: the next one that is known for certain takes its place. False: only a scan can tell. */
function replaceLatest(track: Track, coverage: Coverage, present: ReadonlySet<string>): boolean {
  const covered = track.hole !== null && track.hole.start < track.coveredTo ? track.hole.start : track.coveredTo;
  const certain = coverage.to > covered ? coverage.to : covered;
  let next: Seen | null = null;
  for (const [key, seen] of track.recent) {
    const there = key >= coverage.from && key < coverage.to ? present.has(key) : key < certain;
    if (there && key < certain && (next === null || key < next.row.key)) next = seen;
  }
  if (next === null && coverage.to < tickRange(track.id).end) return false;
  track.latest = next;
  track.deleted = true;
  track.corrected = false;
  // Rows written between the two from now on must show: the next delta starts from what is shown.
  track.watermark = next?.row.key ?? coverage.to;
  return true;
}

function prune(track: Track, trailing: bigint): void {
  if (track.latest === null) {
    track.trailingEnd = tickRange(track.id).end;
    track.recent.clear();
    return;
  }
  const from = track.latest.tick.time - trailing;
  track.trailingEnd = trailing === 0n ? `${track.latest.row.key.slice(0, track.id.length + 1 + RTS_DIGITS)}$` : `${track.id}#${reverseTime(from < MIN_MICROS ? MIN_MICROS : micros(from))}$`;
  if (track.coveredTo > track.trailingEnd) track.coveredTo = track.trailingEnd;
  if (track.hole !== null && track.hole.start >= track.trailingEnd) track.hole = null;
  if (track.recent.size > 1) for (const key of track.recent.keys()) if (key >= track.trailingEnd) track.recent.delete(key);
}

/** Counts a row that can't be decoded, once. */
export function noteUndecodable(track: Track, key: string): void {
  if (track.undecodable.has(key)) return;
  track.counts.undecodable += 1;
  if (track.undecodable.size < 256) track.undecodable.add(key);
}
