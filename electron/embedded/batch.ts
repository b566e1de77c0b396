/**
 * MutateRows as it comes off the wire: entries are cut out, and the common one, cells set in a row that is new, is packed as it
 * will be stored, without an object per cell. Everything else is left to the general way (mutate.ts), which alone knows what to refuse.
 * Field numbers are those of google/bigtable/v2/bigtable.proto and data.proto.
 */
import { forgetShape, learned, learnSent, learnStored, packAlike } from './alikeRows.ts';
import { type Family, writeVarint } from './cells.ts';
import { MAX_KEY } from './rowSet.ts';
import { invalid } from './status.ts';

export interface Batch {
  readonly tableName: string;
  readonly authorizedViewName: string;
  readonly entries: Entries;
}

/** Encoded MutateRowsRequest.Entry messages, as they lie in the request: a view of each costs as much as reading it. */
export interface Entries {
  readonly source: Buffer;
  /** Where each begins and where it ends, in turn. */
  readonly bounds: readonly number[];
}

/** A row as it is put into the table: where its key lies in the request, and where its packed cells end. */
export interface PackedRow {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly cellsEnd: number;
}

export const MAX_PACKED = 1024 * 1024;
const MAX_QUALIFIER = 16 * 1024;
const LENGTH_DELIMITED = 2;
const LONG = 128; // in more than one byte
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
  const bounds: number[] = [];
  while (at < bytes.length) {
    const key = number();
    const isText = key === tag(1, LENGTH_DELIMITED) || key === tag(5, LENGTH_DELIMITED);
    if (isText || key === tag(2, LENGTH_DELIMITED)) {
      const end = fieldEnd(bytes.length);
      if (Number.isNaN(end)) throw invalid('The request is cut short');
      if (!isText) bounds.push(at, end);
      else if (key === tag(1, LENGTH_DELIMITED)) tableName = bytes.toString('utf8', at, end);
      else authorizedViewName = bytes.toString('utf8', at, end);
      at = end;
    } else if (!skip(key & 7, bytes.length)) throw invalid('The request is no message');
  }
  return { tableName, authorizedViewName, entries: { source: bytes, bounds } };
}

/** How many mutations the entries have, all together. */
export function mutationsOf({ source, bounds }: Entries): number {
  let count = 0;
  bytes = source;
  for (let i = 0; i < bounds.length; i += 2) {
    const end = bounds[i + 1] ?? 0;
    for (let next = bounds[i] ?? 0; next < end;) {
      let field = source[next] ?? 0;
      const size = source[next + 1] ?? LONG;
      if (size < LONG && (field === tag(2, LENGTH_DELIMITED) || field === tag(1, LENGTH_DELIMITED))) next += 2 + size;
      else {
        at = next;
        field = number();
        next = skip(field & 7, end) ? at : end;
      }
      if (field === tag(2, LENGTH_DELIMITED)) count++;
    }
  }
  return count;
}

/** Where rows are packed. What is stored of an entry is never as long as twice what was sent. */
export const scratch = Buffer.allocUnsafeSlow(3 * MAX_PACKED);
const scratchView = new DataView(scratch.buffer);
// The cells of the entry at hand: some numbers each, and the order to store them in.
const MAX_CELLS = 64;
const [ID, START, STOP, VALUE, VALUE_END, NUMBERS] = [0, 1, 2, 3, 4, 5];
const cells = new Int32Array(MAX_CELLS * NUMBERS);
const versions = new Float64Array(MAX_CELLS);
const order = new Int32Array(MAX_CELLS);

/**
 * The row that the entry of [start, size) makes where there was none; null where the general way must decide. Its cells are packed at `from` (at most
 * MAX_PACKED) of `scratch`, so that several rows can be held. Thousands of cells a batch: from here on place and bytes are
 * local, as each look at the module's costs a cell more than its work does.
 */
export function packEntry(entry: Buffer, start: number, size: number, families: ReadonlyMap<string, Family>, from = 0): PackedRow | null {
  if (size - start > MAX_PACKED || from > MAX_PACKED) return null;
  if (families === shapeFamilies) {
    if (entry !== viewed) {
      viewed = entry;
      view = new DataView(entry.buffer, entry.byteOffset, entry.byteLength);
    }
    const end = packAlike(view, start, size, scratchView, from);
    if (end >= 0) return { keyStart: start + 2, keyEnd: start + 2 + (entry[start + 1] ?? 0), cellsEnd: end };
  }
  shapeFamilies = families;
  forgetShape();
  let alike = true;
  let [next, keyStart, keyEnd, count] = [start, 0, -1, 0];
  while (next < size) {
    const field = entry[next];
    const body = fieldStart(entry, next + 1);
    const end = body + length;
    if (!(end <= size)) return null;
    if (field === tag(1, LENGTH_DELIMITED) && keyEnd < 0) [keyStart, keyEnd] = [body, end];
    else if (field !== tag(2, LENGTH_DELIMITED) || count === MAX_CELLS || !readSetCell(entry, body, end, families, count) || !place(entry, count++)) return null;
    else alike &&= learnSent(entry, body, end, cells[(count - 1) * NUMBERS + VALUE] ?? 0);
    next = end;
  }
  if (keyEnd <= keyStart || keyEnd - keyStart > MAX_KEY || count === 0) return null;
  let to = from;
  for (let i = 0; i < count; i++) {
    const cell = order[i] ?? 0;
    const base = cell * NUMBERS;
    const first = to;
    to = packed(entry, cells[base + START] ?? 0, cells[base + STOP] ?? 0, writeVarint(scratch, to, cells[base + ID] ?? 0));
    to = writeVarint(scratch, to, versions[cell] ?? 0);
    if (alike) learnStored(i, cell, scratch, first, to);
    to = packed(entry, cells[base + VALUE] ?? 0, cells[base + VALUE_END] ?? 0, to);
  }
  if (alike) learned();
  return { keyStart, keyEnd, cellsEnd: to };
}

