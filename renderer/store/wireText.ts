/** Texts that numbers travel as, told from others without a regular expression: hundreds of quotes come with each message, ten times a second. */

const MOST_DIGITS = 40;
const MOST_MICROS = 18;

/** How many digits stand from `at` on. */
function digitsAt(text: string, at: number): number {
  let end = at;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code < 48 || code > 57) break;
    end += 1;
  }
  return end - at;
}

/** Exactly what `parseDecimal` takes. */
export function isDecimalText(text: string): boolean {
  const signed = text.charCodeAt(0);
  const start = signed === 45 || signed === 43 ? 1 : 0;
  const whole = digitsAt(text, start);
  const dot = start + whole;
  if (whole > MOST_DIGITS) return false;
  if (dot === text.length) return whole > 0;
  if (text.charCodeAt(dot) !== 46) return false;
  const fraction = digitsAt(text, dot + 1);
  return fraction <= MOST_DIGITS && whole + fraction > 0 && dot + 1 + fraction === text.length;
}

/** An instant in microseconds: at most 18 digits, perhaps a minus. */
export function isInstantText(text: string): boolean {
  const start = text.charCodeAt(0) === 45 ? 1 : 0;
  const digits = digitsAt(text, start);
  return digits > 0 && digits <= MOST_MICROS && start + digits === text.length;
}
