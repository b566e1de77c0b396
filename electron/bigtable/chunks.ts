/**
 * Rows from the chunks of a ReadRows answer. A row comes as one or more chunks, a cell's value too; fields that stay the same are left
 * out; a row counts only once committed. Rules: google/bigtable/v2/bigtable.proto, and the cases that all Bigtable clients share
 * (test/fixtures/conformance/read-rows-acceptance-test.json).
 */
import type { CellChunk } from './wire.ts';

export interface WireCell {
  readonly family: string;
  readonly qualifier: string;
  /** Version time, microseconds. */
  readonly timestamp: bigint;
  readonly value: Buffer;
  readonly labels: readonly string[];
}

export interface WireRow {
  readonly key: string;
  /** As sent: by family and qualifier, newest first within a column. */
  readonly cells: readonly WireCell[];
}

export interface ChunkReader {
  /** The row that this chunk commits, if it does. Throws RangeError where the chunk breaks the protocol: nothing after it can be trusted. */
  push(chunk: CellChunk): WireRow | undefined;
  /** No row is being read: the next chunk starts one. */
  readonly between: boolean;
  /** A whole row that was recognised by its bytes. Throws where it breaks the order. */
  pass(key: string): void;
  /** The server tells that it scanned up to `key` without a match. Throws inside a row. */
  scanned(key: string): void;
  /** The answer is complete. Throws inside a row. */
  end(): void;
  /** Everything up to this key was read: the last row committed or key told as scanned; null: nothing yet. */
  readonly scannedTo: string | null;
}

/** Largest cell that Bigtable stores; a larger size would only make us allocate. */
const MAX_VALUE_BYTES = 100 * 1024 * 1024;

/** `reversed`: rows may come in either order, but in one: a server that does not know reverse scans reads forward. */
export function createChunkReader(reversed = false): ChunkReader {
  let backwards: boolean | null = reversed ? null : false;
  let scannedTo: string | null = null;
  let row: { key: string; cells: WireCell[] } | undefined;
  let [family, qualifier] = ['', ''];
  let split: { timestamp: bigint; labels: readonly string[]; parts: Buffer[]; size: number } | undefined;

  const broken = (what: string): RangeError => new RangeError(`${what} (row ${JSON.stringify(row?.key ?? scannedTo ?? '')})`);

  /** The first two rows of a reversed read show its order. */
  function follows(key: string, before: string): boolean {
    backwards ??= key < before;
    return backwards ? key < before : key > before;
  }

  function checkStart(chunk: CellChunk): void {
    if (chunk.reset) throw broken('a reset outside a row');
    if (chunk.rowKey === '') throw broken('a row without a key');
    if (scannedTo !== null && !follows(chunk.rowKey, scannedTo)) throw broken('rows out of order');
    if (chunk.family === null || chunk.qualifier === null) throw broken('a row that starts without family and qualifier');
  }

  function checkWithin(chunk: CellChunk): void {
    if (chunk.reset && (chunk.rowKey !== '' || chunk.family !== null || chunk.qualifier !== null || chunk.timestamp !== 0n || chunk.labels.length > 0 || chunk.value.length > 0)) throw broken('a reset that carries data');
    if (chunk.rowKey !== '' && chunk.rowKey !== row?.key) throw broken('a new row before the last was committed');
    if (chunk.family !== null && chunk.qualifier === null) throw broken('a new family without a qualifier');
    if (split && !chunk.reset && (chunk.rowKey !== '' || chunk.family !== null || chunk.qualifier !== null || chunk.timestamp !== 0n)) throw broken('a new cell inside a split value');
  }

  /** Takes the value in; true once its cell is complete. */
  function addValue(chunk: CellChunk, cells: WireCell[]): boolean {
    if (chunk.valueSize < 0 || chunk.valueSize > MAX_VALUE_BYTES) throw broken(`a value of ${chunk.valueSize} bytes`);
    if (chunk.valueSize > 0) {
      split ??= { timestamp: chunk.timestamp, labels: chunk.labels, parts: [], size: 0 };
      split.parts.push(chunk.value);
      split.size += chunk.value.length;
      if (split.size > MAX_VALUE_BYTES) throw broken('a split value that does not end');
      return false;
    }
    cells.push(split
      ? { family, qualifier, timestamp: split.timestamp, labels: split.labels, value: Buffer.concat([...split.parts, chunk.value]) }
      : { family, qualifier, timestamp: chunk.timestamp, labels: chunk.labels, value: chunk.value });
    split = undefined;
    return true;
  }

  return {
    get scannedTo() {
      return scannedTo;
    },
    push(chunk) {
      if (row) checkWithin(chunk);
      else checkStart(chunk);
      if (chunk.reset) {
        row = split = undefined;
        return undefined;
      }
      if (chunk.commit && chunk.valueSize > 0) throw broken('a commit inside a value');
      row ??= { key: chunk.rowKey, cells: [] };
      family = chunk.family ?? family;
      qualifier = chunk.qualifier ?? qualifier;
      if (!addValue(chunk, row.cells) || !chunk.commit) return undefined;
      const done = row;
      scannedTo = done.key;
      row = undefined;
      return done;
    },
    get between() {
      return row === undefined;
    },
    pass(key) {
      if (scannedTo !== null && !follows(key, scannedTo)) throw broken('rows out of order');
      scannedTo = key;
    },
    scanned(key) {
      if (row) throw broken('a scanned key inside a row');
      if (scannedTo !== null && key !== scannedTo && !follows(key, scannedTo)) throw broken('a scanned key that goes back');
      scannedTo = key;
    },
    end() {
      if (row) throw broken('the answer ends inside a row');
    },
  };
}
