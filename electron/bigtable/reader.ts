/** The one read primitive's contract: ranges, limit, deadline, cancel -> rows in key order. */
import type { KeyRange } from '../../shared/rowKey.ts';
import type { Problem } from '../../shared/result.ts';

/** A row as bytes: newest cell of each column, by `family:qualifier`. */
export interface Row {
  readonly key: string;
  readonly cells: ReadonlyMap<string, Cell>;
  /** Its bytes as they came, one character per byte, where the request said `known`. */
  readonly wire?: string;
}

export interface Cell {
  readonly value: Buffer;
  /** Version time, microseconds, whole milliseconds. */
  readonly version: bigint;
}

/**
 * Ranges of one request. Far below what the service takes (512 KiB; these have at most 30). It reads the ranges of a request one after the other, and a
 * part of the table that moves to another node holds the whole request up: so not all in one; but each request costs 0.2 to 0.4 ms of CPU.
 */
export const MAX_RANGES = 250;

export interface ReadRequest {
  /** 1 to MAX_RANGES, each non-empty; rows come in key order over all of them. */
  readonly ranges: readonly KeyRange[];
  /** Most rows of the whole answer; 0 or absent: all. */
  readonly limit?: number;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** Only these families; all when absent. Ours are `Family`; tables of others have names of their own. */
  readonly families?: readonly string[];
  /** Rows of answers to such requests, in key order, none for a start: one that comes again byte by byte is this very row, not read anew. */
  readonly known?: readonly Row[];
  /** For long reads whose rows are used once: rows may hold on to their message and read their cells only when asked (`PlainRow`). Not with `known`. */
  readonly passing?: boolean;
  /**
   * From the last row of the ranges backwards. A server that does not know reverse scans (Google's emulator) reads forward instead and does
   * not say so: compare the keys. Where it fails, `scannedTo` is null.
   */
  readonly reversed?: boolean;
}

export type Family = 'q' | 'h' | 'b' | 'v' | 'm';

/**
 * On failure the rows that were committed before it are kept; every range that ends at or before `scannedTo` was read whole
 * (null: none was). A cancelled read fails with code CANCELLED.
 */
export type ReadOutcome =
  | { readonly ok: true; readonly rows: readonly Row[]; readonly elapsedMs: number }
  | { readonly ok: false; readonly error: Problem; readonly rows: readonly Row[]; readonly scannedTo: string | null; readonly elapsedMs: number };

export interface Reader {
  read(request: ReadRequest): Promise<ReadOutcome>;
  /** Drops the connection and dials anew: after sleep, when the old one may be half open. */
  renew(): void;
  close(): Promise<void>;
}

/** One row to write: absolute cells, so that a retry changes nothing. */
export interface WriteRow {
  readonly key: string;
  readonly cells: readonly { readonly family: Family; readonly qualifier: string; readonly value: string }[];
  /** Columns whose cells older than the write's version go, in the same atomic step and before the new cells are set. */
  readonly removed?: readonly { readonly family: Family; readonly qualifier: string }[];
}

export interface WriteOutcome {
  readonly written: number;
  readonly failed: readonly { readonly key: string; readonly error: Problem }[];
}

export interface Writer {
  /** Writes rows with `version` (microseconds, whole milliseconds) on every cell. Chunks to 1000 rows, bounded in flight, retried safely. */
  write(rows: readonly WriteRow[], version: bigint): Promise<WriteOutcome>;
}

/** Where the table is and how to get there; parsed once at the root. */
export interface StoreAddress {
  readonly kind: 'embedded' | 'emulator' | 'bigtable';
  readonly project: string;
  readonly instance: string;
  readonly table: string;
  readonly appProfile: string | null;
  /** HOST:PORT of the embedded store or an emulator; null for the service. */
  readonly endpoint: string | null;
}
