/** What the feed is asked to do and what it offers: plain values in, events out. */
import type { Clock } from '../../shared/clock.ts';
import type { EventName, Events, HealthView, IndexView, QuoteView } from '../../shared/channels.ts';
import type { IndexInfo } from '../../shared/quote.ts';
import type { Result } from '../../shared/result.ts';
import type { IndexId } from '../../shared/rowKey.ts';
import type { Reader } from '../bigtable/reader.ts';

export type Strategy = 'scan' | 'delta' | 'auto';

export interface FeedConfig {
  /** Fixed list, or null: the registry, and ids found by skipping through the keys. */
  readonly indices: readonly string[] | null;
  readonly strategy: Strategy;
  /** 100..60000. */
  readonly intervalMs: number;
  /** Days of family `q`; older ticks are read from `h` only. */
  readonly retentionDays: number;
  readonly storeKind: 'embedded' | 'emulator' | 'bigtable';
  readonly storeName: string;
}

export interface FeedOptions {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly config: FeedConfig;
  /** The registry's rows; absent: no registry is read. */
  readonly registry?: (reader: Reader, deadlineMs: number) => Promise<Result<IndexInfo[]>>;
  /** 0..1, for jitter. */
  readonly random?: () => number;
  /** Wakes the feed once after `ms`; returns what forgets it. Absent: the machine's timers. */
  readonly later?: (wake: () => void, ms: number) => () => void;
}

type FeedChannel = Exclude<EventName, 'heartbeat' | 'calendar'>;
export type FeedEvent = { [K in FeedChannel]: { readonly channel: K; readonly data: Events[K] } }[FeedChannel];

/** Figures of one index since start. */
export interface IndexFigures {
  readonly reads: number;
  readonly rows: number;
  readonly errors: number;
  readonly late: number;
  readonly duplicate: number;
  readonly corrected: number;
}

export interface Feed {
  start(): void;
  snapshot(): QuoteView[];
  indices(): IndexView[];
  info(id: string): IndexInfo;
  health(): HealthView;
  figures(): ReadonlyMap<IndexId, IndexFigures>;
  /** The listener gets changes only, batched per read; take snapshot(), indices() and health() on connect. Returns the unsubscriber. */
  on(listener: (events: readonly FeedEvent[]) => void): () => void;
  /** Replaces the indices that `owner` charts: they get `ticks` events and a trailing re-read. */
  watch(owner: symbol, ids: readonly string[]): void;
  /** The machine woke up: reads in flight are cancelled, the channel is renewed, everything is scanned now. */
  resume(): void;
  /**
   * The replay clock jumped: what was read may lie in the future now; everything is forgotten and scanned. `rhythm`: another clock or store of
   * prices, whose pace must be learned anew.
   */
  reset(options?: { readonly rhythm?: boolean }): void;
  /** Sessions are others than they were: states, bases and figures of the session are worked out anew from the rows that are known. */
  sessionsChanged(): void;
  /** Desk time went on at once: everything is asked for what is new now, not when its poll is due. */
  lookNow(): void;
  /** A row of this index was met elsewhere that can't be decoded: counted once in the figures. */
  undecodable(id: IndexId, key: string): void;
  close(): Promise<void>;
}