// Of which families the entry is that the next one may be like.
let shapeFamilies: ReadonlyMap<string, Family> | null = null;
// The request at hand, four bytes at a time.
let viewed: Buffer | null = null;
let view: DataView = new DataView(scratch.buffer);

// What fieldStart read; NaN for what is no length.
let length = 0;

/** Reads the length of a field and returns where the field begins. */
function fieldStart(source: Buffer, from: number): number {
  length = source[from] ?? 255;
  if (length < 128) return from + 1;
  bytes = source;
  at = from;
  length = number();
  return at;
}

/** Reads the Mutation of [from, end) into the cell of that number; false where it is anything but one good SetCell with a time. */
function readSetCell(source: Buffer, from: number, end: number, families: ReadonlyMap<string, Family>, cell: number): boolean {
  if (from === end || source[from] !== tag(1, LENGTH_DELIMITED)) return false;
  let next = fieldStart(source, from + 1);
  if (next + length !== end) return false;
  let [start, stop, value, valueEnd, micros] = [0, 0, 0, 0, 0];
  let family: Family | undefined;
  while (next < end) {
    const part = source[next];
    if (part === tag(3, 0)) {
      bytes = source;
      at = next + 1;
      micros = number();
      next = at;
      continue;
    }
    next = fieldStart(source, next + 1);
    const partEnd = next + length;
    if (!(partEnd <= end)) return false;
    if (part === tag(1, LENGTH_DELIMITED)) family = familyAt(source, next, partEnd, families);
    else if (part === tag(2, LENGTH_DELIMITED)) [start, stop] = [next, partEnd];
    else if (part === tag(4, LENGTH_DELIMITED)) [value, valueEnd] = [next, partEnd];
    else return false;
    next = partEnd;
  }
  if (next !== end || !family || stop - start > MAX_QUALIFIER || !Number.isSafeInteger(micros)) return false;
  const version = Math.floor(micros / 1000);
  if (version * 1000 !== micros) return false;
  const base = cell * NUMBERS;
  cells[base + ID] = family.id;
  cells[base + START] = start;
  cells[base + STOP] = stop;
  cells[base + VALUE] = value;
  cells[base + VALUE_END] = valueEnd;
  versions[cell] = version;
  return true;
}

// The family of the cell before: mostly the next one's too, and comparing bytes is cheaper than making a string of them.
let lastFamily: Family | undefined;
let lastFamilies: ReadonlyMap<string, Family> | null = null;
let lastName = Buffer.alloc(0);

/** The family named by [start, end). */
function familyAt(source: Buffer, start: number, end: number, families: ReadonlyMap<string, Family>): Family | undefined {
  const known = lastName;
  let same = 0;
  if (families === lastFamilies && end - start === known.length) while (same < known.length && source[start + same] === known[same]) same++;
  if (same === known.length && same > 0) return lastFamily;
  lastFamilies = families;
  lastName = Buffer.from(source.subarray(start, end));
  lastFamily = families.get(lastName.toString('latin1')); // names are ASCII
  return lastFamily;
}

/** Puts the cell of that number into its place among those before it, in reading order; false where one is the same. */
function place(source: Buffer, cell: number): boolean {
  let i = cell;
  for (; i > 0; i--) {
    const other = order[i - 1] ?? 0;
    const difference = compared(source, cell * NUMBERS, other * NUMBERS) || (versions[other] ?? 0) - (versions[cell] ?? 0);
    if (difference === 0) return false;
    if (difference > 0) break;
    order[i] = other;
  }
  order[i] = cell;
  return true;
}

/** The order of two cells' columns. Qualifiers are short: without a call out of JavaScript. */
function compared(source: Buffer, a: number, b: number): number {
  const families = (cells[a + ID] ?? 0) - (cells[b + ID] ?? 0);
  if (families !== 0) return families;
  const [start, otherStart] = [cells[a + START] ?? 0, cells[b + START] ?? 0];
  const [size, otherSize] = [(cells[a + STOP] ?? 0) - start, (cells[b + STOP] ?? 0) - otherStart];
  for (let i = 0; i < size && i < otherSize; i++) {
    const difference = (source[start + i] ?? 0) - (source[otherStart + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return size - otherSize;
}

const SHORT = 48;

/** Writes length and bytes of [start, end) behind what ends at `to`, and returns the new end. */
function packed(source: Buffer, start: number, end: number, to: number): number {
  const size = end - start;
  let next = to;
  if (size < 128) scratch[next++] = size;
  else next = writeVarint(scratch, to, size);
  if (size > SHORT) return next + source.copy(scratch, next, start, end);
  for (let i = 0; i < size; i++) scratch[next + i] = source[start + i] ?? 0;
  return next + size;
}
