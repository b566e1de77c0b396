/** An int64 as protobufjs gives it: Long where it was on the wire, 0 where not. */
export type Int64 = number | string | { toString(): string } | null | undefined;

interface LongParts { readonly low: number; readonly high: number }

/** Exact. Throws SyntaxError for text that is no integer. */
export function bigOf(value: Int64): bigint {
  if (value === null || value === undefined) return 0n;
  if (typeof value === 'number') return BigInt(value);
  if (isParts(value)) return (BigInt(value.high) << 32n) + BigInt(value.low >>> 0);
  return BigInt(value.toString());
}

const isParts = (value: Int64): value is LongParts => typeof value === 'object' && value !== null && 'low' in value && 'high' in value;

/** As a number where that is exact, which every real time is; else null. Far cheaper than a BigInt per cell. */
export function exactNumber(value: Int64): number | null {
  const number = value === null || value === undefined ? 0 : typeof value === 'number' ? value : isParts(value) ? value.high * 4_294_967_296 + (value.low >>> 0) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}
