/** The crosshair over the plot: a slider along points or bars, so that keys and screen readers know what it is; wheel and drag move the view. */
import { type KeyboardEvent, memo, useCallback, useLayoutEffect, useRef } from 'react';
import { createAreaBox } from './areaBox.ts';
import type { ChartModel } from './chartModel.ts';
import { createCrosshair, type CrosshairControl } from './crosshairControl.ts';
import { createGestures, type Gestures } from './gestures.ts';
import { createMeasureTool, type MeasureTool } from './measureTool.ts';
import { pageCursor, type SharedCursor } from './sharedCursor.ts';
import type { Reach } from './span.ts';

interface Props {
  readonly model: ChartModel;
  readonly name: string;
  readonly zone: string;
  readonly decimals: number | null;
  readonly locale: string | undefined;
  readonly describedBy: string;
  readonly announce: (text: string) => void;
  readonly home: Reach;
  readonly now: () => bigint;
  readonly cursor?: SharedCursor;
}

export const Crosshair = memo(function Crosshair({ model, name, zone, decimals, locale, describedBy, announce, home, now, cursor = pageCursor }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const control = useRef<CrosshairControl>(null);
  const gestures = useRef<Gestures>(null);
  const measure = useRef<MeasureTool>(null);

  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return undefined;
    const find = (part: string): HTMLElement => element.querySelector<HTMLElement>(`[data-part="${part}"]`) ?? element;
    const made = createCrosshair(model, {
      area: element, vertical: find('vertical'), horizontal: find('horizontal'), priceTag: find('price-tag'), timeTag: find('time-tag'),
      readout: find('readout'), words: find('words'), gap: find('gap'),
    }, { zone, decimals, locale }, cursor);
    const tool = createMeasureTool(model, find('measure'), find('measured'), { decimals, locale });
    const box = createAreaBox(element);
    const moves = createGestures(model, element, box, { now: () => Number(now()) / 1000, home, measure: tool.drag });
    const onMove = (event: PointerEvent): void => {
      if (event.buttons === 0) event.stopPropagation(); // no drag of anybody's: the page need not look for others who listen
      made.pointAt(box.place(event)[0]);
    };
    element.addEventListener('pointermove', onMove);
    control.current = made;
    gestures.current = moves;
    measure.current = tool;
    return () => {
      element.removeEventListener('pointermove', onMove);
      box.close();
      made.close();
      moves.close();
      tool.close();
      control.current = null;
      gestures.current = null;
      measure.current = null;
    };
  }, [model, zone, decimals, locale, home, now, cursor]);

  const onLeave = useCallback(() => { control.current?.hide(); }, []);
  const onFocus = useCallback(() => control.current?.describe(), []);
  const onKeyDown = useCallback((event: KeyboardEvent<HTMLElement>) => {
    const tool = measure.current;
    const held = control.current?.held() ?? null;
    if (event.key === 'Enter' && held !== null && tool) {
      announce(tool.start(held) ?? 'measuring from here');
    } else if (gestures.current?.key(event)) {
      announce(model.view().live ? 'following the present' : 'the view moved');
    } else if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    } else if (event.key === 'Escape') {
      const measuring = tool?.clear() ?? false;
      if (!control.current?.hide() && !measuring) return;
      announce('back to live');
    } else if (!control.current?.key(event.key)) {
      return;
    } else {
      const here = control.current.held();
      const told = here === null ? null : (tool?.to(here) ?? null);
      if (told !== null) announce(told);
    }
    event.preventDefault();
    event.stopPropagation();
  }, [announce, model]);

  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <input type="range"> draws a track and a thumb, which a crosshair is not
      ref={area} className="chart-cursor" role="slider" tabIndex={0} data-cursor="off" aria-label={name} aria-describedby={describedBy} aria-valuemin={0} aria-valuemax={0} aria-valuenow={0}
      onPointerLeave={onLeave} onKeyDown={onKeyDown} onFocus={onFocus} onBlur={onLeave}
    >
      <div data-part="horizontal" className="chart-cursor-y">
        <div data-part="price-tag" className="chart-tag chart-tag-cursor" />
      </div>
      <div data-part="vertical" className="chart-cursor-x">
        <div data-part="time-tag" className="chart-cursor-time" />
        <div data-part="readout" className="chart-readout">
          <div data-part="words" className="chart-readout-words" />
          <div data-part="gap" className="chart-readout-gap" />
        </div>
      </div>
      <div data-part="measure" className="chart-measure"><span data-part="measured" /></div>
    </div>
  );
});
