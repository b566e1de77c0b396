/** How many ticks of one microsecond a file may have. They are held together, to be told from those that are in the table. */
import { MAX_SEQUENCE } from '../../../shared/rowKey.ts';
import { SLOT_SIZE } from '../live/slot.ts';
import type { TickRow } from './row.ts';

/** Throws RangeError at the first for which there is no sequence, so that no more are held to say so. `held`: those of its instant before it. */
export function checkInstant(held: number, { index, line, origin }: TickRow): void {
  const most = origin === undefined ? SLOT_SIZE : MAX_SEQUENCE + 1;
  if (held >= most) throw new RangeError(`${index}: more than ${most} ticks at one microsecond (line ${line}): check the time column`);
}
