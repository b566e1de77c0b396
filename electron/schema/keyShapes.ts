/** Shapes that the keys of a table may have: separator, numbers at the end, what stands before them. Pure; detect.ts chooses. */
import type { NumberFormat, Unit } from '../bigtable/layout/foreignLayout.ts';
import { NANOS } from '../bigtable/layout/foreignLayout.ts';
import { largest, readNumber } from '../bigtable/layout/foreignNumber.ts';

export const SEPARATORS = ['#', '|', ':', '/', '~', '@', ',', ';', '$', '!', '_', '-', '.', ' ', '\0', '\u0001', '+', '=', '%', '&'] as const;

export interface Tail {
  readonly separator: string;
  readonly time: NumberFormat;
  readonly times: readonly bigint[];
  readonly sequence: NumberFormat | null;
  readonly sequences: readonly bigint[];
  /** What stands before the time. */
  readonly heads: readonly string[];
}

/** Every way to read the ends of all keys as time, or time and sequence. */
export function tailsOf(keys: readonly string[]): Tail[] {
  return SEPARATORS.filter((separator) => keys.every((key) => key.indexOf(separator, 1) > 0)).flatMap((separator) => {
    const plain = cut(keys, separator);
    const numbered = cut(keys, separator, plain);
    return [...(plain ? timesIn(separator, keys, null) : []), ...(numbered && plain ? timesIn(separator, plain.heads, plain.tokens) : [])];
  });
}

function timesIn(separator: string, keys: readonly string[], last: readonly string[] | null): Tail[] {
  const sequence = last === null ? null : formatOf(last, 1);
  if (last !== null && (!sequence || sequence.width > 12)) return [];
  const sequences = sequence && last ? last.map((token) => readNumber(token, sequence) ?? 0n) : [];
  const tails: Tail[] = [];
  const text = cut(keys, separator);
  const time = text && formatOf(text.tokens, 9);
  if (text && time) tails.push({ separator, time, times: text.tokens.map((token) => readNumber(token, time) ?? 0n), sequence, sequences, heads: text.heads });
  const binary = binaryTail(separator, keys);
  if (binary) tails.push({ separator, ...binary, sequence, sequences });
  return tails;
}

const BINARY: NumberFormat = { encoding: 'binary', width: 8, upper: false };

/** By its width: its bytes may contain the separator. */
function binaryTail(separator: string, keys: readonly string[]): Pick<Tail, 'time' | 'times' | 'heads'> | null {
  if (!keys.every((key) => key.length > 8 + separator.length && key.startsWith(separator, key.length - 8 - separator.length))) return null;
  const times = keys.map((key) => readNumber(key.slice(-8), BINARY) ?? 0n);
  return { time: BINARY, times, heads: keys.map((key) => key.slice(0, -8 - separator.length)) };
}

interface Cut {
  readonly heads: string[];
  readonly tokens: string[];
}

/** At the last separator; of what is left of `before`, where given. Null where a key has none. */
function cut(keys: readonly string[], separator: string, before?: Cut | null): Cut | null {
  const from = before ? before.heads : keys;
  const at = from.map((key) => key.lastIndexOf(separator));
  if (at.some((position) => position < 1)) return null;
  return { heads: from.map((key, index) => key.slice(0, at[index])), tokens: from.map((key, index) => key.slice((at[index] ?? 0) + separator.length)) };
}

/** All tokens as numbers of one width, at least `least` digits; decimal unless one has a letter. */
export function formatOf(tokens: readonly string[], least: number): NumberFormat | null {
  const width = tokens[0]?.length ?? 0;
  if (width < least || width > 20 || tokens.some((token) => token.length !== width)) return null;
  if (tokens.every((token) => /^\d+$/.test(token))) return { encoding: 'decimal', width, upper: false };
  if (width > 16) return null;
  if (tokens.every((token) => /^[0-9a-f]+$/.test(token))) return { encoding: 'hex', width, upper: false };
  return tokens.every((token) => /^[0-9A-F]+$/.test(token)) ? { encoding: 'hex', width, upper: true } : null;
}

export interface TimeReading {
  readonly unit: Unit;
  readonly base: bigint | null;
  /** Nanoseconds since 1970, as the keys. */
  readonly nanos: readonly bigint[];
}

const tens = (digits: number): bigint => 10n ** BigInt(digits) - 1n;
/** What writers are known to subtract from. */
const BASES: readonly bigint[] = [
  2n ** 63n - 1n, 2n ** 64n - 1n, 2n ** 53n - 1n, 2n ** 32n - 1n, 2n ** 31n - 1n, ...[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map(tens),
  253_402_300_799n, 253_402_300_799_999n, 253_402_300_799_999_999n,
];

/** Nobody stamped nanoseconds before; without this bound every microsecond below 2^63-1 is also a nanosecond of August 1994 below 10^19-1. */
const FIRST_NANOS = 946_684_800n * NANOS.s; // 2000

/** Every unit, direction and base under which all numbers are instants between `from` and `to` (nanoseconds). */
export function readingsOf(numbers: readonly bigint[], format: NumberFormat, from: bigint, to: bigint): TimeReading[] {
  const bases = [null, ...BASES.filter((base) => base <= largest(format))];
  return (Object.keys(NANOS) as Unit[]).flatMap((unit) => bases.flatMap((base) => {
    const nanos = numbers.map((number) => (base === null ? number : base - number) * NANOS[unit]);
    // Below a base in the past nothing more could be written.
    if (base !== null && base * NANOS[unit] < to) return [];
    const earliest = unit === 'ns' && from < FIRST_NANOS ? FIRST_NANOS : from;
    return nanos.every((at) => at >= earliest && at <= to) ? [{ unit, base, nanos }] : [];
  }));
}
