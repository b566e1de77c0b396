/** The keys that a read asks for, as sorted half-open ranges that do not overlap. */
import { invalid } from './status.ts';

/** [start, end) in byte order. */
export interface Range {
  readonly start: Buffer;
  readonly end: Buffer;
}

export const MAX_KEY = 4096;
/** Greater than every key: keys have at most MAX_KEY bytes. */
export const END = Buffer.alloc(MAX_KEY + 1, 0xff);
const START = Buffer.alloc(0);
const ZERO = Buffer.alloc(1);

/** As the protocol has it: at most one of each bound, absent or empty for none. */
export interface RangeBounds {
  readonly startKeyClosed?: Uint8Array | null;
  readonly startKeyOpen?: Uint8Array | null;
  readonly endKeyClosed?: Uint8Array | null;
  readonly endKeyOpen?: Uint8Array | null;
}

/** The smallest key after `key`. */
export const keyAfter = (key: Uint8Array): Buffer => Buffer.concat([key, ZERO]);

const given = (bound: Uint8Array | null | undefined): Buffer | null => (bound && bound.length > 0 ? Buffer.from(bound.buffer, bound.byteOffset, bound.length) : null);

function rangeOf(bounds: RangeBounds, index: number): Range {
  const closed = given(bounds.startKeyClosed), open = given(bounds.startKeyOpen);
  const endClosed = given(bounds.endKeyClosed), endOpen = given(bounds.endKeyOpen);
  const first = closed ?? open, last = endClosed ?? endOpen;
  if (first && last && Buffer.compare(first, last) > 0) {
    const [from, to] = [closed ? 'start_key_closed' : 'start_key_open', endClosed ? 'end_key_closed' : 'end_key_open'];
    throw invalid(`Error in field 'row_ranges' : Error in element #${index} : ${from} must be less than ${to}`);
  }
  return {
    start: open ? keyAfter(open) : closed ?? START,
    end: endClosed ? keyAfter(endClosed) : endOpen ?? END,
  };
}

/** Sorted, disjoint, non-empty. No keys and no ranges mean the whole table. Throws INVALID_ARGUMENT where a start lies behind its end. */
export function rangesOf(keys: readonly Uint8Array[], ranges: readonly RangeBounds[]): Range[] {
  if (keys.length === 0 && ranges.length === 0) return [{ start: START, end: END }];
  const wanted = ranges.map(rangeOf);
  for (const key of keys) {
    if (key.length === 0) throw invalid("Error in field 'row_keys' : Row keys must be non-empty");
    wanted.push({ start: Buffer.from(key.buffer, key.byteOffset, key.length), end: keyAfter(key) });
  }
  wanted.sort((a, b) => Buffer.compare(a.start, b.start));
  const merged: Range[] = [];
  for (const range of wanted) {
    if (Buffer.compare(range.start, range.end) >= 0) continue;
    const last = merged.at(-1);
    if (!last || Buffer.compare(range.start, last.end) > 0) merged.push(range);
    else if (Buffer.compare(range.end, last.end) > 0) merged[merged.length - 1] = { start: last.start, end: range.end };
  }
  return merged;
}

/** All keys that start with `prefix`: [prefix, next prefix). An empty prefix is the whole table. */
export function prefixRange(prefix: Uint8Array): Range {
  const end = Buffer.from(prefix);
  for (let last = end.length - 1; last >= 0; last--) {
    const byte = end[last] ?? 0;
    if (byte < 0xff) {
      end[last] = byte + 1;
      return { start: Buffer.from(prefix), end: end.subarray(0, last + 1) };
    }
  }
  return { start: Buffer.from(prefix), end: END };
}
