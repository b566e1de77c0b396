/** Ticks and bars of a span page by page: by key, each page with its own deadline, so that a year needs no more memory than a minute. */
import type { Clock } from '../../shared/clock.ts';
import type { Bar, Tick } from '../../shared/quote.ts';
import { barsStarting, type IndexId, keyAfter, type KeyRange, type Resolution, reverseTime, ticksBetween } from '../../shared/rowKey.ts';
import { failed, ok, type Problem, type Result } from '../../shared/result.ts';
import { DAY, type EpochMicros, HOUR, micros, MIN_MICROS, MINUTE, SECOND } from '../../shared/time.ts';
import { decodeBar, decodeTick } from './decode.ts';
import type { Family, Reader, ReadOutcome, Row } from './reader.ts';

export const PAGE_ROWS = 2_000;
/** Of a consumer that takes all: fewer requests, and still some megabytes. */
const BULK_ROWS = 8_000;
const PAGE_DEADLINE_MS = 10_000;
/** First step of a read from the oldest end; later ones adapt to what they find. */
const FIRST_STEP = HOUR;

export interface PageContext {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly retentionDays: number;
  /** Told of each row that was left out since it could not be decoded, every time it is read. */
  readonly skipped?: ((index: IndexId, key: string, why: Problem) => void) | undefined;
}

export interface TicksRequest {
  readonly index: IndexId;
  /** Both instants included. */
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  /** Most ticks of the whole answer; absent or 0: all. */
  readonly limit?: number;
  readonly order?: 'newest' | 'oldest';
  /** For a consumer that takes everything: larger pages, and the next one is under way while this one is used. Newest first and without a limit only. */
  readonly bulk?: boolean;
  readonly signal?: AbortSignal;
}

export interface BarsRequest extends TicksRequest {
  readonly resolution: Resolution;
}

const LENGTH: Readonly<Record<Resolution, bigint>> = { '1s': SECOND, '1m': MINUTE, '5m': 5n * MINUTE, '1h': HOUR, '1d': DAY };
/** Nominal length of a bar; a 1d bar's real one follows its date. */
export const lengthOf = (resolution: Resolution): bigint => LENGTH[resolution];

interface Part {
  readonly range: KeyRange;
  readonly families: readonly Family[];
}

/**
 * The parts of a range with the families to read in each: `q` ends at the retention bound by event time, since garbage collection is lazy
 * and rows beyond it may or may not be there; `h` is kept for ever.
 */
export function retainedParts(index: IndexId, range: KeyRange, now: EpochMicros, retentionDays: number): Part[] {
  const start = now - BigInt(Math.round(retentionDays)) * DAY;
  const bound = `${index}#${reverseTime(start < MIN_MICROS ? MIN_MICROS : start)}$`;
  const parts: Part[] = [];
  if (range.start < bound) parts.push({ range: { start: range.start, end: range.end < bound ? range.end : bound }, families: ['q', 'h'] });
  if (range.end > bound) parts.push({ range: { start: range.start > bound ? range.start : bound, end: range.end }, families: ['h'] });
  return parts;
}

/** Pages of what the rows mean, newest first, at most `limit` in all (0: no limit); rows that can't be decoded are told to `skipped` and don't count. Ends after a failure. */
export async function* pagesOf<T>(
  context: PageContext, index: IndexId, parts: readonly Part[], limit: number, decode: (row: Row) => Result<T>, signal?: AbortSignal, pageRows = PAGE_ROWS, ahead = false,
): AsyncGenerator<Result<T[]>> {
  let left = limit > 0 ? limit : Number.POSITIVE_INFINITY;
  const abandoned = new AbortController();
  const signals = ahead && signal ? AbortSignal.any([signal, abandoned.signal]) : ahead ? abandoned.signal : signal;
  const read = (start: string, { range, families }: Part, size: number): Promise<ReadOutcome> =>
    context.reader.read({ ranges: [{ start, end: range.end }], limit: size, deadlineMs: PAGE_DEADLINE_MS, families, ...(ahead ? { passing: true } : {}), ...(signals ? { signal: signals } : {}) });
  try {
    for (const part of parts) {
      let { start } = part.range;
      let again = 0;
      let next: Promise<ReadOutcome> | null = null;
      while (start < part.range.end && left > 0) {
        // Where a page of few rows was spent on unreadable ones, the next is larger: a run of them must not cost a request each.
        const size = Math.min(pageRows, left === Number.POSITIVE_INFINITY ? left : Math.max(left, again));
        const outcome: ReadOutcome = await (next ?? read(start, part, size));
        if (!outcome.ok) {
          yield failed(outcome.error);
          return;
        }
        const last: Row | undefined = outcome.rows.at(-1);
        const more: boolean = last !== undefined && outcome.rows.length >= size;
        if (more && last) start = keyAfter(last.key);
        next = ahead && more && left === Number.POSITIVE_INFINITY && start < part.range.end ? read(start, part, size) : null;
        const items: T[] = [];
        for (const row of outcome.rows) {
          const item = decode(row);
          if (item.ok) items.push(item.value);
          else context.skipped?.(index, row.key, item.error);
        }
        if (items.length > left) items.length = left;
        if (items.length > 0) yield ok(items);
        left -= items.length;
        if (!more) break;
        again = size * 4;
      }
    }
  } finally {
    abandoned.abort(); // where the consumer leaves early, a page may be under way
  }
}

