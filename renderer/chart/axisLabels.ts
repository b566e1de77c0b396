/** Labels of both axes with their places. Pure: pixels of the chart. */
import { formatPercent } from '../../shared/format.ts';
import { type Frame, type Plot, TICK_MARGIN } from './frame.ts';
import { exactPrice } from './priceText.ts';
import { yOf } from './priceScale.ts';
import { scaleOver } from './sessionScale.ts';

export interface TimeLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** At the edges a label is pushed inwards. */
  readonly anchor: 'start' | 'middle' | 'end';
}

export interface PriceLabel {
  readonly text: string;
  readonly x: number;
  /** The height that it names; its baseline is 4 pixels lower. */
  readonly at: number;
}

const HALF_CHARACTER = 3.1; // of the axis labels' face
/** From a price's height to its label's baseline. */
export const BASELINE = 4;

export function timeAxisLabels(frame: Frame, plot: Plot): TimeLabel[] {
  const right = plot.x + plot.width;
  const place = scaleOver(frame.scale, plot.x, right);
  const y = plot.y + plot.height + 20;
  return frame.timeTicks.map(({ time, label }) => {
    const [at, half] = [place(time), label.length * HALF_CHARACTER];
    const anchor = at - plot.x < half ? 'start' : right - at < half ? 'end' : 'middle';
    return { text: label, x: anchor === 'start' ? plot.x : anchor === 'end' ? right : at, y, anchor };
  });
}

export function priceAxisLabels(frame: Frame, plot: Plot, decimals: number | null, locale: string | undefined): PriceLabel[] {
  const x = plot.x + plot.width + TICK_MARGIN;
  return frame.prices.ticks.map(({ value, text, percent }) => ({
    text: percent === true ? formatPercent(text, locale) : exactPrice(text, decimals, locale), x, at: yOf(frame.prices, plot, value),
  }));
}
