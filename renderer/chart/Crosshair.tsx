/** The crosshair over the plot: a slider along the points, so that keys and screen readers know what it is. */
import { type KeyboardEvent, memo, type PointerEvent, useCallback, useLayoutEffect, useRef } from 'react';
import type { ChartModel } from './chartModel.ts';
import { createCrosshair, type CrosshairControl } from './crosshairControl.ts';

interface Props {
  readonly model: ChartModel;
  readonly name: string;
  readonly zone: string;
  readonly decimals: number | null;
  readonly locale: string | undefined;
  readonly describedBy: string;
  readonly announce: (text: string) => void;
}

export const Crosshair = memo(function Crosshair({ model, name, zone, decimals, locale, describedBy, announce }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const control = useRef<CrosshairControl>(null);

  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return undefined;
    const find = (part: string): HTMLElement => element.querySelector<HTMLElement>(`[data-part="${part}"]`) ?? element;
    const made = createCrosshair(model, {
      area: element, vertical: find('vertical'), horizontal: find('horizontal'), priceTag: find('price-tag'), timeTag: find('time-tag'),
      readout: find('readout'), price: find('price'), time: find('time'), day: find('day'),
    }, { zone, decimals, locale });
    control.current = made;
    return () => {
      made.close();
      control.current = null;
    };
  }, [model, zone, decimals, locale]);

  const onPointerMove = useCallback((event: PointerEvent<HTMLElement>) => control.current?.pointAt(event.clientX - event.currentTarget.getBoundingClientRect().left), []);
  const onLeave = useCallback(() => { control.current?.hide(); }, []);
  const onFocus = useCallback(() => control.current?.describe(), []);
  const onKeyDown = useCallback((event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      if (!control.current?.hide()) return;
      announce('back to live');
    } else if (!control.current?.key(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }, [announce]);

  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <input type="range"> draws a track and a thumb, which a crosshair is not
      ref={area} className="chart-cursor" role="slider" tabIndex={0} data-cursor="off" aria-label={name} aria-describedby={describedBy} aria-valuemin={0} aria-valuemax={0} aria-valuenow={0}
      onPointerMove={onPointerMove} onPointerLeave={onLeave} onKeyDown={onKeyDown} onFocus={onFocus} onBlur={onLeave}
    >
      <div data-part="vertical" className="chart-cursor-x" />
      <div data-part="horizontal" className="chart-cursor-y" />
      <div data-part="price-tag" className="chart-tag chart-tag-cursor" />
      <div data-part="time-tag" className="chart-cursor-time" />
      <div data-part="readout" className="chart-readout">
        <strong data-part="price" />
        <span data-part="time" />
        <span data-part="day" />
      </div>
    </div>
  );
});
