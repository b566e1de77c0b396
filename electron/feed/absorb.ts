/**
 * How a read changes what is known of an index. Every read, scan or delta or page of a gap, is the same statement: "between these two keys the
 * table holds exactly these rows"; so all strategies come to the same prices.
 */
import { type IndexId, reverseTime, tickRange } from '../../shared/rowKey.ts';
import { type EpochMicros, micros, MIN_MICROS } from '../../shared/time.ts';
import { packed } from '../bigtable/collect.ts';
import { decodeTick } from '../bigtable/decode.ts';
import type { Row } from '../bigtable/reader.ts';
import { sameCells, sameValues, writtenAt } from './alike.ts';
import { and, type Effects, gathering, type Gathered } from './effects.ts';
import { isBeyond } from './horizon.ts';
import { type Coverage, noteUndecodable, type Seen, type Track } from './track.ts';

const RTS_DIGITS = 19;

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
