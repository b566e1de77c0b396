/** Newest daily bars of many indices in few requests: what their changes are measured from. */
import type { Bar } from '../../shared/quote.ts';
import { barRange, barsStarting, type IndexId, indexIdOf, reverseTime } from '../../shared/rowKey.ts';
import type { Problem } from '../../shared/result.ts';
import { DAY, type EpochMicros, micros, MIN_MICROS } from '../../shared/time.ts';
import { decodeBar } from '../bigtable/decode.ts';
import type { Reader, Row } from '../bigtable/reader.ts';

/** Longer than any run of holidays: where these days hold a bar, it is the newest. */
const RECENT_DAYS = 15n;
const PER_REQUEST = 100;
const OLDER_BARS = 3;

export interface DailyBars {
  readonly bars: ReadonlyMap<IndexId, readonly Bar[]>;
  /** Rows that are no bars, to be counted. */
  readonly undecodable: readonly { readonly index: IndexId; readonly key: string }[];
  readonly error: Problem | null;
}

/** Newest first, of about two weeks; for an index without any, its newest ones before. `older` false saves that second, single read. */
export async function readDailyBars(reader: Reader, ids: readonly IndexId[], now: EpochMicros, deadlineMs: number, older: boolean, signal?: AbortSignal): Promise<DailyBars> {
  const bars = new Map<IndexId, Bar[]>();
  const undecodable: { index: IndexId; key: string }[] = [];
  const options = { deadlineMs, families: ['b', 'v'] as const, ...(signal ? { signal } : {}) };
  const sorted = [...ids].sort();
  const from = now - RECENT_DAYS * DAY;
  for (let at = 0; at < sorted.length; at += PER_REQUEST) {
    const some = sorted.slice(at, at + PER_REQUEST);
    const outcome = await reader.read({ ranges: some.map((id) => barsStarting(id, '1d', from < MIN_MICROS ? MIN_MICROS : micros(from), now)), ...options });
    if (!outcome.ok) return { bars, undecodable, error: outcome.error };
    for (const id of some) bars.set(id, []);
    collect(outcome.rows);
  }
  if (!older) return { bars, undecodable, error: null };
  for (const [id, found] of bars) {
    if (found.length > 0) continue;
    const outcome = await reader.read({ ranges: [{ start: `${id}@1d#${reverseTime(now)}`, end: barRange(id, '1d').end }], limit: OLDER_BARS, ...options });
    if (!outcome.ok) return { bars, undecodable, error: outcome.error };
    collect(outcome.rows);
  }
  return { bars, undecodable, error: null };

  function collect(rows: readonly Row[]): void {
    for (const row of rows) {
      const bar = decodeBar(row);
      if (bar.ok) bars.get(bar.value.index)?.push(bar.value);
      else undecodable.push({ index: indexIdOf(row.key.slice(0, row.key.indexOf('@'))), key: row.key });
    }
  }
}
