/**
 * Recharts' part: plot, axes and grid from two corner points, on the session scale. It renders again only when the frame is another
 * object, and tells where it put its plot, so that our layers lie exactly on its grid.
 */
import { memo, useLayoutEffect, useMemo } from 'react';
import { CartesianGrid, LineChart, usePlotArea, XAxis, YAxis } from 'recharts';
import { type Frame, MARGIN, type Plot, TIME_AXIS_HEIGHT } from './frame.ts';

interface Props {
  readonly frame: Frame;
  readonly onPlot: (plot: Plot) => void;
  /** What of it is there: Recharts takes longer to mount than all the rest, so it comes part by part. */
  readonly parts: 'frame' | 'axes' | 'all';
}

const UNDER = { position: 'absolute', top: 0, left: 0 } as const; // our layers lie over it
const GRID = <CartesianGrid vertical={false} syncWithTicks />;

export const ChartGrid = memo(function ChartGrid({ frame, onPlot, parts }: Props) {
  const { axisWidth } = frame;
  const margin = useMemo(() => ({ top: MARGIN.top, right: MARGIN.right + axisWidth, bottom: TIME_AXIS_HEIGHT, left: MARGIN.left }), [axisWidth]);
  // Hidden: the axes keep scale, domain and ticks for grid and hooks; their labels are ours (PlotLayers).
  const xAxis = useMemo(() => (
    <XAxis dataKey="time" type="number" scale={frame.scale} domain={frame.xDomain} ticks={frame.xTickValues} interval={0} niceTicks="none" allowDataOverflow hide />
  ), [frame.scale, frame.xDomain, frame.xTickValues]);
  const yAxis = useMemo(() => (
    <YAxis dataKey="price" orientation="right" domain={frame.yDomain} ticks={frame.yTickValues} interval={0} niceTicks="none" allowDataOverflow hide />
  ), [frame.yDomain, frame.yTickValues]);
  return (
    <LineChart style={UNDER} width={frame.width} height={frame.height} data={frame.corners} margin={margin} accessibilityLayer={false}>
      {parts === 'all' && GRID}
      {parts !== 'frame' && xAxis}
      {parts !== 'frame' && yAxis}
      <PlotPlace onPlot={onPlot} />
    </LineChart>
  );
});

const PlotPlace = memo(function PlotPlace({ onPlot }: Pick<Props, 'onPlot'>) {
  const { x, y, width, height } = usePlotArea() ?? NOWHERE;
  useLayoutEffect(() => {
    if (width > 0 && height > 0) onPlot({ x, y, width, height });
  }, [onPlot, x, y, width, height]);
  return null;
});
const NOWHERE = { x: 0, y: 0, width: 0, height: 0 } as const;
