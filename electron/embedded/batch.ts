/**
 * MutateRows as it comes off the wire: entries are cut out, and the common one, cells set in a row that is new, is packed as it
 * will be stored, without an object per cell. Everything else is left to the general way (mutate.ts), which alone knows what to refuse.
 * Field numbers are those of google/bigtable/v2/bigtable.proto and data.proto.
 */
import { type Family, writeVarint } from './cells.ts';
import { MAX_KEY } from './rowSet.ts';
import { invalid } from './status.ts';

export interface Batch {
  readonly tableName: string;
  readonly authorizedViewName: string;
  /** Each an encoded MutateRowsRequest.Entry. */
  readonly entries: readonly Buffer[];
}

/** A row as it is put into the table; `cells` holds until the packer writes to its place again. */
export interface PackedRow {
  readonly key: Buffer;
  readonly cells: Buffer;
}

const MAX_PACKED = 1024 * 1024;
const MAX_QUALIFIER = 16 * 1024;
const LENGTH_DELIMITED = 2;
const tag = (field: number, type: number): number => field * 8 + type;

// One reader at a time: nothing here waits.
let bytes: Buffer = Buffer.alloc(0);
let at = 0;

/** A varint below 2^63; beyond 2^53 inexact, and NaN where it is cut short or negative. */
function number(): number {
  const byte = at < bytes.length ? (bytes[at++] ?? 0) : 255;
  return byte < 128 ? byte : longNumber(byte);
}

function longNumber(first: number): number {
  // 28 bits in whole numbers, the rest as floating point.
  let low = first & 127;
  for (let shift = 7; shift < 28; shift += 7) {
    const byte = at < bytes.length ? (bytes[at++] ?? 0) : 255;
    low |= (byte & 127) << shift;
    if (byte < 128) return low;
  }
  let value = low;
  for (let scale = 2 ** 28, size = 4; size < 9; scale *= 128, size++) {
    const byte = at < bytes.length ? (bytes[at++] ?? 0) : 255;
    value += (byte & 127) * scale;
    if (byte < 128) return value;
  }
  return Number.NaN;
}

/** The end of a length-delimited field whose length is next, or NaN. */
function fieldEnd(limit: number): number {
  const length = number();
  return at + length <= limit ? at + length : Number.NaN;
}

/** Moves past the value of a field of any type; false where that is not possible. */
function skip(type: number, limit: number): boolean {
  if (type === 0) number();
  else if (type === 1) at += 8;
  else if (type === 5) at += 4;
  else if (type === LENGTH_DELIMITED) at = fieldEnd(limit);
  else return false;
  return at <= limit;
}

/** Throws INVALID_ARGUMENT for bytes that are no message. */
export function cutBatch(message: Uint8Array): Batch {
  bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  at = 0;
  let [tableName, authorizedViewName] = ['', ''];
  const entries: Buffer[] = [];
  while (at < bytes.length) {
    const key = number();
    const isText = key === tag(1, LENGTH_DELIMITED) || key === tag(5, LENGTH_DELIMITED);
    if (isText || key === tag(2, LENGTH_DELIMITED)) {
      const end = fieldEnd(bytes.length);
      if (Number.isNaN(end)) throw invalid('The request is cut short');
      if (!isText) entries.push(bytes.subarray(at, end));
      else if (key === tag(1, LENGTH_DELIMITED)) tableName = bytes.toString('utf8', at, end);
      else authorizedViewName = bytes.toString('utf8', at, end);
      at = end;
    } else if (!skip(key & 7, bytes.length)) throw invalid('The request is no message');
  }
  return { tableName, authorizedViewName, entries };
}

/** How many mutations an entry has. */
export function mutationsOf(entry: Buffer): number {
  bytes = entry;
  at = 0;
  let count = 0;
  while (at < entry.length) {
    const key = number();
    if (key === tag(2, LENGTH_DELIMITED)) count++;
    if (!skip(key & 7, entry.length)) break;
  }
  return count;
}

// Packed rows, one behind the other. What is stored of an entry is never as long as twice what was sent.
const scratch = Buffer.allocUnsafeSlow(3 * MAX_PACKED);
// The cells of the entry at hand: six numbers each, and the order to store them in.
const MAX_CELLS = 64;
const [ID, START, STOP, VERSION, VALUE, VALUE_END, NUMBERS] = [0, 1, 2, 3, 4, 5, 6];
const cells = new Float64Array(MAX_CELLS * NUMBERS);
const order = new Int32Array(MAX_CELLS);
const of = (cell: number, what: number): number => cells[cell * NUMBERS + what] ?? 0;

/**
 * The row that an entry makes where there was none; null where the general way must decide. Its cells are packed at `from` (at most
 * MAX_PACKED) of one buffer, so that several rows can be held.
 */
