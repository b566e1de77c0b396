/** Which bars of a file must be written: a bar replaces the one of its start and period where the table says something else. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import { barKey, barsStarting } from '../../../shared/rowKey.ts';
import type { Row, WriteRow } from '../../bigtable/reader.ts';
import type { BarRow } from './row.ts';
import { eachRow, type Prepared } from './storedPages.ts';
import type { WriteRows } from './writeRows.ts';

/** `bars`: of one index and period, by time. */
export async function barWrites(job: WriteRows, bars: readonly BarRow[]): Promise<Result<Prepared>> {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return ok({ rows: [], corrected: 0, newest: 0n });
  if (first.period === null) return failed(problem('BAD_INPUT', 'how long a bar of this file is can not be told', 'give --period'));
  const stored = new Map<string, Row>();
  const read = await eachRow(job, barsStarting(first.index, first.period, first.time, last.time), ['v'], (row) => { stored.set(row.key, row); });
  if (read) return failed(read);
  const rows: WriteRow[] = [];
  let [corrected, newest] = [0, 0n];
  for (const bar of bars) {
    const row = barWrite(bar, first.period, job.officialCloses);
    const old = stored.get(row.key);
    if (old && row.cells.every(({ qualifier, value }) => old.cells.get(`v:${qualifier}`)?.value.toString('utf8') === value)) continue;
    if (old && old.cells.size > 0) {
      corrected += 1;
      for (const cell of old.cells.values()) if (cell.version > newest) newest = cell.version;
    }
    rows.push(row);
  }
  return ok({ rows, corrected, newest });
}

function barWrite(bar: BarRow, period: NonNullable<BarRow['period']>, official: boolean): WriteRow {
  const cells: WriteRow['cells'][number][] = [vendor('o', bar.open), vendor('h', bar.high), vendor('l', bar.low), vendor('c', bar.close)];
  if (bar.volume !== null) cells.push(vendor('v', bar.volume));
  if (bar.sessionDate !== null) cells.push(vendor('d', bar.sessionDate));
  if (official && period === '1d') cells.push(vendor('oc', bar.close));
  return { key: barKey(bar.index, period, bar.time), cells };
}

const vendor = (qualifier: string, value: string) => ({ family: 'v', qualifier, value }) as const;
