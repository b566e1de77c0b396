/** Values of foreign cells, to and from plain decimal text. */
import { fromScaled, parseDecimal } from '../../../shared/decimal.ts';
import type { ValueType } from './foreignLayout.ts';

const MAX_JSON_BYTES = 65_536;
const FLOAT = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

/** A cell as text: a decimal where it is one, null where it has no value there, else words that no parser takes for a number. */
export function readValue(bytes: Buffer, value: ValueType): string | null {
  switch (value.type) {
    case 'text': case 'version':
      return bytes.toString('latin1');
    case 'float64':
      return bytes.length === 8 ? plain(String(bytes.readDoubleBE(0))) : `not 8 bytes but ${bytes.length}`;
    case 'int64':
      return bytes.length === 8 ? fromScaled(bytes.readBigInt64BE(0), value.scale) : `not 8 bytes but ${bytes.length}`;
    case 'json':
      return fromJson(bytes, value.pointer);
  }
}

/** Throws RangeError where the type can't hold the number exactly. Of `json`, the document of this value alone. */
export function writeValue(text: string, value: ValueType): Buffer {
  switch (value.type) {
    case 'text':
      return Buffer.from(text, 'utf8');
    case 'version':
      return Buffer.alloc(0);
    case 'float64': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleBE(Number(text));
      if (parseDecimal(plain(String(Number(text)))) !== parseDecimal(text)) throw new RangeError(`${text} is no double's shortest text`);
      return bytes;
    }
    case 'int64': {
      const [whole = '', fraction = ''] = text.split('.');
      if (fraction.length > value.scale) throw new RangeError(`${text} has more than ${value.scale} decimals`);
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64BE(BigInt(whole + fraction.padEnd(value.scale, '0')));
      return bytes;
    }
    case 'json':
      return jsonDocument([[value.pointer, text]]);
  }
}

type Tree = Map<string, Tree | string>;

/** One document with a value at each pointer; numbers with the digits that are given. */
export function jsonDocument(values: readonly (readonly [pointer: readonly string[], text: string])[]): Buffer {
  const tree: Tree = new Map();
  for (const [pointer, text] of values) {
    const literal = parseDecimal(text) === text ? text : JSON.stringify(text);
    if (pointer.length === 0) return Buffer.from(literal, 'utf8');
    let at = tree;
    for (const token of pointer.slice(0, -1)) {
      const inner = at.get(token);
      const next: Tree = inner instanceof Map ? inner : new Map();
      at.set(token, next);
      at = next;
    }
    at.set(pointer.at(-1) ?? '', literal);
  }
  const textOf = (node: Tree | string): string => (typeof node === 'string' ? node : `{${[...node].map(([key, inner]) => `${JSON.stringify(key)}:${textOf(inner)}`).join(',')}}`);
  return Buffer.from(textOf(tree), 'utf8');
}

/** The document with its numbers as they are written: as doubles they would lose digits. Undefined where it is none. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length > MAX_JSON_BYTES) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'), (_, item: unknown, ...[context]: [{ source?: string }?]) => (typeof item === 'number' ? (context?.source ?? String(item)) : item));
  } catch {
    return undefined;
  }
}

function fromJson(bytes: Buffer, pointer: readonly string[]): string | null {
  let at = parseJson(bytes);
  if (at === undefined) return bytes.length > MAX_JSON_BYTES ? `a document of ${bytes.length} bytes` : 'not JSON';
  for (const token of pointer) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, token)) return null;
    at = (at as Readonly<Record<string, unknown>>)[token];
  }
  if (at === null) return null;
  return typeof at === 'string' ? plain(at) : `not a number but ${Array.isArray(at) ? 'a list' : typeof at}`;
}

/** Decimal text without exponent; other text as it is. */
function plain(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = FLOAT.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point > 40 || digits.length - point > 40) return text;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return point >= digits.length ? sign + digits.padEnd(point, '0') : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** RFC 6901: `/a~1b/0` names "a/b", then "0"; the empty text names the whole document. Undefined where it is no pointer. */
export function pointerTokens(text: string): string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  return text.slice(1).split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export const pointerText = (tokens: readonly string[]): string => tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
