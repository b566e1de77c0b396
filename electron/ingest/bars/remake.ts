/**
 * Every bar of a span again from its ticks: one scan, newest first, compared with what is stored whenever a UTC day is behind it. Tells the
 * differences and writes nothing. Memory: the minutes of about a session.
 */
import { createMinuteFold, joinParts, type MinutePart } from '../../../shared/bars.ts';
import type { IndexInfo } from '../../../shared/quote.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { sessionDay, sessionDayAt } from '../../../shared/sessionDay.ts';
import { FUTURE_LIMIT_MS } from '../../../shared/state.ts';
import { DAY, type EpochMicros, floorDiv, MAX_MICROS, micros, MIN_MICROS } from '../../../shared/time.ts';
import { type PageContext, tickPages } from '../../bigtable/pages.ts';
import { extentOf } from './barRow.ts';
import { barRanges, type Comparison, createComparison, eachStored, retainedFrom } from './compare.ts';

export interface Span {
  /** Null: from the first tick on. */
  readonly from: EpochMicros | null;
  /** Null: up to now. */
  readonly to: EpochMicros | null;
}

export interface Step {
  /** Ticks of one page, and those outside of every session among them. */
  readonly ticks: number;
  readonly outside: number;
  /** The scan has come down to here. */
  readonly reached: EpochMicros;
  /** Of the days that this page completed; null where it completed none. */
  readonly compared: Comparison | null;
}

const FUTURE = BigInt(FUTURE_LIMIT_MS) * 1000n;
const floorDay = (time: bigint): bigint => floorDiv(time, DAY) * DAY;
const inside = (time: bigint): EpochMicros => micros(time < MIN_MICROS ? MIN_MICROS : time > MAX_MICROS ? MAX_MICROS : time);

/** First instant that is not read: rows from there on are from the future, and no price yet. */
export const horizonOf = ({ clock }: Pick<PageContext, 'clock'>): EpochMicros => inside(clock.now() + FUTURE + 1n);

/** A span grows to whole UTC days and sessions, so that each bar it touches is made of all its ticks. Ends after a failure. */
export async function* remake(context: PageContext, info: IndexInfo, span: Span, { openEnd = true, signal }: { readonly openEnd?: boolean; readonly signal?: AbortSignal | undefined } = {}): AsyncGenerator<Result<Step>> {
  const horizon = horizonOf(context);
  const bottom = span.from === null ? MIN_MICROS : bottomOf(info, span.from);
  const asked = span.to === null || !openEnd ? null : topOf(info, span.to);
  const top = asked === null ? (openEnd || span.to === null ? horizon : span.to) : asked < horizon ? asked : horizon;
  // Up to the horizon a bar has all the ticks that it can have by now, though its time is not over.
  const whole = (end: EpochMicros): boolean => end <= top || (openEnd && top === horizon);
  if (bottom >= top) return;

  const fold = createMinuteFold(info);
  let open: MinutePart[] = [];
  const days = new Map<string, MinutePart[]>();
  let flushed = top;

  async function flush(down: EpochMicros): Promise<Result<Comparison | null>> {
    if (down >= flushed) return ok(null);
    const up = flushed;
    flushed = down;
    const parts = open.filter(({ start }) => start >= down).reverse();
    open = open.filter(({ start }) => start < down);
    const made = (['1m', '5m', '1h'] as const).flatMap((resolution) => joinParts(info, parts, resolution));
    for (const [date, held] of days) {
      if (sessionDay(info, date).from < down) continue;
      days.delete(date);
      made.push(...joinParts(info, held.toReversed(), '1d'));
    }
    const comparison = createComparison(info, retainedFrom(context), made.filter((bar) => whole(extentOf(info, bar).to)), (_, from, to) => from >= down && from < up && whole(to));
    const read = await eachStored(context, info, barRanges(info, down, up), comparison.stored, signal);
    return read.ok ? ok(comparison.end()) : read;
  }

  for await (const page of tickPages(context, { index: info.id, from: bottom, to: micros(top - 1n), bulk: true, ...(signal ? { signal } : {}) })) {
    if (!page.ok) {
      yield page;
      return;
    }
    for (const tick of page.value) fold.add(tick);
    let outside = 0;
    for (const part of fold.take()) {
      open.push(part);
      if (part.date === null) outside += part.ticks;
      else {
        const held = days.get(part.date);
        if (held) held.push(part);
        else days.set(part.date, [part]);
      }
    }
    const reached = page.value.at(-1)?.time ?? top;
    const compared = await flush(inside(floorDay(reached) + DAY));
    if (!compared.ok) {
      yield compared;
      return;
    }
    yield ok({ ticks: page.value.length, outside, reached, compared: compared.value });
  }
  const last = await flush(bottom);
  yield last.ok ? ok({ ticks: 0, outside: 0, reached: bottom, compared: last.value }) : last;
}

function bottomOf(info: IndexInfo, from: EpochMicros): EpochMicros {
  const day = sessionDayAt(info, from);
  return inside(floorDay(day && day.from < from ? day.from : from));
}

function topOf(info: IndexInfo, to: EpochMicros): EpochMicros {
  const day = sessionDayAt(info, to);
  return inside(floorDay((day && day.to > to ? day.to : to) + DAY));
}

