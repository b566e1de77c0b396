/** Recharts' part: plot, axes' scales and grid from two corner points. It renders again only when the frame is another object. */
import { memo, useId, useMemo } from 'react';
import { CartesianGrid, LineChart, usePlotArea, XAxis, YAxis } from 'recharts';
import type { ChartModel } from './chartModel.ts';
import type { Plot } from './drawing.ts';
import { type Frame, MARGIN, plotWidth, TICK_MARGIN, TIME_AXIS_HEIGHT } from './frame.ts';
import { Marks } from './Marks.tsx';
import { exactPrice } from './priceText.ts';
import { SeriesLayer } from './SeriesLayer.tsx';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly base: number | null;
  readonly decimals: number;
  readonly locale: string | undefined;
}

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 } as const;
const HALF_CHARACTER = 3.1; // of the axis labels' face
const GRID = <CartesianGrid vertical={false} syncWithTicks />;

/** Everything of ours inside the plot, once Recharts has laid it out as the frame expects. */
const PlotLayers = memo(function PlotLayers({ model, frame, base, decimals, locale }: Props) {
  const id = useId();
  const { x, y, width, height } = usePlotArea() ?? NOWHERE;
  const plot = useMemo(() => ({ x, y, width, height }), [x, y, width, height]);
  // Recharts finds its plot in several passes as the axes report: only the last one is worth drawing.
  if (width <= 0 || Math.abs(width - plotWidth(frame)) > 1) return null;
  const clip = `url(#${id}clip)`;
  return (
    <g>
      <defs>
        <pattern id={`${id}hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="chart-hatch" width="1.5" height="6" />
        </pattern>
        <clipPath id={`${id}clip`}><rect x={x} y={y - 2} width={width} height={height + 4} /></clipPath>
      </defs>
      <AxisLabels frame={frame} plot={plot} decimals={decimals} locale={locale} />
      <Marks model={model} frame={frame} plot={plot} base={base} hatch={`url(#${id}hatch)`} clip={clip} />
      <SeriesLayer model={model} frame={frame} plot={plot} clip={clip} />
    </g>
  );
});

/** Labels of both axes. Recharts' own tick elements would cost more than all the rest of its mount together. */
const AxisLabels = memo(function AxisLabels({ frame, plot, decimals, locale }: { readonly frame: Frame; readonly plot: Plot; readonly decimals: number; readonly locale: string | undefined }) {
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height];
  const place = frame.scale.copy().range([plot.x, right]);
  const perPrice = plot.height / (frame.prices.high - frame.prices.low);
  return (
    <g className="chart-axis">
      {frame.timeTicks.map(({ time, label }) => {
        const [at, half] = [place(time), label.length * HALF_CHARACTER];
        const anchor = at - plot.x < half ? 'start' : right - at < half ? 'end' : 'middle';
        return <text key={time} className="chart-tick" x={anchor === 'start' ? plot.x : anchor === 'end' ? right : at} y={bottom + 20} textAnchor={anchor}>{label}</text>;
      })}
      {frame.prices.ticks.map(({ value, text }) => {
        const at = bottom - (value - frame.prices.low) * perPrice;
        return <text key={text} className="chart-tick chart-tick-price" data-at={at} x={right + TICK_MARGIN} y={at + 4}>{exactPrice(text, decimals, locale)}</text>;
      })}
    </g>
  );
});

export const ChartFrame = memo(function ChartFrame({ model, frame, base, decimals, locale }: Props) {
  const { axisWidth } = frame;
  const margin = useMemo(() => ({ top: MARGIN.top, right: MARGIN.right + axisWidth, bottom: TIME_AXIS_HEIGHT, left: MARGIN.left }), [axisWidth]);
  const xAxis = useMemo(() => (
    <XAxis dataKey="time" type="number" scale={frame.scale} domain={frame.xDomain} ticks={frame.xTickValues} interval={0} niceTicks="none" allowDataOverflow hide />
  ), [frame.scale, frame.xDomain, frame.xTickValues]);
  const yAxis = useMemo(() => (
    <YAxis dataKey="price" orientation="right" domain={frame.yDomain} ticks={frame.yTickValues} interval={0} niceTicks="none" allowDataOverflow hide />
  ), [frame.yDomain, frame.yTickValues]);
  return (
    <LineChart width={frame.width} height={frame.height} data={frame.corners} margin={margin} accessibilityLayer={false}>
      {GRID}
      {xAxis}
      {yAxis}
      <PlotLayers model={model} frame={frame} base={base} decimals={decimals} locale={locale} />
    </LineChart>
  );
});
