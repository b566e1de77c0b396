/**
 * What a value is right now: the decision table as one pure function, first match wins. `E` is the expected interval between
 * events, `L` the stall limit, `D` the feed's declared delay; the table and its reasons: ARCHITECTURE.md, "Decisions".
 */
import type { FeedState, Flag } from './channels.ts';
import { phaseAt, type Phase } from './sessions.ts';
import { type EpochMicros, floorDiv, MINUTE } from './time.ts';

export interface StateInput {
  /** Desk clock. */
  readonly now: EpochMicros;
  /** Desk clock less true time; null is unknown and corrects nothing. */
  readonly skewMs: number | null;
  readonly clock: 'wall' | 'test' | 'replay';
  /** Desk seconds per elapsed second. While a replay is paused, the speed it had: pausing freezes ages and must not move the limit. */
  readonly speed: number;
  readonly mic: string | null;
  /** Declared delay of the feed, `D`. */
  readonly delayMs: number;
  /** Event time of the newest row at or before now + 5 s. */
  readonly event: EpochMicros | null;
  /** Rows further ahead than that exist. */
  readonly futureRow: boolean;
  readonly everRead: boolean;
  /** Consecutive failed reads of this index, or of whole cycles. */
  readonly failures: number;
  readonly failure: 'store' | 'credentials' | 'network' | 'host' | null;
  readonly pollMs: number;
  /** `E`: the learned p99 gap; null until 20 gaps are known. */
  readonly expectedMs: number | null;
  /** Override of `L`. */
  readonly stallMs?: number;
  /** Override of the open grace, 30 s. */
  readonly graceMs?: number;
  /** Said by a vendor row or an operator, never guessed. */
  readonly halted?: boolean;
  readonly corrected?: boolean;
  readonly deleted?: boolean;
}

export interface Decision {
  readonly state: FeedState;
  /** `open`, `auction`, `lunch`, `pre-open`, `closed`, `unknown`. */
  readonly phase: string;
  readonly reason: string | null;
  readonly flags: readonly Flag[];
  readonly nextOpen: EpochMicros | null;
  /** Shown age: now less skew, less event time. Negative where the event is up to 5 s ahead. */
  readonly ageMs: number | null;
  /** `L` as applied. */
  readonly stallMs: number;
  /** Earliest desk instant at which the decision can change by time alone. */
  readonly nextChange: EpochMicros | null;
}

/** How far ahead of the desk a row may be and still count. */
export const FUTURE_LIMIT_MS = 5000;
/** `E` until a rhythm is learned. */
export const DEFAULT_EXPECTED_MS = 2000;
const DEFAULT_GRACE_MS = 30_000;
const SHORTEST_STALL_MS = 5000;
const SKEW_SHOWN_MS = 2000;
const FASTEST_REPLAY = 60;
const SETTLING = 30n * MINUTE;
const PRE_OPEN = 60n * MINUTE; // a print this close before a session's first open belongs to it; NIFTY's comes 8 minutes before

type Verdict = { readonly state: FeedState; readonly reason: string | null; readonly phase?: string; readonly flag?: 'settling' | 'out-of-session'; readonly until?: bigint };

/** A desk asks for few lengths, and for each of them with every tick: making a bigint of a double costs more than the rest of a decision. */
const lengths = new Map<number, bigint>();
function toMicros(milliseconds: number): bigint {
  const known = lengths.get(milliseconds);
  if (known !== undefined) return known;
  const made = BigInt(Math.round(milliseconds * 1000));
  if (lengths.size >= 1_000) lengths.clear();
  lengths.set(milliseconds, made);
  return made;
}

/** `L`: 3 polls, 3 E, 5 s, and on a replay clock 3 polls of replayed time, whichever is longest. */
export function stallLimit(input: Pick<StateInput, 'clock' | 'speed' | 'pollMs' | 'expectedMs' | 'stallMs'>): number {
  const limit = input.stallMs ?? Math.max(3 * input.pollMs, 3 * (input.expectedMs ?? DEFAULT_EXPECTED_MS), SHORTEST_STALL_MS);
  if (input.clock !== 'replay') return limit;
  // A paused clock that doesn't tell the speed it had: as fast as any replay, since pausing must make nothing look stalled.
  return Math.max(limit, 3 * input.pollMs * (input.speed > 0 ? input.speed : FASTEST_REPLAY));
}

/** State of the value at `input.now`. */
export function decide(input: StateInput): Decision {
  const skew = input.skewMs === null || input.skewMs === 0 ? 0n : toMicros(input.skewMs);
  const now = skew === 0n ? input.now : ((input.now - skew) as EpochMicros);
  const phase = phaseAt(input.mic, now, input.delayMs);
  const stallMs = stallLimit(input);
  const verdict = judge(input, now, phase, stallMs);
  const next = earlierAfter(now, phase.changes, verdict.until ?? null);
  return {
    state: verdict.state,
    phase: verdict.phase ?? phase.kind,
    reason: verdict.reason,
    flags: flagsOf(input, phase, verdict.flag),
    nextOpen: phase.kind === 'open' || phase.kind === 'auction' ? null : phase.nextOpen,
    ageMs: input.event === null ? null : Number(floorDiv(now - input.event, 1000n)),
    stallMs,
    nextChange: next === null || skew === 0n ? (next as EpochMicros | null) : ((next + skew) as EpochMicros),
  };
}

