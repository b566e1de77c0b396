/**
 * Parsers of everything that crosses between page and host (channels.ts), with limits. Both hosts parse each request before the
 * desk sees it, and each event and answer before it leaves; the page parses what a socket brings it.
 */
import { z } from 'zod';
import { OWN_LIMITS, wrongOwnDate } from './calendar/ownDate.ts';
import { EVENT_NAMES, type EventName, type Events, type Message, REQUEST_NAMES, type RequestName, type Requests } from './channels.ts';
import { REGIONS } from './quote.ts';
import { failed, ok, problem, type Result } from './result.ts';
import { MAX_MICROS, MIN_MICROS } from './time.ts';

// A page's CSP forbids eval; zod would try it once and leave a violation in the console.
if ('document' in globalThis) z.config({ jitless: true });

/** Most of each thing in one message: above real use, below what could hurt a page or a host. */
export const LIMITS = {
  indices: 2_000, // one desk's watchlist
  watched: 64, // charts that one page can show
  pixels: 16_384, // widest drawing surface of a browser
  points: 40_000, // two per pixel and some
  ticks: 10_000, // one event
  tape: 1_000,
  sparkline: 600,
  windows: 40_000, // 40 years of sessions with a lunch break
  /** Bytes of one request as JSON, over IPC or WebSocket. */
  requestBytes: 65_536,
} as const;

const index = z.string().regex(/^[A-Z0-9^._-]{1,24}$/);
const mic = z.string().regex(/^[A-Z0-9]{1,12}$/i);
const decimalText = z.string().regex(/^-?\d{1,40}(?:\.\d{1,40})?$/);
const microsText = z.string().regex(/^-?\d{1,18}$/);
/** Checked to the year: it becomes a row key. */
const instant = microsText.refine((text) => BigInt(text) >= MIN_MICROS && BigInt(text) <= MAX_MICROS, 'outside the years 0001..9999');
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const word = z.string().max(64);
const line = z.string().max(500);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const amount = z.number().min(0); // zod's numbers are finite
const sequence = z.number().int().min(0).max(999_999);
const ordered = (span: { readonly fromMicros: string; readonly toMicros: string }): boolean => BigInt(span.fromMicros) <= BigInt(span.toMicros);

const problemSchema = z.strictObject({
  code: z.enum([
    'STORE_UNREACHABLE', 'STORE_TIMEOUT', 'STORE_BUSY', 'TABLE_MISSING', 'FAMILY_MISSING', 'CREDENTIALS_MISSING', 'CREDENTIALS_REFUSED', 'CREDENTIALS_EXPIRED',
    'CANCELLED', 'BAD_DATA', 'BAD_INPUT', 'NOT_FOUND', 'PORT_IN_USE', 'DATA_FOLDER_LOCKED', 'DATA_FOLDER_CORRUPT', 'INTERNAL',
  ]),
  what: z.string().max(2_000), next: z.string().max(2_000), retryable: z.boolean(),
});

const flag = z.enum(['delayed', 'replay', 'test-clock', 'skew', 'future', 'sampled', 'no-calendar', 'out-of-session', 'settling', 'corrected', 'deleted']);
const quote = z.strictObject({
  index, price: decimalText.nullable(), eventTime: word.nullable(), eventMicros: microsText.nullable(), sequence: sequence.nullable(), ingestMicros: microsText.nullable(),
  ageMs: z.number().nullable(), state: z.enum(['live', 'quiet', 'stalled', 'closed', 'disconnected', 'nodata']), phase: word, reason: line.nullable(),
  flags: z.array(flag).max(16), change: decimalText.nullable(), changePercent: decimalText.nullable(),
  base: z.strictObject({ price: decimalText, date, kind: z.enum(['official', 'last-bar']) }).nullable(), baseNote: word.nullable(),
  nextOpen: word.nullable(), delayMs: amount, skewMs: z.number().nullable(), key: z.string().max(4_096).nullable(),
  day: z.strictObject({ open: decimalText, high: decimalText, low: decimalText }).nullable(), source: z.string().max(256).nullable().exactOptional(),
});
const tick = z.strictObject({
  eventMicros: microsText, sequence, price: decimalText, volume: decimalText.nullable(), source: z.string().max(256).nullable(), ingestMicros: microsText.nullable(),
});
const clockKind = z.enum(['wall', 'test', 'replay']);
const clockView = z.strictObject({
  kind: clockKind, nowMicros: microsText, speed: amount.max(100_000), paused: z.boolean(), note: line.nullable(),
  chosenSpeed: amount.max(100_000).exactOptional(), live: z.strictObject({ kind: clockKind, nowMicros: microsText }).exactOptional(), turn: count.exactOptional(), fixed: z.boolean().exactOptional(),
});
const own = { windows: z.array(z.strictObject({ open: word, close: word })).max(OWN_LIMITS.windows), note: z.string().max(OWN_LIMITS.note).nullable() };
const ownDate = z.strictObject({ mic, date, ...own }).refine((day) => wrongOwnDate(day) === null, 'no date that may be kept');
const percentiles = z.strictObject({ p50: amount, p95: amount, p99: amount });

