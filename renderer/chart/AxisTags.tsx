/** Tags on the price axis: the base, and the last price, moved by transform on each paint. */
import { memo, useLayoutEffect, useRef } from 'react';
import { formatPrice } from '../../shared/format.ts';
import type { ChartModel } from './chartModel.ts';
import { type Frame, TICK_MARGIN } from './frame.ts';
import { TAG_HEIGHT, type TagPlaces, tagPlaces, underTag } from './tagPlaces.ts';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  /** Exact text of the base, or null. */
  readonly base: string | null;
  readonly decimals: number | null;
  readonly locale: string | undefined;
}

/** A tag's padding and border stand left of the labels, so that its digits line up with theirs. */
const TAG_OFFSET = TICK_MARGIN - 7;

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
    const cover = (places: TagPlaces): void => {
      labels ??= [...(lastTag.current?.closest('.chart')?.querySelectorAll<SVGElement>('.chart-tick-price') ?? [])].map((element) => ({ element, at: Number(element.dataset['at']), hidden: false }));
      for (const label of labels) {
        const under = underTag(places, label.at);
        if (under === label.hidden) continue;
        label.hidden = under;
        label.element.style.visibility = under ? 'hidden' : '';
      }
    };
    const stop = model.onPaint(({ last }, plot, seen) => {
      const tag = lastTag.current;
      if (!tag) return;
      const left = plot.x + plot.width + TAG_OFFSET;
      const shown = last !== null && model.seen().live ? last : null;
      const places = tagPlaces(seen.prices, plot, shown?.y ?? null, baseValue);
      // The last price of a view that stands still is not the last price.
      if (shown === null || places.last === null) {
        if (!tag.hidden) tag.hidden = true;
      } else {
        const text = model.points.texts[shown.index] ?? '';
        if (text !== lastText) {
          lastText = text;
          const label = formatPrice(text, decimals, locale);
          if (tag.firstChild instanceof Text) tag.firstChild.data = label;
          else tag.textContent = label;
        }
        if (tag.hidden) tag.hidden = false;
        lastAt = move(tag, lastAt, left, places.last);
      }
      const other = baseTag.current;
      if (other && places.base !== null) {
        baseAt = move(other, baseAt, left, places.base);
        if (places.beyond !== beyond) {
          ({ beyond } = places);
          other.dataset['beyond'] = beyond;
        }
      }
      if (seen === frame) cover(places); // while the view moves its layer has labels of its own
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
