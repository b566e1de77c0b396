/**
 * A stored row as CellChunks without an object in between, for reads whose filter, if any, only narrows: the cells are already in the order in which they are
 * sent. Field numbers are those of google/bigtable/v2/bigtable.proto; the general way is chunks.ts.
 */
import { type Family, varintSize, writeVarint } from './cells.ts';
import { collects } from './gc.ts';

/** Longer rows, whose values may have to be split, go the general way. */
export const MAX_PACKED_ROW = 256 * 1024;
/** Most bytes that a row becomes: 16 more for each of its cells, of at least four bytes, and once in it a family's name, of at most 64. */
export const chunksRoom = (key: number, row: number, families: number): number => key + 32 + row * 5 + families * 72;

const LAST_EXACT_MS = 9_007_199_254_740; // beyond it microseconds do not fit a double
const SHORT = 48;

export interface Written {
  /** Where the chunks end in the target; where they began if the row has no cell to send. */
  end: number;
  /** Cells sent; -1 where the general way must do it. */
  sent: number;
}

// One row at a time: nothing here waits.
let packed: Uint8Array = new Uint8Array(0);
let at = 0;
const result: Written = { end: 0, sent: 0 };

function number(): number {
  const byte = packed[at++];
  if (byte === undefined) throw new RangeError('a stored row is cut short');
  return byte < 128 ? byte : longNumber(byte & 127);
}
function longNumber(low: number): number {
  let value = low;
  for (let scale = 128; ; scale *= 128) {
    const byte = packed[at++];
    if (byte === undefined) throw new RangeError('a stored row is cut short');
    value += (byte & 127) * scale;
    if (byte < 128) return value;
  }
}

/** A family's name, as the message that wraps it. */
const wires = new WeakMap<Family, Buffer>();
function wireOf(family: Family): Buffer {
  let wire = wires.get(family);
  if (!wire) {
    const name = Buffer.from(family.name);
    wire = Buffer.concat([Buffer.from([0x12, 2 + name.length, 0x0a, name.length]), name]); // names have at most 64 bytes, and at least one
    wires.set(family, wire);
  }
  return wire;
}

let lastVersion = -1;
let lastMicros = Buffer.alloc(0);
/** Field timestamp_micros. */
function microsOf(version: number): Buffer {
  if (version === lastVersion) return lastMicros;
  const bytes = Buffer.allocUnsafe(10);
  bytes[0] = 0x20;
  lastVersion = version;
  lastMicros = version === 0 ? Buffer.alloc(0) : bytes.subarray(0, writeVarint(bytes, 1, version * 1000));
  return lastMicros;
}

function copied(target: Buffer, to: number, source: Uint8Array, start: number, end: number): number {
  if (end - start > SHORT) target.set(source.subarray(start, end), to);
  else for (let i = start; i < end; i++) target[to + i - start] = source[i] ?? 0;
  return to + end - start;
}

function same(a: number, aEnd: number, b: number, bEnd: number): boolean {
  if (aEnd - a !== bEnd - b) return false;
  for (let i = a, j = b; i < aEnd; i++, j++) if (packed[i] !== packed[j]) return false;
  return true;
}

/**
 * Writes the newest `perColumn` cells of each column that their families' rules keep at `now` (ms) into `target` from `from` on, the last one committed.
 * Cells of other families than `families` are left out. `target` has `chunksRoom` left. The result holds until the next call. Throws RangeError on a row that is cut short.
 */
export function writeChunks(target: Buffer, from: number, key: Uint8Array, row: Uint8Array, families: ReadonlyMap<number, Family>, now: number, perColumn = Infinity): Written {
  packed = row;
  at = 0;
  result.end = from;
  result.sent = 0;
  let to = from;
  // The column of the cell before, for its rank; and the column last sent, which the next cell need not name again.
  let family: Family | undefined, start = 0, end = 0, rank = 0;
  // The last chunk: its body, and where the length of that is.
  let body = 0, bodyAt = 0;
  let sentFamily: Family | undefined, sentStart = 0, sentEnd = 0;
  while (at < row.length) {
    const own = families.get(number());
    const size = number();
    const ownStart = at;
    const ownEnd = (at += size);
    const version = number();
    const length = number();
    const value = at;
    at += length;
    if (at > row.length) throw new RangeError('a stored row is cut short');
    if (!own) continue;
    if (version > LAST_EXACT_MS) {
      result.end = from;
      result.sent = -1;
      return result;
    }
    rank = own === family && same(ownStart, ownEnd, start, end) ? rank + 1 : 0;
    family = own;
    start = ownStart;
    end = ownEnd;
    // What the rules keep of a column is its newest cells, so that ranks count as if the rest were gone.
    if (rank >= perColumn || (own.gc !== null && collects(own.gc, version, rank, now))) continue;
    const first = result.sent++ === 0;
    const named = own === sentFamily ? null : wireOf(own);
    const qualified = named !== null || !same(ownStart, ownEnd, sentStart, sentEnd);
    const micros = microsOf(version);
    const inner = size === 0 ? 0 : 1 + varintSize(size) + size;
    body = micros.length + (length === 0 ? 0 : 1 + varintSize(length) + length);
    if (first) body += 1 + varintSize(key.length) + key.length;
    if (named) body += named.length;
    if (qualified) body += 1 + varintSize(inner) + inner;
    target[to++] = 0x0a;
    bodyAt = to;
    to = writeVarint(target, to, body);
    if (first) {
      target[to++] = 0x0a;
      to = copied(target, writeVarint(target, to, key.length), key, 0, key.length);
    }
    if (named) to = copied(target, to, named, 0, named.length);
    if (qualified) {
      target[to++] = 0x1a;
      to = writeVarint(target, to, inner);
      if (size > 0) {
        target[to++] = 0x0a;
        to = copied(target, writeVarint(target, to, size), row, ownStart, ownEnd);
      }
    }
    to = copied(target, to, micros, 0, micros.length);
    if (length > 0) {
      target[to++] = 0x32;
      to = copied(target, writeVarint(target, to, length), row, value, value + length);
    }
    sentFamily = own;
    sentStart = ownStart;
    sentEnd = ownEnd;
  }
  if (result.sent > 0) {
    // The row's commit, in the last chunk.
    const [before, after] = [varintSize(body), varintSize(body + 2)];
    if (after > before) target.copyWithin(bodyAt + after, bodyAt + before, to);
    writeVarint(target, bodyAt, body + 2);
    to += after - before;
    target[to++] = 0x48;
    target[to++] = 1;
  }
  result.end = to;
  return result;
}
