/** A read as pages: each page is made at one go, and between two pages others may read and write. */
import { type Cell, type Family, unpackCells } from './cells.ts';
import { type ChunkWriter, createChunkWriter } from './chunks.ts';
import { keptCells } from './gc.ts';
import { keyAfter, type Range } from './rowSet.ts';
import type { Table } from './tables.ts';

/** Gives the cells of a row that a read returns; none leaves the row out. */
export type CellFilter = (cells: readonly Cell[], key: Uint8Array) => readonly Cell[];

export interface ScanRequest {
  /** The table as it is now: asked once a page, throws when it is gone. */
  readonly table: () => Table;
  /** Sorted and disjoint. */
  readonly ranges: readonly Range[];
  /** Most rows returned; 0: all. */
  readonly limit: number;
  readonly reversed: boolean;
  readonly filter: CellFilter | null;
  /** The same as `filter`, where that only leaves out families and older cells: such reads need no object a cell. */
  readonly narrowing?: Narrowing | null;
  /** Wall time in ms, for the families' age rules. */
  readonly now: () => number;
  /** Whether to say from time to time how far a scan that returns nothing has come. */
  readonly reportScanned: boolean;
  /** The last message of a read that asks for figures about itself. */
  readonly summary?: ((counts: ScanCounts) => Buffer) | null;
}

export interface Narrowing {
  /** By name. */
  readonly family: (name: string) => boolean;
  readonly perColumn: number;
}

export interface ScanCounts {
  readonly rowsSeen: number;
  readonly rowsReturned: number;
  readonly cellsSeen: number;
  readonly cellsReturned: number;
}

export interface Page {
  readonly messages: readonly Buffer[];
  readonly done: boolean;
}

// A page ends at whichever comes first. Less than 1 ms of work: a limit-1 read that arrives meanwhile waits for one page at most.
const PAGE_ROWS = 64;
const PAGE_BYTES = 64 * 1024;
// Rows wait for so many bytes or pages, to share a message; those of the first page do not.
const MESSAGE_BYTES = 32 * 1024;
const MESSAGE_PAGES = 8;
const SILENT_PAGES = 64;
const SINGLE_STEPS = 2;

const NOTHING_YET: Page = { messages: [], done: false };

/** Makes the next page at each call, until one is done. Throws StatusError; SQLite's errors pass through. */
export function createScan(request: ScanRequest): () => Page {
  const { ranges, reversed, reportScanned } = request;
  // A summary counts the cells that were looked at too.
  const narrowing = request.summary ? null : request.narrowing;
  let narrowed: { readonly of: ReadonlyMap<number, Family>; readonly to: ReadonlyMap<number, Family> } | undefined;
  const narrow = (all: ReadonlyMap<number, Family>): ReadonlyMap<number, Family> => {
    if (!narrowing) return all;
    if (narrowed?.of !== all) narrowed = { of: all, to: new Map([...all].filter(([, { name }]) => narrowing.family(name))) };
    return narrowed.to;
  };
  const most = request.limit === 0 ? Infinity : request.limit;
  const writer: ChunkWriter = createChunkWriter();
  let index = reversed ? ranges.length - 1 : 0;
  let rest: Range | undefined = ranges[index];
  let returned = 0;
  let silent = 0;
  let [rowsSeen, cellsSeen, cellsReturned] = [0, 0, 0];

  let held = MESSAGE_PAGES;
  const page = (done: boolean): Page => {
    if (!done && writer.size < MESSAGE_BYTES && ++held < MESSAGE_PAGES) return NOTHING_YET;
    held = 0;
    const messages = writer.take();
    if (done && request.summary) messages.push(request.summary({ rowsSeen, rowsReturned: returned, cellsSeen, cellsReturned }));
    return { messages, done };
  };
  const nextRange = (): void => {
    index += reversed ? -1 : 1;
    rest = ranges[index];
  };

  return () => {
    const table = request.table();
    const statement = reversed ? table.rows.scanBack : table.rows.scan;
    const first = reversed ? table.rows.last : table.rows.first;
    const now = request.now();
    const families = narrow(table.familiesById);
    let looked = 0;
    let bytes = 0;
    let lastKey: Uint8Array | null = null;
    const before = returned;
    const full = (): boolean => returned === most || looked >= PAGE_ROWS || bytes >= PAGE_BYTES;
    /** Takes one stored row; whether the read or its page is full now. */
    const take = (key: Uint8Array, packed: Uint8Array): boolean => {
      lastKey = key;
      looked++;
      rowsSeen++;
      bytes += key.length + packed.length;
      const sent = request.filter && !narrowing ? -1 : writer.packed(key, packed, families, now, narrowing?.perColumn);
      if (sent >= 0) {
        if (sent > 0) returned++;
        cellsSeen += sent;
        cellsReturned += sent;
        return full();
      }
      let cells = keptCells(unpackCells(packed, table.familiesById), now);
      cellsSeen += cells.length;
      if (request.filter && cells.length > 0) cells = request.filter(cells, key);
      if (cells.length > 0) {
        writer.row(key, cells);
        returned++;
        cellsReturned += cells.length;
      }
      return full();
    };
    const behind = (range: Range, key: Uint8Array): Range => (reversed ? { start: range.start, end: Buffer.from(key) } : { start: keyAfter(key), end: range.end });

    pages: while (rest && !full()) {
      // The latest row of a prefix, and a delta read's many ranges with a row or none: single steps are several times cheaper than an iterator.
      for (let steps = most - returned === 1 || ranges.length > 1 ? SINGLE_STEPS : 0; steps > 0; steps--) {
        const row = first.get(rest.start, rest.end) as unknown as [Uint8Array, Uint8Array] | undefined;
        if (row === undefined) {
          nextRange();
          looked++;
          continue pages;
        }
        const filled = take(row[0], row[1]);
        rest = behind(rest, row[0]);
        if (filled) break pages;
      }
      let ended = true;
      // setReturnArrays: a row is [key, cells]; the typings only know objects.
      for (const row of statement.iterate(rest.start, rest.end) as Iterable<unknown> as Iterable<[Uint8Array, Uint8Array]>) {
        if (!take(row[0], row[1])) continue;
        rest = behind(rest, row[0]);
        ended = false;
        break;
      }
      if (!ended) break;
      nextRange();
      looked++;
    }
    if (returned === most) return page(true);
    const done = rest === undefined;
    silent = returned > before ? 0 : silent + 1;
    if (reportScanned && !done && silent >= SILENT_PAGES && lastKey) {
      silent = 0;
      writer.scanned(lastKey);
    }
    return page(done);
  };
}
