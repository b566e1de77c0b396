/** Price axis: a quantised domain and its ticks, as exact decimal text. Numbers serve pixels only. */
import { decimal, toFixed } from '../../shared/decimal.ts';

export interface PriceTick {
  readonly value: number;
  /** Exact decimal text with at least the index's own fraction digits. */
  readonly text: string;
  /** The text is a percentage. */
  readonly percent?: boolean;
}

/** 1, 2 or 5 times a power of ten: `factor` × 10^`exponent`. */
export interface NiceStep {
  readonly factor: 1 | 2 | 5;
  readonly exponent: number;
}

export const stepValue = ({ factor, exponent }: NiceStep): number => (exponent < 0 ? factor / 10 ** -exponent : factor * 10 ** exponent);

/** Smallest nice step that cuts `span` into at most `count` parts. `span` > 0. */
export function niceStep(span: number, count: number): NiceStep {
  const raw = span / Math.max(1, count);
  const exponent = Math.floor(Math.log10(raw));
  for (const factor of [1, 2, 5] as const) {
    if (stepValue({ factor, exponent }) >= raw * (1 - 1e-12)) return { factor, exponent };
  }
  return { factor: 1, exponent: exponent + 1 };
}

/** Exact text of `multiple` steps. */
export function multipleText(multiple: number, { factor, exponent }: NiceStep, given: number | null): string {
  const decimals = given ?? 2;
  const units = BigInt(multiple) * BigInt(factor);
  if (exponent >= 0) return toFixed(decimal(String(units * 10n ** BigInt(exponent))), decimals);
  const digits = (units < 0n ? -units : units).toString().padStart(1 - exponent, '0');
  const cut = digits.length + exponent;
  const text = decimal(`${units < 0n ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}`);
  return toFixed(text, Math.max(decimals, -exponent));
}

export interface PriceDomain {
  readonly low: number;
  readonly high: number;
  /** Worked out when asked for: most steps of a moving view keep the axis they have. */
  readonly ticks: () => readonly PriceTick[];
}

/**
 * A domain that holds [low, high] with air on both sides and starts and ends on half steps, so that it stays the same while prices
 * move a little. `count`: how many ticks the height can carry. `decimals`: the index's fraction digits, null where unknown.
 */
export function priceDomain(low: number, high: number, count: number, decimals: number | null): PriceDomain {
  const smallest = 10 ** -(decimals ?? 9);
  const middle = (low + high) / 2;
  // A flat line still gets an axis, and no label between two prices that the index can have.
  const span = Math.max(high - low, smallest * count, Math.abs(middle) * 1e-5);
  const air = span * 0.06;
  const bottom = Math.min(low, middle - span / 2) - air;
  const top = Math.max(high, middle + span / 2) + air;
  const step = niceStep(top - bottom, count);
  const half = stepValue(step) / 2;
  const from = Math.floor(bottom / half + 1e-9) * half;
  const to = Math.ceil(top / half - 1e-9) * half;
  return { low: from, high: to, ticks: () => ticksBetween(from, to, step, decimals) };
}

function ticksBetween(from: number, to: number, step: NiceStep, decimals: number | null): PriceTick[] {
  const ticks: PriceTick[] = [];
  const first = Math.ceil(from / stepValue(step) - 1e-9);
  const last = Math.floor(to / stepValue(step) + 1e-9);
  for (let multiple = first; multiple <= last && ticks.length < 40; multiple++) {
    const text = multipleText(multiple, step, decimals);
    ticks.push({ value: Number(text), text });
  }
  return ticks;
}
