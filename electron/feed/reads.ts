/** The two reads of the feed: the newest row of one index, and all that is new of many in one request. */
import { type IndexId, keyAfter, reverseTime, tickRange } from '../../shared/rowKey.ts';
import type { Problem } from '../../shared/result.ts';
import { DAY, type EpochMicros, micros, MIN_MICROS } from '../../shared/time.ts';
import { decodeTick } from '../bigtable/decode.ts';
import type { Reader, Row } from '../bigtable/reader.ts';
import { horizonAt, horizonKey } from './horizon.ts';
import { type AnsweredRange, type AskedRange, dealRows } from './ranges.ts';
import type { Coverage } from './track.ts';

/** Most rows of one delta answer, the larger of both; what it cuts off is read by scan and pages. */
const [DELTA_ROWS, DELTA_ROWS_PER_RANGE] = [5_000, 50];
/** So that rows keep their bytes, and are recognised when they come again. */
const NONE: readonly Row[] = [];
const UNDECODABLE_TRIES = 5;
const UNDECODABLE_PAGE = 32;

/** Told of every request: ranges and rows are what a node pays for. */
export type Meter = (ranges: number, rows: number, elapsedMs: number, error: Problem | null) => void;

export interface ReadContext {
  readonly reader: Reader;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly meter: Meter;
}

export interface ScanRequest {
  readonly id: IndexId;
  readonly now: EpochMicros;
  readonly retentionDays: number;
  /** Start at the horizon, since the newest future row is known. */
  readonly fromHorizon: boolean;
  /** Look beyond the retention bound, in family `h`, when nothing is found before it. */
  readonly older: boolean;
}

export type ScanOutcome =
  | { readonly ok: true; readonly coverage: Coverage; /** Newest row beyond the horizon, where one was met. */ readonly future: Row | null }
  | { readonly ok: false; readonly error: Problem };

/** Event time before which family `q` is not read: garbage collection is lazy, and a scan would walk over every expired row. */
export function retentionStart(now: EpochMicros, days: number): EpochMicros {
  const start = now - BigInt(Math.round(days)) * DAY;
  return start < MIN_MICROS ? MIN_MICROS : micros(start);
}

/** The newest decodable row at or before now + 5 s, by reads limited to one row each. */
export async function scanNewest(context: ReadContext, request: ScanRequest): Promise<ScanOutcome> {
  const { id, now } = request;
  const border = horizonKey(id, horizonAt(now));
  const whole = tickRange(id);
  const bound = `${id}#${reverseTime(retentionStart(now, request.retentionDays))}$`;
  let from = request.fromHorizon ? border : whole.start;
  let future: Row | null = null;
  let older = false;
  const skipped: Row[] = [];
  let start = from;
  for (let tries = 0; tries <= UNDECODABLE_TRIES; tries += 1) {
    const limit = skipped.length === 0 ? 1 : UNDECODABLE_PAGE;
    const end = older ? whole.end : bound;
    if (start < end) {
      const outcome = await context.reader.read({ ranges: [{ start, end }], limit, deadlineMs: context.deadlineMs, signal: context.signal, families: older ? ['h'] : ['q', 'h'], known: NONE });
      context.meter(1, outcome.rows.length, outcome.elapsedMs, outcome.ok ? null : outcome.error);
      if (!outcome.ok) return outcome;
      const first = outcome.rows[0];
      if (first !== undefined && first.key < border) {
        future = first;
        from = start = border;
        continue;
      }
      const good = outcome.rows.findIndex((row) => decodeTick(row).ok);
      if (good >= 0) {
        const rows = [...skipped, ...outcome.rows.slice(0, good + 1)];
        return { ok: true, coverage: { rows, from, to: keyAfter(rows.at(-1)?.key ?? from) }, future };
      }
      skipped.push(...outcome.rows);
      const last = skipped.at(-1);
      if (last !== undefined && outcome.rows.length >= limit) {
        start = keyAfter(last.key);
        continue;
      }
    }
    if (older || !request.older) return { ok: true, coverage: { rows: skipped, from, to: end > from ? end : whole.end }, future };
    older = true;
    start = bound > from ? bound : from;
  }
  return { ok: true, coverage: { rows: skipped, from, to: keyAfter(skipped.at(-1)?.key ?? from) }, future };
}

export interface DeltaOutcome {
  readonly answered: readonly AnsweredRange[];
  readonly error: Problem | null;
}

/** One request for everything that is new in its ranges (at most MAX_RANGES, in key order). */
export async function readDelta(context: ReadContext, asked: readonly AskedRange[], limit = Math.max(DELTA_ROWS, DELTA_ROWS_PER_RANGE * asked.length)): Promise<DeltaOutcome> {
  const outcome = await context.reader.read({ ranges: asked, limit, deadlineMs: context.deadlineMs, signal: context.signal, families: ['q', 'h'], known: knownRows(asked) });
  context.meter(asked.length, outcome.rows.length, outcome.elapsedMs, outcome.ok ? null : outcome.error);
  if (outcome.ok) return { answered: dealRows(asked, outcome.rows, limit), error: null };
  return { answered: dealRows(asked, outcome.rows, Number.POSITIVE_INFINITY, outcome.scannedTo), error: outcome.error };
}

/** What the tracks hold of the rows that these ranges include, in key order. */
function knownRows(asked: readonly AskedRange[]): readonly Row[] {
  const known: Row[] = [];
  for (const { audited, part, track } of asked) {
    if (!audited || part !== 'top') continue;
    if (track.recent.size <= 1) {
      if (track.latest !== null) known.push(track.latest.row);
    } else {
      const first = known.length;
      for (const { row } of track.recent.values()) known.push(row);
      if (known.length - first > 1) known.push(...known.splice(first).sort((a, b) => (a.key < b.key ? -1 : 1)));
    }
  }
  return known;
}
