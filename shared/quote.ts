/** What a row means once decoded: a tick or a bar. Prices are exact decimal text, times are branded microseconds. */
import type { Decimal } from './decimal.ts';
import type { IndexId, Resolution } from './rowKey.ts';
import type { EpochMicros } from './time.ts';

/** One event: (index, time, sequence) is its identity. */
export interface Tick {
  readonly index: IndexId;
  /** Event time: when the price was true, by its producer. From the row key. */
  readonly time: EpochMicros;
  /** 0 where the key carries none. */
  readonly sequence: number;
  readonly price: Decimal;
  readonly volume: Decimal | null;
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  /** When our writer handled it, `q:i`. */
  readonly ingest: EpochMicros | null;
  readonly source: string | null;
  /** Nanoseconds below the key's microsecond, 0..999. */
  readonly nanos: number | null;
  /** `q` is subject to retention, `h` is kept for ever. */
  readonly family: 'q' | 'h';
  readonly key: string;
}

/** [start, start + resolution); a 1d bar belongs to `sessionDate`. */
export interface Bar {
  readonly index: IndexId;
  readonly start: EpochMicros;
  readonly resolution: Resolution;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  readonly volume: Decimal | null;
  readonly ticks: number | null;
  /** `vendor` from family `v`, `own` from `b`. */
  readonly kind: 'vendor' | 'own';
  readonly officialClose: Decimal | null;
  /** `YYYY-MM-DD`, 1d only. */
  readonly sessionDate: string | null;
  readonly key: string;
}

/** What the registry row `!index#ID` (family `m`) and the built-in table know about an index. */
export interface IndexInfo {
  readonly id: IndexId;
  readonly name: string;
  /** Market identifier code with an entry in the calendar, or null: then the calendar knows no date of it. */
  readonly mic: string | null;
  /** IANA zone of the exchange, `UTC` where unknown. */
  readonly zone: string;
  readonly region: Region;
  readonly currency: string | null;
  /** Fraction digits on screen; null where nobody said: a price then shows its own, two at least. */
  readonly decimals: number | null;
  /** Declared delay of the feed in milliseconds. */
  readonly delayMs: number;
  /** What the reader must know about the source, e.g. "CFD mid, not the index". */
  readonly label: string | null;
  /** Id that trades while this index is closed, such as its future. */
  readonly companion?: string;
}

export const REGIONS = ['Americas', 'Europe', 'Asia Pacific', 'Other'] as const;
export type Region = (typeof REGIONS)[number];
