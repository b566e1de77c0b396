/** The line of CSV of a tick straight from its row, where all is as our own writers leave it: the same text as by way of the tick (printed.ts), for long exports. */
import { parseDecimal } from '../../shared/decimal.ts';
import { isIndexId } from '../../shared/rowKey.ts';
import { PlainRow } from '../bigtable/plainRow.ts';
import type { Row } from '../bigtable/reader.ts';

/** What stands behind the id: `#` and 19 digits of reversed time, `#` and 6 of the sequence. */
const TAIL = 27;
/** 2^63 - 1 in two parts, which doubles hold exactly. */
const [NEWEST_HIGH, NEWEST_LOW] = [9_223_372_036, 854_775_807];
/** Of instants from 2001 to 2286, which have sixteen digits. */
const [FIRST, LAST] = [1_000_000, 9_999_999];
const MAX_SEQUENCE = 999_999;
const MAX_VALUE_BYTES = 64;
const [HASH, ZERO] = [0x23, 0x30];
const [P, V, B, A, I, S, Q, H] = Array.from('pvbaisqh', (name) => name.charCodeAt(0));

// The line at hand: `take` is called for one row at a time.
let family = -1;
let [price, volume, ingest, source]: (string | null)[] = [null, null, null, null];

/** False where the general way must decide: two families, a column twice, nanoseconds, foreign text, anything wrong. */
function take(inFamily: number, qualifier: number, message: Buffer, from: number, to: number): boolean {
  if ((inFamily !== Q && inFamily !== H) || (family !== -1 && inFamily !== family) || to - from > MAX_VALUE_BYTES) return false;
  family = inFamily;
  const text = message.toString('latin1', from, to);
  switch (qualifier) {
    case P: return price === null && (price = parseDecimal(text) ?? null) !== null;
    case V: return volume === null && (volume = parseDecimal(text) ?? null) !== null;
    case B: case A: return parseDecimal(text) !== undefined;
    case I: return ingest === null && /^[1-9]\d{0,15}$/.test(ingest = text);
    case S: return source === null && /^[\w .:/-]+$/.test(source = text);
    default: return false;
  }
}

let lastId = '';

/** Whether an index id takes up the key to `end`: mostly the one of the row before. */
function startsWithId(key: string, end: number): boolean {
  if (end > 0 && end === lastId.length && key.startsWith(lastId)) return true;
  const id = key.slice(0, Math.max(0, end));
  if (!isIndexId(id)) return false;
  lastId = id;
  return true;
}

/** The number of these digits; NaN where one is none. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Null where it is not such a row: its tick decides, what it is or what is wrong with it. */
export function tickLine(row: Row): string | null {
  if (!(row instanceof PlainRow)) return null;
  const { key } = row;
  const tail = key.length - TAIL;
  if (!startsWithId(key, tail) || key.charCodeAt(tail) !== HASH || key.charCodeAt(tail + 20) !== HASH) return null;
  const sequence = MAX_SEQUENCE - digits(key, tail + 21, tail + 27);
  let high = NEWEST_HIGH - digits(key, tail + 1, tail + 11);
  let low = NEWEST_LOW - digits(key, tail + 11, tail + 20);
  if (low < 0) {
    low += 1_000_000_000;
    high -= 1;
  }
  if (!(high >= FIRST && high <= LAST && low >= 0 && sequence >= 0)) return null;
  family = -1;
  price = volume = ingest = source = null;
  if (!row.each(take) || price === null) return null;
  return `${high}${String(low).padStart(9, '0')},${sequence},${String(price)},${volume ?? ''},${source ?? ''},${ingest ?? ''}`;
}
