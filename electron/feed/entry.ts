/** One index on the desk: its rows, its figures, when it is read next, and the view that was sent last. */
import type { Decision, StateInput } from '../../shared/state.ts';
import type { ChosenBase } from '../../shared/change.ts';
import type { QuoteView } from '../../shared/channels.ts';
import type { Bar, IndexInfo } from '../../shared/quote.ts';
import type { EpochMicros } from '../../shared/time.ts';
import { type Cadence, createCadence } from './cadence.ts';
import { createDay, type Day, sessionSpan } from './day.ts';
import { createTrack, type Track } from './track.ts';

export interface Entry {
  info: IndexInfo;
  track: Track;
  cadence: Cadence;
  day: Day;
  /** Newest daily bars, newest first; null until read. */
  bars: readonly Bar[] | null;
  /** Session the bars were read for. */
  barsSession: string | null;
  barsAt: number;
  /** The base as chosen, good for these bars until this desk instant. */
  base: { readonly value: ChosenBase; readonly bars: readonly Bar[] | null; readonly from: bigint; readonly until: bigint } | null;
  watched: boolean;
  inFlight: boolean;
  everRead: boolean;
  /** Consecutive failed reads. */
  failures: number;
  failure: StateInput['failure'];
  /** Elapsed times; -Infinity for never. */
  lastReadAt: number;
  lastAuditAt: number;
  nextPollAt: number;
  activeAt: number | null;
  decision: Decision | null;
  /** Elapsed time at which the decision can change by time alone. */
  nextChangeAt: number;
  view: QuoteView | null;
}

export function createEntry(info: IndexInfo, now: EpochMicros): Entry {
  return {
    info, track: createTrack(info.id), cadence: createCadence(), day: createDay(sessionSpan(info, now), false), bars: null, barsSession: null, barsAt: Number.NEGATIVE_INFINITY, base: null,
    watched: false, inFlight: false, everRead: false, failures: 0, failure: null, lastReadAt: Number.NEGATIVE_INFINITY, lastAuditAt: Number.NEGATIVE_INFINITY,
    nextPollAt: Number.NEGATIVE_INFINITY, activeAt: null, decision: null, nextChangeAt: Number.POSITIVE_INFINITY, view: null,
  };
}

/** Forgets all that was read; counters stay, and unless `rhythm` how often it prints. */
export function forget(entry: Entry, now: EpochMicros, rhythm = false): void {
  const { counts } = entry.track;
  entry.track = { ...createTrack(entry.info.id), counts };
  entry.day = createDay(sessionSpan(entry.info, now), false);
  if (rhythm) entry.cadence = createCadence();
  entry.bars = null;
  entry.base = null;
  entry.barsAt = entry.lastReadAt = entry.lastAuditAt = entry.nextPollAt = Number.NEGATIVE_INFINITY;
  entry.everRead = false;
  entry.activeAt = null;
}

const TRAILING_MICROS = 5_000_000;
/** How far behind its newest row an index is re-read: five seconds of elapsed time where charted, since batches and replicas know nothing of a replay's speed. */
export const trailingOf = (entry: Entry, speed: number): bigint => (entry.watched ? BigInt(Math.round(TRAILING_MICROS * Math.max(1, speed))) : 0n);
