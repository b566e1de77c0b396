/** The crosshair's hands: from pointer and keys to transforms and text, outside React, so that a move costs no rendering. */
import type { ChartModel } from './chartModel.ts';
import { type CrosshairText, createCrosshairTexts } from './crosshairText.ts';
import { movedByKey } from './cursor.ts';
import type { Drawn } from './drawing.ts';
import type { Frame, Plot } from './frame.ts';
import { yOf } from './priceScale.ts';
import { scaleOver } from './sessionScale.ts';
import type { SharedCursor } from './sharedCursor.ts';
import { type Track, trackOf } from './track.ts';

/** The elements that move: lines at the chart's top left corner, with the time's tag and the readout on the vertical one, the price's tag on the horizontal one. */
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
  readonly gap: HTMLElement;
}

export interface CrosshairControl {
  /** `x` in CSS pixels from the chart's left edge. Browsers tell of pointers once per frame. */
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

const READOUT = { width: 172, away: 14 } as const;
const HALF_TIME_TAG = 42;

/** Writes an element's text where it changes, without asking the document. */
function writer(element: HTMLElement): (text: string) => void {
  const node = document.createTextNode('');
  element.replaceChildren(node);
  let held = '';
  return (text) => {
    if (text === held) return;
    held = text;
    node.data = text;
  };
}

export function createCrosshair(model: ChartModel, elements: CrosshairElements, words: CrosshairText, shared: SharedCursor): CrosshairControl {
  const me = {};
  let drawn: Drawn | null = null;
  let plot: Plot | null = null;
  /** Identity of the point or bar under the crosshair. */
  let held: { readonly time: number; readonly sequence: number } | null = null;
  const texts = createCrosshairTexts(model, words);
  /** As written last. */
  let laid: Plot | null = null;
  let turned = 'off';
  const write = {
    price: writer(elements.price), time: writer(elements.time), day: writer(elements.day), figures: writer(elements.figures), gap: writer(elements.gap),
    priceTag: writer(elements.priceTag), timeTag: writer(elements.timeTag),
  };
  const [vertical, horizontal] = [elements.vertical.style, elements.horizontal.style];
  const marked = { side: '', half: '' };
  const shifted = new Map<HTMLElement, number>();

  let kept: { readonly track: Track; readonly drawn: Drawn | null; readonly frame: Frame | null; readonly revision: number } | null = null;

  /** Made anew when something was drawn or came in: not for each move of a pointer. */
  function track(): Track {
    const { frame } = model.seen();
    const { revision } = model.points;
    if (kept?.drawn !== drawn || kept.frame !== frame || kept.revision !== revision) kept = { track: trackOf(model, drawn?.count ?? 0), drawn, frame, revision };
    return kept.track;
  }

  function describe(): void {
    const on = track();
    const at = held === null ? on.last : on.find(held);
    if (at < on.first) return;
    const { price, time, day, figures } = texts.of(on, at);
    const gap = texts.gap(on.time(at));
    elements.area.setAttribute('aria-valuemax', String(Math.max(0, on.last - on.first)));
    elements.area.setAttribute('aria-valuenow', String(at - on.first));
    const when = [time === '' || time === 'day' ? '' : `at ${time}`, day].filter((part) => part !== '').join(', ');
    elements.area.setAttribute('aria-valuetext', `${held === null ? 'newest: ' : ''}${figures === '' ? price : figures.replaceAll('\n', ', ')} ${when}${gap === '' ? '' : `, ${gap}`}`);
  }

  /** What stays while the plot does. */
  function layOut(at: Plot): void {
    if (laid === at) return;
    laid = at;
    elements.vertical.style.height = `${at.height}px`;
    elements.horizontal.style.width = `${at.width}px`;
  }

  /** `time`: the instant that is pointed at, milliseconds. */
  function show(on: Track, at: number, time = on.time(at)): void {
    const { frame } = model.seen();
    if (!plot || !frame || at < on.first) return;
    const right = plot.x + plot.width;
    const x = Math.round(Math.max(plot.x, Math.min(right, scaleOver(frame.scale, plot.x, right)(on.time(at)))));
    const y = yOf(frame.prices, plot, on.value(at));
    const text = texts.of(on, at);
    layOut(plot);
    write.price(text.price);
    write.time(text.time);
    write.day(text.dayAndStep);
    write.figures(text.figures);
    write.gap(texts.gap(time));
    write.priceTag(text.price);
    write.timeTag(text.tag);
    vertical.transform = `translate(${x}px, ${plot.y}px)`;
    horizontal.transform = `translate(${plot.x}px, ${Math.round(y)}px)`;
    // Tags and readout hang on the lines; what they do near an edge is written where it changes.
    shift(elements.timeTag, Math.max(plot.x + HALF_TIME_TAG - x, 0) + Math.min(right - HALF_TIME_TAG - x, 0));
    const fits = x + READOUT.away + READOUT.width <= right ? 'after' : x - READOUT.away - READOUT.width >= plot.x ? 'before' : 'over';
    mark('side', fits);
    shift(elements.readout, fits === 'over' ? plot.x - x : 0);
    // In the other half of the plot than the point, so that it never covers the line it reads.
    mark('half', y > plot.y + plot.height / 2 ? 'upper' : 'lower');
    turn('on');
  }

  function turn(to: 'on' | 'off'): void {
    if (turned === to) return;
    turned = to;
    elements.area.dataset['cursor'] = to;
  }

  function mark(name: 'side' | 'half', value: string): void {
    if (marked[name] === value) return;
    marked[name] = value;
    elements.readout.dataset[name] = value;
  }

  function shift(element: HTMLElement, by: number): void {
    const whole = Math.round(by);
    if ((shifted.get(element) ?? 0) === whole) return;
    shifted.set(element, whole);
    element.style.transform = whole === 0 ? '' : `translateX(${whole}px)`;
  }

  function moveTo(on: Track, at: number, tell: boolean, time = on.time(at)): void {
    if (at < on.first || at > on.last) return;
    held = on.key(at);
    show(on, at, time);
    if (tell) shared.set(me, on.time(at));
  }

  function drop(): void {
    held = null;
    texts.forget();
    turn('off');
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
      return { time: on.time(at), price: texts.price(on, at) };
    },
    pointAt(x) {
      const { frame } = model.seen();
      if (!plot || !frame) return;
      const on = track();
      const time = scaleOver(frame.scale, plot.x, plot.x + plot.width).invert(x);
      moveTo(on, on.nearest(time), true, time);
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
      turn('off');
    },
  };
}
