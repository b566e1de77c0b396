/**
 * The rows of one answer, message by message. A row whose bytes are those that it came with before is not read again: the very row that is
 * known comes back. Nearly every row that a quiet desk asks for is such a one.
 */
import { createChunkReader, type WireRow } from './chunks.ts';
import { columnOf } from './column.ts';
import { plainRow, plainWire } from './plainRow.ts';
import type { Cell, Row } from './reader.ts';
import { readAnswer } from './wire.ts';

export interface Collector {
  /** A message of the answer. Throws RangeError where it breaks the protocol. */
  take(bytes: Buffer): void;
  /** The answer is complete. Throws inside a row. */
  end(): void;
  readonly scannedTo: string | null;
  /**
   * The rows so far, handed over: the collector keeps none. What a call refers to lives until the next full collection; with rows among it,
   * each small one copied half of all that had been read (500 rows a cycle: 28 of 56 MB, without them 5 to 10).
   */
  hand(): Row[];
}

/** `expected` in key order; undefined: no row keeps its bytes. `passing`: see ReadRequest. */
export function createCollector(reversed: boolean, expected: readonly Row[] | undefined, passing = false): Collector {
  const chunks = createChunkReader(reversed);
  let known = expected;
  let rows: Row[] = [];
  let next = 0;
  let from = 0;
  let whole = false;

  const recognise = (bytes: Buffer, at: number): number => {
    if (passing && known === undefined && chunks.between) {
      const plain = plainRow(bytes, at);
      if (plain === null) return 0;
      chunks.pass(plain.row.key);
      rows.push(plain.row);
      return plain.size;
    }
    if (known === undefined || !chunks.between) return 0;
    const candidate = known[next];
    if (candidate?.wire !== undefined && startsWith(bytes, at, candidate.wire)) {
      chunks.pass(candidate.key);
      rows.push(candidate);
      next += 1;
      return candidate.wire.length;
    }
    const plain = plainWire(bytes, at);
    if (plain === null) return 0;
    const { key, wire } = plain;
    chunks.pass(key);
    rows.push(new PackedRow(key, wire));
    skipTo(key);
    return wire.length;
  };

  /** What is known up to a row that was read anew cannot come any more. */
  const skipTo = (key: string): void => {
    if (known !== undefined) while ((known[next]?.key ?? '\uffff') <= key) next += 1;
  };

  const taker = {
    known: recognise,
    chunk(chunk: Parameters<typeof chunks.push>[0], start: number, end: number, bytes: Buffer): void {
      if (chunks.between) {
        from = start;
        whole = true;
      }
      const row = chunks.push(chunk);
      if (row === undefined) return;
      rows.push(known !== undefined && whole ? { ...rowOf(row), wire: bytes.toString('latin1', from, end) } : rowOf(row));
      skipTo(row.key);
    },
    scanned: (key: string): void => chunks.scanned(key),
  };

  return {
    take(bytes) {
      // A row that began in the message before has not all its bytes in this one.
      whole = false;
      readAnswer(bytes, taker);
    },
    end: () => chunks.end(),
    get scannedTo() {
      return chunks.scannedTo;
    },
    hand() {
      const handed = rows;
      rows = [];
      known = undefined;
      return handed;
    },
  };
}

/** A row that holds only its bytes, and reads its cells from them when asked. */
class PackedRow implements Row {
  readonly key: string;
  readonly wire: string;

  constructor(key: string, wire: string) {
    this.key = key;
    this.wire = wire;
  }

  get cells(): Row['cells'] {
    const collector = createCollector(false, undefined);
    collector.take(Buffer.from(this.wire, 'latin1'));
    return collector.hand()[0]?.cells ?? new Map<string, Cell>();
  }
}

/** The same row for keeping. As it came it holds on to its whole message and to several objects a cell: most of what a desk's collections had to copy. */
export const packed = (row: Row): Row => (row.wire === undefined || row instanceof PackedRow ? row : new PackedRow(row.key, row.wire));

/** `wire`: one character per byte. */
const startsWith = (bytes: Buffer, at: number, wire: string): boolean => at + wire.length <= bytes.length && bytes.toString('latin1', at, at + wire.length) === wire;

function rowOf({ key, cells }: WireRow): Row {
  const byColumn = new Map<string, Cell>();
  for (const { family, qualifier, value, timestamp } of cells) {
    const column = columnOf(family, qualifier);
    // Newest first: where a server ignores the filter, the first cell of a column is still the one.
    if (!byColumn.has(column)) byColumn.set(column, { value, version: timestamp });
  }
  return { key, cells: byColumn };
}
