/**
 * Every channel between host and page, by name and type; the same over IPC and WebSocket. Plain JSON values: instants are
 * decimal strings of microseconds, prices decimal strings, unknown is null. Parsers: schemas.ts (kept apart so that the preload stays small).
 */
import type { OwnDate } from './calendar/ownDate.ts';
import type { IndexInfo } from './quote.ts';
import type { Problem, Result } from './result.ts';

export type FeedState = 'live' | 'quiet' | 'stalled' | 'closed' | 'disconnected' | 'nodata';
export type Flag =
  | 'delayed' | 'replay' | 'test-clock' | 'skew' | 'future' | 'sampled' | 'no-calendar' | 'out-of-session' | 'settling' | 'corrected' | 'deleted';

/** The base that a change is measured from. */
export interface Base {
  readonly price: string;
  /** Session date `YYYY-MM-DD`. */
  readonly date: string;
  /** `official`: an official close; `last-bar`: previous session's last bar, said so on screen. */
  readonly kind: 'official' | 'last-bar';
}

/** One value right now: the object of `frontrow latest --json`. */
export interface QuoteView {
  readonly index: string;
  readonly price: string | null;
  readonly eventTime: string | null;
  readonly eventMicros: string | null;
  readonly sequence: number | null;
  readonly ingestMicros: string | null;
  /** Age of the event when this was made, on the desk clock; the page counts on from there. */
  readonly ageMs: number | null;
  readonly state: FeedState;
  /** `open`, `auction`, `lunch`, `pre-open`, `closed`, `unknown`. */
  readonly phase: string;
  readonly reason: string | null;
  readonly flags: readonly Flag[];
  readonly change: string | null;
  readonly changePercent: string | null;
  readonly base: Base | null;
  /** Why there is no base, such as `no official close since 2019-11-04`; null where there is one. */
  readonly baseNote: string | null;
  /** ISO instant of the next open while closed. */
  readonly nextOpen: string | null;
  readonly delayMs: number;
  readonly skewMs: number | null;
  readonly key: string | null;
  /** Who wrote the newest row, by its own word. */
  readonly source?: string | null;
  /** The session's own figures from rows read so far; null until known. */
  readonly day: { readonly open: string; readonly high: string; readonly low: string } | null;
}

export interface TickView {
  readonly eventMicros: string;
  readonly sequence: number;
  readonly price: string;
  readonly volume: string | null;
  readonly source: string | null;
  readonly ingestMicros: string | null;
}

export interface IndexView extends Omit<IndexInfo, 'id'> {
  readonly id: string;
}

/** Desk time: what the page needs to count ages and clocks by itself between two heartbeats. */
export interface ClockView {
  readonly kind: 'wall' | 'test' | 'replay';
  readonly nowMicros: string;
  /** Desk seconds per elapsed second; 0 while paused. */
  readonly speed: number;
  readonly paused: boolean;
  /** Why the clock jumped or will, for the screen: "starts again after New York's close". */
  readonly note: string | null;
  /** The speed it runs at when it is not paused; a replay's only. */
  readonly chosenSpeed?: number;
  /** The desk replays what is stored: the clock it had before and goes back to. */
  readonly live?: { readonly kind: 'wall' | 'test' | 'replay'; readonly nowMicros: string };
  /** Counts what pages did to the clock: one that a page did not ask for was another's. Absent: nothing yet. */
  readonly turn?: number;
  /** This host keeps its clock: pages are refused. */
  readonly fixed?: boolean;
}

/** What a page may ask of the clock. Of `atMicros`, `step`, `live` at most one; `speed` and `paused` go with any. */
export interface ClockRequest {
  /** 1 to 60; to 600 while the desk replays what is stored. */
  readonly speed?: number;
  readonly paused?: boolean;
  /** The desk shows what is stored as of this instant, and runs on from it; from live it stands still there unless `paused` is false. */
  readonly atMicros?: string;
  /** One tick of `index`, or a minute, on or back; the clock stands still there. */
  readonly step?: { readonly by: 'tick' | 'minute'; readonly index: string; readonly back: boolean };
  /** Back to the clock that the desk had before. */
  readonly live?: true;
}

