/**
 * Rows as nearly all come: whole in one message, every value in one chunk, no label. Such a row is checked at one go, without an object a cell,
 * and its cells are read from the message when they are asked for. For every other the chunk reader decides.
 */
import { columnOf } from './column.ts';
import { LENGTH, tag, VARINT } from './cursor.ts';
import type { Cell, Row } from './reader.ts';

const MAX_CELLS = 64;
/** Of each cell of the row found last: its family (one byte), where its qualifier and its value lie, its version. */
const FIELDS = 6;
const [FAMILY, QUALIFIER, QUALIFIER_END, VALUE, VALUE_END, VERSION] = [0, 1, 2, 3, 4, 5];
const spans = new Float64Array(MAX_CELLS * FIELDS);
// One row at a time: nothing here waits.
let count = 0;
let keyFrom = 0;
let keyTo = 0;
let bytes: Buffer = Buffer.alloc(0);
let at = 0;

/** A varint below 2^53 that ends before `end`; -1 for every other. */
function varint(end: number): number {
  let value = 0;
  for (let scale = 1; scale <= 2 ** 49; scale *= 128) {
    if (at >= end) return -1;
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128) return Number.isSafeInteger(value) ? value : -1;
  }
  return -1;
}

/** The end of what starts here after its length, or -1. */
function past(end: number): number {
  const size = varint(end);
  return size < 0 || at + size > end ? -1 : at + size;
}

/** Looks at the row that starts at `from`: where it ends, or -1 where it is none of these. Nothing counts that lies beyond `last`. */
function find(message: Buffer, from: number, last: number): number {
  bytes = message;
  at = from;
  count = 0;
  let family = -1;
  let qualifier = -1;
  let qualifierEnd = -1;
  while (at < last && count < MAX_CELLS) {
    if (bytes[at++] !== tag(1, LENGTH)) return -1;
    const end = past(last);
    if (end < 0) return -1;
    let version = 0;
    let value = end;
    let valueEnd = end;
    let keyed = false;
    let named = false;
    let commit = false;
    while (at < end) {
      const field = bytes[at++];
      if (field === tag(4, VARINT)) {
        version = varint(end);
        if (version < 0) return -1;
        continue;
      }
      if (field === tag(9, VARINT)) {
        if (bytes[at++] !== 1 || at !== end) return -1;
        commit = true;
        continue;
      }
      const to = past(end);
      if (to < 0) return -1;
      if (field === tag(1, LENGTH) && count === 0 && !keyed && to > at) {
        [keyFrom, keyTo] = [at, to];
        keyed = true;
      } else if (field === tag(2, LENGTH) && to - at === 3 && bytes[at] === tag(1, LENGTH) && bytes[at + 1] === 1) {
        family = bytes[at + 2] ?? 0;
        qualifier = -1;
        named = true;
      } else if (field === tag(3, LENGTH) && to - at >= 2 && bytes[at] === tag(1, LENGTH) && bytes[at + 1] === to - at - 2 && to - at - 2 < 0x80) {
        [qualifier, qualifierEnd] = [at + 2, to];
      } else if (field === tag(6, LENGTH)) [value, valueEnd] = [at, to];
      else return -1;
      at = to;
    }
    if (at !== end || qualifier < 0 || (count === 0 && (!keyed || !named))) return -1;
    const base = count * FIELDS;
    spans[base + FAMILY] = family;
    spans[base + QUALIFIER] = qualifier;
    spans[base + QUALIFIER_END] = qualifierEnd;
    spans[base + VALUE] = value;
    spans[base + VALUE_END] = valueEnd;
    spans[base + VERSION] = version;
    count += 1;
    if (commit) return at;
  }
  return -1;
}

const span = (cell: number, what: number): number => spans[cell * FIELDS + what] ?? 0;

/** Told of each cell, by one-character names: family and qualifier as codes (a longer qualifier: -1), and the place of its value. False stops. */
type CellTaker = (family: number, qualifier: number, message: Buffer, from: number, to: number) => boolean;

/** A row that holds on to its message, and reads its cells from it when asked. */
export class PlainRow implements Row {
  readonly key: string;
  readonly #message: Buffer;
  readonly #from: number;
  #cells: Map<string, Cell> | null = null;

  constructor(key: string, message: Buffer, from: number) {
    this.key = key;
    this.#message = message;
    this.#from = from;
  }

  get cells(): Row['cells'] {
    if (this.#cells !== null) return this.#cells;
    const message = this.#message;
    find(message, this.#from, message.length);
    const cells = new Map<string, Cell>();
    for (let cell = 0; cell < count; cell += 1) {
      const column = columnOf(String.fromCharCode(span(cell, FAMILY)), message.toString('latin1', span(cell, QUALIFIER), span(cell, QUALIFIER_END)));
      // newest first, as everywhere
      if (!cells.has(column)) cells.set(column, { value: message.subarray(span(cell, VALUE), span(cell, VALUE_END)), version: BigInt(span(cell, VERSION)) });
    }
    this.#cells = cells;
    return cells;
  }

  /** Every cell in turn, without making one; whether `take` took all. It must not read another row meanwhile. */
  each(take: CellTaker): boolean {
    find(this.#message, this.#from, this.#message.length);
    return eachFound(this.#message, take);
  }
}

function eachFound(message: Buffer, take: CellTaker): boolean {
  for (let cell = 0; cell < count; cell += 1) {
    const qualifier = span(cell, QUALIFIER);
    if (!take(span(cell, FAMILY), span(cell, QUALIFIER_END) - qualifier === 1 ? (message[qualifier] ?? -1) : -1, message, span(cell, VALUE), span(cell, VALUE_END))) return false;
  }
  return true;
}

const WIRE_BYTES = 1024;
const scratch = Buffer.alloc(WIRE_BYTES);

/** As `each`, for a row that keeps its bytes as text (`Row.wire`); places are in that text too. False where it is none of these rows. */
export function eachOfWire(wire: string, take: CellTaker): boolean {
  if (wire.length > WIRE_BYTES) return false;
  scratch.write(wire, 'latin1');
  return find(scratch, 0, wire.length) === wire.length && eachFound(scratch, take);
}

/** The row that starts at `from`, and where it ends; null: the chunk reader must read it. */
export function plainRow(message: Buffer, from: number): { readonly row: PlainRow; readonly size: number } | null {
  const end = find(message, from, message.length);
  return end < 0 ? null : { row: new PlainRow(message.toString('latin1', keyFrom, keyTo), message, from), size: end - from };
}

/**
 * Key and bytes of the row that starts at `from`, as Row has them; null as above. The key is a copy of its own: a slice of the bytes would be slower
 * to compare, and a desk compares keys more often than anything else.
 */
export function plainWire(message: Buffer, from: number): { readonly key: string; readonly wire: string } | null {
  const end = find(message, from, message.length);
  return end < 0 ? null : { key: message.toString('latin1', keyFrom, keyTo), wire: message.toString('latin1', from, end) };
}
