/** What is known of one index's newest rows. How a read changes it: absorb.ts. */
import type { Tick } from '../../shared/quote.ts';
import type { IndexId, KeyRange } from '../../shared/rowKey.ts';
import type { Row } from '../bigtable/reader.ts';
import type { TopRange } from './ranges.ts';

/** A row as it was last read. */
export interface Seen {
  /** Packed: it is kept for long, and seldom looked into. */
  readonly row: Row;
  readonly tick: Tick;
}

export interface Counts {
  reads: number;
  rows: number;
  errors: number;
  late: number;
  duplicate: number;
  corrected: number;
  future: number;
  undecodable: number;
}

export interface Track {
  readonly id: IndexId;
  /** Newest row at or before the horizon; null while none is known. */
  latest: Seen | null;
  /** Everything newer than this key is unread, everything older was read or lies in `gaps`; null before the first read. */
  watermark: string | null;
  /** Newest row beyond the horizon: its time has not come. */
  future: string | null;
  /** What was asked of it last without and with its newest row, for the next time. */
  asked: readonly [TopRange] | null;
  audited: readonly [TopRange] | null;
  /** The last such row that came, until someone takes note of it. */
  arrivedAhead: Tick | null;
  /** Rows of the trailing window, by key: a re-read compares with them. */
  readonly recent: Map<string, Seen>;
  /** From the newest row down to this key (exclusive) `recent` is the whole truth, but for the hole. */
  coveredTo: string;
  /** A span inside it that nobody has read yet. */
  hole: KeyRange | null;
  /** Exclusive lower end of the trailing window, as a key. */
  trailingEnd: string;
  /** Spans between two reads that nobody has read yet: the poller takes them and has them filled. */
  gaps: KeyRange[];
  /** The newest row is gone and what follows it is unknown. */
  needsScan: boolean;
  /** The shown row was corrected, or stands where a newer one was deleted. Until the next newer row. */
  corrected: boolean;
  deleted: boolean;
  readonly undecodable: Set<string>;
  readonly counts: Counts;
}

/** The statement of one read: `rows` (newest first) are all rows of [from, to). */
export interface Coverage {
  readonly rows: readonly Row[];
  readonly from: string;
  readonly to: string;
}

export function createTrack(id: IndexId): Track {
  return {
    id, latest: null, watermark: null, future: null, asked: null, audited: null, arrivedAhead: null, recent: new Map(), coveredTo: '', hole: null, trailingEnd: '', gaps: [], needsScan: true, corrected: false, deleted: false,
    undecodable: new Set(), counts: { reads: 0, rows: 0, errors: 0, late: 0, duplicate: 0, corrected: 0, future: 0, undecodable: 0 },
  };
}

/** Counts a row that can't be decoded, once. */
export function noteUndecodable(track: Track, key: string): void {
  if (track.undecodable.has(key)) return;
  track.counts.undecodable += 1;
  if (track.undecodable.size < 256) track.undecodable.add(key);
}
