/** How busy each index is, measured: its recent writes, and which of the table's key ranges takes them. Where advice on shards comes from. */
import { failed, ok, type Result } from '../../../shared/result.ts';
import { type IndexId, keyAfter, tickKey, tickRange, ticksBetween } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros, SECOND } from '../../../shared/time.ts';
import { decodeTick } from '../decode.ts';
import type { Reader, ReadOutcome, Row } from '../reader.ts';
import type { Layouts } from './layouts.ts';
import { homeOf } from './places.ts';

/** Google: 14,000 rows of 1 KB a second and node (SSD); at the CPU target of 60 % that is 8,400, and half of it leaves the node its other ranges. */
export const PLACE_LIMIT = 4_200;
const PAGE_ROWS = 5_000;
const MOST_ROWS = 50_000;
const DEADLINE_MS = 20_000;
const AHEAD = 5n * SECOND;

export interface Load {
  readonly index: IndexId;
  /** Ticks counted, and over how long; the span ends with the newest tick. */
  readonly ticks: number;
  readonly spanSeconds: number;
  readonly newest: EpochMicros | null;
  readonly writesPerSecond: number;
  readonly bytesPerSecond: number;
}

/** Counts an index's ticks of the `seconds` up to its newest, at most 50,000 of them (then of a shorter span). `reader`: canonical keys. */
export async function measureLoad(reader: Reader, index: IndexId, seconds: number, now: EpochMicros, signal?: AbortSignal): Promise<Result<Load>> {
  const read = (start: string, end: string, limit: number): Promise<ReadOutcome> => reader.read({ ranges: [{ start, end }], limit, deadlineMs: DEADLINE_MS, families: ['q', 'h'], ...(signal ? { signal } : {}) });
  const nothing: Load = { index, ticks: 0, spanSeconds: seconds, newest: null, writesPerSecond: 0, bytesPerSecond: 0 };
  const first = await read(tickKey(index, micros(now + AHEAD)), tickRange(index).end, 1);
  if (!first.ok) return failed(first.error);
  const newest = timeOf(first.rows[0]);
  if (newest === null) return ok(nothing);
  const range = ticksBetween(index, micros(newest - BigInt(Math.round(seconds * 1e6)) + 1n), newest);
  let [ticks, bytes, oldest] = [0, 0, newest];
  for (let { start } = range; ;) {
    const page = await read(start, range.end, PAGE_ROWS);
    if (!page.ok) return failed(page.error);
    ticks += page.rows.length;
    for (const row of page.rows) bytes += sizeOf(row);
    oldest = timeOf(page.rows.at(-1)) ?? oldest;
    const last = page.rows.at(-1);
    if (last === undefined || page.rows.length < PAGE_ROWS) return ok(loadOf(index, newest, ticks, bytes, seconds));
    if (ticks >= MOST_ROWS) return ok(loadOf(index, newest, ticks, bytes, Math.max(1e-6, Number(newest - oldest) / 1e6)));
    start = keyAfter(last.key);
  }
}

const loadOf = (index: IndexId, newest: EpochMicros, ticks: number, bytes: number, span: number): Load => ({ index, ticks, spanSeconds: span, newest, writesPerSecond: ticks / span, bytesPerSecond: bytes / span });

function timeOf(row: Row | undefined): EpochMicros | null {
  const tick = row === undefined ? null : decodeTick(row);
  return tick?.ok ? tick.value.time : null;
}

/** As stored: the key counts with every cell of it. */
function sizeOf(row: Row): number {
  let size = 0;
  for (const [column, { value }] of row.cells) size += row.key.length + column.length + value.length + 8;
  return size;
}

export interface Share {
  readonly load: Load;
  /** Of the writes of all that were measured, 0 to 1. */
  readonly share: number;
  readonly shards: number;
  /** The key range that its newest tick lies in, as the table is split now; null at the table's ends. */
  readonly range: { readonly start: string | null; readonly end: string | null };
  /** Writes of everything measured whose newest tick lies in that range, as a share of all. */
  readonly rangeShare: number;
  /** Shards that would keep each place under PLACE_LIMIT; the present number where that is enough. */
  readonly suggested: number;
}

/** Pure. `splits`: where the table's key ranges end, sorted. `shardsOf`: how many an index has now. */
export function sharesOf(loads: readonly Load[], splits: readonly string[], layouts: Layouts, shardsOf: (index: IndexId) => number): Share[] {
  const total = loads.reduce((sum, { writesPerSecond }) => sum + writesPerSecond, 0);
  const rangeOf = (load: Load): number => splits.findIndex((split) => newestPlace(load, layouts) < split);
  const byRange = new Map<number, number>();
  for (const load of loads) byRange.set(rangeOf(load), (byRange.get(rangeOf(load)) ?? 0) + load.writesPerSecond / shardsOf(load.index));
  const of = (part: number): number => (total === 0 ? 0 : part / total);
  return loads.map((load) => {
    const [at, shards] = [rangeOf(load), shardsOf(load.index)];
    const needed = Math.min(100, Math.ceil(load.writesPerSecond / PLACE_LIMIT));
    return {
      load, share: of(load.writesPerSecond), shards, suggested: Math.max(shards, needed, 1), rangeShare: of(byRange.get(at) ?? 0),
      range: { start: (at < 0 ? splits.at(-1) : splits[at - 1]) ?? null, end: at < 0 ? null : (splits[at] ?? null) },
    };
  });
}

function newestPlace({ index, newest }: Load, layouts: Layouts): string {
  if (newest === null) return `${index}#`;
  const home = homeOf(layouts, tickKey(index, newest));
  return home.ok ? home.value : tickKey(index, newest);
}

