/** The crosshair's hands: from pointer and keys to transforms and text, outside React, so that a move costs no rendering. */
import { parseDecimal, subtract } from '../../shared/decimal.ts';
import type { EpochMicros } from '../../shared/time.ts';
import type { ChartModel } from './chartModel.ts';
import { firstVisible, movedByKey, nearestPoint } from './cursor.ts';
import type { Drawn } from './drawing.ts';
import { type Plot, TICK_MARGIN } from './frame.ts';
import { exactPrice } from './priceText.ts';
import { clockLabel, dateLabel, exactClockLabel, offsetLabel } from './timeLabels.ts';

/** The elements that move; all absolutely placed at the chart's top left corner. */
export interface CrosshairElements {
  readonly area: HTMLElement;
  readonly vertical: HTMLElement;
  readonly horizontal: HTMLElement;
  readonly priceTag: HTMLElement;
  readonly timeTag: HTMLElement;
  readonly readout: HTMLElement;
  readonly price: HTMLElement;
  readonly time: HTMLElement;
  readonly day: HTMLElement;
}

export interface CrosshairText {
  readonly zone: string;
  readonly decimals: number | null;
  readonly locale: string | undefined;
}

export interface CrosshairControl {
  /** `x` in CSS pixels from the chart's left edge. Shown with the next frame. */
  pointAt(x: number): void;
  /** True when the key was the crosshair's. */
  key(key: string): boolean;
  /** Back to live. True when the crosshair was on. */
  hide(): boolean;
  /** Brings the slider's value up to date. */
  describe(): void;
  close(): void;
}

const READOUT = { width: 172, height: 62, away: 14 } as const;
const HALF_TIME_TAG = 34;

export function createCrosshair(model: ChartModel, elements: CrosshairElements, { zone, decimals, locale }: CrosshairText): CrosshairControl {
  const { points } = model;
  let drawn: Drawn | null = null;
  let plot: Plot | null = null;
  /** Identity of the point under the crosshair: positions move as points come and go. */
  let held: { readonly time: number; readonly sequence: number } | null = null;
  let scheduled = 0;
  let pointer = 0;

  const bounds = (): { first: number; last: number } => ({ first: firstVisible(points, model.view().frame?.from ?? 0), last: (drawn?.count ?? 0) - 1 });

  function heldIndex(): number {
    if (held === null) return -1;
    const { first, last } = bounds();
    let index = nearestPoint(points, first, last + 1, held.time / 1000);
    while (index < last && points.times[index + 1] === held.time && (points.sequences[index] ?? 0) < held.sequence) index++;
    return index;
  }

  function textOf(index: number): { price: string; time: string; day: string } {
    const time = BigInt(points.times[index] ?? 0) as EpochMicros;
    return { price: exactPrice(points.texts[index] ?? '', decimals, locale), time: `${exactClockLabel(zone, time)} ${offsetLabel(zone, time)}`, day: dateLabel(zone, time) };
  }

  /** Exact change from the point before, with its sign and shape. */
  function stepText(index: number): string {
    const [before, here] = [parseDecimal(points.texts[index - 1] ?? ''), parseDecimal(points.texts[index] ?? '')];
    if (before === undefined || here === undefined) return '';
    const step = subtract(here, before);
    return `${step.startsWith('-') ? '▼ −' : step === '0' ? '' : '▲ +'}${exactPrice(step.replace('-', ''), decimals, locale)}`;
  }

  function describe(): void {
    const { first, last } = bounds();
    const index = held === null ? last : heldIndex();
    if (index < first) return;
    const text = textOf(index);
    elements.area.setAttribute('aria-valuemax', String(Math.max(0, last - first)));
    elements.area.setAttribute('aria-valuenow', String(index - first));
    elements.area.setAttribute('aria-valuetext', `${held === null ? 'newest: ' : ''}${text.price} at ${text.time}, ${text.day}`);
  }

  function show(index: number): void {
    const frame = model.view().frame;
    if (!plot || !frame || index < 0) return;
    const time = (points.times[index] ?? 0) / 1000;
    const right = plot.x + plot.width;
    const bottom = plot.y + plot.height;
    const x = Math.max(plot.x, Math.min(right, frame.scale.copy().range([plot.x, right])(time)));
    const y = bottom - (((points.values[index] ?? 0) - frame.prices.low) / (frame.prices.high - frame.prices.low)) * plot.height;
    const text = textOf(index);
    elements.price.textContent = text.price;
    elements.time.textContent = text.time;
    elements.day.textContent = `${text.day}   ${stepText(index)}`;
    elements.priceTag.textContent = text.price;
    elements.timeTag.textContent = clockLabel(zone, time, true);
    elements.vertical.style.transform = `translate(${x.toFixed(1)}px, ${plot.y}px)`;
    elements.horizontal.style.transform = `translate(${plot.x}px, ${y.toFixed(1)}px)`;
    elements.priceTag.style.transform = `translate(${right + TICK_MARGIN - 7}px, ${Math.round(y - 10)}px)`;
    elements.timeTag.style.transform = `translate(${Math.round(Math.max(plot.x + HALF_TIME_TAG, Math.min(right - HALF_TIME_TAG, x)) - HALF_TIME_TAG)}px, ${Math.round(bottom + 5)}px)`;
    const left = x + READOUT.away + READOUT.width > right ? x - READOUT.away - READOUT.width : x + READOUT.away;
    // In the other half of the plot than the point, so that it never covers the line it reads.
    const top = y > plot.y + plot.height / 2 ? plot.y + 18 : bottom - READOUT.height - 26;
    elements.readout.style.transform = `translate(${Math.round(Math.max(plot.x, left))}px, ${Math.round(top)}px)`;
    elements.area.dataset['cursor'] = 'on';
  }

  function moveTo(index: number): void {
    const time = points.times[index];
    if (time === undefined) return;
    held = { time, sequence: points.sequences[index] ?? 0 };
    show(index);
  }

  function hide(): boolean {
    if (scheduled !== 0) cancelAnimationFrame(scheduled);
    scheduled = 0;
    const was = held !== null;
    held = null;
    elements.area.dataset['cursor'] = 'off';
    if (was) describe();
    return was;
  }

  const unsubscribe = model.onPaint((nextDrawn, nextPlot) => {
    drawn = nextDrawn;
    plot = nextPlot;
    if (held !== null) show(heldIndex());
  });

  return {
    describe,
    hide,
    pointAt(x) {
      pointer = x;
      if (scheduled !== 0) return;
      scheduled = requestAnimationFrame(() => {
        scheduled = 0;
        const frame = model.view().frame;
        if (!plot || !frame) return;
        const { first, last } = bounds();
        moveTo(nearestPoint(points, first, last + 1, frame.scale.copy().range([plot.x, plot.x + plot.width]).invert(pointer)));
      });
    },
    key(key) {
      const { first, last } = bounds();
      if (last < first) return false;
      const backwards = key === 'ArrowLeft' || key === 'ArrowDown';
      const target = movedByKey(key, held === null ? last + (backwards ? 1 : 0) : heldIndex(), first, last);
      if (target === null) return false;
      moveTo(target);
      describe();
      return true;
    },
    close() {
      unsubscribe();
      if (scheduled !== 0) cancelAnimationFrame(scheduled);
    },
  };
}
