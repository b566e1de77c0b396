/** What stands behind the line: session breaks, hatched gaps, the base. Changes when they change, not with prices. */
import { memo, useSyncExternalStore } from 'react';
import type { ChartModel } from './chartModel.ts';
import type { Frame, Plot } from './frame.ts';
import { markPlaces } from './markPlaces.ts';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly plot: Plot;
  readonly base: number | null;
  readonly hatch: string;
  readonly clip: string;
}

export const Marks = memo(function Marks({ model, frame, plot, base, hatch, clip }: Props) {
  const held = useSyncExternalStore(model.subscribe, () => model.view().gaps);
  const { x, y, width, height } = plot;
  const bottom = y + height;
  const { gaps, breaks, base: baseY } = markPlaces(frame, plot, held, base);
  return (
    <g className="chart-marks">
      <g clipPath={clip}>
        {gaps.map((gap) => <rect key={gap.from} className="chart-gap" x={gap.left} y={y} width={gap.width} height={height} fill={hatch} />)}
      </g>
      {baseY !== null && <line className="chart-base" x1={x} x2={x + width} y1={baseY} y2={baseY} />}
      {breaks.map(({ time, at, start, text }) => (
        <g key={time} className="chart-break">
          <line x1={at} x2={at} y1={y} y2={bottom} />
          {text !== null && <text x={start} y={y + 11}>{text}</text>}
        </g>
      ))}
      {gaps.map((gap) => gap.text !== null && <text key={gap.from} className="chart-gap-label" x={gap.start} y={bottom - 8}>{gap.text}</text>)}
    </g>
  );
});
