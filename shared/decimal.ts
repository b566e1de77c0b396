/** Exact decimal text: prices stay as their producer wrote them; arithmetic is BigInt at a common scale. */

declare const decimalText: unique symbol;
/** Decimal text in canonical form: optional `-`, digits without leading zeros, optional fraction without trailing zeros; never `-0`. */
export type Decimal = string & { readonly [decimalText]: true };

const MINUS = 45; // character codes
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const PLAIN = /^([+-]?)(\d{1,40})(?:\.(\d{0,40}))?$|^([+-]?)\.(\d{1,40})$/;

/** Canonical form of plain decimal text (no exponent, no grouping), else undefined. Keeps every significant digit. */
export function parseDecimal(text: string): Decimal | undefined {
  const length = canonicalLength(text);
  if (length > 0) return (length === text.length ? text : text.slice(0, length)) as Decimal;
  const match = PLAIN.exec(text);
  if (!match) return undefined;
  const sign = match[1] ?? match[4] ?? '';
  const whole = (match[2] ?? '0').replace(/^0+(?=\d)/, '');
  const fraction = (match[3] ?? match[5] ?? '').replace(/0+$/, '');
  const body = fraction === '' ? whole : `${whole}.${fraction}`;
  return (sign === '-' && body !== '0' ? `-${body}` : body) as Decimal;
}

/**
 * How much of the text is its canonical form, where only zeros or a point behind it are too many: so nearly all prices come. 0: not so, and
 * all of the grammar has to be asked.
 */
function canonicalLength(text: string): number {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  let [at, end, point] = [start, start, -1];
  if (text.length > 40 || !(text.charCodeAt(at) > ZERO && text.charCodeAt(at) <= NINE)) return 0;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT && point === -1) point = at;
    else if (code < ZERO || code > NINE) return 0;
    else if (point === -1 || code !== ZERO) end = at + 1;
  }
  return end;
}

/** As `parseDecimal`, throwing RangeError. For values that our own code made. */
export function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new RangeError(`not a decimal: ${text.slice(0, 60)}`);
  return parsed;
}

const scaleOf = (value: Decimal): number => (value.includes('.') ? value.length - value.indexOf('.') - 1 : 0);

function scaled(value: Decimal, scale: number): bigint {
  return BigInt(value.replace('.', '')) * 10n ** BigInt(scale - scaleOf(value));
}

function unscaled(value: bigint, scale: number): Decimal {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const cut = digits.length - scale;
  return decimal(`${value < 0n ? '-' : ''}${digits.slice(0, cut)}${scale > 0 ? `.${digits.slice(cut)}` : ''}`);
}

const common = (a: Decimal, b: Decimal): number => Math.max(scaleOf(a), scaleOf(b));

/** -1, 0 or 1. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const scale = common(a, b);
  const [x, y] = [scaled(a, scale), scaled(b, scale)];
  return x < y ? -1 : x > y ? 1 : 0;
}

export const max = (a: Decimal, b: Decimal): Decimal => (compare(a, b) < 0 ? b : a);
export const min = (a: Decimal, b: Decimal): Decimal => (compare(a, b) > 0 ? b : a);

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = common(a, b);
  return unscaled(scaled(a, scale) + scaled(b, scale), scale);
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const scale = common(a, b);
  return unscaled(scaled(a, scale) - scaled(b, scale), scale);
}

/** Quotient rounded half away from zero to `places`. Undefined for a zero divisor. */
export function divide(a: Decimal, b: Decimal, places: number): Decimal | undefined {
  const scale = common(a, b);
  const divisor = scaled(b, scale);
  if (divisor === 0n) return undefined;
  return unscaled(roundedDiv(scaled(a, scale) * 10n ** BigInt(places), divisor), places);
}

function roundedDiv(value: bigint, divisor: bigint): bigint {
  const negative = value < 0n !== divisor < 0n;
  const [v, d] = [value < 0n ? -value : value, divisor < 0n ? -divisor : divisor];
  const quotient = (2n * v + d) / (2n * d);
  return negative ? -quotient : quotient;
}

/** (to - from) / |from| in percent, rounded half away from zero to `places`. Undefined for a zero base. */
export function percentChange(from: Decimal, to: Decimal, places = 4): Decimal | undefined {
  const scale = common(from, to);
  const base = scaled(from, scale);
  if (base === 0n) return undefined;
  const change = (scaled(to, scale) - base) * 100n * 10n ** BigInt(places);
  return unscaled(roundedDiv(change, base < 0n ? -base : base), places);
}

/** Rounded half away from zero to exactly `places` fraction digits, zeros kept: for display, never for storage. */
export function toFixed(value: Decimal, places: number): string {
  const scale = scaleOf(value);
  if (scale === places) return value;
  if (scale < places) return `${value}${scale === 0 ? '.' : ''}${'0'.repeat(places - scale)}`;
  const units = roundedDiv(scaled(value, scale), 10n ** BigInt(scale - places));
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const cut = digits.length - places;
  return `${units < 0n ? '-' : ''}${digits.slice(0, cut)}${places > 0 ? `.${digits.slice(cut)}` : ''}`;
}

/** A double for pixels only. */
export const toPixelNumber = (value: Decimal): number => Number(value);

/** Moves the decimal point left: an integer at a fixed scale (1e-9 prices) to decimal text, without a double. */
export const fromScaled = (value: bigint, scale: number): Decimal => unscaled(value, scale);
