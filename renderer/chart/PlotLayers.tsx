/** Everything of ours inside the plot: labels, marks, line. It is on screen with the first frame; Recharts' grid follows under it. */
import { memo, useId } from 'react';
import { BASELINE, priceAxisLabels, timeAxisLabels } from './axisLabels.ts';
import type { ChartModel } from './chartModel.ts';
import type { Frame, Plot } from './frame.ts';
import { Marks } from './Marks.tsx';
import { MotionLayer } from './MotionLayer.tsx';
import { SeriesLayer } from './SeriesLayer.tsx';
import type { Kind } from './settings.ts';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly plot: Plot;
  readonly base: number | null;
  readonly decimals: number | null;
  readonly locale: string | undefined;
  readonly kind: Kind;
}

export const PlotLayers = memo(function PlotLayers({ model, frame, plot, base, decimals, locale, kind }: Props) {
  const id = useId();
  const clip = `url(#${id}clip)`;
  const hatch = `url(#${id}hatch)`;
  return (
    <svg className="chart-plot" width={frame.width} height={frame.height} aria-hidden="true">
      <defs>
        <pattern id={`${id}hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="chart-hatch" width="1.5" height="6" />
        </pattern>
        <clipPath id={`${id}clip`}><rect x={plot.x} y={plot.y - 2} width={plot.width} height={plot.height + 4} /></clipPath>
      </defs>
      <AxisLabels frame={frame} plot={plot} decimals={decimals} locale={locale} />
      <Marks model={model} frame={frame} plot={plot} base={base} hatch={hatch} clip={clip} />
      <MotionLayer model={model} frame={frame} hatch={hatch} clip={clip} base={base} decimals={decimals} locale={locale} />
      <SeriesLayer model={model} frame={frame} plot={plot} clip={clip} kind={kind} />
    </svg>
  );
});

/** Labels of both axes. Recharts' own tick elements cost more than all the rest of its mount together. */
const AxisLabels = memo(function AxisLabels({ frame, plot, decimals, locale }: { readonly frame: Frame; readonly plot: Plot; readonly decimals: number | null; readonly locale: string | undefined }) {
  return (
    <g className="chart-axis">
      {timeAxisLabels(frame, plot).map(({ time, text, x, y, anchor }) => <text key={time} className="chart-tick" x={x} y={y} textAnchor={anchor}>{text}</text>)}
      {priceAxisLabels(frame, plot, decimals, locale).map(({ key, text, x, at }) => <text key={key} className="chart-tick chart-tick-price" data-at={at} x={x} y={at + BASELINE}>{text}</text>)}
    </g>
  );
});
