/** The price axis in its three scales: a domain, its ticks, and where a value stands between bottom and top. */
import type { Plot } from './frame.ts';
import { multipleText, niceStep, priceDomain, type PriceTick, stepValue } from './priceTicks.ts';
import type { PriceScaleKind } from './settings.ts';

export interface PriceAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly PriceTick[];
  readonly scale: PriceScaleKind;
  /** What a percent axis starts from; null on the others. */
  readonly base: number | null;
}

export interface AxisRequest {
  readonly low: number;
  readonly high: number;
  /** How many ticks the height can carry. */
  readonly count: number;
  readonly decimals: number | null;
  readonly scale: PriceScaleKind;
  readonly base: number | null;
}

const identity = (value: number): number => value;
const logOf = (value: number): number => Math.log(Math.max(value, Number.MIN_VALUE));

/** What is linear in pixels: the value, or its logarithm. */
export const transformOf = ({ scale }: { readonly scale: PriceScaleKind }): ((value: number) => number) => (scale === 'log' ? logOf : identity);

/** From values to pixels of the plot. */
export function heightsOf(axis: PriceAxis, plot: Plot): (value: number) => number {
  const place = transformOf(axis);
  const low = place(axis.low);
  const span = place(axis.high) - low;
  return (value) => plot.y + plot.height - ((place(value) - low) / span) * plot.height;
}

/** Pixel of a value in the plot. */
export const yOf = (axis: PriceAxis, plot: Plot, value: number): number => heightsOf(axis, plot)(value);

/** Value at a pixel of the plot. */
export function valueAt(axis: PriceAxis, plot: Plot, y: number): number {
  const share = (plot.y + plot.height - y) / plot.height;
  if (axis.scale === 'log') return Math.exp(logOf(axis.low) + share * (logOf(axis.high) - logOf(axis.low)));
  return axis.low + share * (axis.high - axis.low);
}

/** 1, 2 and 5 of each power of ten in [low, high], thinned to about `count`. */
function decadeTicks(low: number, high: number, count: number, decimals: number | null): PriceTick[] {
  const ticks: PriceTick[] = [];
  const decades = Math.log10(high / low);
  const factors: readonly (1 | 2 | 5)[] = decades * 3 <= count ? [1, 2, 5] : [1];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++) {
    for (const factor of factors) {
      const value = stepValue({ factor, exponent });
      if (value >= low && value <= high) ticks.push({ value, text: multipleText(1, { factor, exponent }, decimals) });
    }
  }
  return ticks;
}

/** An axis whose ticks are worked out once they are asked for. */
interface Planned extends Omit<PriceAxis, 'ticks'> {
  readonly ticks: () => readonly PriceTick[];
}

function logTicks(bottom: number, top: number, { count, decimals }: AxisRequest): readonly PriceTick[] {
  const decades = top / bottom > 8 ? decadeTicks(bottom, top, count, decimals) : [];
  if (decades.length >= 3) return decades;
  const step = niceStep(top - bottom, count);
  const linear: PriceTick[] = [];
  for (let multiple = Math.ceil(bottom / stepValue(step)); multiple <= Math.floor(top / stepValue(step)) && linear.length < 40; multiple++) {
    const text = multipleText(multiple, step, decimals);
    linear.push({ value: Number(text), text });
  }
  return linear;
}

function logAxis(request: AxisRequest): Planned {
  const { low, high } = request;
  const air = Math.max(0.06 * Math.log(high / low), 1e-5);
  const [bottom, top] = [Math.exp(Math.log(low) - air), Math.exp(Math.log(high) + air)];
  return { low: bottom, high: top, ticks: () => logTicks(bottom, top, request), scale: 'log', base: null };
}

function percentAxis({ low, high, count }: AxisRequest, base: number): Planned {
  const percent = (value: number): number => (value / base - 1) * 100;
  const back = (value: number): number => base * (1 + value / 100);
  const domain = priceDomain(percent(low), percent(high), count, 2);
  return { low: back(domain.low), high: back(domain.high), ticks: () => domain.ticks().map(({ value, text }) => ({ value: back(value), text, percent: true })), scale: 'percent', base };
}

function plan(request: AxisRequest): Planned {
  const { low, high, count, decimals, scale, base } = request;
  if (scale === 'log' && low > 0) return logAxis(request);
  if (scale === 'percent' && base !== null && base > 0) return percentAxis(request, base);
  return { ...priceDomain(low, high, count, decimals), scale: 'linear', base: null };
}

const made = (planned: Planned): PriceAxis => ({ ...planned, ticks: planned.ticks() });

/** An axis that holds [low, high] with air. A scale that the values do not allow (a logarithm below zero, percent of nothing) is linear. */
export const priceAxis = (request: AxisRequest): PriceAxis => made(plan(request));

/** Keeps `held` while [low, high] fits inside it and still fills a good part of it: an axis that twitches can't be read. */
export function steadyPriceAxis(held: PriceAxis | null, request: AxisRequest): PriceAxis {
  const next = plan(request);
  if (!held || held.scale !== next.scale || held.base !== next.base) return made(next);
  const { low, high, count } = request;
  const fits = low >= held.low && high <= held.high;
  const fills = next.high - next.low >= 0.6 * (held.high - held.low);
  return fits && fills && held.ticks.length <= 2 * count && held.ticks.length >= count / 3 ? held : made(next);
}
