/** Moving a chart's view: pan and zoom as functions from what is shown to what shall be. Pure; milliseconds. */
import { DAILY_FROM, DAY, type Reach, type Span, TAIL_AIR } from './span.ts';
import type { Timeline } from './timeline.ts';
import { EARLIEST } from './wish.ts';

const SHORTEST = 5_000;
const LONGEST = 300 * 366 * DAY;
/** Below this a daily axis becomes one of sessions; under `DAILY_FROM`, so that a step back and forth does not flicker. */
const SESSIONS_BELOW = 110 * DAY;
/** Share of a day that is trading time, about: turns the length of one kind of axis into that of the other. */
const SESSION_SHARE = 6.5 / 24;

/** The instant of a trading time, also before and after all that the axis knows. */
function instantOf(timeline: Timeline, trading: number): number {
  const first = timeline.stretches[0];
  if (!timeline.collapsed || !first) return trading;
  if (trading < 0) return first.open + trading;
  const end = timeline.toTrading(Number.MAX_SAFE_INTEGER);
  return trading > end ? (timeline.stretches.at(-1)?.close ?? 0) + trading - end : timeline.fromTrading(trading);
}

const fixed = (from: number, to: number): Reach => ({ kind: 'fixed', from: Math.max(EARLIEST, Math.round(from)), to: Math.round(Math.max(to, from + SHORTEST)) });

/** The newest part: in all so long, on the axis of `span`. */
function tail(span: Span, whole: number): Reach {
  const { timeline, to } = span;
  const real = to - instantOf(timeline, timeline.toTrading(to) - whole);
  const share = timeline.stretches.length === 0 ? 1 : SESSION_SHARE;
  const sessions = (length: number): Reach => ({ kind: 'tail', length: length / (1 + TAIL_AIR), daily: false });
  if (timeline.daily) return real < SESSIONS_BELOW ? sessions(whole * share) : { kind: 'tail', length: whole, daily: true };
  return real > DAILY_FROM ? { kind: 'tail', length: whole / share, daily: true } : sessions(whole);
}

/** `factor` under 1 shows less. Around `anchor`; a view that follows the present keeps its right edge there. */
export function zoomed(span: Span, factor: number, anchor: number): Reach {
  const { timeline } = span;
  const [begin, end] = [timeline.toTrading(span.from), timeline.toTrading(span.to)];
  const length = Math.max(SHORTEST, Math.min(LONGEST, (end - begin) * factor));
  if (span.live) return tail(span, length);
  const at = timeline.toTrading(Math.max(span.from, Math.min(span.to, anchor)));
  const from = at - ((at - begin) / Math.max(1, end - begin)) * length;
  return fixed(instantOf(timeline, from), instantOf(timeline, from + length));
}

/** Moves by a share of the width, to later times where positive; at the present it follows again. */
export function panned(span: Span, share: number, now: number): Reach | null {
  const { timeline } = span;
  const [begin, end] = [timeline.toTrading(span.from), timeline.toTrading(span.to)];
  const by = share * (end - begin);
  if (span.live && by >= 0) return null;
  const to = instantOf(timeline, end + by);
  if (to >= now) return tail({ ...span, to: Math.min(span.to, now) }, end - begin);
  return fixed(instantOf(timeline, begin + by), to);
}

/** As wide as now, beginning at an instant. */
export const beginningAt = (span: Span, from: number): Reach => {
  const { timeline } = span;
  const begin = timeline.toTrading(from);
  return fixed(from, instantOf(timeline, begin + timeline.toTrading(span.to) - timeline.toTrading(span.from)));
};
