/**
 * Axis labels, grid, gaps, breaks and base while the view moves, written straight to the DOM: React and Recharts lay them out anew once the
 * view is at rest. Looks the same, costs a hundredth. Each write costs alike, whatever is written: so lines of a kind are one path.
 */
import { BASELINE, priceAxisLabels, type PriceLabel, timeAxisLabels } from './axisLabels.ts';
import type { ChartModel } from './chartModel.ts';
import { createPool } from './elementPool.ts';
import type { Frame, Plot } from './frame.ts';
import type { Gap } from './gaps.ts';
import { markPlaces } from './markPlaces.ts';
import type { PriceAxis } from './priceScale.ts';
import { tagPlaces, underTag } from './tagPlaces.ts';

export interface MotionLook {
  /** Url of the hatching and of the plot's clip path. */
  readonly hatch: string;
  readonly clip: string;
  readonly base: number | null;
  readonly decimals: number | null;
  readonly locale: string | undefined;
}

const SVG = 'http://www.w3.org/2000/svg';
const tenth = (pixel: number): number => Math.round(pixel * 10) / 10;

export interface Motion {
  /** Shows a frame that React has not laid out. `last`: height of the last price, null where that has no tag. */
  show(frame: Frame, plot: Plot, gaps: readonly Gap[], last: number | null): void;
  /** Out of sight, and out of the document. */
  hide(): void;
}

export function createMotion(group: SVGGElement, { hatch, clip, base, decimals, locale }: MotionLook): Motion {
  const clipped = document.createElementNS(SVG, 'g');
  clipped.setAttribute('clip-path', clip);
  group.append(clipped);
  const grid = createPool(group, 'path', 'chart-grid-line');
  const times = createPool(group, 'text', 'chart-tick');
  const prices = createPool(group, 'text', 'chart-tick');
  const hatched = createPool(clipped, 'path', 'chart-gap');
  const bases = createPool(group, 'path', 'chart-base');
  const breaks = createPool(group, 'path', 'chart-break-line');
  const breakLabels = createPool(group, 'text', 'chart-break-label');
  const gapLabels = createPool(group, 'text', 'chart-gap-label');
  const pools = [grid, times, prices, hatched, bases, breaks, breakLabels, gapLabels];
  let priced: { readonly prices: PriceAxis; readonly plot: Plot; readonly labels: readonly PriceLabel[] } | null = null;
  return {
    show(frame, plot, gaps, last) {
      const { x, y, width, height } = plot;
      const [right, bottom] = [x + width, y + height];
      for (const label of timeAxisLabels(frame, plot)) times.put({ x: tenth(label.x), y: label.y, 'text-anchor': label.anchor }, label.text);
      if (priced?.prices !== frame.prices || priced.plot !== plot) priced = { prices: frame.prices, plot, labels: priceAxisLabels(frame, plot, decimals, locale) };
      const tags = tagPlaces(frame.prices, plot, last, base);
      const across = (at: number): string => `M${x},${tenth(at)}H${right}`;
      let lines = '';
      for (const label of priced.labels) {
        lines += across(label.at);
        prices.put({ x: label.x, y: tenth(label.at) + BASELINE, visibility: underTag(tags, label.at) ? 'hidden' : 'inherit' }, label.text);
      }
      grid.put({ d: lines });
      const marks = markPlaces(frame, plot, gaps, base);
      let silent = '';
      for (const gap of marks.gaps) {
        silent += `M${tenth(gap.left)},${y}h${tenth(gap.width)}v${height}h${-tenth(gap.width)}z`;
        if (gap.text !== null) gapLabels.put({ x: tenth(gap.start), y: bottom - 8 }, gap.text);
      }
      if (silent !== '') hatched.put({ d: silent, fill: hatch });
      if (marks.base !== null) bases.put({ d: across(marks.base) });
      let broken = '';
      for (const { at, start, text } of marks.breaks) {
        broken += `M${at},${y}V${bottom}`;
        if (text !== null) breakLabels.put({ x: tenth(start), y: y + 11 }, text);
      }
      if (broken !== '') breaks.put({ d: broken });
      for (const pool of pools) pool.end();
    },
    hide() {
      for (const pool of pools) pool.end();
    },
  };
}

/** Follows `model` while it is ahead of `laid`, the frame that React has laid out in `chart`; the way to end it. `make` is called when it first moves. */
export function followMotion(model: ChartModel, laid: Frame, chart: HTMLElement, make: () => Motion): () => void {
  let motion: Motion | null = null;
  let moving = false;
  const rest = (): void => {
    if (!moving) return;
    moving = false;
    delete chart.dataset['moving'];
    motion?.hide();
  };
  const stop = model.onPaint(({ last }, plot, frame) => {
    if (frame === laid) {
      rest();
      return;
    }
    motion ??= make();
    const { gaps, live } = model.seen();
    motion.show(frame, plot, gaps, live ? (last?.y ?? null) : null);
    if (moving) return;
    moving = true;
    chart.dataset['moving'] = '';
  });
  return () => {
    stop();
    rest();
  };
}
