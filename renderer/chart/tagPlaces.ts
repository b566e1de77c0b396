/** Where the tags stand on the price axis. Pure: pixels of the chart. */
import type { Plot } from './frame.ts';
import { type PriceAxis, yOf } from './priceScale.ts';

export const TAG_HEIGHT = 20;
/** Nearer than this a label is under the tag: half of both heights. */
const REACH = (TAG_HEIGHT + 13) / 2;

/** Middles of the tags, kept inside the plot; null for none. */
export interface TagPlaces {
  readonly last: number | null;
  readonly base: number | null;
  /** On which side of the plot the base lies. */
  readonly beyond: 'above' | 'below' | 'no';
}

/** `last`: height of the last price, null where that is not in view; `base`: value of the base. */
export function tagPlaces(prices: PriceAxis, plot: Plot, last: number | null, base: number | null): TagPlaces {
  const top = plot.y;
  const bottom = plot.y + plot.height;
  const inside = (y: number): number => Math.max(top, Math.min(bottom, y));
  const lastAt = last === null ? null : inside(last);
  if (base === null) return { last: lastAt, base: null, beyond: 'no' };
  const exact = yOf(prices, plot, base);
  let at = inside(exact);
  // The last price is never covered: the base steps aside.
  if (lastAt !== null && Math.abs(at - lastAt) < TAG_HEIGHT + 2) at = lastAt + (at > lastAt || lastAt - TAG_HEIGHT - 2 < top ? TAG_HEIGHT + 2 : -TAG_HEIGHT - 2);
  return { last: lastAt, base: at, beyond: exact < top ? 'above' : exact > bottom ? 'below' : 'no' };
}

/** Whether an axis label at a height would peek out beside a tag. */
export const underTag = ({ last, base }: TagPlaces, at: number): boolean => (last !== null && Math.abs(last - at) < REACH) || (base !== null && Math.abs(base - at) < REACH);
