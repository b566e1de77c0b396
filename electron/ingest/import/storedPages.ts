/** What the table holds of a range, read before something is written into it. */
import type { Problem } from '../../../shared/result.ts';
import { keyAfter, type KeyRange } from '../../../shared/rowKey.ts';
import type { Family, Reader, Row, WriteRow } from '../../bigtable/reader.ts';

const PAGE = 5000;
const DEADLINE = 20_000;

/** What of some rows of a file must be written. */
export interface Prepared {
  readonly rows: readonly WriteRow[];
  readonly corrected: number;
  /** Newest version time of the cells that are replaced. */
  readonly newest: bigint;
  /** Ticks that are not written, since their rows hold others; left out: none. */
  readonly conflicting?: number;
}

/** Page by page, so that a dense stretch of the table is never held whole. The problem that ended it, or null. */
export async function eachRow(job: { readonly reader: Reader; readonly signal?: AbortSignal }, range: KeyRange, families: readonly Family[], take: (row: Row) => void): Promise<Problem | null> {
  let { start } = range;
  for (;;) {
    const read = await job.reader.read({ ranges: [{ start, end: range.end }], limit: PAGE, deadlineMs: DEADLINE, families, passing: true, ...(job.signal ? { signal: job.signal } : {}) });
    if (!read.ok) return read.error;
    for (const row of read.rows) take(row);
    const last = read.rows.at(-1);
    if (!last || read.rows.length < PAGE) return null;
    start = keyAfter(last.key);
    if (start >= range.end) return null;
  }
}
