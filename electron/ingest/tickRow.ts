/** Ticks and daily bars as rows to write, and the machine's clock as their version time. */
import type { Decimal } from '../../shared/decimal.ts';
import { barKey, type IndexId, tickKey } from '../../shared/rowKey.ts';
import type { EpochMicros } from '../../shared/time.ts';
import type { WriteRow } from '../bigtable/reader.ts';
import { SLOT_SIZE } from './live/slot.ts';
import type { SourceTick } from './minuteTicks.ts';

/** Kept ticks go to `h`: a replayed day lies behind every retention; in history's slot, 0. `ingest` is the desk clock's time. Throws RangeError on overflow of n. */
export function tickRow(tick: SourceTick, source: string, ingest: EpochMicros): WriteRow {
  if (tick.sequence >= SLOT_SIZE) throw new RangeError(`${tick.index}: more than ${SLOT_SIZE} ticks at one microsecond`);
  return {
    key: tickKey(tick.index, tick.time, tick.sequence),
    cells: [
      { family: 'h', qualifier: 'p', value: tick.price },
      { family: 'h', qualifier: 'i', value: ingest.toString() },
      { family: 'h', qualifier: 's', value: source },
    ],
  };
}

export interface DailyBar {
  readonly index: IndexId;
  /** First instant of the session date in the exchange's zone. */
  readonly start: EpochMicros;
  readonly date: string;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  /** The exchange's official close; null for a bar that was made from minutes. */
  readonly officialClose: Decimal | null;
  /** Minutes that it was made from; null for a vendor's. */
  readonly ticks: number | null;
}

/** A vendor's day goes to `v`, one made from minutes to `b`: readers say which. */
export function dailyRow(bar: DailyBar): WriteRow {
  const family = bar.officialClose === null ? 'b' : 'v';
  const columns = { o: bar.open, h: bar.high, l: bar.low, c: bar.close, d: bar.date, oc: bar.officialClose, k: bar.ticks?.toString() ?? null };
  return {
    key: barKey(bar.index, '1d', bar.start),
    cells: Object.entries(columns).flatMap(([qualifier, value]) => (value === null ? [] : [{ family, qualifier, value } as const])),
  };
}

/** Version times in microseconds, whole milliseconds: the machine's clock, one millisecond apart at least, so that a rewritten identity is always newer. */
export function versionTimes(machineMillis: () => number): () => bigint {
  let last = 0n;
  return () => {
    const now = BigInt(Math.floor(machineMillis())) * 1000n;
    last = now > last ? now : last + 1000n;
    return last;
  };
}
