/** How many ticks a retention would hide, index by index, without reading more of a long past than says "many". */
import { ok, type Result } from '../../shared/result.ts';
import { type IndexId, reverseTime, tickRange } from '../../shared/rowKey.ts';
import { DAY, type EpochMicros, MIN_MICROS } from '../../shared/time.ts';
import type { Reader } from '../bigtable/reader.ts';

export const MOST_COUNTED = 10_000;
const DEADLINE_MS = 20_000;

export interface Beyond {
  readonly index: IndexId;
  /** Rows of family `q` with event times before now - days; at most MOST_COUNTED. */
  readonly rows: number;
  /** There are more. */
  readonly more: boolean;
}

/** In the order of `ids`, those without any left out. `reader` bounds how many reads run at a time. */
export async function ticksBeyond(reader: Reader, ids: readonly IndexId[], days: number, now: EpochMicros, signal?: AbortSignal): Promise<Result<Beyond[]>> {
  const start = now - BigInt(days) * DAY;
  const bound = reverseTime(start < MIN_MICROS ? MIN_MICROS : start);
  const reads = await Promise.all(ids.map((id) => reader.read({
    ranges: [{ start: `${id}#${bound}$`, end: tickRange(id).end }], limit: MOST_COUNTED + 1, deadlineMs: DEADLINE_MS, families: ['q'], ...(signal ? { signal } : {}),
  })));
  const found: Beyond[] = [];
  for (const [at, read] of reads.entries()) {
    if (!read.ok) return read;
    const index = ids[at];
    if (index !== undefined && read.rows.length > 0) found.push({ index, rows: Math.min(read.rows.length, MOST_COUNTED), more: read.rows.length > MOST_COUNTED });
  }
  return ok(found);
}
