/** A file whose rows stand in the order in which they are written, passed on as they are read: only those of one instant are held. */
import type { CsvRecord } from './records.ts';
import { checkInstant } from './oneInstant.ts';
import type { ImportRow, RowReader } from './row.ts';
import type { Spool } from './spool.ts';

/**
 * The rows that the spool would give, in the same order, counted and rejected there. Throws where they do not rise after all: then it is another
 * file than the one that was surveyed.
 */
export async function* straight(records: AsyncIterable<readonly CsvRecord[]>, reader: RowReader, spool: Spool): AsyncGenerator<readonly ImportRow[]> {
  /** Of the latest instant: one bar, or its ticks. */
  let held: ImportRow[] = [];
  let ready: ImportRow[] = [];
  const release = (): void => {
    if (held.length > 1) held.sort(byNanos);
    ready.push(...held);
    spool.passed(held);
  };
  for await (const some of records) {
    for (const record of some) {
      const outcome = reader.read(record);
      if (outcome === null) continue;
      if (!('row' in outcome)) {
        spool.reject({ line: record.line, reason: outcome.reason });
        continue;
      }
      const { row } = outcome;
      const last = held.at(-1);
      if (last === undefined || row.time > last.time) {
        release();
        held = [row];
      } else if (row.time < last.time || row.index !== last.index) throw new Error('it was changed while it was read');
      else if (row.kind === 'bar' && last.kind === 'bar') {
        if (!spool.again(row, last)) held = [row];
      } else {
        if (row.kind === 'tick') checkInstant(held.length, row);
        held.push(row);
      }
    }
    if (ready.length > 0) yield ready;
    ready = [];
  }
  release();
  if (ready.length > 0) yield ready;
}

const nanosOf = (row: ImportRow): number => (row.kind === 'tick' ? row.nanos : 0);
/** Ticks of one microsecond; those of one nanosecond stay as the file has them. */
const byNanos = (a: ImportRow, b: ImportRow): number => nanosOf(a) - nanosOf(b);
