/**
 * Row keys, newest first as bytes:
 *
 *     row = id "#" rts [ "#" seq ]          tick           id  = 1*24 of A-Z 0-9 ^ . _ -
 *         | id "~" shard "#" rts "#" seq    sharded tick   rts = 19 digits of (2^63 - 1) - epochMicros
 *         | id "@" res "#" rts              bar            seq = 6 digits of 999999 - sequence
 *         | "!" kind "#" name               metadata
 *
 * Keys are ASCII, so string order here is byte order there.
 */
import { type EpochMicros, MAX_MICROS, micros, MIN_MICROS } from './time.ts';

declare const indexId: unique symbol;
export type IndexId = string & { readonly [indexId]: true };

const NEWEST = 2n ** 63n - 1n; // Java's Long.MAX_VALUE, which other writers of such tables subtract from
export const MAX_SEQUENCE = 999_999;
export const RESOLUTIONS = ['1s', '1m', '5m', '1h', '1d'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];
export const META_KINDS = ['index', 'writer', 'latest', 'bars'] as const;
export type MetaKind = (typeof META_KINDS)[number];

/** Half-open range of row keys, [start, end); both always non-empty: an empty bound means "the whole table" to the client. */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

export type RowKey =
  | { readonly kind: 'tick'; readonly index: IndexId; readonly time: EpochMicros; readonly sequence: number | null; readonly shard: number | null }
  | { readonly kind: 'bar'; readonly index: IndexId; readonly time: EpochMicros; readonly resolution: Resolution }
  | { readonly kind: MetaKind; readonly name: string };

const ID = /^[A-Z0-9^._-]{1,24}$/;

export const isIndexId = (text: string): text is IndexId => ID.test(text);

/** Throws RangeError that names the grammar. */
export function indexIdOf(text: string): IndexId {
  if (!isIndexId(text)) throw new RangeError(`not an index id: ${JSON.stringify(text.slice(0, 40))} (1 to 24 of A-Z 0-9 ^ . _ -)`);
  return text;
}

/** The 19 digits that make a later instant sort first. Throws RangeError outside years 0001..9999. */
export const reverseTime = (time: bigint): string => (NEWEST - micros(time)).toString().padStart(19, '0');

function reverseSequence(sequence: number): string {
  if (!Number.isInteger(sequence) || sequence < 0 || sequence > MAX_SEQUENCE) throw new RangeError(`not a sequence: ${sequence} (0..${MAX_SEQUENCE})`);
  return String(MAX_SEQUENCE - sequence).padStart(6, '0');
}

/** Key of one tick. Throws RangeError for a time outside years 0001..9999 or a sequence outside 0..999999. */
export const tickKey = (id: IndexId, time: EpochMicros, sequence = 0): string => `${id}#${reverseTime(time)}#${reverseSequence(sequence)}`;

export function shardedTickKey(id: IndexId, shard: number, time: EpochMicros, sequence: number): string {
  if (!Number.isInteger(shard) || shard < 0 || shard > 99) throw new RangeError(`not a shard: ${shard} (0..99)`);
  return `${id}~${String(shard).padStart(2, '0')}#${reverseTime(time)}#${reverseSequence(sequence)}`;
}

/** Key of the bar that starts at `start`. */
export const barKey = (id: IndexId, resolution: Resolution, start: EpochMicros): string => `${id}@${resolution}#${reverseTime(start)}`;

export const metaKey = (kind: MetaKind, name: string): string => `!${kind}#${name}`;

const TICK = /^([A-Z0-9^._-]{1,24})(?:~(\d\d))?#(\d{19})(?:#(\d{6}))?$/;
const BAR = /^([A-Z0-9^._-]{1,24})@(1s|1m|5m|1h|1d)#(\d{19})$/;
const META = /^!(index|writer|latest|bars)#(.{1,64})$/;

/** Parses any key of the canonical layout; undefined for every other key, and for times outside years 0001..9999. */
export function decodeKey(key: string): RowKey | undefined {
  const tick = TICK.exec(key);
  if (tick) {
    const [, id = '', shard, rts = '', seq] = tick;
    const time = timeOf(rts);
    if (time === undefined || (shard !== undefined && seq === undefined)) return undefined;
    return {
      kind: 'tick', index: id as IndexId, time,
      sequence: seq === undefined ? null : MAX_SEQUENCE - Number(seq), shard: shard === undefined ? null : Number(shard),
    };
  }
  const bar = BAR.exec(key);
  if (bar) {
    const [, id = '', resolution = '', rts = ''] = bar;
    const time = timeOf(rts);
    return time === undefined ? undefined : { kind: 'bar', index: id as IndexId, time, resolution: resolution as Resolution };
  }
  const meta = META.exec(key);
  return meta ? { kind: meta[1] as MetaKind, name: meta[2] ?? '' } : undefined;
}

/** Undefined outside years 0001..9999. */
function timeOf(rts: string): EpochMicros | undefined {
  const time = NEWEST - BigInt(rts);
  return time >= MIN_MICROS && time <= MAX_MICROS ? micros(time) : undefined;
}

/** The first key after every key that starts with `prefix`: its last character, one up. `prefix` is ASCII and non-empty. */
function after(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

const prefixRange = (prefix: string): KeyRange => ({ start: prefix, end: after(prefix) });

/** All ticks of one index, newest first: [`ID#`, `ID$`). Never another index's. */
export const tickRange = (id: IndexId): KeyRange => prefixRange(`${id}#`);
/** All ticks of one shard of an index. */
export const shardRange = (id: IndexId, shard: number): KeyRange => prefixRange(`${id}~${String(shard).padStart(2, '0')}#`);
/** All bars of one index and resolution, newest first. */
export const barRange = (id: IndexId, resolution: Resolution): KeyRange => prefixRange(`${id}@${resolution}#`);
export const metaRange = (kind: MetaKind): KeyRange => prefixRange(`!${kind}#`);

/** Ticks with from <= time <= to, both instants with all their sequences and keys without one. */
export function ticksBetween(id: IndexId, from: EpochMicros, to: EpochMicros): KeyRange {
  return { start: `${id}#${reverseTime(to)}`, end: `${id}#${reverseTime(from)}$` };
}

/** Ticks at or before `time`, newest first. */
export const ticksUpTo = (id: IndexId, time: EpochMicros): KeyRange => ({ start: `${id}#${reverseTime(time)}`, end: tickRange(id).end });

/** Ticks that sort before `key`, newest first: strictly newer than that row, its own instant's higher sequences included. */
export const ticksNewerThan = (id: IndexId, key: string): KeyRange => ({ start: `${id}#`, end: key });

/** Bars whose start lies in [from, to]; callers move `from` back by one bar's length to get those that overlap. */
export function barsStarting(id: IndexId, resolution: Resolution, from: EpochMicros, to: EpochMicros): KeyRange {
  return { start: `${id}@${resolution}#${reverseTime(to)}`, end: `${id}@${resolution}#${reverseTime(from)}$` };
}

/** The smallest key after `key`: where the next page of a read starts. */
export const keyAfter = (key: string): string => `${key}\0`;