const events = {
  quotes: z.strictObject({ kind: z.enum(['snapshot', 'changes']), quotes: z.array(quote).max(LIMITS.indices), removed: z.array(index).max(LIMITS.indices).exactOptional() }),
  indices: z.array(z.strictObject({
    id: index, name: z.string().max(200), mic: mic.nullable(), zone: word, region: z.enum(REGIONS), currency: word.nullable(),
    decimals: z.number().int().min(0).max(20).nullable(), delayMs: amount, label: line.nullable(), companion: index.exactOptional(),
  })).max(LIMITS.indices),
  ticks: z.strictObject({
    index, ticks: z.array(tick).max(LIMITS.ticks), removed: z.array(z.strictObject({ eventMicros: microsText, sequence })).max(LIMITS.ticks), backfill: z.boolean(),
  }),
  health: z.strictObject({
    link: z.enum(['connecting', 'live', 'broken', 'filling']), problem: problemSchema.nullable(), brokenSinceMicros: microsText.nullable(),
    store: z.strictObject({ kind: z.enum(['embedded', 'emulator', 'bigtable']), name: z.string().max(1_000) }), strategy: z.enum(['scan', 'delta']),
    pollIntervalMs: amount, readsPerSecond: amount, rowsPerSecond: amount, nodeShare: amount, readMs: percentiles.nullable(),
    errors: count, skippedPolls: count, late: count, duplicate: count, corrected: count, future: count, undecodable: count,
  }),
  heartbeat: clockView,
  calendar: z.strictObject({
    dates: z.array(ownDate).max(OWN_LIMITS.dates), problems: z.array(line).max(32), exchanges: z.array(z.strictObject({ mic, zone: word, from: date, to: date })).max(200), kept: z.boolean(),
  }),
} satisfies { [K in EventName]: z.ZodType<Events[K]> };

const requests = {
  history: z.strictObject({
    index, fromMicros: instant, toMicros: instant, resolution: z.enum(['auto', 'tick', '1m', '5m', '1h', '1d']), pixels: z.number().int().min(1).max(LIMITS.pixels), figures: z.boolean().exactOptional(),
  }).refine(ordered, 'fromMicros is after toMicros'),
  sparklines: z.strictObject({ indices: z.array(index).max(LIMITS.indices), points: z.number().int().min(1).max(LIMITS.sparkline), window: z.enum(['1h', '1W']).exactOptional() }),
  references: z.strictObject({ indices: z.array(index).max(LIMITS.indices) }),
  tape: z.strictObject({ index, limit: z.number().int().min(1).max(LIMITS.tape) }),
  watch: z.strictObject({ indices: z.array(index).max(LIMITS.watched) }),
  sessions: z.strictObject({ mic, fromMicros: instant, toMicros: instant })
    .refine(ordered, 'fromMicros is after toMicros')
    .refine((span) => BigInt(span.toMicros) - BigInt(span.fromMicros) <= 41n * 366n * 86_400_000_000n, 'more than 40 years'),
  clock: z.strictObject({
    speed: z.number().min(1).max(600).exactOptional(), paused: z.boolean().exactOptional(), atMicros: instant.exactOptional(),
    step: z.strictObject({ by: z.enum(['tick', 'minute']), index, back: z.boolean() }).exactOptional(), live: z.literal(true).exactOptional(),
  }).refine(({ atMicros, step, live }) => [atMicros, step, live].filter((part) => part !== undefined).length <= 1, 'atMicros, step and live exclude each other'),
  stored: z.strictObject({ index }),
  // What exactly is wrong with a date, the host tells in words for the form.
  correct: z.strictObject({ mic, date: word, to: z.strictObject(own).nullable() }),
} satisfies { [K in RequestName]: z.ZodType<Requests[K]['request']> };

