/** Instants at which the table holds prices of an index: the next and the one before, the first and the last. Reads only, few rows each. */
import type { StoredRange } from '../../shared/channels.ts';
import type { Clock } from '../../shared/clock.ts';
import { ok, type Problem, type Result } from '../../shared/result.ts';
import { barRange, decodeKey, type IndexId, type KeyRange, reverseTime, tickRange } from '../../shared/rowKey.ts';
import { DAY, type EpochMicros, micros, MIN_MICROS, MINUTE } from '../../shared/time.ts';
import { gather, lengthOf, tickPages } from '../bigtable/pages.ts';
import type { Reader } from '../bigtable/reader.ts';

const DEADLINE_MS = 10_000;
/** How far a step looks for a tick: past a long weekend, then past a longer silence. */
const SPANS = [2n * MINUTE, 4n * DAY, 30n * DAY] as const;
const KINDS = ['1m', '5m', '1h', '1d'] as const;

export interface StoredTimes {
  /** Null: none within 30 days, or none before `until`. */
  tickAfter(id: IndexId, time: EpochMicros, until: EpochMicros): Promise<Result<EpochMicros | null>>;
  tickBefore(id: IndexId, time: EpochMicros): Promise<Result<EpochMicros | null>>;
  /** Of ticks and bars, up to `until`. */
  range(id: IndexId, until: EpochMicros): Promise<Result<StoredRange | null>>;
}

/** `ticksAt(border)`: a reader for which bars are ticks, where an index has only these, up to that instant. */
export function storedTimes({ reader, ticksAt, clock, retentionDays }: {
  readonly reader: Reader; readonly ticksAt: (border: EpochMicros) => Reader; readonly clock: Clock; readonly retentionDays: number;
}): StoredTimes {
  async function first(range: KeyRange, reversed = false): Promise<Result<EpochMicros | null>> {
    const outcome = await reader.read({ ranges: [range], limit: 1, deadlineMs: DEADLINE_MS, ...(reversed ? { reversed } : {}) });
    if (!outcome.ok) return outcome;
    const key = decodeKey(outcome.rows[0]?.key ?? '');
    return ok(key && 'time' in key ? key.time : null);
  }

  /** Backwards where the table can; else by halving how far back there is a row: to a day. */
  async function oldest(range: KeyRange, prefix: string, newest: EpochMicros): Promise<Result<EpochMicros>> {
    const last = await first(range, true);
    // A server that does not know reverse scans gives the newest again.
    if (last.ok && last.value !== null && last.value !== newest) return ok(last.value);
    const older = (days: bigint): Promise<Result<EpochMicros | null>> => first({ start: `${prefix}${reverseTime(newest - days * DAY < MIN_MICROS ? MIN_MICROS : newest - days * DAY)}`, end: range.end });
    let [there, gone] = [0n, 36_525n];
    let found = newest;
    while (gone - there > 1n) {
      const middle = (there + gone) / 2n;
      const row = await older(middle);
      if (!row.ok) return row;
      if (row.value === null) gone = middle;
      else [there, found] = [middle, row.value];
    }
    return ok(found);
  }

  return {
    async tickAfter(id, time, until) {
      for (const span of SPANS) {
        const to = time + span > until ? until : micros(time + span);
        const ticks = await gather(tickPages({ reader: ticksAt(to), clock, retentionDays }, { index: id, from: micros(time + 1n), to, limit: 1, order: 'oldest' }));
        if (!ticks.ok) return ticks;
        const [tick] = ticks.value;
        if (tick) return ok(tick.time);
        if (to === until) break;
      }
      return ok(null);
    },
    async tickBefore(id, time) {
      const to = micros(time - 1n);
      const ticks = await gather(tickPages({ reader: ticksAt(to), clock, retentionDays }, { index: id, from: micros(to - (SPANS.at(-1) ?? DAY)), to, limit: 1 }));
      return ticks.ok ? ok(ticks.value[0]?.time ?? null) : ticks;
    },
    async range(id, until) {
      let [from, to]: [EpochMicros | null, EpochMicros | null] = [null, null];
      const kinds = [{ whole: tickRange(id), prefix: `${id}#`, length: 0n }, ...KINDS.map((kind) => ({ whole: barRange(id, kind), prefix: `${id}@${kind}#`, length: lengthOf(kind) }))];
      const found = await Promise.all(kinds.map(async ({ whole, prefix, length }): Promise<Result<readonly [EpochMicros, EpochMicros] | null, Problem>> => {
        const range = { start: `${prefix}${reverseTime(until)}`, end: whole.end };
        const newest = await first(range);
        if (!newest.ok || newest.value === null) return newest.ok ? ok(null) : newest;
        const oldestOne = await oldest(range, prefix, newest.value);
        return oldestOne.ok ? ok([oldestOne.value, micros(newest.value + length)]) : oldestOne;
      }));
      for (const [at, one] of found.entries()) {
        if (!one.ok) return one;
        // A day's bar is no price of an instant: only where there is nothing else.
        if (one.value === null || (kinds[at]?.length === DAY && from !== null)) continue;
        const [first_, last] = one.value;
        if (from === null || first_ < from) from = first_;
        if (to === null || last > to) to = last;
      }
      if (from === null || to === null) return ok(null);
      return ok({ fromMicros: String(from), toMicros: String(to > until ? until : to) });
    },
  };
}
