/** What makes a row that was read again another one. */
import type { Tick } from '../../shared/quote.ts';
import type { Row } from '../bigtable/reader.ts';

/** Version time of the price, which only its writer's clock sets. */
export const writtenAt = (row: Row): bigint => (row.cells.get('q:p') ?? row.cells.get('h:p'))?.version ?? 0n;

/** Same bytes at the same version time in every column: nothing was written since. */
export function sameCells(a: Row, b: Row): boolean {
  if (a === b) return true;
  if (a.cells.size !== b.cells.size) return false;
  for (const [column, cell] of a.cells) {
    const other = b.cells.get(column);
    if (other === undefined || other.version !== cell.version || !other.value.equals(cell.value)) return false;
  }
  return true;
}

/** Ingest time and source may differ when a producer sends an event again: that is a duplicate, not a correction. */
export const sameValues = (a: Tick, b: Tick): boolean => a.price === b.price && a.volume === b.volume && a.bid === b.bid && a.ask === b.ask;
