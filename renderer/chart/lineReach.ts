/** Which views a drawn line serves: the one that it was made for, and those that a pan brings on, as far as it reaches. Pure. */
import type { Frame, Plot } from './frame.ts';
import type { TradingStretch } from './timeline.ts';

/** So much of its width is drawn on each side of a view that moves, to have it there when the view pans. */
const BESIDE = 1 / 8;
/** Views whose lengths differ by less than this over their width are of one length, pixels. */
const SAME_LENGTH = 0.2;

export interface LineReach {
  readonly frame: Frame;
  readonly plot: Plot;
  /** Instants that the line is drawn between, milliseconds. */
  readonly begin: number;
  readonly end: number;
  /** The view's and the line's beginnings and ends in trading time. */
  readonly from: number;
  readonly to: number;
  readonly least: number;
  readonly most: number;
  /** Pixels per millisecond of trading. */
  readonly perTime: number;
}

export function lineReach(frame: Frame, plot: Plot, moving: boolean): LineReach {
  const { timeline } = frame.scale;
  const [from, to] = [timeline.toTrading(frame.from), timeline.toTrading(frame.to)];
  const beside = moving ? (to - from) * BESIDE : 0;
  const begin = moving ? Math.min(frame.from, timeline.fromTrading(from - beside)) : frame.from;
  const end = moving ? Math.max(frame.to, timeline.fromTrading(to + beside)) : frame.to;
  return { frame, plot, begin, end, from, to, least: timeline.toTrading(begin), most: timeline.toTrading(end), perTime: plot.width / (to - from || 1) };
}

/** Lists picked from one calendar: the same ones where they begin and end alike. */
export const sameStretches = (a: readonly TradingStretch[], b: readonly TradingStretch[]): boolean => a === b || (a.length === b.length && a[0] === b[0] && a.at(-1) === b.at(-1));

/** Where a line whose first point is at an instant turns from earlier sessions to the current one; null where it does not. */
const turnOf = ({ sessionStart }: Frame, first: number): number | null => (sessionStart !== null && sessionStart > first ? sessionStart : null);

/** How far to the right of its place the line stands in another view, pixels; null where it must be drawn anew. `first`: time of its first point. */
export function shiftIn(reach: LineReach, first: number, frame: Frame, plot: Plot): number | null {
  const held = reach.frame;
  if (plot !== reach.plot || frame.prices !== held.prices || turnOf(frame, first) !== turnOf(held, first)) return null;
  const [was, timeline] = [held.scale.timeline, frame.scale.timeline];
  if (was.collapsed !== timeline.collapsed || was.daily !== timeline.daily || !sameStretches(was.stretches, timeline.stretches)) return null;
  const [from, to] = [timeline.toTrading(frame.from), timeline.toTrading(frame.to)];
  if (Math.abs(to - from - (reach.to - reach.from)) * reach.perTime > SAME_LENGTH || from < reach.least || to > reach.most) return null;
  return (reach.from - from) * reach.perTime;
}
