/** Where the marks behind a series stand: hatched gaps with their length, session breaks, the base. Pure: pixels of the chart. */
import type { Frame, Plot } from './frame.ts';
import type { Gap } from './gaps.ts';
import { yOf } from './priceScale.ts';
import { scaleOver } from './sessionScale.ts';
import { lengthLabel } from './timeLabels.ts';

export interface GapMark {
  readonly from: number;
  readonly left: number;
  readonly width: number;
  /** Null where it has no room; the crosshair tells the length there. */
  readonly text: string | null;
  readonly start: number;
}

export interface BreakMark {
  readonly time: number;
  readonly at: number;
  readonly text: string | null;
  readonly start: number;
}

export interface MarkPlaces {
  readonly gaps: readonly GapMark[];
  readonly breaks: readonly BreakMark[];
  /** Height of the base; null out of the plot. */
  readonly base: number | null;
}

const LABEL_CHARACTER = 6.1; // of the 11 px label face
const MOST_GAPS = 60;
/** From a break's line to its label. */
const BREAK_AWAY = 6;
/** Narrower hatching can't be seen. */
const NARROWEST = 3;

export const gapText = ({ from, to }: Gap): string => `no data ${lengthLabel(to - from)}`;

/** Whether two lists of gaps differ by nothing that is seen: their ends by no more than `slack` milliseconds, their lengths not in words. */
export const lookSame = (a: readonly Gap[], b: readonly Gap[], slack: number): boolean => a.length === b.length && a.every((gap, at) => {
  const other = b[at];
  return other !== undefined && gap.from === other.from && Math.abs(gap.to - other.to) <= slack && gapText(gap) === gapText(other);
});

export function markPlaces(frame: Frame, plot: Plot, gaps: readonly Gap[], base: number | null): MarkPlaces {
  const { x, y, width, height } = plot;
  const right = x + width;
  const place = scaleOver(frame.scale, x, right);
  const baseY = base === null ? null : yOf(frame.prices, plot, base);

  let free = x;
  const gapMarks = gaps.slice(-MOST_GAPS).map((gap): GapMark => {
    const [begin, end] = [Math.max(x, place(gap.from)), Math.min(right, place(gap.to))];
    const wide = Math.max(NARROWEST, end - begin);
    const left = Math.max(x, Math.min(begin - (wide - (end - begin)) / 2, right - wide));
    const text = gapText(gap);
    const length = text.length * LABEL_CHARACTER;
    // Centred, and kept inside the plot.
    const start = Math.max(x + 2, Math.min(right - length - 2, (begin + end - length) / 2));
    const room = start >= free && start + length <= right;
    if (room) free = start + length + 8;
    return { from: gap.from, left, width: wide, text: room ? text : null, start };
  });

  let breakFree = x;
  const breakMarks = frame.breaks.map(({ time, label, side }): BreakMark => {
    const at = Math.floor(place(time)) + 0.5;
    const length = label.length * LABEL_CHARACTER;
    const [before, after] = [at - BREAK_AWAY - length, at + BREAK_AWAY];
    // On its own side where that has room, else on the other.
    const start = side === 'before' ? (before >= breakFree ? before : after) : after + length <= right ? after : before;
    const room = start >= breakFree && start + length <= right;
    if (room) breakFree = start + length + BREAK_AWAY;
    return { time, at, start, text: room ? label : null };
  });
  return { gaps: gapMarks, breaks: breakMarks, base: baseY !== null && baseY >= y && baseY <= y + height ? baseY : null };
}
