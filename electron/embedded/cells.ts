/**
 * A row's cells and their packed form: one blob per row, cells in reading order (family in order of creation, qualifier by
 * bytes, newest version first), each as
 *
 *     varint family id, varint length, qualifier, varint version, varint length, value
 *
 * Family ids are never used twice in a table: cells of a dropped family are skipped here, whenever they are reclaimed.
 */
import type { GcRule } from './gc.ts';

export interface Family {
  readonly id: number;
  readonly name: string;
  readonly gc: GcRule | null;
}

export interface Cell {
  readonly family: Family;
  readonly qualifier: Buffer;
  /** Version time in whole milliseconds since 1970, 0 to MAX_VERSION. */
  readonly version: number;
  readonly value: Buffer;
  /** Set by the label filter only, never stored. */
  readonly labels?: readonly string[];
}

/** The last millisecond that a double holds exactly, in the year 287,396; the protocol's int64 of microseconds ends in 294,247. */
export const MAX_VERSION = Number.MAX_SAFE_INTEGER;

/** Reading order of two cells. */
export function compareCells(a: Cell, b: Cell): number {
  return a.family.id - b.family.id || Buffer.compare(a.qualifier, b.qualifier) || b.version - a.version;
}

export const sameColumn = (a: Cell, b: Cell): boolean => a.family === b.family && a.qualifier.equals(b.qualifier);

export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
  return size;
}

/** Writes 0 <= value < 2^53 and returns the offset behind it. */
export function writeVarint(target: Buffer, offset: number, value: number): number {
  let at = offset;
  let rest = value;
  while (rest > 0x7fffffff) {
    const higher = Math.floor(rest / 128); // the remainder of doubles is a call to the C library
    target[at++] = (rest - higher * 128) | 128;
    rest = higher;
  }
  while (rest >= 128) {
    target[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
}

/** Packs cells that are in reading order. */
export function packCells(cells: readonly Cell[]): Buffer {
  let size = 0;
  for (const { family, qualifier, version, value } of cells) {
    size += varintSize(family.id) + varintSize(qualifier.length) + qualifier.length + varintSize(version) + varintSize(value.length) + value.length;
  }
  const packed = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { family, qualifier, version, value } of cells) {
    at = writeVarint(packed, writeVarint(packed, at, family.id), qualifier.length);
    qualifier.copy(packed, at);
    at = writeVarint(packed, writeVarint(packed, at + qualifier.length, version), value.length);
    value.copy(packed, at);
    at += value.length;
  }
  return packed;
}

/** Unpacks a row. The cells are views of `packed`. Throws RangeError on a blob that is cut short. */
export function unpackCells(packed: Uint8Array, families: ReadonlyMap<number, Family>): Cell[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const cells: Cell[] = [];
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('a stored row is cut short');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const slice = (): Buffer => {
    const length = number();
    if (at + length > bytes.length) throw new RangeError('a stored row is cut short');
    return bytes.subarray(at, (at += length));
  };
  while (at < bytes.length) {
    const family = families.get(number());
    const qualifier = slice();
    const version = number();
    const value = slice();
    if (family) cells.push({ family, qualifier, version, value });
  }
  return cells;
}
