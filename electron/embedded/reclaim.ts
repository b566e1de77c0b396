/**
 * Space that nobody can see any more, given back in small steps in the background: cells that a family's rule collects, cells of dropped families, and
 * the rows of deleted tables. Reads never wait for it (they leave those cells out by themselves), and a step is a few milliseconds.
 */
import type { DatabaseSync } from 'node:sqlite';
import { packCells, unpackCells } from './cells.ts';
import type { Commits } from './commits.ts';
import { keptCells } from './gc.ts';
import { END, keyAfter } from './rowSet.ts';
import { statusOf } from './status.ts';
import { type Table, type Tables, transaction } from './tables.ts';

const ROWS_A_STEP = 200;
const STEP_MS = 20;
/** From the end of one pass over all tables to the next. */
const PASS_MS = 10 * 60_000;
const FIRST_MS = 60_000;
const NOTHING = Buffer.alloc(0);

export interface Reclaimer {
  /** One step, now: whether the pass goes on. Reads and writes may come between two. */
  step(): boolean;
  /** Goes on in the background, from a minute on, until stopped. */
  start(): void;
  stop(): void;
}

/** `now` in ms, for the age rules; `log` gets one line where a step fails. */
export function createReclaimer(database: DatabaseSync, tables: Tables, commits: Commits, now: () => number, log: (line: string) => void): Reclaimer {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  // Where the pass is: the table, and the first key that it has not looked at. Null before its beginning.
  let place: { name: string; from: Buffer } | null = null;

  const deletedRows = (): boolean => {
    const [id] = tables.deleted();
    if (id === undefined) return false;
    const { changes } = database.prepare(`DELETE FROM rows_${id} WHERE key IN (SELECT key FROM rows_${id} LIMIT ?)`).run(10 * ROWS_A_STEP);
    if (Number(changes) === 0) tables.forget(id);
    return true;
  };

  const oneStep = (): boolean => {
    if (deletedRows()) return true;
    const table: Table | undefined = tables.from(place?.name ?? '');
    if (!table) {
      place = null;
      return false;
    }
    const from = place?.name === table.name ? place.from : NOTHING;
    const last = collect(table, from, now());
    place = last ? { name: table.name, from: keyAfter(last) } : { name: `${table.name}\0`, from: NOTHING };
    return true;
  };

  const step = (): boolean => {
    // Not among the writes of others: an error here is not theirs.
    commits.flush();
    return transaction(database, oneStep);
  };
  const later = (ms: number): void => {
    timer = setTimeout(() => {
      let more = false;
      try {
        more = step();
      } catch (error) {
        log(`reclaiming space: ${statusOf(error).details}`);
      }
      if (!stopped) later(more ? STEP_MS : PASS_MS);
    }, ms);
    timer.unref();
  };
  return {
    step,
    start: () => later(FIRST_MS),
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}

/** Rewrites what of the next rows has cells to lose; the last key that it looked at, or null at the table's end. */
function collect(table: Table, from: Buffer, now: number): Uint8Array | null {
  if (!table.hasDropped && [...table.families.values()].every(({ gc }) => gc === null)) return null;
  const rows = table.rows.some.all(from, END, ROWS_A_STEP) as unknown as [Uint8Array, Uint8Array][];
  for (const [key, packed] of rows) {
    const cells = unpackCells(packed, table.familiesById);
    const kept = keptCells(cells, now);
    if (kept.length === 0) table.rows.remove.run(key);
    else if (kept !== cells || table.hasDropped) {
      const repacked = packCells(kept);
      if (repacked.length < packed.length) table.rows.put.run(key, repacked);
    }
  }
  return rows.length < ROWS_A_STEP ? null : rows.at(-1)?.[0] ?? null;
}
