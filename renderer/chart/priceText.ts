/** Every digit of a price, as its producer wrote it, in the user's locale. */
import { parseDecimal } from '../../shared/decimal.ts';
import { formatPrice } from '../../shared/format.ts';

/** Grouped text with at least `decimals` fraction digits and never fewer than `text` has. Text that is no decimal comes back as it is. */
export function exactPrice(text: string, decimals: number | null, locale?: string): string {
  const value = parseDecimal(text);
  if (value === undefined) return text;
  const own = value.includes('.') ? value.length - value.indexOf('.') - 1 : 0;
  return formatPrice(value, Math.max(own, decimals ?? 2), locale);
}
