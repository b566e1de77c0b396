/** Recharts' part: frame, axes and grid from two corner points. It renders again only when the frame is another object. */
import { memo, useCallback, useId, useMemo } from 'react';
import { CartesianGrid, LineChart, usePlotArea, XAxis, YAxis } from 'recharts';
import type { ChartModel } from './chartModel.ts';
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

interface TickProps {
  readonly x: number | string;
  readonly y: number | string;
  readonly payload: { readonly value: number; readonly index?: number };
}

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 } as const;
const GRID = <CartesianGrid vertical={false} syncWithTicks />;

interface LayersProps {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly base: number | null;
}

/** Everything of ours inside the plot, once Recharts has laid it out as the frame expects. */
const PlotLayers = memo(function PlotLayers({ model, frame, base }: LayersProps) {
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
      <Marks model={model} frame={frame} plot={plot} base={base} hatch={`url(#${id}hatch)`} clip={clip} />
      <SeriesLayer model={model} frame={frame} plot={plot} clip={clip} />
    </g>
  );
});

export const ChartFrame = memo(function ChartFrame({ model, frame, base, decimals, locale }: Props) {
  const timeTick = useCallback(({ x, y, payload }: TickProps) => {
    const index = frame.xTickValues.indexOf(payload.value);
    const at = Number(x);
    const edge = frame.width - frame.axisWidth - MARGIN.right;
    const label = frame.timeTicks[index]?.label ?? '';
    const anchor = at - MARGIN.left < label.length * 3 ? 'start' : edge - at < label.length * 3 ? 'end' : 'middle';
    return <text className="chart-tick" x={anchor === 'start' ? MARGIN.left : anchor === 'end' ? edge : at} y={Number(y) + 8} textAnchor={anchor}>{label}</text>;
  }, [frame]);
  const priceTick = useCallback(({ x, y, payload }: TickProps) => {
    const tick = frame.prices.ticks.find(({ value }) => value === payload.value);
    return <text className="chart-tick chart-tick-price" data-at={Number(y)} x={Number(x)} y={Number(y) + 4} textAnchor="start">{tick ? exactPrice(tick.text, decimals, locale) : ''}</text>;
  }, [frame.prices, decimals, locale]);

  const xAxis = useMemo(() => (
    <XAxis
      dataKey="time" type="number" scale={frame.scale} domain={frame.xDomain} ticks={frame.xTickValues} tick={timeTick} interval={0} niceTicks="none"
      allowDataOverflow height={TIME_AXIS_HEIGHT} tickLine={false} axisLine={false}
    />
  ), [frame.scale, frame.xDomain, frame.xTickValues, timeTick]);
  const yAxis = useMemo(() => (
    <YAxis
      dataKey="price" orientation="right" domain={frame.yDomain} ticks={frame.yTickValues} tick={priceTick} interval={0} niceTicks="none"
      allowDataOverflow width={frame.axisWidth} tickLine={false} axisLine={false} tickSize={0} tickMargin={TICK_MARGIN}
    />
  ), [frame.yDomain, frame.yTickValues, frame.axisWidth, priceTick]);

  return (
    <LineChart width={frame.width} height={frame.height} data={frame.corners} margin={MARGIN} accessibilityLayer={false}>
      {GRID}
      {xAxis}
      {yAxis}
      <PlotLayers model={model} frame={frame} base={base} />
    </LineChart>
  );
});
