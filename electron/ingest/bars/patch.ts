/**
 * The bars that a short span touches: its minutes from their ticks, longer bars from those and from the stored own minutes around them,
 * which is exact since every bar holds whole minutes. Tells the differences and writes nothing.
 */
import { alignedStart, barLength, createMinuteFold, joinParts, type MadeBar, MADE_RESOLUTIONS, type MinutePart } from '../../../shared/bars.ts';
import type { IndexInfo } from '../../../shared/quote.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { sessionDaysOver } from '../../../shared/sessionDay.ts';
import { type EpochMicros, MAX_MICROS, micros, MIN_MICROS, MINUTE } from '../../../shared/time.ts';
import { type PageContext, tickPages } from '../../bigtable/pages.ts';
import { extentOf, partOf, type StoredBar } from './barRow.ts';
import { barRanges, type Comparison, createComparison, eachStored, retainedFrom } from './compare.ts';
import { horizonOf } from './remake.ts';

export interface Patch extends Comparison {
  readonly ticks: number;
  readonly outside: number;
  /** Start of the newest minute with a tick; null without any. */
  readonly newest: EpochMicros | null;
  /** What the ticks of the span say: the same again means that nothing changed. */
  readonly print: string;
}

export interface PatchSpan {
  /** Both grow to whole minutes. */
  readonly from: EpochMicros;
  /** Null: up to now. */
  readonly to: EpochMicros | null;
}

const inside = (time: bigint): EpochMicros => micros(time < MIN_MICROS ? MIN_MICROS : time > MAX_MICROS ? MAX_MICROS : time);
const ceiling = (time: bigint, length: bigint): bigint => alignedStart(time + length - 1n, length);

/** `before`: the print of the last patch; where it comes out again, no stored row is read and there are no differences. */
export async function patch(context: PageContext, info: IndexInfo, span: PatchSpan, before: string | null = null, signal?: AbortSignal): Promise<Result<Patch>> {
  const horizon = horizonOf(context);
  const openEnd = span.to === null || span.to >= horizon;
  let from = inside(alignedStart(span.from, MINUTE));
  let to = openEnd || span.to === null ? horizon : inside(ceiling(span.to, MINUTE));
  const days = from < to ? sessionDaysOver(info, from, to) : [];
  for (const day of days) {
    // Under zones of odd seconds, long ago, a day cuts minutes: then it is made of its ticks alone.
    if (day.from % MINUTE !== 0n && inside(alignedStart(day.from, MINUTE)) < from) from = inside(alignedStart(day.from, MINUTE));
    if (day.to % MINUTE !== 0n && day.to > to && !openEnd) to = inside(ceiling(day.to, MINUTE));
  }

  const fold = createMinuteFold(info);
  let ticks = 0;
  for await (const page of tickPages(context, { index: info.id, from, to: micros(to - 1n), ...(signal ? { signal } : {}) })) {
    if (!page.ok) return page;
    ticks += page.value.length;
    for (const tick of page.value) fold.add(tick);
  }
  const parts = fold.take().reverse();
  let outside = 0;
  for (const part of parts) if (part.date === null) outside += part.ticks;
  const print = `${from} ${parts.map((part) => Object.values(part).join(' ')).join(',')}`;
  const found = { ticks, outside, newest: parts.at(-1)?.start ?? null, print };
  if (print === before) return ok({ ...found, ...createComparison(info, horizon, [], () => false).end() });

  const hour = barLength('1h');
  let [low, high] = [alignedStart(from, hour), ceiling(to, hour)];
  for (const day of days) {
    if (day.from < low) low = day.from;
    if (day.to > high) high = day.to;
  }
  const stored: StoredBar[] = [];
  const read = await eachStored(context, info, barRanges(info, low, high), (bar) => void stored.push(bar), signal);
  if (!read.ok) return read;
  const around = stored.filter((bar) => bar.resolution === '1m' && (bar.start < from || bar.start >= to)).flatMap((bar) => partOf(info, bar) ?? []);
  const all: MinutePart[] = [...around, ...parts].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const touched = (extent: { readonly from: EpochMicros; readonly to: EpochMicros }): boolean => extent.from < to && extent.to > from && extent.from >= low && (openEnd || extent.to <= high);
  const made: MadeBar[] = [
    ...joinParts(info, parts, '1m'),
    ...MADE_RESOLUTIONS.filter((resolution) => resolution !== '1m').flatMap((resolution) => joinParts(info, all, resolution).filter((bar) => touched(extentOf(info, bar)))),
  ];
  const comparison = createComparison(info, retainedFrom(context), made, (_, start, end) => touched({ from: start, to: end }));
  for (const bar of stored) comparison.stored(bar);
  return ok({ ...found, ...comparison.end() });
}
