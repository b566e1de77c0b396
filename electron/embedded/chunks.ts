/**
 * Rows as ReadRowsResponse messages, written straight to bytes: building and encoding an object per cell is the dearest part of a
 * long scan otherwise. Field numbers are those of google/bigtable/v2/bigtable.proto.
 */
import { type Cell, type Family, varintSize, writeVarint } from './cells.ts';
import { chunksRoom, MAX_PACKED_ROW, writeChunks } from './packedChunks.ts';

/** A message is closed above this; a value longer than it is split over several chunks. */
const MESSAGE_BYTES = 1024 * 1024;
const EXACT_MS = 9_007_199_254_740; // beyond it microseconds do not fit a double

export interface ChunkWriter {
  /** Appends one row, committed. `cells` is not empty. */
  row(key: Uint8Array, cells: readonly Cell[]): void;
  /** Appends the newest `perColumn` cells of each column of a stored row, without what the rules collect at `now` (ms): how many cells that are, or -1 where it must be `row` after all. */
  packed(key: Uint8Array, cells: Uint8Array, families: ReadonlyMap<number, Family>, now: number, perColumn?: number): number;
  /** Appends the key up to which a scan has looked without finding anything to return. */
  scanned(key: Uint8Array): void;
  /** Bytes that are waiting. */
  readonly size: number;
  /** The messages so far, each one ReadRowsResponse. */
  take(): Buffer[];
}

export function createChunkWriter(): ChunkWriter {
  let buffer = Buffer.allocUnsafe(1024);
  let at = 0;
  let full: Buffer[] = [];
  let fullBytes = 0;

  const close = (): void => {
    if (at === 0) return;
    full.push(buffer.subarray(0, at));
    fullBytes += at;
    buffer = Buffer.allocUnsafe(Math.min(2 * MESSAGE_BYTES, Math.max(1024, at)));
    at = 0;
  };
  const reserve = (bytes: number): void => {
    if (at > 0 && at + bytes > MESSAGE_BYTES) close();
    if (at + bytes <= buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(at + bytes, buffer.length * 4));
    buffer.copy(grown, 0, 0, at);
    buffer = grown;
  };
  const field = (tag: number, bytes: Uint8Array): void => {
    buffer[at++] = tag;
    at = writeVarint(buffer, at, bytes.length);
    buffer.set(bytes, at);
    at += bytes.length;
  };
  /** A wrapper message (StringValue, BytesValue) with one field 1; empty when the value is. */
  const wrapped = (tag: number, bytes: Uint8Array): void => {
    buffer[at++] = tag;
    at = writeVarint(buffer, at, wrappedSize(bytes.length));
    if (bytes.length > 0) field(0x0a, bytes);
  };

  const chunk = (key: Uint8Array | null, family: Buffer | null, qualifier: Buffer | null, cell: Cell, value: Buffer, total: number, commit: boolean): void => {
    const labels = (cell.labels ?? []).map((label) => Buffer.from(label));
    const micros = microsBytes(cell.version);
    let body = (key ? fieldSize(key.length) : 0) + (family ? fieldSize(wrappedSize(family.length)) : 0) + (qualifier ? fieldSize(wrappedSize(qualifier.length)) : 0);
    body += (micros === null ? 0 : 1 + micros.length) + (value.length > 0 ? fieldSize(value.length) : 0) + (total > 0 ? 1 + varintSize(total) : 0) + (commit ? 2 : 0);
    for (const label of labels) body += fieldSize(label.length);
    reserve(fieldSize(body));
    buffer[at++] = 0x0a;
    at = writeVarint(buffer, at, body);
    if (key) field(0x0a, key);
    if (family) wrapped(0x12, family);
    if (qualifier) wrapped(0x1a, qualifier);
    if (micros) {
      buffer[at++] = 0x20;
      buffer.set(micros, at);
      at += micros.length;
    }
    for (const label of labels) field(0x2a, label);
    if (value.length > 0) field(0x32, value);
    if (total > 0) {
      buffer[at++] = 0x38;
      at = writeVarint(buffer, at, total);
    }
    if (commit) {
      buffer[at++] = 0x48;
      buffer[at++] = 1;
    }
  };

  return {
    row(key, cells) {
      let before: Cell | undefined;
      for (let i = 0; i < cells.length; i++) {
        const cell = cells[i] as Cell;
        const last = i === cells.length - 1;
        const family = before?.family === cell.family ? null : familyBytes(cell.family);
        const qualifier = family === null && before?.qualifier.equals(cell.qualifier) ? null : cell.qualifier;
        const rowKey = before ? null : key;
        before = cell;
        const { value } = cell;
        if (value.length <= MESSAGE_BYTES) {
          chunk(rowKey, family, qualifier, cell, value, 0, last);
          continue;
        }
        for (let from = 0; from < value.length; from += MESSAGE_BYTES) {
          const first = from === 0, end = from + MESSAGE_BYTES >= value.length;
          const part = value.subarray(from, from + MESSAGE_BYTES);
          if (first) chunk(rowKey, family, qualifier, cell, part, value.length, false);
          else chunk(null, null, null, CONTINUED, part, end ? 0 : value.length, end && last);
        }
      }
    },
    packed(key, cells, families, now, perColumn) {
      if (cells.length > MAX_PACKED_ROW) return -1;
      reserve(chunksRoom(key.length, cells.length, families.size));
      const { end, sent } = writeChunks(buffer, at, key, cells, families, now, perColumn);
      at = end;
      return sent;
    },
    scanned(key) {
      close();
      reserve(fieldSize(key.length));
      field(0x12, key);
      close();
    },
    get size() {
      return fullBytes + at;
    },
    take() {
      close();
      const messages = full;
      full = [];
      fullBytes = 0;
      return messages;
    },
  };
}

/** What the later chunks of one value carry besides it: nothing. */
const CONTINUED: Cell = { family: { id: 0, name: '', gc: null }, qualifier: Buffer.alloc(0), version: 0, value: Buffer.alloc(0) };

const fieldSize = (length: number): number => 1 + varintSize(length) + length;
const wrappedSize = (length: number): number => (length > 0 ? fieldSize(length) : 0);

const names = new WeakMap<Family, Buffer>();
function familyBytes(family: Family): Buffer {
  let bytes = names.get(family);
  if (!bytes) names.set(family, (bytes = Buffer.from(family.name)));
  return bytes;
}

let lastVersion = 0;
let lastMicros: Buffer | null = null;

/** A version as a varint of microseconds; null for 0. Kept for the next cell, which mostly has the same one. */
function microsBytes(version: number): Buffer | null {
  if (version === 0) return null;
  if (version === lastVersion) return lastMicros;
  lastVersion = version;
  if (version <= EXACT_MS) {
    const bytes = Buffer.allocUnsafe(10);
    lastMicros = bytes.subarray(0, writeVarint(bytes, 0, version * 1000));
    return lastMicros;
  }
  const bytes: number[] = [];
  let rest = BigInt(version) * 1000n;
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  lastMicros = Buffer.from([...bytes, Number(rest)]);
  return lastMicros;
}
