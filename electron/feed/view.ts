/** What the screen shows of one index: decision, change and figures as one plain object. */
import type { Clock } from '../../shared/clock.ts';
import type { QuoteView } from '../../shared/channels.ts';
import { changeFrom, chooseBase, type ChosenBase } from '../../shared/change.ts';
import { phaseAt } from '../../shared/sessions.ts';
import { decide, DEFAULT_EXPECTED_MS, stallLimit } from '../../shared/state.ts';
import { type EpochMicros, formatIso, micros, MINUTE } from '../../shared/time.ts';
import { dayView } from './day.ts';
import type { Entry } from './entry.ts';
import { isoOf, microsOf } from './instantText.ts';

export interface ViewContext {
  readonly clock: Clock;
  /** Desk seconds per elapsed second; while paused, those before the pause: a pause must not change what a value is. */
  readonly pace: number;
  readonly pollMs: number;
  /** Consecutive cycles that failed whole: at two every row is disconnected. */
  readonly failedCycles: number;
  readonly cycleFailure: Entry['failure'];
  /** Whole milliseconds that the clock is ahead; null: unknown. */
  readonly skewMs: number | null;
}

/** Decides anew, keeps decision and next change in the entry, and returns the view. */
export function viewOf(entry: Entry, context: ViewContext, now: EpochMicros, elapsed: number): QuoteView {
  const { track, info } = entry;
  const tick = track.latest?.tick ?? null;
  const speed = context.clock.speed();
  const wholeCycles = context.failedCycles >= 2;
  const learned = entry.cadence.expectedMs(now);
  const stall = { clock: context.clock.kind, speed: context.pace, pollMs: context.pollMs, expectedMs: learned };
  const decision = decide({
    now, skewMs: context.skewMs, clock: context.clock.kind, speed: context.pace, mic: info.mic, delayMs: info.delayMs, event: tick?.time ?? null, futureRow: track.future !== null,
    everRead: entry.everRead, failures: wholeCycles ? Math.max(2, entry.failures) : entry.failures, failure: wholeCycles ? (context.cycleFailure ?? entry.failure) : entry.failure,
    pollMs: context.pollMs, stallMs: stallLimit(stall),
    expectedMs: expectedOf(learned, context), corrected: track.corrected, deleted: track.deleted,
  });
  entry.decision = decision;
  entry.nextChangeAt = decision.nextChange === null || speed <= 0 ? Number.POSITIVE_INFINITY : elapsed + Number(decision.nextChange - now) / 1000 / speed;
  const { base, note } = baseOf(entry, context.clock.kind, context.skewMs === null ? now : micros(now - BigInt(context.skewMs) * 1000n));
  const change = tick === null || base === null ? null : changeFrom(tick.price, base);
  return {
    index: info.id, price: tick?.price ?? null, eventTime: tick === null ? null : isoOf(tick.time), eventMicros: tick === null ? null : microsOf(tick.time),
    sequence: tick?.sequence ?? null, ingestMicros: tick?.ingest === null || tick === null ? null : microsOf(tick.ingest), ageMs: decision.ageMs, state: decision.state,
    phase: decision.phase, reason: decision.reason, flags: decision.flags, change: change?.change ?? null, changePercent: change?.changePercent ?? null, base, baseNote: note,
    nextOpen: decision.nextOpen === null ? null : formatIso(decision.nextOpen), delayMs: info.delayMs, skewMs: context.skewMs, key: tick?.key ?? null, source: tick?.source ?? null, day: dayView(entry.day),
  };
}

/**
 * A price is seen up to a poll later than it was written: without that allowance an index that prints each second would flicker. On a replay
 * clock a poll is long, and the allowance is due before a rhythm is learned.
 */
function expectedOf(learned: number | null, { clock, pollMs, pace }: ViewContext): number | null {
  if (learned === null && clock.kind !== 'replay') return null;
  return (learned ?? DEFAULT_EXPECTED_MS) + pollMs * Math.max(1, pace);
}

/** The base changes at an open or with new bars: no need to choose it for every tick. */
function baseOf(entry: Entry, clock: Clock['kind'], now: EpochMicros): ChosenBase {
  const kept = entry.base;
  if (kept && kept.bars === entry.bars && now >= kept.from && now < kept.until) return kept.value;
  const { info } = entry;
  const value = chooseBase({ mic: info.mic, zone: info.zone, now, delayMs: info.delayMs, clock, dailyBars: entry.bars ?? [] });
  const soon = now + MINUTE;
  const { changes } = phaseAt(info.mic, now, info.delayMs);
  entry.base = { value, bars: entry.bars, from: now, until: changes !== null && changes < soon ? changes : soon };
  return value;
}
