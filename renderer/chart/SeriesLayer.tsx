/** The price line: three paths in Recharts' plot, written straight to the DOM once per frame; React never sees a tick. */
import { memo, useLayoutEffect, useRef } from 'react';
import type { ChartModel } from './chartModel.ts';
import type { Frame, Plot } from './frame.ts';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly plot: Plot;
  readonly clip: string;
}

export const SeriesLayer = memo(function SeriesLayer({ model, frame, plot, clip }: Props) {
  const lines = useRef<SVGGElement>(null);
  const past = useRef<SVGPathElement>(null);
  const body = useRef<SVGPathElement>(null);
  const tail = useRef<SVGPathElement>(null);
  const dot = useRef<SVGCircleElement>(null);

  useLayoutEffect(() => {
    let pastText = '';
    let bodyText = '';
    let dense = false;
    return model.onPaint((drawn) => {
      if (drawn.past !== pastText) {
        pastText = drawn.past;
        past.current?.setAttribute('d', pastText);
      }
      if (drawn.body !== bodyText) {
        bodyText = drawn.body;
        body.current?.setAttribute('d', bodyText);
      }
      tail.current?.setAttribute('d', drawn.tail);
      if (drawn.dense !== dense) {
        dense = drawn.dense;
        lines.current?.setAttribute('data-dense', String(dense));
      }
      // Off screen rather than hidden: one attribute, no style work.
      dot.current?.setAttribute('transform', drawn.last && drawn.last.x >= plot.x ? `translate(${drawn.last.x.toFixed(1)} ${drawn.last.y.toFixed(1)})` : 'translate(-99 -99)');
    });
  }, [model, plot]);

  useLayoutEffect(() => model.place(frame, plot), [model, frame, plot]);

  return (
    <g>
      <g ref={lines} clipPath={clip}>
        <path ref={past} className="chart-line chart-line-past" />
        <g className="chart-line chart-line-current">
          <path ref={body} data-part="body" />
          <path ref={tail} data-part="tail" />
        </g>
      </g>
      <circle ref={dot} className="chart-dot" r="3.5" transform="translate(-99 -99)" />
    </g>
  );
});
