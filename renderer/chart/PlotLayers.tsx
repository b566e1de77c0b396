/** Everything of ours inside the plot: labels, marks, line. It is on screen with the first frame; Recharts' grid follows under it. */
import { memo, useId, useLayoutEffect, useRef } from 'react';
import { BASELINE, priceAxisLabels, timeAxisLabels } from './axisLabels.ts';
import type { ChartModel } from './chartModel.ts';
import { createPool, type Pool } from './elementPool.ts';
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

/** Labels of both axes, two dozen of them. Recharts' own tick elements cost more than all the rest of its mount together. */
const AxisLabels = memo(function AxisLabels({ frame, plot, decimals, locale }: { readonly frame: Frame; readonly plot: Plot; readonly decimals: number | null; readonly locale: string | undefined }) {
  const group = useRef<SVGGElement>(null);
  const pools = useRef<{ readonly times: Pool; readonly prices: Pool }>(null);
  useLayoutEffect(() => {
    if (!group.current) return;
    const { times, prices } = (pools.current ??= { times: createPool(group.current, 'text', 'chart-tick'), prices: createPool(group.current, 'text', 'chart-tick chart-tick-price') });
    for (const { text, x, y, anchor } of timeAxisLabels(frame, plot)) times.put({ x, y, 'text-anchor': anchor }, text);
    for (const { text, x, at } of priceAxisLabels(frame, plot, decimals, locale)) prices.put({ 'data-at': at, x, y: at + BASELINE }, text);
    times.end();
    prices.end();
  }, [frame, plot, decimals, locale]);
  return <g ref={group} className="chart-axis" />;
});
