/** The price line: two paths in Recharts' plot, written straight to the DOM once per frame; React never sees a tick. */
import { memo, useLayoutEffect, useRef } from 'react';
import { usePlotArea } from 'recharts';
import type { ChartModel } from './chartModel.ts';
import type { Frame } from './frame.ts';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly clip: string;
}

export const SeriesLayer = memo(function SeriesLayer({ model, frame, clip }: Props) {
  const plot = usePlotArea();
  const past = useRef<SVGPathElement>(null);
  const current = useRef<SVGPathElement>(null);
  const dot = useRef<SVGCircleElement>(null);

  useLayoutEffect(() => {
    let pastText = '';
    return model.onPaint((drawn) => {
      if (drawn.past !== pastText) {
        pastText = drawn.past;
        past.current?.setAttribute('d', pastText);
      }
      current.current?.setAttribute('d', drawn.current);
      // Off screen rather than hidden: one attribute, no style work.
      dot.current?.setAttribute('transform', drawn.last ? `translate(${drawn.last.x.toFixed(1)} ${drawn.last.y.toFixed(1)})` : 'translate(-99 -99)');
    });
  }, [model]);

  const { x, y, width, height } = plot ?? { x: 0, y: 0, width: 0, height: 0 };
  useLayoutEffect(() => {
    if (width > 0 && height > 0) model.place({ x, y, width, height });
  }, [model, frame, x, y, width, height]);

  return (
    <g>
      <g clipPath={clip}>
        <path ref={past} className="chart-line chart-line-past" />
        <path ref={current} className="chart-line chart-line-current" />
      </g>
      <circle ref={dot} className="chart-dot" r="3.5" transform="translate(-99 -99)" />
    </g>
  );
});
