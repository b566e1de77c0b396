/** The place of what is drawn while the view moves, under the series. */
import { memo, useLayoutEffect, useRef } from 'react';
import type { ChartModel } from './chartModel.ts';
import type { Frame } from './frame.ts';
import { createMotion, followMotion, type MotionLook } from './motion.ts';

interface Props extends MotionLook {
  readonly model: ChartModel;
  readonly frame: Frame;
}

export const MotionLayer = memo(function MotionLayer({ model, frame, hatch, clip, base, decimals, locale }: Props) {
  const group = useRef<SVGGElement>(null);
  useLayoutEffect(() => {
    const place = group.current;
    const chart = place?.closest<HTMLElement>('.chart');
    if (!place || !chart) return undefined;
    const stop = followMotion(model, frame, chart, () => createMotion(place, { hatch, clip, base, decimals, locale }));
    return () => {
      stop();
      place.replaceChildren();
    };
  }, [model, frame, hatch, clip, base, decimals, locale]);
  return <g ref={group} className="chart-motion" />;
});
