/**
 * The rows of a batch mostly have the same columns at the same time, in one order. An entry that differs from the one before in its key and values alone is packed
 * by comparing its bytes with that one's: nothing of it needs to be read again. Field numbers are those of google/bigtable/v2/bigtable.proto and data.proto.
 */
const MAX_CELLS = 64;
const KEY = 0x0a, MUTATION = 0x12, SET_CELL = 0x0a, VALUE = 0x22;
// Lengths of one byte: whatever is longer is read in the general way.
const LONG = 128;

// What stands before each cell's value: as it was sent, in the order of the entry, and as it is stored, in the order of the row.
const sent = new Uint8Array(MAX_CELLS * LONG);
const sentView = new DataView(sent.buffer);
const sentEnd = new Int32Array(MAX_CELLS);
const stored = new Uint8Array(MAX_CELLS * 2 * LONG);
const storedView = new DataView(stored.buffer);
const storedEnd = new Int32Array(MAX_CELLS);
const order = new Int32Array(MAX_CELLS);
// Where the values are: each with its length before it, as it is stored, too.
const valueAt = new Int32Array(MAX_CELLS);
let count = 0;
let known = 0;

/** Forgets the entry before: what follows is of another table, or another kind. */
export function forgetShape(): void {
  count = 0;
  known = 0;
}

/**
 * Takes over the next mutation of an entry that was read: the [start, end) of one SetCell, whose value begins at `value` (0: has none). False where others cannot
 * be compared with it: its lengths must have one byte, and its value be the last of it.
 */
export function learnSent(source: Uint8Array, start: number, end: number, value: number): boolean {
  if (known === MAX_CELLS || end - start >= LONG || source[start + 1] !== end - start - 2) return false;
  if (value === 0 || source[value - 2] !== VALUE || source[value - 1] !== end - value) return false;
  let to = known === 0 ? 0 : sentEnd[known - 1] ?? 0;
  for (let i = start + 2; i < value - 2; i++) sent[to++] = source[i] ?? 0;
  sentEnd[known++] = to;
  return true;
}

/** The cell that is stored at that place of the row is number `cell` of the entry; what stands before its value there is [start, end) of `source`. */
export function learnStored(place: number, cell: number, source: Uint8Array, start: number, end: number): void {
  const from = place === 0 ? 0 : storedEnd[place - 1] ?? 0;
  for (let i = start; i < end; i++) stored[from + i - start] = source[i] ?? 0;
  storedEnd[place] = from + end - start;
  order[place] = cell;
}

/** All cells of the entry are told: the next one may be like it. */
export function learned(): void {
  count = known;
}

/**
 * Packs the entry of [start, size) into `target` at `to` if it is like the one that was learned, and returns where its cells end; -1 where it is not. Its key is
 * what follows the first two bytes, of the length that the second one says. Bytes are compared and copied four at a time.
 */
export function packAlike(entry: DataView, start: number, size: number, target: DataView, to: number): number {
  if (count === 0 || size - start < 4 || entry.getUint8(start) !== KEY) return -1;
  const keySize = entry.getUint8(start + 1);
  if (keySize >= LONG || keySize === 0) return -1;
  const cells = count;
  let next = start + 2 + keySize;
  let i = 0;
  for (let cell = 0; cell < cells; cell++) {
    const stop = sentEnd[cell] ?? 0;
    if (next + 6 + stop - i > size) return -1; // what is read below
    const body = entry.getUint8(next + 1);
    const end = next + 2 + body;
    if (body >= LONG || entry.getUint8(next) !== MUTATION || entry.getUint8(next + 2) !== SET_CELL || entry.getUint8(next + 3) !== body - 2) return -1;
    next += 4;
    for (; i + 4 <= stop; i += 4, next += 4) if (entry.getInt32(next) !== sentView.getInt32(i)) return -1;
    for (; i < stop; i++, next++) if (entry.getUint8(next) !== sentView.getUint8(i)) return -1;
    if (entry.getUint8(next) !== VALUE || next + 2 + entry.getUint8(next + 1) !== end || end > size) return -1;
    valueAt[cell] = next + 1;
    next = end;
  }
  if (next !== size) return -1;
  let at = to;
  i = 0;
  for (let place = 0; place < cells; place++) {
    const stop = storedEnd[place] ?? 0;
    for (; i + 4 <= stop; i += 4, at += 4) target.setInt32(at, storedView.getInt32(i));
    for (; i < stop; i++, at++) target.setUint8(at, storedView.getUint8(i));
    let byte = valueAt[order[place] ?? 0] ?? 0;
    const last = byte + entry.getUint8(byte);
    for (; byte + 3 <= last; byte += 4, at += 4) target.setInt32(at, entry.getInt32(byte));
    for (; byte <= last; byte++, at++) target.setUint8(at, entry.getUint8(byte));
  }
  return at;
}
