/** What arrives from the host, checked before anything on the page believes it: shape, sizes, decimal text, instants. */
import { OWN_LIMITS, type OwnDate, wrongOwnDate } from '../../shared/calendar/ownDate.ts';
import { EVENT_NAMES, type EventName, type Message, type QuoteView } from '../../shared/channels.ts';
import { REGIONS } from '../../shared/quote.ts';
import { isZone } from '../../shared/zone.ts';
import { isDecimalText, isInstantText } from './wireText.ts';

/** Entries of one message; more is a broken host, not a market. */
const MAX_ENTRIES = 200_000;
const STATES: readonly string[] = ['live', 'quiet', 'stalled', 'closed', 'disconnected', 'nodata'];
const LINKS: readonly string[] = ['connecting', 'live', 'broken', 'filling'];
const CLOCKS: readonly string[] = ['wall', 'test', 'replay'];

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

const text: Check = (v) => typeof v === 'string' && v.length <= 500;
const count: Check = (v) => typeof v === 'number' && Number.isFinite(v) && v >= 0;
const finite: Check = (v) => typeof v === 'number' && Number.isFinite(v);
const truth: Check = (v) => typeof v === 'boolean';
const instant: Check = (v) => typeof v === 'string' && isInstantText(v);
const price: Check = (v) => typeof v === 'string' && isDecimalText(v);
const among = (names: readonly string[]): Check => (v) => typeof v === 'string' && names.includes(v);
const isState = among(STATES);
const maybe = (check: Check): Check => (v) => v === undefined || check(v);
const orNull = (check: Check): Check => (v) => v === null || check(v);
const list = (check: Check): Check => (v) => Array.isArray(v) && v.length <= MAX_ENTRIES && v.every(check);
const object = (fields: Fields): Check => {
  const checks = Object.entries(fields);
  return (v) => {
    if (typeof v !== 'object' || v === null) return false;
    for (const [name, check] of checks) if (!check((v as Record<string, unknown>)[name])) return false;
    return true;
  };
};

const problemCheck = object({ code: text, what: text, next: text, retryable: truth });
const isBase = object({ price, date: text, kind: text });
const isDay = object({ open: price, high: price, low: price });
const areFlags = list(text);
/** Written out, since nothing else comes as often. */
const quote: Check = (v) => {
  if (typeof v !== 'object' || v === null) return false;
  const q = v as { readonly [K in keyof QuoteView]: unknown };
  return (
    text(q.index) && (q.price === null || price(q.price)) && (q.eventMicros === null || instant(q.eventMicros)) && isState(q.state) && text(q.phase) && (q.reason === null || text(q.reason)) && areFlags(q.flags)
    && (q.change === null || price(q.change)) && (q.changePercent === null || price(q.changePercent)) && (q.base === null || isBase(q.base)) && (q.baseNote === null || text(q.baseNote))
    && (q.nextOpen === null || text(q.nextOpen)) && (q.ageMs === null || finite(q.ageMs)) && (q.skewMs === null || finite(q.skewMs)) && finite(q.delayMs) && (q.day === null || isDay(q.day))
    && (q.source === undefined || q.source === null || text(q.source))
  );
};
const tick = object({ eventMicros: instant, sequence: count, price, volume: orNull(price), source: orNull(text), ingestMicros: orNull(instant) });
const zone: Check = (v) => text(v) && isZone(v as string);
const index = object({
  id: text, name: text, mic: orNull(text), zone, region: among(REGIONS), currency: orNull(text), delayMs: finite, label: orNull(text), companion: maybe(text),
  decimals: (v) => v === null || (typeof v === 'number' && Number.isInteger(v) && v >= 0 && v <= 20),
});
const ownDate: Check = (v) => object({ mic: text, date: text, note: orNull(text), windows: list(object({ open: text, close: text })) })(v) && wrongOwnDate(v as OwnDate) === null;
const percentiles = object({ p50: count, p95: count, p99: count });

const DATA: Readonly<Record<EventName, Check>> = {
  quotes: object({ kind: among(['snapshot', 'changes']), quotes: list(quote), removed: (v) => v === undefined || list(text)(v) }),
  indices: list(index),
  ticks: object({ index: text, ticks: list(tick), removed: list(object({ eventMicros: instant, sequence: count })), backfill: truth }),
  health: object({
    link: among(LINKS), problem: orNull(problemCheck), brokenSinceMicros: orNull(instant), store: object({ kind: text, name: text }), strategy: text,
    pollIntervalMs: count, readsPerSecond: count, rowsPerSecond: count, nodeShare: count, readMs: orNull(percentiles), errors: count, skippedPolls: count,
    late: count, duplicate: count, corrected: count, future: count, undecodable: count,
  }),
  heartbeat: object({
    kind: among(CLOCKS), nowMicros: instant, speed: count, paused: truth, note: orNull(text),
    chosenSpeed: maybe(count), live: maybe(object({ kind: among(CLOCKS), nowMicros: instant })), turn: maybe(count), fixed: maybe(truth),
  }),
  calendar: object({
    dates: (v) => list(ownDate)(v) && (v as unknown[]).length <= OWN_LIMITS.dates, problems: list(text), exchanges: list(object({ mic: text, zone, from: text, to: text })), kept: truth,
  }),
};

/** A message of a known channel with well-formed data; undefined for anything else. */
export function parseMessage(value: unknown): Message | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { channel, sequence, data } = value as { channel?: unknown; sequence?: unknown; data?: unknown };
  const name = EVENT_NAMES.find((known) => known === channel);
  if (name === undefined || !Number.isSafeInteger(sequence) || !DATA[name](data)) return undefined;
  return value as Message;
}

