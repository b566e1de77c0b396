/**
 * A foreign layout: how a table that others designed writes an index's ticks. Parsed once from its file (foreignFile.ts); everything else
 * of `foreign*` is a function of it. Strings of keys, families and qualifiers have one character per byte, as everywhere in bigtable/.
 */
import type { IndexId } from '../../../shared/rowKey.ts';

/** Whole numbers of a fixed width, so that byte order is number order: `width` digits, or bytes for `binary` (big-endian, unsigned). */
export interface NumberFormat {
  readonly encoding: 'decimal' | 'hex' | 'binary';
  readonly width: number;
  /** Letters of hex digits. */
  readonly upper: boolean;
}

export const UNITS = ['s', 'ms', 'us', 'ns'] as const;
export type Unit = (typeof UNITS)[number];
export const NANOS: Readonly<Record<Unit, bigint>> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n };

/** `base` is what a reverse key subtracts from; null where the number itself stands in the key (forward). */
export interface KeyNumber {
  readonly format: NumberFormat;
  readonly base: bigint | null;
}

export type KeyPart = 'salt' | 'index' | 'time' | 'sequence' | { readonly text: string };

export type ValueType =
  | { readonly type: 'text' | 'float64' }
  /** The integer divided by 10^scale. */
  | { readonly type: 'int64'; readonly scale: number }
  /** RFC 6901, as its unescaped tokens. */
  | { readonly type: 'json'; readonly pointer: readonly string[] }
  /** The version time of the price's cell; for `ingest` only. */
  | { readonly type: 'version' };

export interface ForeignField {
  readonly family: string;
  /** With a bucket: what stands before the offset, often nothing. */
  readonly qualifier: string;
  readonly value: ValueType;
  /** Of `ingest`. */
  readonly unit: Unit;
}

export const FIELDS = ['price', 'volume', 'bid', 'ask', 'ingest', 'source'] as const;
export type FieldName = (typeof FIELDS)[number];

export interface ForeignLayout {
  readonly name: string;
  readonly separator: string;
  /** Text and salt, then the index, then text and salt, then time, then the sequence where there is one; the separator between each two. */
  readonly parts: readonly KeyPart[];
  readonly time: KeyNumber & { readonly unit: Unit };
  readonly sequence: KeyNumber | null;
  readonly salt: { readonly count: number; readonly format: NumberFormat } | null;
  /** One row for each `length` of time (in `time.unit`); the offset from its start, in `unit`, ends the qualifier. Format null: decimal without padding. */
  readonly bucket: { readonly length: bigint; readonly unit: Unit; readonly format: NumberFormat | null } | null;
  readonly fields: Readonly<Partial<Record<FieldName, ForeignField>>> & { readonly price: ForeignField };
  /** By the id on screen: the id in the table. Null: ids are found in the table. */
  readonly ids: ReadonlyMap<IndexId, string> | null;
}
