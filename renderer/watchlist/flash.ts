/** A short flash behind a price that moved; none for readers who asked for less motion. */
import { compare, parseDecimal } from '../../shared/decimal.ts';

const still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');

export function flash(element: HTMLElement, before: string, after: string): void {
  const [from, to] = [parseDecimal(before), parseDecimal(after)];
  if (still?.matches || from === undefined || to === undefined) return;
  const colour = getComputedStyle(element).getPropertyValue(compare(from, to) < 0 ? '--up-flash' : '--down-flash');
  element.animate([{ backgroundColor: colour }, { backgroundColor: 'transparent' }], { duration: 700, easing: 'ease-out' });
}
