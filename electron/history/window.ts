/**
 * All that many indices printed in one span, merged newest first: for an incident, when the question is what happened first and where. One
 * range read per index and page, a heap over their heads; memory is bounded by pages that get smaller as indices get more.
 */
import type { Tick } from '../../shared/quote.ts';
import { failed, ok, type Problem, type Result } from '../../shared/result.ts';
import { type IndexId, ticksBetween } from '../../shared/rowKey.ts';
import type { EpochMicros } from '../../shared/time.ts';
import { decodeTick } from '../bigtable/decode.ts';
import { type PageContext, pagesOf, retainedParts } from '../bigtable/pages.ts';

export const READS_IN_FLIGHT = 16;
/** Ticks that wait in memory, over all indices. */
const MOST_WAITING = 200_000;
const [LEAST_PAGE, MOST_PAGE] = [16, 2_000];
const OUT_ROWS = 1_000;

export interface WindowRequest {
  /** Each once. */
  readonly indices: readonly IndexId[];
  /** Both instants included. */
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  readonly signal?: AbortSignal;
}

/**
 * Pages of ticks by time, newest first; of one instant by index, then by sequence, highest first: the order is the same each time, though
 * nothing says what came first within a microsecond. Ends after a failure. Reads run side by side: `context.reader` bounds how many
 * (`meteredReader`). Each index ends at the retention bound as its history does, at the context's clock when the first page is asked for.
 */
export async function* windowTicks(context: PageContext, { indices, from, to, signal }: WindowRequest): AsyncGenerator<Result<readonly Tick[]>> {
  if (from > to) return;
  const abandoned = new AbortController();
  const both = signal ? AbortSignal.any([signal, abandoned.signal]) : abandoned.signal;
  const now = context.clock.now();
  // A page in use and the next one
  const pageRows = Math.max(LEAST_PAGE, Math.min(MOST_PAGE, Math.floor(MOST_WAITING / 2 / Math.max(1, indices.length))));
  const lanes = indices.map((id) => createLane(id, pagesOf(context, id, retainedParts(id, ticksBetween(id, from, to), now, context.retentionDays), 0, decodeTick, both, pageRows)));
  try {
    const broken = (await Promise.all(lanes.map((lane) => lane.fill()))).find((error) => error !== null);
    if (broken) return yield failed(broken);
    const heap = lanes.filter((lane) => lane.head !== null).sort(byHead);
    let out: Tick[] = [];
    for (let lane = heap[0]; lane !== undefined; lane = heap[0]) {
      if (lane.head !== null) out.push(lane.head);
      if (out.length === OUT_ROWS) {
        yield ok(out);
        out = [];
      }
      if (!lane.step()) {
        const error = await lane.fill();
        if (error) {
          if (out.length > 0) yield ok(out);
          return yield failed(error);
        }
      }
      if (lane.head === null) {
        const last = heap.pop();
        if (last !== undefined && last !== lane) heap[0] = last;
      }
      sink(heap);
    }
    if (out.length > 0) yield ok(out);
  } finally {
    abandoned.abort();
  }
}

interface Lane {
  readonly id: IndexId;
  /** Null before the first page and after the last. */
  readonly head: Tick | null;
  /** To the next tick of the page; false where it has none. */
  step(): boolean;
  /** Takes the next page, which has been under way, and starts the one after it. */
  fill(): Promise<Problem | null>;
}

function createLane(id: IndexId, pages: AsyncGenerator<Result<Tick[]>>): Lane {
  let page: readonly Tick[] = [];
  let at = 0;
  let next: Promise<IteratorResult<Result<Tick[]>, unknown>> | null = null;
  return {
    id,
    get head() {
      return page[at] ?? null;
    },
    step: () => (at += 1) < page.length,
    async fill() {
      const found = await (next ?? pages.next());
      next = null;
      [page, at] = [[], 0];
      if (found.done === true) return null;
      if (!found.value.ok) return found.value.error;
      page = found.value.value;
      next = pages.next();
      return null;
    },
  };
}

/** Heads of lanes in the heap are never null. */
function byHead(a: Lane, b: Lane): number {
  const [x, y] = [a.head?.time ?? 0n, b.head?.time ?? 0n];
  return x > y ? -1 : x < y ? 1 : a.id < b.id ? -1 : 1;
}

/** The first lane to its place: each is before the two at 2i+1 and 2i+2. */
function sink(heap: Lane[]): void {
  const lane = heap[0];
  if (lane === undefined) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    if (left === undefined) break;
    const [child, position] = right !== undefined && byHead(right, left) < 0 ? [right, 2 * at + 2] : [left, 2 * at + 1];
    if (byHead(lane, child) <= 0) break;
    heap[at] = child;
    heap[position] = lane;
    at = position;
  }
}