/** First and last instant for which the table holds prices of an index; null where it holds none. */
export interface StoredRange {
  readonly fromMicros: string;
  readonly toMicros: string;
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Figures of the feed, sent about once a second. */
export interface HealthView {
  /** `broken` after two failed cycles, `filling` while the gap is range-read, then `live`. */
  readonly link: 'connecting' | 'live' | 'broken' | 'filling';
  readonly problem: Problem | null;
  /** Desk instant since which the link is broken. */
  readonly brokenSinceMicros: string | null;
  readonly store: { readonly kind: 'embedded' | 'emulator' | 'bigtable'; readonly name: string };
  readonly strategy: 'scan' | 'delta';
  readonly pollIntervalMs: number;
  readonly readsPerSecond: number;
  readonly rowsPerSecond: number;
  /** Share of one node's 17,000 reads/s, 0..1. */
  readonly nodeShare: number;
  readonly readMs: Percentiles | null;
  readonly errors: number;
  readonly skippedPolls: number;
  readonly late: number;
  readonly duplicate: number;
  readonly corrected: number;
  readonly future: number;
  readonly undecodable: number;
}

/** New, corrected and removed ticks of one watched index, in event order. */
export interface TicksEvent {
  readonly index: string;
  readonly ticks: readonly TickView[];
  /** Identities whose rows are gone. */
  readonly removed: readonly { readonly eventMicros: string; readonly sequence: number }[];
  /** Ticks that fill a gap after an outage or start: drawn, never treated as news. */
  readonly backfill: boolean;
}

/** The user's own dates: what they have in place of the calendar's. */
export interface CalendarView {
  /** By exchange, then date. */
  readonly dates: readonly OwnDate[];
  /** Lines of the file that could not be read, in words; their dates stay as the calendar has them. */
  readonly problems: readonly string[];
  /** Exchanges that the calendar knows, and the dates it covers. */
  readonly exchanges: readonly { readonly mic: string; readonly zone: string; readonly from: string; readonly to: string }[];
  /** They are in a file of the host's; false: it forgets them when it ends. */
  readonly kept: boolean;
}

/** Host -> page. Each travels as {channel, sequence, data}; sequences count up by one per channel and connection. */
export interface Events {
  quotes: { readonly kind: 'snapshot' | 'changes'; readonly quotes: readonly QuoteView[]; /** Ids gone from the desk. */ readonly removed?: readonly string[] };
  indices: readonly IndexView[];
  ticks: TicksEvent;
  health: HealthView;
  heartbeat: ClockView;
  calendar: CalendarView;
}
export type EventName = keyof Events;
export const EVENT_NAMES = ['quotes', 'indices', 'ticks', 'health', 'heartbeat', 'calendar'] as const satisfies readonly EventName[];

export type Message = { [K in EventName]: { readonly channel: K; readonly sequence: number; readonly data: Events[K] } }[EventName];

export interface HistoryRequest {
  readonly index: string;
  readonly fromMicros: string;
  readonly toMicros: string;
  readonly resolution: 'auto' | 'tick' | '1m' | '5m' | '1h' | '1d';
  /** Width to draw at; the answer holds at most about two points per pixel, each bucket's minimum and maximum kept. */
  readonly pixels: number;
  /**
   * Bars with open, high, low and volume, none left out: of the asked resolution, made from ticks where the table has no bars of it. An answer
   * without these columns could not: too many ticks.
   */
  readonly figures?: boolean;
}

export interface HistoryAnswer {
  readonly index: string;
  /** Oldest first. Parallel arrays keep a year of minutes small on the wire. */
  readonly times: readonly string[];
  /** With its time a point's identity, as the tail names it; 0 for bars. */
  readonly sequences: readonly number[];
  readonly prices: readonly string[];
  /** Of bars that were asked for with `figures`, in parallel; `prices` are their closes. Volume null where none is known. */
  readonly opens?: readonly string[];
  readonly highs?: readonly string[];
  readonly lows?: readonly string[];
  readonly volumes?: readonly (string | null)[];
  readonly resolution: 'tick' | '1m' | '5m' | '1h' | '1d';
  readonly kind: 'tick' | 'vendor' | 'own' | 'sampled';
  /** Rows read to answer. */
  readonly rows: number;
  /** True where the row cap cut the oldest part off; the page says so. */
  readonly truncated: boolean;
}

/** Trading windows of an exchange over a span, for axis, breaks, gaps and ribbon. */
export interface SessionsRequest {
  readonly mic: string;
  readonly fromMicros: string;
  readonly toMicros: string;
}
export interface SessionWindow {
  readonly date: string;
  readonly openMicros: string;
  readonly closeMicros: string;
  /** `half day`, `late open`, ...; null for a regular window. */
  readonly note: string | null;
  /** The date is outside of what the exchange has published or a source confirms: by rule. */
  readonly projected?: boolean;
  /** Dates of the user's that the window rests on: its own, and those since the window before that they have as closed. */
  readonly own?: readonly string[];
  /** Dates between the window before and this one are not known to the calendar. */
  readonly unknownBefore?: boolean;
}

/** Prices of the past of one index, on desk time; null: there is none. The page counts changes from them. */
export interface ReferenceView {
  readonly index: string;
  /** Newest price an hour ago or before, at most a week before. */
  readonly hour: { readonly price: string; readonly eventMicros: string } | null;
  /** Close of the last session a week, a month, a year of the calendar ago or before, at most ten days before. */
  readonly week: { readonly price: string; readonly date: string } | null;
  readonly month: { readonly price: string; readonly date: string } | null;
  readonly year: { readonly price: string; readonly date: string } | null;
  /** Lowest low and highest high of the sessions before today since `from`; `whole`: these are all of 52 weeks. */
  readonly range: { readonly low: string; readonly high: string; readonly from: string; readonly whole: boolean } | null;
}

/** Page -> host. */
export interface Requests {
  history: { readonly request: HistoryRequest; readonly answer: HistoryAnswer };
  /** Recent shape of several indices for sparklines: at most `points` each, oldest first. */
  sparklines: { readonly request: { readonly indices: readonly string[]; readonly points: number; /** Up to now; absent: the session. */ readonly window?: '1h' | '1W' }; readonly answer: readonly { readonly index: string; readonly times: readonly string[]; readonly prices: readonly string[] }[] };
  references: { readonly request: { readonly indices: readonly string[] }; readonly answer: readonly ReferenceView[] };
  /** Newest ticks, newest first. */
  tape: { readonly request: { readonly index: string; readonly limit: number }; readonly answer: readonly TickView[] };
  /** Which indices this page charts: they get `ticks` events and a trailing re-read. */
  watch: { readonly request: { readonly indices: readonly string[] }; readonly answer: null };
  sessions: { readonly request: SessionsRequest; readonly answer: readonly SessionWindow[] };
  /** Speed and pause: a replay only; an instant or a step makes the desk replay what is stored. */
  clock: { readonly request: ClockRequest; readonly answer: ClockView };
  stored: { readonly request: { readonly index: string }; readonly answer: StoredRange | null };
  /** From now on the host has one date so for every page; `to` null: as the calendar has it. A new `calendar` and snapshot follow. */
  correct: { readonly request: Pick<OwnDate, 'mic' | 'date'> & { readonly to: Pick<OwnDate, 'windows' | 'note'> | null }; readonly answer: null };
}
export type RequestName = keyof Requests;
export const REQUEST_NAMES = ['history', 'sparklines', 'references', 'tape', 'watch', 'sessions', 'clock', 'stored', 'correct'] as const satisfies readonly RequestName[];

/** `window.market`: exactly this, over IPC (preload) or WebSocket (renderer/store/socket.ts). */
export interface Market {
  readonly host: 'electron' | 'browser';
  request<K extends RequestName>(name: K, request: Requests[K]['request']): Promise<Result<Requests[K]['answer']>>;
  /** Connects this page; the listener gets a snapshot first. Returns the unsubscriber. */
  subscribe(listener: (message: Message) => void): () => void;
}

/** The same over IPC: page -> host calls, all answered with a Result, and the one host -> page channel. */
export const IPC = {
  /** (name, request) */
  request: 'market:request',
  /** Start sending messages, or send everything again. */
  open: 'market:open',
  close: 'market:close',
  /** Message */
  message: 'market:message',
} as const;
