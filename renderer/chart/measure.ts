/** What lies between two places of a chart: points, percent and time. Exact where both prices are texts of real points. Pure. */
import { parseDecimal, percentChange, subtract } from '../../shared/decimal.ts';
import { formatPercent, formatSigned } from '../../shared/format.ts';
import { lengthLabel } from './timeLabels.ts';

export interface Place {
  /** Milliseconds. */
  readonly time: number;
  /** Decimal text. */
  readonly price: string;
}

export interface Measured {
  readonly points: string;
  readonly percent: string | null;
  readonly length: string;
}

/** From `a` to `b`, with signs; null where a price is no decimal. */
export function measured(a: Place, b: Place, decimals: number | null, locale?: string): Measured | null {
  const [from, to] = [parseDecimal(a.price), parseDecimal(b.price)];
  if (from === undefined || to === undefined) return null;
  const percent = percentChange(from, to, 4);
  return { points: formatSigned(subtract(to, from), decimals ?? 2, locale), percent: percent === undefined ? null : formatPercent(percent, locale), length: lengthLabel(Math.abs(b.time - a.time)) };
}

export const measuredText = ({ points, percent, length }: Measured): string => [points, percent, length].filter((part) => part !== null).join('  ');
