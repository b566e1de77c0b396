/** Tags on the price axis: the base, and the last price, moved by transform on each paint. */
import { memo, useLayoutEffect, useRef } from 'react';
import type { QuoteView } from '../../shared/channels.ts';
import type { ChartModel } from './chartModel.ts';
import { type Frame, TICK_MARGIN } from './frame.ts';
import { exactPrice, shortPrice } from './priceText.ts';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly base: QuoteView['base'];
  readonly decimals: number;
  readonly locale: string | undefined;
}

const TAG_HEIGHT = 20;
/** A tag's padding and border stand left of the labels, so that its digits line up with theirs. */
const TAG_OFFSET = TICK_MARGIN - 7;
const LABEL_HEIGHT = 13;

export const AxisTags = memo(function AxisTags({ model, frame, base, decimals, locale }: Props) {
  const lastTag = useRef<HTMLDivElement>(null);
  const baseTag = useRef<HTMLDivElement>(null);
  const baseValue = base === null ? null : Number(base.price);

  useLayoutEffect(() => {
    let lastText = '';
    let covered = '';
    let labels: readonly SVGElement[] = [];
    /** Axis labels under a tag would peek out beside it: they go while it stands there. */
    const cover = (at: readonly number[]): void => {
      const key = at.map((y) => Math.round(y)).join();
      if (key === covered) return;
      covered = key;
      if (labels.length === 0) labels = [...(lastTag.current?.closest('.chart')?.querySelectorAll<SVGElement>('.chart-tick-price') ?? [])];
      for (const label of labels) {
        const y = Number(label.dataset['at']);
        const under = at.some((tag) => Math.abs(tag - y) < (TAG_HEIGHT + LABEL_HEIGHT) / 2);
        label.style.visibility = under ? 'hidden' : '';
      }
    };
    return model.onPaint(({ last }, plot) => {
      const tag = lastTag.current;
      if (!tag) return;
      const top = plot.y;
      const bottom = plot.y + plot.height;
      const left = plot.x + plot.width + TAG_OFFSET;
      const inside = (y: number): number => Math.max(top, Math.min(bottom, y));
      const standing: number[] = [];
      if (last === null) tag.hidden = true;
      else {
        const text = model.points.texts[last.index] ?? '';
        if (text !== lastText) {
          lastText = text;
          tag.textContent = exactPrice(text, decimals, locale);
        }
        if (tag.hidden) tag.hidden = false;
        tag.style.transform = `translate(${left}px, ${Math.round(inside(last.y) - TAG_HEIGHT / 2)}px)`;
        standing.push(inside(last.y));
      }
      const other = baseTag.current;
      if (other && baseValue !== null) {
        const exact = bottom - ((baseValue - frame.prices.low) / (frame.prices.high - frame.prices.low)) * plot.height;
        let at = inside(exact);
        // The last price is never covered: the base steps aside.
        const lastAt = standing[0];
        if (lastAt !== undefined && Math.abs(at - lastAt) < TAG_HEIGHT + 2) at = lastAt + (at > lastAt || lastAt - TAG_HEIGHT - 2 < top ? TAG_HEIGHT + 2 : -TAG_HEIGHT - 2);
        other.style.transform = `translate(${left}px, ${Math.round(at - TAG_HEIGHT / 2)}px)`;
        other.dataset['beyond'] = exact < top ? 'above' : exact > bottom ? 'below' : 'no';
        standing.push(at);
      }
      cover(standing);
    });
  }, [model, frame, baseValue, decimals, locale]);

  return (
    <div className="chart-tags" aria-hidden="true">
      {base !== null && <div ref={baseTag} className="chart-tag chart-tag-base">{shortPrice(base.price, decimals, locale)}</div>}
      <div ref={lastTag} className="chart-tag chart-tag-last" hidden />
    </div>
  );
});
