/** What stands behind the line: session breaks, hatched gaps, the base. Changes when they change, not with prices. */
import { memo, useSyncExternalStore } from 'react';
import type { ChartModel } from './chartModel.ts';
import type { Frame, Plot } from './frame.ts';
import { yOf } from './priceScale.ts';
import { lengthLabel } from './timeLabels.ts';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly plot: Plot;
  readonly base: number | null;
  readonly hatch: string;
  readonly clip: string;
}

const LABEL_CHARACTER = 6.1; // of the 11 px label face
const MOST_GAPS = 60;
/** From a break's line to its label. */
const BREAK_AWAY = 6;

/** Left edge of a label centred at `middle`, kept inside [left, right]. */
function labelAt(middle: number, text: string, left: number, right: number): { start: number; end: number } {
  const width = text.length * LABEL_CHARACTER;
  const start = Math.max(left + 2, Math.min(right - width - 2, middle - width / 2));
  return { start, end: start + width };
}

export const Marks = memo(function Marks({ model, frame, plot, base, hatch, clip }: Props) {
  const gaps = useSyncExternalStore(model.subscribe, () => model.view().gaps);
  const { x, y, width, height } = plot;
  const right = x + width;
  const bottom = y + height;
  const place = frame.scale.copy().range([x, right]);
  const baseY = base === null ? null : yOf(frame.prices, plot, base);

  let free = x;
  const drawnGaps = gaps.slice(-MOST_GAPS).map(({ from, to }) => {
    const left = Math.max(x, place(from));
    const end = Math.min(right, place(to));
    const text = `no data ${lengthLabel(to - from)}`;
    const label = labelAt((left + end) / 2, text, x, right);
    const room = end - left >= 2 && label.start >= free;
    if (room) free = label.end + 8;
    return { from, left, width: Math.max(1, end - left), text: room ? text : null, start: label.start };
  });

  let breakFree = x;
  const drawnBreaks = frame.breaks.map(({ time, label, side }) => {
    const at = Math.floor(place(time)) + 0.5;
    const length = label.length * LABEL_CHARACTER;
    const [before, after] = [at - BREAK_AWAY - length, at + BREAK_AWAY];
    // On its own side where that has room, else on the other.
    const start = side === 'before' ? (before >= breakFree ? before : after) : after + length <= right ? after : before;
    const room = start >= breakFree && start + length <= right;
    if (room) breakFree = start + length + BREAK_AWAY;
    return { time, at, start, text: room ? label : null };
  });

  return (
    <g className="chart-marks">
      <g clipPath={clip}>
        {drawnGaps.map((gap) => <rect key={gap.from} className="chart-gap" x={gap.left} y={y} width={gap.width} height={height} fill={hatch} />)}
      </g>
      {baseY !== null && baseY >= y && baseY <= bottom && <line className="chart-base" x1={x} x2={right} y1={baseY} y2={baseY} />}
      {drawnBreaks.map(({ time, at, start, text }) => (
        <g key={time} className="chart-break">
          <line x1={at} x2={at} y1={y} y2={bottom} />
          {text !== null && <text x={start} y={y + 11}>{text}</text>}
        </g>
      ))}
      {drawnGaps.map((gap) => gap.text !== null && <text key={gap.from} className="chart-gap-label" x={gap.start} y={bottom - 8}>{gap.text}</text>)}
    </g>
  );
});