/** The earlier of the two, of those after `now`. */
function earlierAfter(now: bigint, a: bigint | null, b: bigint | null): bigint | null {
  const first = a !== null && a > now ? a : null;
  const second = b !== null && b > now ? b : null;
  return first === null || (second !== null && second < first) ? second : first;
}

function judge(input: StateInput, now: EpochMicros, phase: Phase, stallMs: number): Verdict {
  const { event } = input;
  if (input.failures >= 2) return { state: 'disconnected', reason: input.failure ?? 'store' };
  if (!input.everRead) return { state: 'nodata', reason: 'connecting' };
  if (event === null) return { state: 'nodata', reason: 'empty' };
  const shown = event + toMicros(input.delayMs); // when a feed with this delay could first show the event
  switch (phase.kind) {
    case 'unknown':
      return byAge(input, now, shown, null, stallMs);
    case 'closed':
    case 'lunch':
    case 'pre-open':
      return whileClosed(now, shown, phase);
    case 'auction':
      return { state: 'quiet', reason: 'auction' };
    case 'open':
      return input.halted === true ? { state: 'quiet', reason: 'halted' } : byAge(input, now, shown, phase.start, stallMs);
  }
}

/** Closed, and what its newest print says: settling, out of session, pre-open, or nothing since the close. */
function whileClosed(now: EpochMicros, shown: bigint, phase: Phase): Verdict {
  const closed: Verdict = { state: 'closed', reason: phase.reason };
  const since = phase.lastClose ?? phase.start;
  if (since === null || shown < since) return closed;
  // Its first minutes are settling even where the next open is near (between VIX's two sessions).
  if (shown <= since + SETTLING) {
    const until = since + SETTLING + 1n;
    return now < until ? { state: 'closed', reason: 'settling', flag: 'settling', until } : closed;
  }
  if (phase.kind !== 'lunch' && phase.nextOpen !== null && shown >= phase.nextOpen - PRE_OPEN) return { state: 'closed', reason: 'pre-open', phase: 'pre-open' };
  return { ...closed, flag: 'out-of-session' };
}

/** Live, quiet or stalled by the judged age; `start` is the open phase's, null where the calendar doesn't know. */
function byAge(input: StateInput, now: EpochMicros, shown: bigint, start: EpochMicros | null, stallMs: number): Verdict {
  const graceEnds = start === null ? null : start + toMicros(input.graceMs ?? DEFAULT_GRACE_MS);
  const from = graceEnds !== null && graceEnds > shown ? graceEnds : shown;
  const age = now - from;
  const inPhase = start === null || shown >= start;
  // A row from the future hides how old the newest true one is, unless the skew is known.
  const doubtful = input.futureRow && input.skewMs === null;
  const expected = toMicros(input.expectedMs ?? DEFAULT_EXPECTED_MS);
  const limit = toMicros(stallMs);
  // Neither is reached by an age that is past it.
  if (inPhase && !doubtful && age <= expected) return { state: 'live', reason: null, until: from + 1n + (age <= limit && limit < expected ? limit : expected) };
  if (age <= limit) return { state: 'quiet', reason: inPhase ? (doubtful ? 'future' : null) : 'awaiting-open', until: from + 1n + limit };
  return { state: 'stalled', reason: null };
}

/** In the order in which they are told; of every set one list, since each tick of each index asks for one. */
const FLAGS = ['delayed', 'replay', 'test-clock', 'skew', 'future', 'no-calendar', 'settling', 'out-of-session', 'corrected', 'deleted'] as const satisfies readonly Flag[];
const lists: (readonly Flag[])[] = [];

function flagsOf(input: StateInput, phase: Phase, verdict: (typeof FLAGS)[number] | undefined): readonly Flag[] {
  const set =
    (input.delayMs > 0 ? 1 : 0) | (input.clock === 'replay' ? 2 : 0) | (input.clock === 'test' ? 4 : 0) | (input.skewMs !== null && Math.abs(input.skewMs) > SKEW_SHOWN_MS ? 8 : 0) |
    (input.futureRow ? 16 : 0) | (phase.kind === 'unknown' ? 32 : 0) | (verdict === undefined ? 0 : 1 << FLAGS.indexOf(verdict)) | (input.corrected === true ? 256 : 0) | (input.deleted === true ? 512 : 0);
  return (lists[set] ??= FLAGS.filter((_, at) => (set & (1 << at)) !== 0));
}
