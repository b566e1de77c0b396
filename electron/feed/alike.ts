/** What makes a row that was read again another one. */
import type { Tick } from '../../shared/quote.ts';
import type { Row } from '../bigtable/reader.ts';

/** Version time of the price, which only its writer's clock sets. */
export function writtenAt({ cells }: Row): bigint {
  return (cells.get('q:p') ?? cells.get('h:p'))?.version ?? 0n;
}

/** Same bytes at the same version time in every column: nothing was written since. */
export function sameCells(a: Row, b: Row): boolean {
  if (a === b || (a.wire !== undefined && a.wire === b.wire)) return true;
  const [ours, theirs] = [a.cells, b.cells];
  if (ours.size !== theirs.size) return false;
  for (const [column, cell] of ours) {
    const other = theirs.get(column);
    if (other === undefined || other.version !== cell.version || !other.value.equals(cell.value)) return false;
  }
  return true;
}

/** Ingest time and source may differ when a producer sends an event again: that is a duplicate, not a correction. */
export const sameValues = (a: Tick, b: Tick): boolean => a.price === b.price && a.volume === b.volume && a.bid === b.bid && a.ask === b.ask;
