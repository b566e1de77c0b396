/** One tick against what the table holds: new, a duplicate, or a correction; its row and version time. Pure. */
import type { Problem } from '../../../shared/result.ts';
import type { EpochMicros } from '../../../shared/time.ts';
import type { WriteRow } from '../../bigtable/reader.ts';
import type { Instant } from './known.ts';
import { type LiveTick, liveRow, valuesOf } from './liveTick.ts';
import { sequenceOf } from './slot.ts';

export type Settled =
  | { readonly kind: 'new' | 'corrected'; readonly row: WriteRow; readonly sequence: number; readonly version: bigint }
  | { readonly kind: 'duplicate'; readonly sequence: number }
  | { readonly kind: 'refused'; readonly error: Problem };

export interface Settling {
  readonly slot: number;
  readonly keep: boolean;
  /** The machine's clock, whole milliseconds in microseconds. */
  readonly version: bigint;
  /** Desk time. */
  readonly ingest: EpochMicros;
}

/** Changes `instant` to what the table will hold. A correction is newer than what it corrects, whatever the clock says. */
export function settle(tick: LiveTick, instant: Instant, { slot, keep, version, ingest }: Settling): Settled {
  const n = tick.n ?? instant.next;
  const sequence = sequenceOf(slot, n);
  if (!sequence.ok) return { kind: 'refused', error: { ...sequence.error, what: `${tick.index} at ${tick.time}: ${sequence.error.what}` } };
  const held = instant.events.get(n);
  const values = valuesOf(tick);
  if (held?.values === values && (held.kept || !keep)) return { kind: 'duplicate', sequence: sequence.value };
  const kept = keep || held?.kept === true;
  const later = held !== undefined && held.version >= version ? held.version + 1000n : version;
  instant.events.set(n, { values, version: later, kept });
  if (n >= instant.next) instant.next = n + 1;
  return { kind: held ? 'corrected' : 'new', row: liveRow(tick, sequence.value, ingest, kept ? 'h' : 'q', held !== undefined), sequence: sequence.value, version: later };
}

export interface Counts {
  /** New events in the table; late ones among them. */
  readonly written: number;
  readonly duplicates: number;
  readonly corrected: number;
  /** Behind the index's watermark when they first came. */
  readonly late: number;
  /** Over 5 s ahead of the clock when they came; `waiting` are not written yet. */
  readonly quarantined: number;
  readonly waiting: number;
  /** Never written, each told: no number left, or no room among the quarantined. */
  readonly refused: number;
  readonly deleted: number;
  /** Deletions of what was not there. */
  readonly absent: number;
}
