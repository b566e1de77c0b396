/**
 * The two messages of a batch of writes as protobuf bytes (google/bigtable/v2/bigtable.proto), by hand as those of a read in wire.ts: the
 * official client copies, checks and converts every cell several times, which costs more than storing it. Tests hold both to the generated code.
 */
import { Cursor, LENGTH, tag, VARINT } from './cursor.ts';
import type { WriteRow } from './reader.ts';

export interface MutateRowsFields {
  /** `projects/P/instances/I/tables/T` */
  readonly tableName: string;
  readonly appProfile: string | null;
  readonly rows: readonly WriteRow[];
  /** Microseconds, not negative: of every cell that is set, and the end of what `removed` takes away. */
  readonly version: bigint;
}

/** A row's outcome; rows that an answer does not name are not known to be written. */
export interface EntryStatus {
  /** Position in the request. */
  readonly index: number;
  /** gRPC status, 0 where it is written. */
  readonly code: number;
  readonly message: string;
}

/** Of a length below 2^28. */
const lengthSize = (size: number): number => (size < 0x80 ? 1 : size < 0x4000 ? 2 : size < 0x20_0000 ? 3 : 4);
const fieldSize = (size: number): number => 1 + lengthSize(size) + size;

/** A MutateRowsRequest: each row one entry, in order; columns are taken away before cells are set. Keys and qualifiers are bytes (latin1), values UTF-8. */
export function encodeMutateRows({ tableName, appProfile, rows, version }: MutateRowsFields): Buffer {
  const stamp = varintOf(version);
  const table = Buffer.from(tableName, 'utf8');
  const profile = appProfile === null ? null : Buffer.from(appProfile, 'utf8');
  // Sizes come before what they count: all of them first, then all bytes into one buffer.
  const sizes: number[] = [];
  let total = fieldSize(table.length) + (profile === null ? 0 : fieldSize(profile.length));
  for (const { key, cells, removed } of rows) {
    const at = sizes.push(0) - 1;
    let entry = fieldSize(key.length);
    if (removed !== undefined) {
      for (const { family, qualifier } of removed) {
        const body = fieldSize(family.length) + fieldSize(qualifier.length) + fieldSize(1 + stamp.length);
        sizes.push(body);
        entry += fieldSize(fieldSize(body));
      }
    }
    for (const { family, qualifier, value } of cells) {
      const bytes = utf8Size(value);
      const body = fieldSize(family.length) + fieldSize(qualifier.length) + 1 + stamp.length + fieldSize(bytes);
      sizes.push(bytes, body);
      entry += fieldSize(fieldSize(body));
    }
    sizes[at] = entry;
    total += fieldSize(entry);
  }

  const out = Buffer.allocUnsafe(total);
  let [at, next] = [0, 0];
  const head = (field: number, size: number): void => {
    out[at++] = tag(field, LENGTH);
    let left = size;
    for (; left >= 0x80; left >>>= 7) out[at++] = (left & 0x7f) | 0x80;
    out[at++] = left;
  };
  const bytes = (field: number, value: Buffer): void => {
    head(field, value.length);
    out.set(value, at);
    at += value.length;
  };
  /** One byte a character. */
  const latin1 = (field: number, text: string): void => {
    head(field, text.length);
    for (let i = 0; i < text.length; i += 1) out[at++] = text.charCodeAt(i);
  };
  const micros = (field: number): void => {
    out[at++] = tag(field, VARINT);
    for (let i = 0; i < stamp.length; i += 1) out[at++] = stamp[i] ?? 0;
  };

  bytes(1, table);
  for (const { key, cells, removed } of rows) {
    head(2, sizes[next++] ?? 0);
    latin1(1, key);
    if (removed !== undefined) {
      for (const { family, qualifier } of removed) {
        const body = sizes[next++] ?? 0;
        head(2, fieldSize(body));
        head(2, body);
        latin1(1, family);
        latin1(2, qualifier);
        head(3, 1 + stamp.length);
        micros(2);
      }
    }
    for (const { family, qualifier, value } of cells) {
      const size = sizes[next++] ?? 0;
      const body = sizes[next++] ?? 0;
      head(2, fieldSize(body));
      head(1, body);
      latin1(1, family);
      latin1(2, qualifier);
      micros(3);
      if (size === value.length) latin1(4, value);
      else {
        head(4, size);
        at += out.write(value, at, 'utf8');
      }
    }
  }
  if (profile !== null) bytes(3, profile);
  return out;
}

/** As `Buffer.byteLength`, without the call where all is ASCII: nearly every value. */
function utf8Size(text: string): number {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return Buffer.byteLength(text, 'utf8');
  return text.length;
}

function varintOf(value: bigint): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80n; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  bytes.push(Number(left));
  return bytes;
}

/** The entries of a MutateRowsResponse. Throws RangeError where the bytes are not one. */
export function decodeMutateRows(bytes: Buffer): EntryStatus[] {
  const cursor = new Cursor(bytes, 0, bytes.length);
  const entries: EntryStatus[] = [];
  while (cursor.more()) {
    const key = cursor.length();
    if (key === tag(1, LENGTH)) entries.push(cursor.within(entryAt));
    else cursor.skip(key & 7);
  }
  return entries;
}

function entryAt(cursor: Cursor): EntryStatus {
  let index = 0;
  let status = WRITTEN;
  while (cursor.more()) {
    const key = cursor.length();
    if (key === tag(1, VARINT)) index = Number(cursor.int64());
    else if (key === tag(2, LENGTH)) status = cursor.within(statusAt);
    else cursor.skip(key & 7);
  }
  return { index, ...status };
}

const WRITTEN = { code: 0, message: '' };

function statusAt(cursor: Cursor): { code: number; message: string } {
  let [code, message] = [0, ''];
  while (cursor.more()) {
    const key = cursor.length();
    if (key === tag(1, VARINT)) code = Number(cursor.int64());
    else if (key === tag(2, LENGTH)) message = cursor.bytes().toString('utf8');
    else cursor.skip(key & 7);
  }
  return { code, message };
}
