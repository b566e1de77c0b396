/** Everything of ours inside the plot: labels, marks, line. It is on screen with the first frame; Recharts' grid follows under it. */
import { memo, useId } from 'react';
import { formatPercent } from '../../shared/format.ts';
import type { ChartModel } from './chartModel.ts';
import { type Frame, type Plot, TICK_MARGIN } from './frame.ts';
import { Marks } from './Marks.tsx';
import { exactPrice } from './priceText.ts';
import { yOf } from './priceScale.ts';
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

const HALF_CHARACTER = 3.1; // of the axis labels' face

export const PlotLayers = memo(function PlotLayers({ model, frame, plot, base, decimals, locale, kind }: Props) {
  const id = useId();
  const clip = `url(#${id}clip)`;
  return (
    <svg className="chart-plot" width={frame.width} height={frame.height} aria-hidden="true">
      <defs>
        <pattern id={`${id}hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="chart-hatch" width="1.5" height="6" />
        </pattern>
        <clipPath id={`${id}clip`}><rect x={plot.x} y={plot.y - 2} width={plot.width} height={plot.height + 4} /></clipPath>
      </defs>
      <AxisLabels frame={frame} plot={plot} decimals={decimals} locale={locale} />
      <Marks model={model} frame={frame} plot={plot} base={base} hatch={`url(#${id}hatch)`} clip={clip} />
      <SeriesLayer model={model} frame={frame} plot={plot} clip={clip} kind={kind} />
    </svg>
  );
});

/** Labels of both axes. Recharts' own tick elements cost more than all the rest of its mount together. */
const AxisLabels = memo(function AxisLabels({ frame, plot, decimals, locale }: { readonly frame: Frame; readonly plot: Plot; readonly decimals: number | null; readonly locale: string | undefined }) {
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height];
  const place = frame.scale.copy().range([plot.x, right]);
  return (
    <g className="chart-axis">
      {frame.timeTicks.map(({ time, label }) => {
        const [at, half] = [place(time), label.length * HALF_CHARACTER];
        const anchor = at - plot.x < half ? 'start' : right - at < half ? 'end' : 'middle';
        return <text key={time} className="chart-tick" x={anchor === 'start' ? plot.x : anchor === 'end' ? right : at} y={bottom + 20} textAnchor={anchor}>{label}</text>;
      })}
      {frame.prices.ticks.map(({ value, text, percent }) => {
        const at = yOf(frame.prices, plot, value);
        return <text key={text} className="chart-tick chart-tick-price" data-at={at} x={right + TICK_MARGIN} y={at + 4}>{percent === true ? formatPercent(text, locale) : exactPrice(text, decimals, locale)}</text>;
      })}
    </g>
  );
});
