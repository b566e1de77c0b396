/**
 * Rows on their way from a file, sorted and settled in a temporary database that SQLite spills to disk: a file of any size and
 * order in constant memory. Knows no store.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Decimal } from '../../../shared/decimal.ts';
import type { IndexId, Resolution } from '../../../shared/rowKey.ts';
import { micros, MIN_MICROS } from '../../../shared/time.ts';
import type { BarRow, ImportRow, TickRow } from './row.ts';

export interface Reject {
  readonly line: number;
  readonly reason: string;
}

export interface Spool {
  readonly add: (row: ImportRow) => void;
  readonly reject: (reject: Reject) => void;
  /** Counts rows that come in order and need not be kept. */
  readonly passed: (rows: readonly ImportRow[]) => void;
  /** Counts and rejects a bar with the start and period of another; whether they are the same, else the later one replaces it. */
  readonly again: (row: BarRow, old: BarRow) => boolean;
  /** Distinct rows; exact duplicates of bars; bars that another line replaced; rejected lines, both of these among them. */
  readonly counts: () => { readonly rows: number; readonly duplicate: number; readonly corrected: number; readonly rejected: number };
  /** By index as the file first names them, then by time (bars by period first); ticks of one instant in file order. */
  readonly rows: () => Iterable<ImportRow>;
  /** As the file first names them. */
  readonly indices: () => readonly IndexId[];
  /** By line. */
  readonly rejects: () => Iterable<Reject>;
  readonly close: () => void;
}

interface StoredBar { ix: bigint; period: string; time: bigint; line: bigint; date: string | null; open: string; high: string; low: string; close: string; volume: string | null }
interface StoredTick { ix: bigint; time: bigint; line: bigint; nanos: bigint; price: string; bid: string | null; ask: string | null; volume: string | null; sequence: bigint | null; source: string | null; ingest: bigint | null }

const TABLES = `
  PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000; PRAGMA temp_store = FILE;
  CREATE TABLE bars (ix INTEGER, period TEXT, time INTEGER, line INTEGER, date TEXT, open TEXT, high TEXT, low TEXT, close TEXT, volume TEXT, PRIMARY KEY (ix, period, time)) WITHOUT ROWID;
  CREATE TABLE ticks (id INTEGER PRIMARY KEY, ix INTEGER, time INTEGER, line INTEGER, nanos INTEGER, price TEXT, bid TEXT, ask TEXT, volume TEXT, sequence INTEGER, source TEXT, ingest INTEGER);
  CREATE TABLE rejects (id INTEGER PRIMARY KEY, line INTEGER, reason TEXT);
  BEGIN`;

/** Whether a tick comes after the one before by index, time and line. */
function follows(last: { ix: number; time: bigint; nanos: number; line: number }, ix: number, { time, nanos, line }: TickRow): boolean {
  if (ix !== last.ix) return ix > last.ix;
  if (time !== last.time) return time > last.time;
  return nanos === last.nanos ? line >= last.line : nanos > last.nanos;
}

type Statements = ReturnType<typeof openStatements>;

