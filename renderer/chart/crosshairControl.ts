/** The crosshair's hands: from pointer and keys to transforms and text, outside React, so that a move costs no rendering. */
import { parseDecimal, subtract } from '../../shared/decimal.ts';
import { type EpochMicros, fromMillis } from '../../shared/time.ts';
import type { ChartModel } from './chartModel.ts';
import { movedByKey } from './cursor.ts';
import type { Drawn } from './drawing.ts';
import { type Frame, type Plot, TICK_MARGIN } from './frame.ts';
import { exactPrice } from './priceText.ts';
import { yOf } from './priceScale.ts';
import type { SessionScale } from './sessionScale.ts';
import type { SharedCursor } from './sharedCursor.ts';
import { clockLabel, dateLabel, dayLabel, exactClockLabel, fullDateLabel, offsetLabel } from './timeLabels.ts';
import { type Track, trackOf } from './track.ts';

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
  readonly figures: HTMLElement;
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
  /** Instant under the crosshair, milliseconds, with its exact price; null while it is off. */
  held(): { readonly time: number; readonly price: string } | null;
  close(): void;
}

const READOUT = { width: 172, height: 62, bars: 138, away: 14 } as const;
const HALF_TIME_TAG = 42;

/** Writes only what changes: each write costs, even of the same text. */
function write(element: HTMLElement, text: string): void {
  if (element.firstChild instanceof Text) {
    if (element.firstChild.data !== text) element.firstChild.data = text;
  } else if (text !== '') element.textContent = text;
}

