/**
 * The tick of a row straight from its bytes, where all is as our own writers leave it: the same as `decodeTick` by way of the row's cells, without
 * making them. A desk of many indices reads nearly nothing else.
 */
import { type Decimal, parseDecimal } from '../../shared/decimal.ts';
import type { Tick } from '../../shared/quote.ts';
import type { IndexId } from '../../shared/rowKey.ts';
import { type EpochMicros, micros } from '../../shared/time.ts';
import { eachOfWire } from './plainRow.ts';

/** What stands behind the id: `#` and 19 digits of reversed time, `#` and 6 of the sequence. */
const TAIL = 27;
const MAX_ID = 24;
/** 2^63 - 1 in two parts, which doubles hold exactly. */
const [NEWEST_HIGH, NEWEST_LOW, LOW] = [9_223_372_036, 854_775_807, 1_000_000_000];
const MAX_SEQUENCE = 999_999;
const MAX_VALUE_BYTES = 64;
const [HASH, ZERO] = [0x23, 0x30];
const [P, V, B, A, I, S, N, Q, H] = Array.from('pvbaisnqh', (name) => name.charCodeAt(0));

/** Of each ASCII code whether an id may have it. */
const OF_ID = Array.from({ length: 128 }, (_, code) => /[A-Z0-9^._-]/.test(String.fromCharCode(code)));

// The row at hand: one at a time.
let text = '';
let family = -1;
let seen = 0;
let price: Decimal | null = null;
let volume: Decimal | null = null;
let bid: Decimal | null = null;
let ask: Decimal | null = null;
let ingest: EpochMicros | null = null;
let source: string | null = null;
let nanos: number | null = null;
let lastSource = '';

/** False where the general way must decide: two families, foreign text, anything wrong. Of a column that comes twice the first, newest cell counts. */
function take(inFamily: number, qualifier: number, message: Buffer, from: number, to: number): boolean {
  if ((inFamily !== Q && inFamily !== H) || (family !== -1 && inFamily !== family)) return false;
  family = inFamily;
  if (qualifier < 0x61 || qualifier > 0x7a) return true;
  const bit = 1 << (qualifier - 0x61);
  if ((seen & bit) !== 0) return true;
  seen |= bit;
  switch (qualifier) {
    case P: return (price = decimalAt(from, to)) !== null;
    case V: return (volume = decimalAt(from, to)) !== null || from === to;
    case B: return (bid = decimalAt(from, to)) !== null || from === to;
    case A: return (ask = decimalAt(from, to)) !== null || from === to;
    case I: return (ingest = instantAt(message, from, to)) !== null;
    case S: return (source = asciiAt(message, from, to)) !== null;
    case N: return from === to || (nanos = whole(message, from, to)) <= 999;
    default: return true;
  }
}

const decimalAt = (from: number, to: number): Decimal | null => (to - from > MAX_VALUE_BYTES ? null : (parseDecimal(text.slice(from, to)) ?? null));

/** The number of up to fifteen or sixteen digits that a double holds exactly; NaN for every other text. */
function whole(bytes: Buffer, from: number, to: number): number {
  if (to - from > 16 || from === to) return Number.NaN;
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

function instantAt(bytes: Buffer, from: number, to: number): EpochMicros | null {
  const value = whole(bytes, from, to);
  return Number.isNaN(value) ? null : micros(BigInt(value));
}

/** The same string each time while the source is the same: a desk keeps one for each index. */
function asciiAt(bytes: Buffer, from: number, to: number): string | null {
  if (to - from > MAX_VALUE_BYTES) return null;
  for (let at = from; at < to; at += 1) if ((bytes[at] ?? 0x80) >= 0x80) return null;
  if (lastSource.length !== to - from || !text.startsWith(lastSource, from)) lastSource = text.slice(from, to);
  return lastSource;
}

/** The number of these digits; NaN where one is none. */
function digits(key: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = key.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function startsWithId(key: string, length: number): boolean {
  if (length < 1 || length > MAX_ID) return false;
  for (let at = 0; at < length; at += 1) if (OF_ID[key.charCodeAt(at)] !== true) return false;
  return true;
}

/** Null where it is not such a row: `decodeTick` says what it is or what is wrong with it. `wire`: see Row. */
export function quickTick(key: string, wire: string): Tick | null {
  const tail = key.length - TAIL;
  if (!startsWithId(key, tail) || key.charCodeAt(tail) !== HASH || key.charCodeAt(tail + 20) !== HASH) return null;
  const sequence = MAX_SEQUENCE - digits(key, tail + 21, tail + 27);
  const time = (NEWEST_HIGH - digits(key, tail + 1, tail + 11)) * LOW + (NEWEST_LOW - digits(key, tail + 11, tail + 20));
  // Beyond what a double holds: before 1684 or after 2255.
  if (!Number.isSafeInteger(time) || !(sequence >= 0)) return null;
  text = wire;
  family = -1;
  seen = 0;
  price = volume = bid = ask = null;
  ingest = null;
  source = null;
  nanos = null;
  if (!eachOfWire(wire, take) || price === null) return null;
  return { index: key.slice(0, tail) as IndexId, time: BigInt(time) as EpochMicros, sequence, price, volume, bid, ask, ingest, source, nanos, family: family === H ? 'h' : 'q', key };
}
