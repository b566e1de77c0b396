/** Wall clocks of IANA zones through Intl's tz data: offsets, local dates, and local times back to instants. */
import { DAY, type EpochMicros, floorDiv, floorMod, micros, SECOND, toMillis, utc } from './time.ts';

export interface WallClock {
  readonly year: number;
  readonly month: number; // 1..12
  readonly day: number;
  readonly hour: number; // 0..23
  readonly minute: number;
  readonly second: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
function format(zone: string): Intl.DateTimeFormat {
  let found = formats.get(zone);
  if (!found) {
    // hourCycle, not hour12: false prints 24:00 at midnight on some Node versions
    found = new Intl.DateTimeFormat('en-US', {
      timeZone: zone, hourCycle: 'h23', era: 'short', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
    });
    formats.set(zone, found);
  }
  return found;
}

/** Whether the runtime's tz data knows the zone. */
export function isZone(zone: string): boolean {
  try {
    format(zone);
    return true;
  } catch {
    return false;
  }
}

/** Offset around one block of days: `before` until `change`, `after` from then on; equal where nothing changes. */
interface Block {
  readonly before: bigint;
  readonly change: bigint;
  readonly after: bigint;
}

const blocks = new Map<string, Block>();
/** The one asked for last: nearly always the next one too. Until `end`. */
let latest = { zone: '', start: 0n, end: 0n, block: { before: 0n, change: 0n, after: 0n } satisfies Block as Block };
// Since 1972 no zone has changed twice within 6 days, and all changes fall on whole seconds (not on quarter hours: St John's
// changed at 00:01). Earlier tz data is stranger, and asked for once.
const BLOCK = 4n * DAY;
const BLOCKS_SINCE = 63_072_000n * SECOND;

/**
 * Zone's offset from UTC at an instant, in microseconds (local = UTC + offset); the instant may lie a day outside the years
 * 0001..9999. Throws RangeError for an unknown zone.
 */
export function offsetAt(zone: string, time: bigint): bigint {
  if (zone === 'UTC') return 0n;
  if (zone === latest.zone && time >= latest.start && time < latest.end) return time < latest.block.change ? latest.block.before : latest.block.after;
  if (time < BLOCKS_SINCE) return askOffset(zone, time);
  const start = floorDiv(time, BLOCK) * BLOCK;
  const key = `${zone} ${start}`;
  let block = blocks.get(key);
  if (!block) {
    block = makeBlock(zone, start);
    if (blocks.size > 20_000) blocks.clear();
    blocks.set(key, block);
  }
  latest = { zone, start, end: start + BLOCK, block };
  return time < block.change ? block.before : block.after;
}

function makeBlock(zone: string, start: bigint): Block {
  let [low, high] = [start, start + BLOCK];
  const [before, after] = [askOffset(zone, low), askOffset(zone, high)];
  if (before === after) return { before, change: low, after };
  while (high - low > SECOND) {
    const middle = floorDiv((low + high) / 2n, SECOND) * SECOND;
    if (askOffset(zone, middle) === before) low = middle;
    else high = middle;
  }
  return { before, change: high, after };
}

function askOffset(zone: string, time: bigint): bigint {
  const second = floorDiv(time, SECOND) * SECOND;
  const parts: Record<string, string> = {};
  for (const { type, value } of format(zone).formatToParts(toMillis(second))) parts[type] = value;
  const year = parts['era'] === 'BC' ? 1 - Number(parts['year']) : Number(parts['year']);
  const local = new Date(0);
  local.setUTCFullYear(year, Number(parts['month']) - 1, Number(parts['day']));
  local.setUTCHours(Number(parts['hour']), Number(parts['minute']), Number(parts['second']), 0);
  return BigInt(local.getTime()) * 1000n - second;
}

/** The wall clock of a zone at an instant. */
export function wallClock(zone: string, time: EpochMicros): WallClock {
  const local = time + offsetAt(zone, time);
  const date = new Date(toMillis(local));
  return {
    year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(),
    hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds(),
  };
}

/** Local calendar date of an instant as `YYYY-MM-DD`. */
export function localDate(zone: string, time: EpochMicros): string {
  return dateOf(floorDiv(time + offsetAt(zone, time), DAY));
}

/** Microseconds since local midnight by the wall clock (not elapsed time on DST days). */
export const timeOfDay = (zone: string, time: EpochMicros): bigint => floorMod(time + offsetAt(zone, time), DAY);

/** Days since 1970-01-01 of a `YYYY-MM-DD` date. */
export function dayNumber(date: string): bigint {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return floorDiv(utc(year, month, day), DAY);
}

/** `YYYY-MM-DD` of a day number. */
export function dateOf(day: bigint): string {
  const date = new Date(Number(day) * 86_400_000);
  return `${String(date.getUTCFullYear()).padStart(4, '0')}-${String(date.getUTCMonth() + 1).padStart(2, '0')}-${String(date.getUTCDate()).padStart(2, '0')}`;
}

export type LocalTime =
  | { readonly kind: 'one'; readonly time: EpochMicros }
  | { readonly kind: 'two'; readonly first: EpochMicros; readonly second: EpochMicros } // clocks went back
  | { readonly kind: 'none'; readonly before: EpochMicros }; // clocks went forward over it; the transition's instant

/**
 * Instants at which a zone's wall clock reads `date` and `ofDay` microseconds past midnight (00:00..24:00). Throws RangeError
 * where that instant is outside the years 0001..9999.
 */
export function atLocal(zone: string, date: string, ofDay: bigint): LocalTime {
  const local = dayNumber(date) * DAY + ofDay;
  const found = new Set<bigint>();
  for (const probe of [local - DAY, local + DAY]) {
    const candidate = local - offsetAt(zone, probe);
    if (candidate + offsetAt(zone, candidate) === local) found.add(candidate);
  }
  const [first, second] = [...found].sort((a, b) => (a < b ? -1 : 1));
  if (first === undefined) {
    // In the skipped hour: the offset after the transition puts it before, so the earlier offset gives the instant just past it.
    const before = offsetAt(zone, local - DAY);
    const after = offsetAt(zone, local + DAY);
    let low = local - (before > after ? before : after);
    let high = local - (before > after ? after : before);
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (offsetAt(zone, middle) === before) low = middle;
      else high = middle;
    }
    return { kind: 'none', before: micros(high) };
  }
  return second === undefined ? { kind: 'one', time: micros(first) } : { kind: 'two', first: micros(first), second: micros(second) };
}

/** One instant for a local time: the first pass of a repeated hour, the transition for a skipped one. For session edges and midnights. */
export function atLocalFirst(zone: string, date: string, ofDay: bigint): EpochMicros {
  const found = atLocal(zone, date, ofDay);
  return found.kind === 'one' ? found.time : found.kind === 'two' ? found.first : found.before;
}