export function createCrosshair(model: ChartModel, elements: CrosshairElements, { zone, decimals, locale }: CrosshairText, shared: SharedCursor): CrosshairControl {
  const { points } = model;
  const me = {};
  let drawn: Drawn | null = null;
  let plot: Plot | null = null;
  /** Identity of the point or bar under the crosshair. */
  let held: { readonly time: number; readonly sequence: number } | null = null;
  let scheduled = 0;
  let pointer = 0;
  let placed: { readonly frame: Frame; readonly plot: Plot; readonly scale: SessionScale } | null = null;

  const track = (): Track => trackOf(model, drawn?.count ?? 0);

  function scaleOf(frame: Frame, at: Plot): SessionScale {
    if (placed?.frame !== frame || placed.plot !== at) placed = { frame, plot: at, scale: frame.scale.copy().range([at.x, at.x + at.width]) };
    return placed.scale;
  }

  const priceAt = (on: Track, at: number): string => on.bar(at)?.texts.close ?? points.texts[at] ?? '';

  function textOf(on: Track, at: number): { price: string; time: string; day: string; figures: string } {
    const bar = on.bar(at);
    const shown = (text: string): string => exactPrice(text, decimals, locale);
    const time = BigInt(Math.floor(bar ? bar.start * 1000 : (points.times[at] ?? 0))) as EpochMicros;
    const price = shown(priceAt(on, at));
    const daily = model.seen().frame?.daily === true;
    const far = daily || (model.span()?.to ?? 0) - (model.span()?.from ?? 0) > 300 * 86_400_000;
    const day = far ? fullDateLabel(zone, time) : dateLabel(zone, time);
    if (!bar) return { price, time: daily && points.historyStep === 86_400_000 && (points.times[at] ?? 0) <= points.historyUntil ? 'day' : `${exactClockLabel(zone, time)} ${offsetLabel(zone, time)}`, day, figures: '' };
    const figures = [`O ${shown(bar.texts.open)}`, `H ${shown(bar.texts.high)}`, `L ${shown(bar.texts.low)}`, `C ${price}`, ...(bar.volume === null ? [] : [`V ${exactPrice(bar.volume, 0, locale)}`])].join('\n');
    return { price, time: daily ? '' : `${clockLabel(zone, bar.start, true)} ${offsetLabel(zone, time)}`, day, figures };
  }

  /** Exact change from the one before, with its sign and shape. */
  function stepText(on: Track, at: number): string {
    const [before, here] = [parseDecimal(priceAt(on, at - 1)), parseDecimal(priceAt(on, at))];
    if (before === undefined || here === undefined) return '';
    const step = subtract(here, before);
    return `${step.startsWith('-') ? '▼ −' : step === '0' ? '' : '▲ +'}${exactPrice(step.replace('-', ''), decimals, locale)}`;
  }

  function describe(): void {
    const on = track();
    const at = held === null ? on.last : on.find(held);
    if (at < on.first) return;
    const { price, time, day, figures } = textOf(on, at);
    elements.area.setAttribute('aria-valuemax', String(Math.max(0, on.last - on.first)));
    elements.area.setAttribute('aria-valuenow', String(at - on.first));
    const when = [time === '' || time === 'day' ? '' : `at ${time}`, day].filter((part) => part !== '').join(', ');
    elements.area.setAttribute('aria-valuetext', `${held === null ? 'newest: ' : ''}${figures === '' ? price : figures.replaceAll('\n', ', ')} ${when}`);
  }

  function show(on: Track, at: number): void {
    const { frame } = model.seen();
    if (!plot || !frame || at < on.first) return;
    const time = on.time(at);
    const right = plot.x + plot.width;
    const bottom = plot.y + plot.height;
    const x = Math.max(plot.x, Math.min(right, scaleOf(frame, plot)(time)));
    const y = yOf(frame.prices, plot, on.value(at));
    const text = textOf(on, at);
    write(elements.price, text.price);
    write(elements.time, text.time);
    write(elements.day, `${text.day}   ${stepText(on, at)}`);
    write(elements.figures, text.figures);
    write(elements.priceTag, text.price);
    write(elements.timeTag, frame.daily ? dayLabel(zone, fromMillis(on.bar(at)?.start ?? time)) : clockLabel(zone, on.bar(at)?.start ?? time, true));
    elements.vertical.style.transform = `translate(${x.toFixed(1)}px, ${plot.y}px)`;
    elements.horizontal.style.transform = `translate(${plot.x}px, ${y.toFixed(1)}px)`;
    elements.priceTag.style.transform = `translate(${right + TICK_MARGIN - 7}px, ${Math.round(y - 10)}px)`;
    elements.timeTag.style.transform = `translate(${Math.round(Math.max(plot.x + HALF_TIME_TAG, Math.min(right - HALF_TIME_TAG, x)) - HALF_TIME_TAG)}px, ${Math.round(bottom + 5)}px)`;
    const left = x + READOUT.away + READOUT.width > right ? x - READOUT.away - READOUT.width : x + READOUT.away;
    const height = text.figures === '' ? READOUT.height : READOUT.bars;
    // In the other half of the plot than the point, so that it never covers the line it reads.
    const top = y > plot.y + plot.height / 2 ? plot.y + 18 : bottom - height - 26;
    elements.readout.style.transform = `translate(${Math.round(Math.max(plot.x, left))}px, ${Math.round(top)}px)`;
    if (elements.area.dataset['cursor'] !== 'on') elements.area.dataset['cursor'] = 'on';
  }

  function moveTo(on: Track, at: number, tell: boolean): void {
    if (at < on.first || at > on.last) return;
    held = on.key(at);
    show(on, at);
    if (tell) shared.set(me, on.time(at));
  }

  function drop(): void {
    if (scheduled !== 0) cancelAnimationFrame(scheduled);
    scheduled = 0;
    held = null;
    elements.area.dataset['cursor'] = 'off';
  }

  function hide(): boolean {
    const was = held !== null;
    drop();
    if (was) {
      describe();
      shared.set(me, null);
    }
    return was;
  }

  const stops = [
    model.onPaint((nextDrawn, nextPlot) => {
      drawn = nextDrawn;
      plot = nextPlot;
      if (held === null) return;
      const on = track();
      show(on, on.find(held));
    }),
    shared.subscribe((owner, time) => {
      if (owner === me) return;
      if (time === null) {
        drop();
        return;
      }
      const on = track();
      if (on.last >= on.first) moveTo(on, on.nearest(time), false);
    }),
  ];

  return {
    describe, hide,
    held() {
      if (held === null) return null;
      const on = track();
      const at = on.find(held);
      return { time: on.time(at), price: priceAt(on, at) };
    },
    pointAt(x) {
      pointer = x;
      if (scheduled !== 0) return;
      scheduled = requestAnimationFrame(() => {
        scheduled = 0;
        const { frame } = model.seen();
        if (!plot || !frame) return;
        const on = track();
        moveTo(on, on.nearest(scaleOf(frame, plot).invert(pointer)), true);
      });
    },
    key(key) {
      const on = track();
      if (on.last < on.first) return false;
      const backwards = key === 'ArrowLeft' || key === 'ArrowDown';
      const target = movedByKey(key, held === null ? on.last + (backwards ? 1 : 0) : on.find(held), on.first, on.last);
      if (target === null) return false;
      moveTo(on, target, true);
      describe();
      return true;
    },
    close() {
      for (const stop of stops) stop();
      if (scheduled !== 0) cancelAnimationFrame(scheduled);
    },
  };
}
