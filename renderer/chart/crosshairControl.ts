/** The crosshair's hands: from pointer and keys to transforms and text, outside React, so that a move costs no rendering. */
import type { ChartModel } from './chartModel.ts';
import { type CrosshairText, createCrosshairTexts, gapTextAt } from './crosshairText.ts';
import { movedByKey } from './cursor.ts';
import type { Drawn } from './drawing.ts';
import type { Frame, Plot } from './frame.ts';
import type { Gap } from './gaps.ts';
import { heightsOf } from './priceScale.ts';
import { scaleOver, type SessionScale } from './sessionScale.ts';
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
  /** In the readout: what the point says, and the gap that the pointer is in. */
  readonly words: HTMLElement;
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

/** What is on screen, for the cursor: what it walks on and where that stands. Made anew when something was drawn or came in, not for each move. */
interface Scene {
  readonly on: Track;
  readonly plot: Plot;
  readonly scale: SessionScale;
  readonly right: number;
  readonly yOf: (value: number) => number;
  readonly gaps: readonly Gap[];
  readonly revision: number;
}

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

/** Moves an element sideways from its place, by whole pixels, where that changes. */
function shifter(element: HTMLElement): (by: number) => void {
  let held = 0;
  return (by) => {
    const whole = Math.round(by);
    if (whole === held) return;
    held = whole;
    element.style.transform = whole === 0 ? '' : `translateX(${whole}px)`;
  };
}

export function createCrosshair(model: ChartModel, elements: CrosshairElements, words: CrosshairText, shared: SharedCursor): CrosshairControl {
  const me = {};
  let painted: { readonly drawn: Drawn; readonly plot: Plot; readonly frame: Frame } | null = null;
  let kept: Scene | null = null;
  /** Identity of the point or bar under the crosshair. */
  let held: { readonly time: number; readonly sequence: number } | null = null;
  /** Another chart has the pointer. */
  let along = false;
  const texts = createCrosshairTexts(model, words);
  /** As written last. */
  let laid: Plot | null = null;
  let turned = 'off';
  const write = {
    words: writer(elements.words), gap: writer(elements.gap),
    priceTag: writer(elements.priceTag), timeTag: writer(elements.timeTag),
  };
  const [vertical, horizontal] = [elements.vertical.style, elements.horizontal.style];
  const marked = { side: '', half: '' };
  const moved = { timeTag: shifter(elements.timeTag), readout: shifter(elements.readout) };

  /** Null before anything is drawn. */
  function scene(): Scene | null {
    if (painted === null) return null;
    const { revision } = model.points;
    if (kept?.revision !== revision) {
      const { drawn, plot, frame } = painted;
      const right = plot.x + plot.width;
      texts.begin(frame.daily);
      kept = { on: trackOf(model, drawn.count, frame), plot, right, scale: scaleOver(frame.scale, plot.x, right), yOf: heightsOf(frame.prices, plot), gaps: model.seen().gaps, revision };
    }
    return kept;
  }

  function describe(): void {
    const here = scene();
    if (here === null) return;
    const { on } = here;
    const at = held === null ? on.last : on.find(held);
    if (at < on.first) return;
    const { price, time, day, figures } = texts.of(on, at);
    const gap = gapTextAt(here.gaps, on.time(at));
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

  /** `stands`: the position's instant; `time`: the one that is pointed at. Milliseconds. Where another chart has the pointer a line and the readout do. */
  function show({ on, plot, right, scale, yOf, gaps }: Scene, at: number, stands: number, time: number): void {
    if (at < on.first) return;
    const x = Math.round(Math.max(plot.x, Math.min(right, scale(stands))));
    const y = yOf(on.value(at));
    const text = texts.of(on, at);
    layOut(plot);
    write.words(text.readout);
    write.gap(gapTextAt(gaps, time));
    vertical.transform = `translate(${x}px, ${plot.y}px)`;
    // Tags and readout hang on the lines; what they do near an edge is written where it changes.
    if (!along) {
      write.priceTag(text.price);
      write.timeTag(text.tag);
      horizontal.transform = `translate(${plot.x}px, ${Math.round(y)}px)`;
      moved.timeTag(Math.max(plot.x + HALF_TIME_TAG - x, 0) + Math.min(right - HALF_TIME_TAG - x, 0));
    }
    const fits = x + READOUT.away + READOUT.width <= right ? 'after' : x - READOUT.away - READOUT.width >= plot.x ? 'before' : 'over';
    mark('side', fits);
    moved.readout(fits === 'over' ? plot.x - x : 0);
    // In the other half of the plot than the point, so that it never covers the line it reads.
    mark('half', y > plot.y + plot.height / 2 ? 'upper' : 'lower');
    turn(along ? 'along' : 'on');
  }

  function turn(to: 'on' | 'along' | 'off'): void {
    if (turned === to) return;
    turned = to;
    elements.area.dataset['cursor'] = to;
  }

  function mark(name: 'side' | 'half', value: string): void {
    if (marked[name] === value) return;
    marked[name] = value;
    elements.readout.dataset[name] = value;
  }

  function moveTo(here: Scene, at: number, tell: boolean, time?: number): void {
    const { on } = here;
    if (at < on.first || at > on.last) return;
    held = on.key(at);
    along = !tell;
    const stands = on.time(at);
    show(here, at, stands, time ?? stands);
    if (tell) shared.set(me, stands);
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
    model.onPaint((drawn, plot, frame) => {
      painted = { drawn, plot, frame };
      kept = null;
      if (held === null) return;
      const here = scene();
      if (here === null) return;
      const at = here.on.find(held);
      show(here, at, here.on.time(at), here.on.time(at));
    }),
    shared.subscribe((owner, time) => {
      if (owner === me) return;
      if (time === null) {
        drop();
        return;
      }
      const here = scene();
      if (here && here.on.last >= here.on.first) moveTo(here, here.on.nearest(time), false);
    }),
  ];

  return {
    describe, hide,
    held() {
      const here = held === null ? null : scene();
      if (held === null || here === null) return null;
      const at = here.on.find(held);
      return { time: here.on.time(at), price: texts.price(here.on, at) };
    },
    pointAt(x) {
      const here = scene();
      if (here === null) return;
      const time = here.scale.invert(x);
      moveTo(here, here.on.nearest(time), true, time);
    },
    key(key) {
      const here = scene();
      if (here === null || here.on.last < here.on.first) return false;
      const { on } = here;
      const backwards = key === 'ArrowLeft' || key === 'ArrowDown';
      const target = movedByKey(key, held === null ? on.last + (backwards ? 1 : 0) : on.find(held), on.first, on.last);
      if (target === null) return false;
      moveTo(here, target, true);
      describe();
      return true;
    },
    close() {
      for (const stop of stops) stop();
      turn('off');
    },
  };
}