const figures = z.array(decimalText).max(LIMITS.points).exactOptional();
const series = { times: z.array(microsText).max(LIMITS.points), prices: z.array(decimalText).max(LIMITS.points) };
const paired = (answer: { readonly times: readonly string[]; readonly prices: readonly string[] }): boolean => answer.times.length === answer.prices.length;
const close = z.strictObject({ price: decimalText, date }).nullable();
const answers = {
  history: z.strictObject({
    index, ...series, sequences: z.array(sequence).max(LIMITS.points), resolution: z.enum(['tick', '1m', '5m', '1h', '1d']),
    kind: z.enum(['tick', 'vendor', 'own', 'sampled']), rows: count, truncated: z.boolean(),
    opens: figures, highs: figures, lows: figures, volumes: z.array(decimalText.nullable()).max(LIMITS.points).exactOptional(),
  }).refine((answer) => [answer.opens, answer.highs, answer.lows, answer.volumes].every((column) => column === undefined || column.length === answer.times.length), 'figures differ in length from times').refine((answer) => paired(answer) && answer.sequences.length === answer.times.length, 'times, sequences and prices differ in length'),
  sparklines: z.array(z.strictObject({ index, ...series }).refine(paired, 'times and prices differ in length')).max(LIMITS.indices),
  references: z.array(z.strictObject({
    index, hour: z.strictObject({ price: decimalText, eventMicros: microsText }).nullable(), week: close, month: close, year: close,
    range: z.strictObject({ low: decimalText, high: decimalText, from: date, whole: z.boolean() }).nullable(),
  })).max(LIMITS.indices),
  tape: z.array(tick).max(LIMITS.tape),
  watch: z.null(),
  sessions: z.array(z.strictObject({ date, openMicros: microsText, closeMicros: microsText, note: line.nullable(), projected: z.boolean().exactOptional(), own: z.array(date).max(OWN_LIMITS.dates).exactOptional(), unknownBefore: z.boolean().exactOptional() })).max(LIMITS.windows),
  clock: clockView,
  stored: z.strictObject({ fromMicros: microsText, toMicros: microsText }).nullable(),
  correct: z.null(),
} satisfies { [K in RequestName]: z.ZodType<Requests[K]['answer']> };

/** A request with its name: one of the union, so that a switch over `name` knows the payload. */
export type Asked = { [K in RequestName]: { readonly name: K; readonly request: Requests[K]['request'] } }[RequestName];

const isRequestName = (name: unknown): name is RequestName => REQUEST_NAMES.some((known) => known === name);
const isEventName = (name: unknown): name is EventName => EVENT_NAMES.some((known) => known === name);

/** First issue as `path: message`, never the offending value: it may be huge or private. */
function reason(error: z.ZodError): string {
  const [first] = error.issues;
  if (first === undefined) return 'unknown reason';
  const path = first.path.map(String).join('.').slice(0, 80);
  return `${path === '' ? 'value' : path}: ${first.message.slice(0, 160)}`;
}

/** What a page asks, from an untyped name and payload. Fails with BAD_INPUT. */
export function parseRequest(name: unknown, request: unknown): Result<Asked> {
  if (!isRequestName(name)) return failed(problem('BAD_INPUT', `no such request: ${typeof name === 'string' ? JSON.stringify(name.slice(0, 40)) : typeof name}`, `ask one of ${REQUEST_NAMES.join(', ')}`));
  const parsed = requests[name].safeParse(request);
  return parsed.success
    ? ok({ name, request: parsed.data } as Asked)
    : failed(problem('BAD_INPUT', `request ${name} is malformed: ${reason(parsed.error)}`, 'see docs/feed.md for its shape'));
}

/** What the host answers; fails with BAD_DATA, which is a fault of the host. */
export function parseAnswer<K extends RequestName>(name: K, answer: unknown): Result<Requests[K]['answer']> {
  const parsed = answers[name].safeParse(answer);
  return parsed.success
    ? ok(parsed.data as Requests[K]['answer'])
    : failed(problem('BAD_DATA', `answer to ${name} is malformed: ${reason(parsed.error)}`, 'report it: host and page disagree'));
}

/** A failure as it crosses a channel: anything else in its place becomes INTERNAL. */
export function parseResult<K extends RequestName>(name: K, result: unknown): Result<Requests[K]['answer']> {
  if (typeof result === 'object' && result !== null && 'ok' in result) {
    if (result.ok === true && 'value' in result) return parseAnswer(name, result.value);
    const error = result.ok === false && 'error' in result ? problemSchema.safeParse(result.error) : undefined;
    if (error?.success === true) return failed(error.data);
  }
  return failed(problem('BAD_DATA', `answer to ${name} is no result`, 'report it: host and page disagree'));
}

/** The data of one event. Fails with BAD_DATA. */
export function parseEvent<K extends EventName>(channel: K, data: unknown): Result<Events[K]> {
  const parsed = events[channel].safeParse(data);
  return parsed.success
    ? ok(parsed.data as Events[K])
    : failed(problem('BAD_DATA', `event ${channel} is malformed: ${reason(parsed.error)}`, 'report it: host and page disagree'));
}

/** A whole event `{channel, sequence, data}`. Fails with BAD_DATA. */
export function parseMessage(message: unknown): Result<Message> {
  const bad = (why: string): Result<Message> => failed(problem('BAD_DATA', `message is malformed: ${why}`, 'report it: host and page disagree'));
  if (typeof message !== 'object' || message === null || !('channel' in message) || !('sequence' in message) || !('data' in message)) return bad('not {channel, sequence, data}');
  const { channel, sequence: number, data } = message;
  if (!isEventName(channel)) return bad('unknown channel');
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) return bad('sequence is no count');
  const parsed = parseEvent(channel, data);
  return parsed.ok ? ok({ channel, sequence: number, data: parsed.value } as Message) : parsed;
}
