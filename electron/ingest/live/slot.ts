/** Sequences by slot: what keeps the events of several writers apart. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';

/** sequence = slot * 100000 + n */
export const SLOT_SIZE = 100_000;
/** What live writers lease. Slot 0 is history's: imports, replays and the demo write there without a lease, whatever live writers run. */
export const LIVE_SLOTS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** BAD_INPUT where n leaves its slot: the next writer's sequences begin there, so it never wraps. */
export function sequenceOf(slot: number, n: number): Result<number> {
  if (!Number.isInteger(n) || n < 0 || n >= SLOT_SIZE) {
    return failed(problem('BAD_INPUT', `${n} is no number of a tick at its microsecond: a writer has ${SLOT_SIZE} of them`, 'check the times of the source'));
  }
  return ok(slot * SLOT_SIZE + n);
}
