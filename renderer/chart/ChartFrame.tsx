/** Recharts' part: frame, axes and grid from two corner points. It renders again only when the frame is another object. */
import { memo, useCallback, useId, useMemo } from 'react';
import { CartesianGrid, LineChart, usePlotArea, XAxis, YAxis } from 'recharts';
import type { ChartModel } from './chartModel.ts';
import { type Frame, MARGIN, TICK_MARGIN, TIME_AXIS_HEIGHT } from './frame.ts';
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

const GRID = <CartesianGrid vertical={false} syncWithTicks />;

const PlotClip = memo(function PlotClip({ id }: { readonly id: string }) {
  const plot = usePlotArea();
  return plot ? <clipPath id={id}><rect x={plot.x} y={plot.y - 2} width={plot.width} height={plot.height + 4} /></clipPath> : null;
});

export const ChartFrame = memo(function ChartFrame({ model, frame, base, decimals, locale }: Props) {
  const id = useId();
  const clip = `url(#${id}clip)`;
  const hatch = `url(#${id}hatch)`;

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
      <defs>
        <pattern id={`${id}hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="chart-hatch" width="1.5" height="6" />
        </pattern>
        <PlotClip id={`${id}clip`} />
      </defs>
      {GRID}
      {xAxis}
      {yAxis}
      <Marks model={model} frame={frame} base={base} hatch={hatch} clip={clip} />
      <SeriesLayer model={model} frame={frame} clip={clip} />
    </LineChart>
  );
});
