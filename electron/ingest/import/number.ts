/** Numbers as people and vendors write them. The separators are decided once for a file from all its cells, never cell by cell. */
import { type Decimal, parseDecimal } from '../../../shared/decimal.ts';

export interface NumberStyle {
  readonly decimal: '.' | ',';
}

export const POINT: NumberStyle = { decimal: '.' };
export const COMMA: NumberStyle = { decimal: ',' };

export type ReadNumber =
  | { readonly kind: 'number'; readonly value: Decimal }
  | { readonly kind: 'absent' } // empty, `null`, `N/A`, `--`
  | { readonly kind: 'nan' }
  | { readonly kind: 'bad' };

const ABSENT = /^(?:|-|--|—|n\/?a|#n\/a|null|none|\.)$/i;
const SCALE: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9, t: 12 };
// Swiss apostrophes and the spaces of many languages only ever group digits
const ALWAYS_GROUP = /(?<=\d)['’\u00A0\u2009\u202F ](?=\d{3}(?!\d))/g;
const PARTS = /^([+-]?)(\d[\d.,]*|[.,]\d+)(?:e([+-]?\d{1,2}))?([kmbt])?$/i;

const UNGROUPED = /^-?\d+(?:\.\d+)?$/;

const clean = (text: string): string => text.trim().replace(/^([+-]?)\s*[$€£¥]\s*/, '$1').replace(/\s*[$€£¥]$/, '').replace(/^\u2212/, '-').replace(ALWAYS_GROUP, '');

/** One cell in the file's style, exact: suffixes and exponents move the point, nothing passes through a double. */
export function readNumber(text: string, style: NumberStyle): ReadNumber {
  if (style.decimal === '.') {
    const plain = parseDecimal(text);
    if (plain !== undefined) return { kind: 'number', value: plain };
  }
  const cell = clean(text);
  if (ABSENT.test(cell)) return { kind: 'absent' };
  if (/^[+-]?(?:nan|inf(?:inity)?)$/i.test(cell)) return { kind: 'nan' };
  const parts = PARTS.exec(cell);
  if (!parts) return { kind: 'bad' };
  const [, sign = '', body = '', exponent = '0', suffix = ''] = parts;
  const cut = body.lastIndexOf(style.decimal);
  const whole = cut === -1 ? body : body.slice(0, cut);
  const fraction = cut === -1 ? '' : body.slice(cut + 1);
  const group = style.decimal === '.' ? ',' : '.';
  // 1,23,45,678 is how India groups
  if (/\D/.test(fraction) || !(/^\d*$/.test(whole) || (group === ',' ? /^\d{1,3}(?:,\d{2,3})*,\d{3}$/ : /^\d{1,3}(?:\.\d{3})+$/).test(whole))) return { kind: 'bad' };
  const value = movePoint(whole.replaceAll(group, ''), fraction, Number(exponent) + (SCALE[suffix.toLowerCase()] ?? 0));
  const decimal = parseDecimal(`${sign}${value}`);
  return decimal === undefined ? { kind: 'bad' } : { kind: 'number', value: decimal };
}

function movePoint(whole: string, fraction: string, by: number): string {
  const digits = `${'0'.repeat(Math.max(0, -by))}${whole}${fraction}${'0'.repeat(Math.max(0, by - fraction.length))}`;
  const point = Math.max(0, -by) + whole.length + by;
  return point >= digits.length ? digits : `${digits.slice(0, point) || '0'}.${digits.slice(point)}`;
}

export type StyleVerdict =
  | { readonly kind: 'style'; readonly style: NumberStyle }
  | { readonly kind: 'undecided'; readonly example: string } // every cell reads both ways
  | { readonly kind: 'mixed'; readonly point: string; readonly comma: string };

/** Collects what the cells of a file say about its decimal separator. */
export function numberEvidence(): { readonly see: (text: string) => void; readonly verdict: () => StyleVerdict } {
  let point: string | null = null;
  let comma: string | null = null;
  let either: string | null = null;
  return {
    see(text) {
      if (point !== null && UNGROUPED.test(text)) return; // nearly every cell: it can't contradict what is known
      const body = PARTS.exec(clean(text))?.[2];
      if (body === undefined || /^\d+$/.test(body)) return;
      const says = decimalOf(body);
      if (says === '.') point ??= text;
      else if (says === ',') comma ??= text;
      else either ??= text;
    },
    verdict() {
      if (point !== null && comma !== null) return { kind: 'mixed', point, comma };
      if (point === null && comma === null && either !== null) return { kind: 'undecided', example: either };
      return { kind: 'style', style: comma === null ? POINT : COMMA };
    },
  };
}

/** Which separator a cell proves to be the decimal one; null where it reads both ways, as `18.424` does. */
function decimalOf(body: string): '.' | ',' | null {
  const [lastPoint, lastComma] = [body.lastIndexOf('.'), body.lastIndexOf(',')];
  if (lastPoint !== -1 && lastComma !== -1) return lastPoint > lastComma ? '.' : ',';
  const separator = lastPoint === -1 ? ',' : '.';
  const groups = body.split(separator);
  const other = separator === '.' ? ',' : '.';
  if (groups.length > 2) return other;
  const [whole = '', rest = ''] = groups;
  return rest.length === 3 && /^[1-9]\d{0,2}$/.test(whole) ? null : separator;
}
