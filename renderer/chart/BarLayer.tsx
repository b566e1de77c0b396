/** Candles or OHLC bars, and volume under them. Rising ones are hollow, falling ones filled: never by colour alone. */
import { memo, useLayoutEffect, useRef } from 'react';
import type { ChartModel } from './chartModel.ts';
import type { BarInk } from './drawing.ts';

interface Props {
  readonly model: ChartModel;
  readonly clip: string;
  readonly style: 'candles' | 'bars';
}

const PARTS = ['volumeBody', 'volumeTail', 'upBody', 'downBody', 'upTail', 'downTail'] as const satisfies readonly (keyof BarInk)[];
const CLASSES = { volumeBody: 'chart-volume', volumeTail: 'chart-volume', upBody: 'chart-bar chart-bar-up', upTail: 'chart-bar chart-bar-up', downBody: 'chart-bar chart-bar-down', downTail: 'chart-bar chart-bar-down' } as const;

export const BarLayer = memo(function BarLayer({ model, clip, style }: Props) {
  const group = useRef<SVGGElement>(null);
  useLayoutEffect(() => {
    const paths = PARTS.map((part) => group.current?.querySelector(`[data-part="${part}"]`) ?? null);
    const texts = PARTS.map(() => '');
    return model.onPaint(({ ink }) => {
      if (ink.kind !== 'bars') return;
      for (let at = 0; at < PARTS.length; at++) {
        const text = ink[PARTS[at] ?? 'upBody'];
        if (text === texts[at]) continue;
        texts[at] = text;
        paths[at]?.setAttribute('d', text);
      }
    });
  }, [model]);
  return (
    <g ref={group} clipPath={clip} className="chart-bars" data-style={style}>
      {PARTS.map((part) => <path key={part} data-part={part} className={CLASSES[part]} />)}
    </g>
  );
});
