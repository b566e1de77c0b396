/**
 * Rows of one index of a foreign table, newest first, a bounded number at a time. Reverse keys stand in that order. Forward keys are read
 * from the end by a reverse scan; where the server does not know those (Google's emulator), by windows of time that grow and shrink until
 * one holds a readable number of rows.
 */
import type { KeyRange } from '../../../shared/rowKey.ts';
import { type Problem, problem } from '../../../shared/result.ts';
import type { Reader, ReadOutcome, ReadRequest, Row } from '../reader.ts';
import { keyAt, readKey, type TimeSpan } from './foreignKey.ts';
import { type ForeignLayout, NANOS } from './foreignLayout.ts';

/** What is left to read of a span. */
export interface OpenSpan {
  readonly span: TimeSpan;
  readonly range: KeyRange;
}

export interface ScanPage {
  /** As in the table, newest first. */
  readonly rows: readonly Row[];
  /** Nothing older is left in the range. */
  readonly whole: boolean;
  readonly error: Problem | null;
}

export interface Asking {
  /** Milliseconds left. */
  readonly left: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly families: readonly string[];
}

export type Scan = (open: OpenSpan, most: number, asking: Asking) => Promise<ScanPage>;

/** A window that held this many rows is not made smaller. */
const WINDOW_ROWS = 128;
const MOST_WINDOW_ROWS = 4_096;
/** Steps of one search: 64 halvings find any instant, as many doublings any window. */
const MAX_STEPS = 200;
const FIRST_WINDOW_SECONDS = 60n;
const MAX_REMEMBERED = 10_000;

export function createScan(reader: Reader, layout: ForeignLayout, nowMicros: () => bigint): Scan {
  let reverseScans: boolean | null = null;
  /** Written time of the newest row of a prefix: where the next search begins. */
  const newest = new Map<string, bigint>();

  const read = (range: KeyRange, limit: number, { left, signal, families }: Asking, reversed = false): Promise<ReadOutcome> => {
    const deadlineMs = left();
    if (deadlineMs <= 0) return Promise.resolve({ ok: false, error: LATE, rows: [], scannedTo: null, elapsedMs: 0 });
    const request: ReadRequest = { ranges: [range], limit, deadlineMs, families, ...(signal ? { signal } : {}), ...(reversed ? { reversed } : {}) };
    return reader.read(request);
  };

  async function backwards(open: OpenSpan, most: number, asking: Asking): Promise<ScanPage> {
    // Two rows show the order in which the server reads.
    const limit = reverseScans === null ? Math.max(2, most) : most;
    const outcome = await read(open.range, limit, asking, true);
    if (!outcome.ok) {
      // Of a server that is not known yet, these may be the oldest rows.
      if (reverseScans === true || !REFUSED.has(outcome.error.code)) return { rows: reverseScans === true ? outcome.rows : [], whole: false, error: outcome.error };
      reverseScans = false;
      return windows(open, most, asking);
    }
    const [first, second] = outcome.rows;
    if (reverseScans === null && first && second) reverseScans = first.key > second.key;
    if (reverseScans === false) return windows(open, most, asking);
    return { rows: outcome.rows, whole: outcome.rows.length < limit, error: null };
  }

  async function windows(open: OpenSpan, most: number, asking: Asking): Promise<ScanPage> {
    const rows: Row[] = [];
    const { start } = open.range;
    let { end } = open.range;
    // One past the newest time that may still hold rows.
    let to = (readKeyTime(end) ?? open.span.to) + 1n;
    let gap: bigint | null = null;
    while (rows.length < most && start < end) {
      const tail = await lastWindow(open, start, end, to, gap, Math.min(MOST_WINDOW_ROWS, Math.max(WINDOW_ROWS, most - rows.length)), asking);
      if (tail.error) return { rows, whole: false, error: tail.error };
      if (tail.rows.length === 0) return { rows, whole: true, error: null };
      for (const row of tail.rows.toReversed()) rows.push(row);
      gap = to - tail.from;
      [to, end] = [tail.from, keyAt(layout, open.span, tail.from)];
      if (end < start) end = start;
    }
    return { rows, whole: start >= end, error: null };
  }

  interface Window {
    readonly rows: readonly Row[];
    /** Written time of its beginning. */
    readonly from: bigint;
    readonly error: Problem | null;
  }

  /** The last rows of [start, end), a readable number of them: all from `from` on. None: there are none. */
  async function lastWindow({ span }: OpenSpan, start: string, end: string, to: bigint, gap: bigint | null, most: number, asking: Asking): Promise<Window> {
    let low = span.from;
    let step = gap ?? FIRST_WINDOW_SECONDS * (NANOS.s / NANOS[layout.time.unit]);
    // Where rows are known to be, once any were met.
    let met = false;
    let from = clamp(gap === null ? (newest.get(span.prefix) ?? nowWritten()) : to - step, low, to - 1n);
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      const at = keyAt(layout, span, from);
      const outcome = await read({ start: at < start ? start : at, end }, most + 1, asking);
      if (!outcome.ok) return { rows: [], from, error: outcome.error };
      const { rows } = outcome;
      if (rows.length === 0) {
        if (gap === null) newest.delete(span.prefix);
        if (from <= low) return { rows: [], from, error: null };
        [to, end] = [from, at];
        step *= 4n;
        from = met ? (low + to) / 2n : clamp(to - step, low, to - 1n);
      } else if (rows.length <= most) {
        remember(span.prefix, rows.at(-1));
        return { rows, from, error: null };
      } else if (to - from <= 1n) {
        // More rows in one instant than a window has: they can't be told apart by time.
        const all = await read({ start: at < start ? start : at, end }, 0, asking);
        return all.ok ? { rows: all.rows, from, error: null } : { rows: [], from, error: all.error };
      } else {
        met = true;
        const last = readKeyTime(rows.at(-1)?.key ?? '') ?? from;
        low = clamp(last, from, to - 1n);
        const middle = (low + to) / 2n;
        from = middle > from ? middle : from + 1n;
      }
    }
    return { rows: [], from, error: problem('INTERNAL', `the newest rows were not found in ${MAX_STEPS} reads`, 'report this with the layout file') };
  }

  function remember(prefix: string, row: Row | undefined): void {
    const time = row && readKeyTime(row.key);
    if (time === undefined || (newest.get(prefix) ?? -1n) >= time) return;
    if (newest.size >= MAX_REMEMBERED) newest.clear();
    newest.set(prefix, time);
  }

  const readKeyTime = (key: string): bigint | undefined => readKey(layout, key)?.time;
  const nowWritten = (): bigint => (nowMicros() * 1000n) / NANOS[layout.time.unit];

  return async (open, most, asking) => {
    if (layout.time.base === null && most > 0) return reverseScans === false ? windows(open, most, asking) : backwards(open, most, asking);
    const outcome = await read(open.range, most, asking);
    const rows = layout.time.base === null ? outcome.rows.toReversed() : outcome.rows;
    // Of a forward read that failed, the newest rows are what is missing.
    if (!outcome.ok) return { rows: layout.time.base === null ? [] : rows, whole: false, error: outcome.error };
    return { rows, whole: most === 0 || rows.length < most, error: null };
  };
}

const clamp = (value: bigint, low: bigint, high: bigint): bigint => (value < low ? low : value > high ? high : value);

/** What servers answer to a field or call that they refuse. */
const REFUSED: ReadonlySet<string> = new Set(['INTERNAL', 'BAD_INPUT']);
const LATE = problem('STORE_TIMEOUT', 'the parts of a read did not all come in time', 'check the store and the network to it', true);
