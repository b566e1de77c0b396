/** Instants as microseconds since 1970 UTC (BigInt, may be negative), and wall clocks in a zone. No host zone is ever used. */

declare const epochMicros: unique symbol;
/** Microseconds since 1970-01-01T00:00:00Z, proleptic Gregorian, no leap seconds, within years 0001..9999. */
export type EpochMicros = bigint & { readonly [epochMicros]: true };

export const MIN_MICROS = -62_135_596_800_000_000n as EpochMicros; // 0001-01-01T00:00:00.000000Z
export const MAX_MICROS = 253_402_300_799_999_999n as EpochMicros; // 9999-12-31T23:59:59.999999Z
export const SECOND = 1_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;

/** Checks the range. Throws RangeError outside years 0001..9999: a wrapped key would be a wrong price. */
export function micros(value: bigint): EpochMicros {
  if (value < MIN_MICROS || value > MAX_MICROS) throw new RangeError(`${value} µs is outside the years 0001..9999`);
  return value as EpochMicros;
}

/** Division that rounds toward minus infinity, as clocks need (BigInt's `/` truncates toward zero). `divisor` > 0. */
export function floorDiv(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

/** Remainder that goes with `floorDiv`: 0 <= result < divisor. */
export const floorMod = (value: bigint, divisor: bigint): bigint => value - floorDiv(value, divisor) * divisor;

/** Nanoseconds to the microsecond they fall in, with the remainder (0..999) for `q:n`. */
export function fromNanos(nanos: bigint): { time: EpochMicros; remainder: number } {
  return { time: micros(floorDiv(nanos, 1000n)), remainder: Number(floorMod(nanos, 1000n)) };
}

export const fromMillis = (millis: number): EpochMicros => micros(BigInt(Math.floor(millis)) * 1000n);

/** Whole milliseconds, floored: for `Date`, pixels and timers, never for keys. */
export const toMillis = (time: bigint): number => Number(floorDiv(time, 1000n));

/** `micros` text of the wire back to an instant. Throws on anything but a decimal integer in range. */
export function parseMicros(text: string): EpochMicros {
  if (!/^-?\d{1,18}$/.test(text)) throw new RangeError(`not microseconds: ${text.slice(0, 40)}`);
  return micros(BigInt(text));
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** ISO 8601 UTC with six fraction digits, e.g. `2019-11-06T14:20:00.000000Z`. */
export function formatIso(time: EpochMicros): string {
  const seconds = floorDiv(time, SECOND);
  const date = new Date(Number(seconds) * 1000);
  const fraction = String(floorMod(time, SECOND)).padStart(6, '0');
  return (
    `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}` +
    `T${pad(date.getUTCHours(), 2)}:${pad(date.getUTCMinutes(), 2)}:${pad(date.getUTCSeconds(), 2)}.${fraction}Z`
  );
}

/** UTC wall clock fields to an instant; throws RangeError on a date or time that does not exist (24:00 is the next day's 00:00). */
export function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0, microsecond = 0): EpochMicros {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(0, 0, 0, 0);
  const midnight24 = hour === 24 && minute === 0 && second === 0 && microsecond === 0;
  const exists =
    year >= 1 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day &&
    (midnight24 || (hour >= 0 && hour < 24)) && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  if (!exists) throw new RangeError(`no such time: ${year}-${month}-${day} ${hour}:${minute}:${second}`);
  return micros(BigInt(date.getTime()) * 1000n + BigInt(hour * 3600 + minute * 60 + second) * SECOND + BigInt(microsecond));
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A time as users write it: microseconds since 1970 (`1573050000000000`), or ISO 8601 with `Z` or an offset; a bare date is
 * its UTC midnight. Fractions below a microsecond floor. Throws RangeError with the reason; a local time without a zone is
 * refused, since guessing the zone would be a silent error of hours.
 */
export function parseTime(text: string): EpochMicros {
  if (/^-?\d{1,18}$/.test(text)) return parseMicros(text);
  const match = ISO.exec(text.trim());
  if (!match) throw new RangeError(`not a time: ${text.slice(0, 60)} (give ISO 8601 such as 2019-11-06T14:20:00Z, or microseconds since 1970)`);
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  if (hour !== undefined && zone === undefined) throw new RangeError(`no zone in ${text.slice(0, 60)}: end it with Z or an offset such as +01:00`);
  const microsecond = Number((fraction ?? '').padEnd(6, '0').slice(0, 6));
  const local = utc(Number(year), Number(month), Number(day), Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0), microsecond);
  if (zone === undefined || zone.toUpperCase() === 'Z') return local;
  const offset = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  if (offset > 18 * 60 || Number(zone.slice(-2)) > 59) throw new RangeError(`no such offset: ${zone}`);
  return micros(local - BigInt(zone.startsWith('-') ? -offset : offset) * MINUTE);
}
