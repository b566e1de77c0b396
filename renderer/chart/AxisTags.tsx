/** Tags on the price axis: the base, and the last price, moved by transform on each paint. */
import { memo, useLayoutEffect, useRef } from 'react';
import { formatPrice } from '../../shared/format.ts';
import type { ChartModel } from './chartModel.ts';
import { type Frame, TICK_MARGIN } from './frame.ts';
import { yOf } from './priceScale.ts';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  /** Exact text of the base, or null. */
  readonly base: string | null;
  readonly decimals: number | null;
  readonly locale: string | undefined;
}

const TAG_HEIGHT = 20;
/** A tag's padding and border stand left of the labels, so that its digits line up with theirs. */
const TAG_OFFSET = TICK_MARGIN - 7;
/** Nearer than this a label is under the tag: half of both heights. */
const REACH = (TAG_HEIGHT + 13) / 2;

/** Moves a tag unless it stands there already: writing a style costs, even the same one. Returns where it stands. */
function move(tag: HTMLElement, stands: string, x: number, middle: number): string {
  const transform = `translate(${x}px, ${Math.round(middle - TAG_HEIGHT / 2)}px)`;
  if (transform !== stands) tag.style.transform = transform;
  return transform;
}

export const AxisTags = memo(function AxisTags({ model, frame, base, decimals, locale }: Props) {
  const lastTag = useRef<HTMLDivElement>(null);
  const baseTag = useRef<HTMLDivElement>(null);
  const baseValue = base === null ? null : Number(base);

  useLayoutEffect(() => {
    let lastText = '';
    let lastAt = '';
    let baseAt = '';
    let beyond = '';
    let labels: { readonly element: SVGElement; readonly at: number; hidden: boolean }[] | null = null;
    /** Axis labels under a tag would peek out beside it: they go while it stands there. */
    const cover = (first: number | null, second: number | null): void => {
      labels ??= [...(lastTag.current?.closest('.chart')?.querySelectorAll<SVGElement>('.chart-tick-price') ?? [])].map((element) => ({ element, at: Number(element.dataset['at']), hidden: false }));
      for (const label of labels) {
        const under = (first !== null && Math.abs(first - label.at) < REACH) || (second !== null && Math.abs(second - label.at) < REACH);
        if (under === label.hidden) continue;
        label.hidden = under;
        label.element.style.visibility = under ? 'hidden' : '';
      }
    };
    const stop = model.onPaint(({ last }, plot, seen) => {
      const tag = lastTag.current;
      if (!tag) return;
      const top = plot.y;
      const bottom = plot.y + plot.height;
      const left = plot.x + plot.width + TAG_OFFSET;
      const inside = (y: number): number => Math.max(top, Math.min(bottom, y));
      let [lastY, baseY]: [number | null, number | null] = [null, null];
      // The last price of a view that stands still is not the last price.
      if (last === null || !model.seen().live) {
        if (!tag.hidden) tag.hidden = true;
      }
      else {
        const text = model.points.texts[last.index] ?? '';
        if (text !== lastText) {
          lastText = text;
          const label = formatPrice(text, decimals, locale);
          if (tag.firstChild instanceof Text) tag.firstChild.data = label;
          else tag.textContent = label;
        }
        if (tag.hidden) tag.hidden = false;
        lastY = inside(last.y);
        lastAt = move(tag, lastAt, left, lastY);
      }
      const other = baseTag.current;
      if (other && baseValue !== null) {
        const exact = yOf(seen.prices, plot, baseValue);
        let at = inside(exact);
        // The last price is never covered: the base steps aside.
        if (lastY !== null && Math.abs(at - lastY) < TAG_HEIGHT + 2) at = lastY + (at > lastY || lastY - TAG_HEIGHT - 2 < top ? TAG_HEIGHT + 2 : -TAG_HEIGHT - 2);
        baseAt = move(other, baseAt, left, at);
        const side = exact < top ? 'above' : exact > bottom ? 'below' : 'no';
        if (side !== beyond) {
          beyond = side;
          other.dataset['beyond'] = side;
        }
        baseY = at;
      }
      cover(lastY, baseY);
    });
    return () => {
      stop();
      for (const { element } of labels ?? []) element.style.visibility = '';
    };
  }, [model, frame, baseValue, decimals, locale]);

  return (
    <div className="chart-tags" aria-hidden="true">
      {base !== null && <div ref={baseTag} className="chart-tag chart-tag-base">{formatPrice(base, decimals, locale)}</div>}
      <div ref={lastTag} className="chart-tag chart-tag-last" hidden />
    </div>
  );
});
