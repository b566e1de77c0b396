/** Foreign row keys: to and from (index, time, sequence), and the ranges that hold exactly the instants asked for. */
import type { KeyRange } from '../../../shared/rowKey.ts';
import { floorDiv, floorMod, MAX_MICROS, MIN_MICROS } from '../../../shared/time.ts';
import { type ForeignLayout, type KeyPart, NANOS, type NumberFormat } from './foreignLayout.ts';
import { largest, readNumber, turned, writeNumber } from './foreignNumber.ts';

export interface ForeignKey {
  /** As in the table. */
  readonly id: string;
  /** Of the event, in the layout's unit; with a bucket: of its start. */
  readonly time: bigint;
  readonly sequence: bigint;
  readonly salt: number;
}

/** Throws RangeError where a number does not fit its place: a forward key before 1970, a sequence too large. */
export function writeKey(layout: ForeignLayout, key: ForeignKey): string {
  const { time, sequence } = layout;
  return layout.parts
    .map((part) => {
      if (part === 'index') return key.id;
      if (part === 'time') return writeNumber(turned(key.time, time), time.format);
      if (part === 'sequence') return sequence ? writeNumber(turned(key.sequence, sequence), sequence.format) : '';
      return fixed(layout, part, key.salt);
    })
    .join(layout.separator);
}

/** Undefined for a key of another shape. Each part but the index has a fixed width: the index is what is left between both ends. */
export function readKey(layout: ForeignLayout, key: string): ForeignKey | undefined {
  const { parts, separator } = layout;
  const at = parts.indexOf('index');
  const found = { time: 0n, sequence: 0n, salt: 0 };
  let [start, end] = [0, key.length];
  for (const part of parts.slice(0, at)) {
    const width = widthOf(layout, part);
    if (!take(layout, part, key.slice(start, start + width), found) || !key.startsWith(separator, start + width)) return undefined;
    start += width + separator.length;
  }
  for (const part of parts.slice(at + 1).reverse()) {
    const width = widthOf(layout, part);
    end -= width + separator.length;
    if (end <= start || !take(layout, part, key.slice(end + separator.length, end + separator.length + width), found) || !key.startsWith(separator, end)) return undefined;
  }
  return end > start ? { id: key.slice(start, end), ...found } : undefined;
}

function take(layout: ForeignLayout, part: KeyPart, text: string, found: { time: bigint; sequence: bigint; salt: number }): boolean {
  if (typeof part === 'object') return text === part.text;
  const number = readNumber(text, formatOf(layout, part));
  if (number === undefined) return false;
  if (part === 'salt') {
    found.salt = Number(number);
    return number < BigInt(layout.salt?.count ?? 0);
  }
  if (part === 'time') found.time = turned(number, layout.time);
  else if (layout.sequence) found.sequence = turned(number, layout.sequence);
  return found.sequence >= 0n;
}

function formatOf(layout: ForeignLayout, part: Exclude<KeyPart, { readonly text: string }>): NumberFormat {
  const format = part === 'time' ? layout.time.format : part === 'salt' ? layout.salt?.format : layout.sequence?.format;
  if (!format) throw new Error(`a layout without ${part}`);
  return format;
}

const widthOf = (layout: ForeignLayout, part: KeyPart): number => (typeof part === 'object' ? part.text.length : part === 'index' ? 0 : formatOf(layout, part).width);

const fixed = (layout: ForeignLayout, part: KeyPart, salt: number): string => (typeof part === 'object' ? part.text : writeNumber(BigInt(salt), formatOf(layout, 'salt')));

/** What stands before the index, and what before the time of one index. */
export function prefixBeforeId(layout: ForeignLayout, salt: number): string {
  return layout.parts.slice(0, layout.parts.indexOf('index')).map((part) => fixed(layout, part, salt) + layout.separator).join('');
}

export function prefixBeforeTime(layout: ForeignLayout, id: string, salt: number): string {
  const between = layout.parts.slice(layout.parts.indexOf('index') + 1, layout.parts.indexOf('time'));
  return prefixBeforeId(layout, salt) + [id, ...between.map((part) => fixed(layout, part, salt))].map((text) => text + layout.separator).join('');
}

export const saltsOf = (layout: ForeignLayout): number[] => Array.from({ length: layout.salt?.count ?? 1 }, (_, at) => at);

/** The keys of one index and salt between two written times, both included, in key order. */
export interface TimeSpan {
  readonly prefix: string;
  readonly from: bigint;
  readonly to: bigint;
}

/** `from` to `to` in microseconds, both included; null where the layout has no such instant. With a bucket: every row that can hold one. */
export function spanOf(layout: ForeignLayout, id: string, salt: number, from: bigint, to: bigint): TimeSpan | null {
  const nanos = NANOS[layout.time.unit];
  const [first, last] = [from < MIN_MICROS ? MIN_MICROS : from, to > MAX_MICROS ? MAX_MICROS : to];
  const { bucket, time } = layout;
  // A bucket is read whole wherever it begins; without one, an instant between two of the unit's is nobody's.
  const low = bucket ? bucketStart(floorDiv(first * 1000n, nanos), bucket.length) : -floorDiv(-first * 1000n, nanos);
  const high = bucket ? bucketStart(floorDiv(last * 1000n + 999n, nanos), bucket.length) : floorDiv(last * 1000n + 999n, nanos);
  const most = largest(time.format);
  const [a, b] = time.base === null ? [low, high] : [turned(high, time), turned(low, time)];
  const span = { prefix: prefixBeforeTime(layout, id, salt), from: a < 0n ? 0n : a, to: b > most ? most : b };
  return first <= last && span.from <= span.to ? span : null;
}

export const bucketStart = (time: bigint, length: bigint): bigint => time - floorMod(time, length);

/** First key at or after a written time. */
export const keyAt = (layout: ForeignLayout, span: TimeSpan, written: bigint): string => span.prefix + writeNumber(written, layout.time.format);

export const rangeOf = (layout: ForeignLayout, span: TimeSpan): KeyRange => ({ start: keyAt(layout, span, span.from), end: afterPrefix(keyAt(layout, span, span.to)) });

/** First key after every key that starts with `prefix`: trailing 0xff can't go up. Of nothing but 0xff: a key that no id begins with. */
export function afterPrefix(prefix: string): string {
  const kept = prefix.replace(/\u00ff+$/, '');
  return kept === '' ? '\u00ff'.repeat(16) : kept.slice(0, -1) + String.fromCharCode(kept.charCodeAt(kept.length - 1) + 1);
}
