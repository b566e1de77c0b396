/** Exact decimal text as people read it: the locale's separators, every digit of the producer kept. */
import { parseDecimal, toFixed } from '../../shared/decimal.ts';

interface Separators {
  readonly group: string;
  readonly point: string;
  readonly minus: string;
}

const known = new Map<string, Separators>();
function separators(locale: string | undefined): Separators {
  const key = locale ?? '';
  let found = known.get(key);
  if (!found) {
    const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(-12345678.9);
    const of = (type: Intl.NumberFormatPartTypes, otherwise: string): string => parts.find((part) => part.type === type)?.value ?? otherwise;
    // A real minus sign: the hyphen is too short to be seen beside digits.
    found = { group: of('group', ','), point: of('decimal', '.'), minus: '−' };
    known.set(key, found);
  }
  return found;
}

/** Grouped text with at least `decimals` fraction digits and never fewer than `text` has. Text that is no decimal comes back as it is. */
export function exactPrice(text: string, decimals: number, locale?: string): string {
  if (PADDED.test(text)) {
    const point = text.indexOf('.');
    if (text.length - point - 1 === decimals) return grouped(text, locale); // the usual price, already as long as it must be
  }
  const value = parseDecimal(text);
  if (value === undefined) return text;
  const own = value.includes('.') ? value.length - value.indexOf('.') - 1 : 0;
  return grouped(toFixed(value, Math.max(own, decimals)), locale);
}

const PADDED = /^(?:0|[1-9]\d{0,14})\.\d{1,15}$/;

/** Grouped text with exactly `decimals` fraction digits, rounded half away from zero: for tags, never where exactness is promised. */
export function shortPrice(text: string, decimals: number, locale?: string): string {
  const value = parseDecimal(text);
  return value === undefined ? text : grouped(toFixed(value, decimals), locale);
}

function grouped(fixed: string, locale: string | undefined): string {
  const { group, point, minus } = separators(locale);
  const negative = fixed.startsWith('-');
  const [whole = '0', fraction] = (negative ? fixed.slice(1) : fixed).split('.');
  const spaced = whole.length > 3 ? whole.replace(/\B(?=(?:\d{3})+$)/g, group) : whole;
  return `${negative ? minus : ''}${spaced}${fraction === undefined ? '' : point + fraction}`;
}