/** Pages of ticks in the asked order. */
export const tickPages = (context: PageContext, request: TicksRequest): AsyncGenerator<Result<Tick[]>> => tickPagesAs(context, request, decodeTick);

/** Pages of what `decode` makes of the ticks' rows, in the asked order. */
export async function* tickPagesAs<T>(context: PageContext, request: TicksRequest, decode: (row: Row) => Result<T>): AsyncGenerator<Result<T[]>> {
  const { index, from, to, limit = 0, order = 'newest', bulk = false, signal } = request;
  if (from > to) return;
  const partsOf = (start: EpochMicros, end: EpochMicros): Part[] => retainedParts(index, ticksBetween(index, start, end), context.clock.now(), context.retentionDays);
  if (order === 'newest') yield* pagesOf(context, index, partsOf(from, to), limit, decode, signal, bulk ? BULK_ROWS : PAGE_ROWS, bulk);
  else yield* oldestFirst(from, to, limit, (start, end) => gather(pagesOf(context, index, partsOf(start, end), 0, decode, signal)));
}

/** Pages of bars that overlap [from, to] in the asked order. */
export async function* barPages(context: PageContext, request: BarsRequest): AsyncGenerator<Result<Bar[]>> {
  const { index, resolution, from, to, limit = 0, order = 'newest', bulk = false, signal } = request;
  if (from > to) return;
  // A bar that starts exactly one length before the span ends where it begins, and does not overlap.
  const earliest = from - lengthOf(resolution) + 1n;
  const first = earliest < MIN_MICROS ? MIN_MICROS : micros(earliest);
  const partsOf = (start: EpochMicros, end: EpochMicros): Part[] => [{ range: barsStarting(index, resolution, start, end), families: ['b', 'v'] }];
  if (order === 'newest') yield* pagesOf(context, index, partsOf(first, to), limit, decodeBar, signal, bulk ? BULK_ROWS : PAGE_ROWS, bulk);
  else yield* oldestFirst(first, to, limit, (start, end) => gather(pagesOf(context, index, partsOf(start, end), 0, decodeBar, signal)));
}

/** Keys run from new to old, so that the oldest come by reading spans from the old end, each turned around. */
async function* oldestFirst<T>(from: EpochMicros, to: EpochMicros, limit: number, readSpan: (start: EpochMicros, end: EpochMicros) => Promise<Result<T[]>>): AsyncGenerator<Result<T[]>> {
  let left = limit > 0 ? limit : Number.POSITIVE_INFINITY;
  let step = FIRST_STEP;
  for (let start: bigint = from; start <= to && left > 0;) {
    const end = start + step > to ? to : start + step - 1n;
    const span = await readSpan(micros(start), micros(end));
    if (!span.ok) {
      yield span;
      return;
    }
    const items = span.value.reverse().slice(0, left);
    if (items.length > 0) yield ok(items);
    left -= items.length;
    start = end + 1n;
    if (span.value.length < PAGE_ROWS / 4) step *= 4n;
    else if (span.value.length > PAGE_ROWS * 2) step = step / 2n > SECOND ? step / 2n : SECOND;
  }
}

/** All items of a bounded read. */
export async function gather<T>(pages: AsyncIterable<Result<readonly T[]>>): Promise<Result<T[]>> {
  const all: T[] = [];
  for await (const page of pages) {
    if (!page.ok) return page;
    for (const item of page.value) all.push(item);
  }
  return ok(all);
}
