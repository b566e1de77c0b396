/** Which ticks of our own exports must be written: each into the row of its identity, unless that holds a tick already. */
import { failed, ok, type Problem, type Result } from '../../../shared/result.ts';
import type { Tick } from '../../../shared/quote.ts';
import { tickKey, ticksBetween } from '../../../shared/rowKey.ts';
import { decodeTick } from '../../bigtable/decode.ts';
import type { WriteRow } from '../../bigtable/reader.ts';
import type { Origin } from './ownExport.ts';
import type { TickRow } from './row.ts';
import { eachRow, type Prepared } from './storedPages.ts';
import type { WriteRows } from './writeRows.ts';

export type OwnTick = TickRow & { readonly origin: Origin };

/** What is written of one in the file; those that are kept elsewhere than they must be are written once more. */
type Known = Pick<Tick, 'price' | 'volume' | 'source'> & Partial<Pick<Tick, 'family'>>;

export const isOwn = (row: TickRow): row is OwnTick => row.origin !== undefined;

/**
 * `ticks`: of one index, by time, all that the file has of their instants. A row that says something else stays, and the tick is told: it may be
 * a correction that came after the export.
 */
export async function identityWrites(job: WriteRows, ticks: readonly OwnTick[]): Promise<Result<Prepared>> {
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (!first || !last) return ok({ rows: [], corrected: 0, newest: 0n });
  const wanted = new Set(ticks.map(keyOf));
  const known = new Map<string, Known>();
  let unreadable: Problem | null = null;
  const read = await eachRow(job, ticksBetween(first.index, first.time, last.time), ['q', 'h'], (row) => {
    const tick = decodeTick(row);
    if (!tick.ok) {
      unreadable ??= tick.error;
      return;
    }
    const key = tickKey(tick.value.index, tick.value.time, tick.value.sequence);
    if (wanted.has(key)) known.set(key, tick.value);
  });
  const trouble = read ?? unreadable;
  if (trouble) return failed(trouble);
  const rows: WriteRow[] = [];
  let conflicting = 0;
  for (const tick of ticks) {
    const key = keyOf(tick);
    const stored = known.get(key);
    if (stored !== undefined && (stored.price !== tick.price || stored.volume !== tick.volume || (stored.source ?? '') !== (tick.origin.source ?? ''))) {
      conflicting += 1;
      job.onConflict?.(tick, `another tick has its identity (price ${stored.price}, volume ${stored.volume ?? 'none'}, source ${JSON.stringify(stored.source)}) and is kept: \`frontrow ingest --delete\` takes it out`);
      continue;
    }
    if (stored !== undefined && (stored.family !== 'q' || !job.keep)) continue;
    known.set(key, { price: tick.price, volume: tick.volume, source: tick.origin.source });
    rows.push(rowOf(job, key, tick));
  }
  return ok({ rows, corrected: 0, newest: 0n, conflicting });
}

const keyOf = ({ index, time, origin }: OwnTick): string => tickKey(index, time, origin.sequence);

function rowOf({ keep }: WriteRows, key: string, { price, volume, origin: { source, ingest } }: OwnTick): WriteRow {
  const family = keep ? 'h' : 'q';
  const columns = [['p', price], ['v', volume], ['i', ingest === null ? null : ingest.toString()], ['s', source]] as const;
  return { key, cells: columns.flatMap(([qualifier, value]) => (value === null ? [] : [{ family, qualifier, value } as const])) };
}