function openStatements() {
  const database = new DatabaseSync(''); // no name: SQLite's own temporary file, gone with the connection
  database.exec(TABLES);
  const oldBar = database.prepare('SELECT * FROM bars WHERE ix = ? AND period = ? AND time = ?');
  oldBar.setReadBigInts(true);
  return {
    database, oldBar,
    addBar: database.prepare('INSERT OR IGNORE INTO bars VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    newBar: database.prepare('REPLACE INTO bars VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    addTick: database.prepare('INSERT INTO ticks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    addReject: database.prepare('INSERT INTO rejects (line, reason) VALUES (?, ?)'),
  };
}

export function openSpool(): Spool {
  /** Opened for the first that must be kept: a file in order without a bad line needs none. */
  let opened: Statements | null = null;
  const sql = (): Statements => (opened ??= openStatements());
  const ids: IndexId[] = [];
  const ordinals = new Map<IndexId, number>();
  let [rows, duplicate, corrected, rejected] = [0, 0, 0, 0];
  // Ticks are appended, and sorted at the end where they did not come so: a tree of them in any order would not fit its cache.
  let last: { ix: number; time: bigint; nanos: number; line: number } | null = { ix: 0, time: MIN_MICROS, nanos: 0, line: 0 };

  function reject({ line, reason }: Reject): void {
    rejected += 1;
    sql().addReject.run(line, reason);
  }

  function ordinal(index: IndexId): number {
    let found = ordinals.get(index);
    if (found === undefined) {
      found = ids.push(index) - 1;
      ordinals.set(index, found);
    }
    return found;
  }

  function again(row: BarRow, old: Pick<BarRow, 'line' | 'open' | 'high' | 'low' | 'close' | 'volume'>): boolean {
    const same = old.open === row.open && old.high === row.high && old.low === row.low && old.close === row.close && old.volume === row.volume;
    if (same) duplicate += 1;
    else corrected += 1;
    reject({ line: row.line, reason: same ? 'exact duplicate' : `conflicting duplicate: last wins, reported (replaces line ${old.line})` });
    return same;
  }

  function passed(some: readonly ImportRow[]): void {
    rows += some.length;
    for (const { index } of some) if (index !== ids.at(-1)) ordinal(index);
  }

  function add(row: ImportRow): void {
    const { addTick, addBar, oldBar, newBar } = sql();
    const ix = ordinal(row.index);
    if (row.kind === 'tick') {
      if (last !== null) last = follows(last, ix, row) ? { ix, time: row.time, nanos: row.nanos, line: row.line } : null;
      addTick.run(ix, row.time, row.line, row.nanos, row.price, row.bid, row.ask, row.volume, row.origin?.sequence ?? null, row.origin?.source ?? null, row.origin?.ingest ?? null);
      rows += 1;
      return;
    }
    const values = [ix, row.period ?? '', row.time, row.line, row.sessionDate, row.open, row.high, row.low, row.close, row.volume] as const;
    if (Number(addBar.run(...values).changes) === 1) {
      rows += 1;
      return;
    }
    const old = oldBar.get(ix, row.period ?? '', row.time) as unknown as StoredBar;
    const { line, open, high, low, close, volume } = barOf(old);
    if (!again(row, { line, open, high, low, close, volume })) newBar.run(...values);
  }

  const idAt = (ix: bigint): IndexId => {
    const id = ids[Number(ix)];
    if (id === undefined) throw new RangeError('a row of no index');
    return id;
  };

  function* sorted(): Generator<ImportRow> {
    if (opened === null) return;
    const { database } = opened;
    const bars = database.prepare('SELECT * FROM bars ORDER BY ix, period, time');
    bars.setReadBigInts(true);
    for (const stored of bars.iterate()) yield barOf(stored as unknown as StoredBar);
    const ticks = database.prepare(`SELECT * FROM ticks ORDER BY ${last === null ? 'ix, time, nanos, line' : 'id'}`);
    ticks.setReadBigInts(true);
    for (const stored of ticks.iterate()) yield tickOf(stored as unknown as StoredTick);
  }
  const barOf = (stored: StoredBar): BarRow => ({
    kind: 'bar', line: Number(stored.line), index: idAt(stored.ix), time: micros(stored.time), period: stored.period === '' ? null : (stored.period as Resolution),
    sessionDate: stored.date, open: stored.open as Decimal, high: stored.high as Decimal, low: stored.low as Decimal, close: stored.close as Decimal, volume: stored.volume as Decimal | null,
  });
  const tickOf = (stored: StoredTick): TickRow => ({
    kind: 'tick', line: Number(stored.line), index: idAt(stored.ix), time: micros(stored.time), nanos: Number(stored.nanos),
    price: stored.price as Decimal, bid: stored.bid as Decimal | null, ask: stored.ask as Decimal | null, volume: stored.volume as Decimal | null,
    ...(stored.sequence === null ? {} : { origin: { sequence: Number(stored.sequence), source: stored.source, ingest: stored.ingest === null ? null : micros(stored.ingest) } }),
  });

  function* rejectsByLine(): Generator<Reject> {
    if (opened === null) return;
    for (const stored of opened.database.prepare('SELECT line, reason FROM rejects ORDER BY line, id').iterate()) yield stored as unknown as Reject;
  }

  return { add, reject, passed, again, counts: () => ({ rows, duplicate, corrected, rejected }), rows: sorted, indices: () => ids, rejects: rejectsByLine, close: () => { opened?.database.close(); } };
}
