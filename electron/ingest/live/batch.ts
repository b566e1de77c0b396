/** A batch of ticks, in the order they came, to rows by version time. Pure over what is known. */
import type { Problem } from '../../../shared/result.ts';
import type { IndexId } from '../../../shared/rowKey.ts';
import type { WriteRow } from '../../bigtable/reader.ts';
import type { Instant, Known } from './known.ts';
import type { LatestTick } from './latestState.ts';
import type { LiveTick } from './liveTick.ts';
import { settle, type Settling } from './settle.ts';
import type { Watermarks } from './watermarks.ts';

export interface Accepted {
  readonly tick: LiveTick;
  /** It came behind its index's watermark. */
  readonly behind: boolean;
}

export interface Batch {
  /** An identity is once only among the rows of one version. */
  readonly rows: ReadonlyMap<bigint, readonly WriteRow[]>;
  /** The newest of each index. */
  readonly newest: readonly { readonly tick: LatestTick; readonly version: bigint }[];
  /** To be held while the rows are under way. */
  readonly touched: readonly Instant[];
  readonly refused: readonly { readonly tick: LiveTick; readonly error: Problem }[];
  readonly count: { readonly written: number; readonly corrected: number; readonly late: number; readonly duplicates: number };
}

/** Every instant of the batch must be known. Throws RangeError where one is not: its caller reads before. */
export function settleBatch(accepted: readonly Accepted[], known: Known, watermarks: Watermarks, at: Settling): Batch {
  const rows = new Map<bigint, WriteRow[]>();
  const newest = new Map<IndexId, { tick: LatestTick; version: bigint }>();
  const touched: Instant[] = [];
  const refused: { tick: LiveTick; error: Problem }[] = [];
  const count = { written: 0, corrected: 0, late: 0, duplicates: 0 };
  for (const { tick, behind } of accepted) {
    const { index, time, price, source } = tick;
    const instant = known.instant(index, time);
    if (!instant) throw new RangeError(`${index} at ${time} was not read before writing`);
    const settled = settle(tick, instant, at);
    if (settled.kind === 'refused') {
      refused.push({ tick, error: settled.error });
      continue;
    }
    if (settled.kind === 'duplicate') {
      count.duplicates += 1;
      continue;
    }
    if (settled.kind === 'corrected') count.corrected += 1;
    else {
      count.written += 1;
      if (behind || watermarks.behindStart(index, time)) count.late += 1;
    }
    const group = rows.get(settled.version);
    if (group) group.push(settled.row);
    else rows.set(settled.version, [settled.row]);
    touched.push(instant);
    const other = newest.get(index);
    if (!other || time > other.tick.time || (time === other.tick.time && settled.sequence >= other.tick.sequence)) {
      newest.set(index, { tick: { index, time, sequence: settled.sequence, price, source, ingest: at.ingest }, version: settled.version });
    }
  }
  return { rows, newest: [...newest.values()], touched, refused, count };
}
