/** Bars that the ticks make against those that are stored: what must be written, and what must stay. */
import { type MadeBar, MADE_RESOLUTIONS, type MadeResolution } from '../../../shared/bars.ts';
import type { IndexInfo } from '../../../shared/quote.ts';
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import { barKey, barsStarting, keyAfter, type KeyRange } from '../../../shared/rowKey.ts';
import { DAY, type EpochMicros, MAX_MICROS, micros, MIN_MICROS } from '../../../shared/time.ts';
import { PAGE_ROWS, type PageContext } from '../../bigtable/pages.ts';
import { type Difference, difference, extentOf, extentOfStored, isFrozen, type StoredBar, storedBar } from './barRow.ts';

const DEADLINE_MS = 10_000;

export interface Tally {
  /** Bars that hold ticks. */
  bars: number;
  made: number;
  changed: number;
  erased: number;
  /** Bars that stay as they are, though the ticks that are left say otherwise, and those ticks. */
  frozen: number;
  frozenTicks: number;
}

export type Tallies = Readonly<Record<MadeResolution, Tally>>;

const noTally = (): Tally => ({ bars: 0, made: 0, changed: 0, erased: 0, frozen: 0, frozenTicks: 0 });
export const noTallies = (): Tallies => ({ '1m': noTally(), '5m': noTally(), '1h': noTally(), '1d': noTally() });

export interface Comparison {
  readonly differences: readonly Difference[];
  readonly tallies: Tallies;
}

/** First instant whose ticks are all still there. */
export function retainedFrom({ clock, retentionDays }: Pick<PageContext, 'clock' | 'retentionDays'>): EpochMicros {
  const start = clock.now() - BigInt(Math.round(retentionDays)) * DAY;
  return micros(start < MIN_MICROS ? MIN_MICROS : start);
}

/** The ranges of an index's bars that start in [from, to). */
export function barRanges(info: IndexInfo, from: bigint, to: bigint): KeyRange[] {
  const inside = (time: bigint): EpochMicros => micros(time < MIN_MICROS ? MIN_MICROS : time > MAX_MICROS ? MAX_MICROS : time);
  // in key order: 1d 1h 1m 5m; a day starts up to a date before its first tick
  return (['1d', '1h', '1m', '5m'] as const).map((resolution) => barsStarting(info.id, resolution, inside(resolution === '1d' ? from - 2n * DAY : from), inside(to - 1n)));
}

/** Stored own bars of ranges in key order, row by row, however many there are; a request for all ranges and each further page. */
export async function eachStored({ reader, skipped }: PageContext, info: IndexInfo, ranges: readonly KeyRange[], take: (bar: StoredBar) => void, signal?: AbortSignal): Promise<Result<null>> {
  let left = ranges.filter(({ start, end }) => start < end);
  while (left.length > 0) {
    const read = await reader.read({ ranges: left, limit: PAGE_ROWS, deadlineMs: DEADLINE_MS, families: ['b'], ...(signal ? { signal } : {}) });
    if (!read.ok) return failed(read.error);
    for (const row of read.rows) {
      const bar = storedBar(row);
      if (bar) take(bar);
      else skipped?.(info.id, row.key, problem('BAD_DATA', `row key ${JSON.stringify(row.key.slice(0, 80))} is not the key of a bar`, 'delete that row'));
    }
    const last = read.rows.at(-1);
    if (!last || read.rows.length < PAGE_ROWS) return ok(null);
    const next = keyAfter(last.key);
    left = left.flatMap(({ start, end }) => (end <= next ? [] : [{ start: start < next ? next : start, end }]));
  }
  return ok(null);
}

/** Compares what was made with the stored rows as they come. `covers`: the bars whose ticks are all known, stored ones without ticks among them. */
export function createComparison(info: IndexInfo, retained: EpochMicros, made: readonly MadeBar[], covers: (resolution: MadeResolution, from: EpochMicros, to: EpochMicros) => boolean): { readonly stored: (bar: StoredBar) => void; readonly end: () => Comparison } {
  const wanted = new Map(made.map((bar) => [barKey(info.id, bar.resolution, bar.start), bar]));
  const tallies = noTallies();
  const differences: Difference[] = [];
  for (const bar of made) tallies[bar.resolution].bars += 1;

  function judge(stored: StoredBar | undefined, bar: MadeBar | undefined, resolution: MadeResolution, from: EpochMicros): void {
    const found = difference(info.id, info, stored, bar);
    if (found === null) return;
    if (!isFrozen(from, retained, stored, bar)) {
      differences.push(found);
      tallies[resolution][found.kind] += 1;
    } else if (bar) {
      tallies[resolution].frozen += 1;
      tallies[resolution].frozenTicks += bar.ticks;
    }
  }

  return {
    stored(bar) {
      const { from, to } = extentOfStored(info, bar);
      const match = wanted.get(bar.key);
      if (match === undefined && !covers(bar.resolution, from, to)) return;
      wanted.delete(bar.key);
      judge(bar, match, bar.resolution, from);
    },
    end() {
      for (const bar of wanted.values()) judge(undefined, bar, bar.resolution, extentOf(info, bar).from);
      wanted.clear();
      return { differences, tallies };
    },
  };
}

/** Adds what one comparison found to the figures of a run. */
export function addTallies(into: Tallies, more: Tallies): void {
  for (const resolution of MADE_RESOLUTIONS) {
    const [a, b] = [into[resolution], more[resolution]];
    for (const name of Object.keys(a) as (keyof Tally)[]) a[name] += b[name];
  }
}