export function packEntry(entry: Buffer, families: ReadonlyMap<string, Family>, from = 0): PackedRow | null {
  if (entry.length > MAX_PACKED || from > MAX_PACKED) return null;
  bytes = entry;
  at = 0;
  let keyStart = 0;
  let keyEnd = -1;
  let count = 0;
  while (at < entry.length) {
    const field = number();
    const end = fieldEnd(entry.length);
    if (Number.isNaN(end)) return null;
    if (field === tag(1, LENGTH_DELIMITED) && keyEnd < 0) {
      keyStart = at;
      keyEnd = end;
      at = end;
    } else if (field !== tag(2, LENGTH_DELIMITED) || count === MAX_CELLS || !readSetCell(end, families, count) || !place(count++)) return null;
  }
  if (keyEnd <= keyStart || keyEnd - keyStart > MAX_KEY || count === 0) return null;
  let to = from;
  for (let i = 0; i < count; i++) {
    const cell = order[i] ?? 0;
    to = packed(of(cell, START), of(cell, STOP), writeVarint(scratch, to, of(cell, ID)));
    to = packed(of(cell, VALUE), of(cell, VALUE_END), writeVarint(scratch, to, of(cell, VERSION)));
  }
  return { key: entry.subarray(keyStart, keyEnd), cells: scratch.subarray(from, to) };
}

/** Reads a Mutation that ends at `end` into the cell of that number; false where it is anything but one good SetCell with a time. */
function readSetCell(end: number, families: ReadonlyMap<string, Family>, cell: number): boolean {
  if (number() !== tag(1, LENGTH_DELIMITED) || fieldEnd(end) !== end) return false;
  let [start, stop, value, valueEnd, micros] = [0, 0, 0, 0, 0];
  let family: Family | undefined;
  while (at < end) {
    const part = number();
    if (part === tag(3, 0)) {
      micros = number();
      continue;
    }
    const partEnd = fieldEnd(end);
    if (Number.isNaN(partEnd)) return false;
    if (part === tag(1, LENGTH_DELIMITED)) family = familyAt(at, partEnd, families);
    else if (part === tag(2, LENGTH_DELIMITED)) [start, stop] = [at, partEnd];
    else if (part === tag(4, LENGTH_DELIMITED)) [value, valueEnd] = [at, partEnd];
    else return false;
    at = partEnd;
  }
  if (at !== end || !family || stop - start > MAX_QUALIFIER || !Number.isSafeInteger(micros)) return false;
  const version = Math.floor(micros / 1000);
  if (version * 1000 !== micros) return false;
  const base = cell * NUMBERS;
  cells[base + ID] = family.id;
  cells[base + START] = start;
  cells[base + STOP] = stop;
  cells[base + VERSION] = version;
  cells[base + VALUE] = value;
  cells[base + VALUE_END] = valueEnd;
  return true;
}

// The family of the cell before: mostly the next one's too, and comparing bytes is cheaper than making a string of them.
let lastFamily: Family | undefined;
let lastFamilies: ReadonlyMap<string, Family> | null = null;
let lastName = Buffer.alloc(0);

/** The family named by [start, end). */
function familyAt(start: number, end: number, families: ReadonlyMap<string, Family>): Family | undefined {
  if (families === lastFamilies && compared(lastName, 0, lastName.length, bytes, start, end) === 0) return lastFamily;
  lastFamilies = families;
  lastName = Buffer.from(bytes.subarray(start, end));
  lastFamily = families.get(lastName.toString('latin1')); // names are ASCII
  return lastFamily;
}

/** As Buffer.compare; short ones, as qualifiers are, without a call out of JavaScript. */
function compared(a: Buffer, aStart: number, aEnd: number, b: Buffer, bStart: number, bEnd: number): number {
  const size = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < size; i++) {
    const difference = (a[aStart + i] ?? 0) - (b[bStart + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}

/** Puts the cell of that number into its place among those before it, in reading order; false where one is the same. */
function place(cell: number): boolean {
  let i = cell;
  for (; i > 0; i--) {
    const other = order[i - 1] ?? 0;
    const difference = of(cell, ID) - of(other, ID) || compared(bytes, of(cell, START), of(cell, STOP), bytes, of(other, START), of(other, STOP)) || of(other, VERSION) - of(cell, VERSION);
    if (difference === 0) return false;
    if (difference > 0) break;
    order[i] = other;
  }
  order[i] = cell;
  return true;
}

const SHORT = 48;

/** Writes length and bytes of [start, end) behind what ends at `to`, and returns the new end. */
function packed(start: number, end: number, to: number): number {
  const first = writeVarint(scratch, to, end - start);
  if (end - start > SHORT) return first + bytes.copy(scratch, first, start, end);
  for (let i = start; i < end; i++) scratch[first + i - start] = bytes[i] ?? 0;
  return first + end - start;
}
