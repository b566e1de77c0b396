/**
 * Settled rows into the table, each event once: what is there is read before anything is written, so that the same file again,
 * two that overlap, or one cut short and run again end with the same rows. One import of an index at a time.
 */
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import { barKey, barsStarting, keyAfter, type KeyRange, tickKey, ticksBetween } from '../../../shared/rowKey.ts';
import type { Tick } from '../../../shared/quote.ts';
import { type EpochMicros, SECOND } from '../../../shared/time.ts';
import { decodeTick } from '../../bigtable/decode.ts';
import type { Family, Reader, Row, Writer, WriteRow } from '../../bigtable/reader.ts';
import { SLOT_SIZE } from '../live/slot.ts';
import type { BarRow, ImportRow, TickRow } from './row.ts';

export interface WriteRows {
  /** In the spool's order. */
  readonly rows: Iterable<ImportRow>;
  /** `q:s` of ticks: the format. Ticks of other sources are never taken for the file's own. */
  readonly source: string;
  /** Ticks for ever (`h`), or under the table's retention (`q`). */
  readonly keep: boolean;
  /** A day's close in these files is the exchange's. */
  readonly officialCloses: boolean;
  readonly reader: Reader;
  readonly writer: Writer;
  /** The desk's clock: ingest times, and what lies in the future. */
  readonly now: () => EpochMicros;
  /** The machine's clock, milliseconds: version times. */
  readonly machineMillis: () => number;
  readonly onFuture: (row: ImportRow) => void;
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

export interface Written {
  readonly written: number;
  /** Already in the table as they are. */
  readonly duplicate: number;
  /** Bars that were in the table with other values. */
  readonly corrected: number;
  /** Ticks over 5 s ahead of the desk's clock: not written. */
  readonly future: number;
}

const BATCH = 4000; // rows read for and written at a time: four calls in flight
const PAGE = 5000;
const DEADLINE = 20_000;
const AHEAD = 5n * SECOND;

/**
 * Fails with the first problem of the store; what was written until then is whole rows, and running it again completes them. The next batch
 * is read for while one is written: no two batches share an instant.
 */
export async function writeRows(job: WriteRows): Promise<Result<Written>> {
  let [written, duplicate, corrected, future, done] = [0, 0, 0, 0, 0];
  let writing: Promise<Problem | null> = Promise.resolve(null);
  for (const batch of batches(job.rows)) {
    if (job.signal?.aborted === true) {
      const lost = await writing;
      return failed(lost ?? problem('CANCELLED', `stopped after ${done} rows`, 'run it again: what is written stays, and is not written twice'));
    }
    const due = batch.filter((row) => row.kind === 'bar' || row.time <= job.now() + AHEAD);
    if (due.length < batch.length) {
      const late = new Set(due);
      for (const row of batch) if (!late.has(row)) job.onFuture(row);
    }
    const prepared = due[0]?.kind === 'bar' ? await barWrites(job, due.filter((row) => row.kind === 'bar')) : await tickWrites(job, due.filter((row) => row.kind === 'tick'));
    const lost = await writing;
    if (lost) return failed(lost);
    if (!prepared.ok) return prepared;
    const { rows, newest } = prepared.value;
    done += batch.length;
    const count = done;
    if (rows.length > 0) writing = writeBatch(job, rows, newest, count);
    else job.onProgress?.(count);
    written += rows.length - prepared.value.corrected;
    corrected += prepared.value.corrected;
    duplicate += due.length - rows.length;
    future += batch.length - due.length;
  }
  const lost = await writing;
  return lost ? failed(lost) : ok({ written, duplicate, corrected, future });
}

/** Why not all of it is written, or null; then `done` rows of the file are. */
async function writeBatch(job: WriteRows, rows: readonly WriteRow[], newest: bigint, done: number): Promise<Problem | null> {
  const [first] = (await job.writer.write(rows, version(job, newest))).failed;
  if (!first) job.onProgress?.(done);
  return first ? { ...first.error, next: `${first.error.next}; then run it again: what is written is not written twice` } : null;
}

/** Runs of one index (and period) in time order; an instant of ticks is never split over two. */
function* batches(rows: Iterable<ImportRow>): Generator<ImportRow[]> {
  let batch: ImportRow[] = [];
  for (const row of rows) {
    const last = batch.at(-1);
    if (last && (!alike(last, row) || (batch.length >= BATCH && (row.kind === 'bar' || row.time !== last.time)))) {
      yield batch;
      batch = [];
    }
    batch.push(row);
  }
  if (batch.length > 0) yield batch;
}

const alike = (a: ImportRow, b: ImportRow): boolean => a.index === b.index && (a.kind === 'bar' ? b.kind === 'bar' && a.period === b.period : b.kind === 'tick');

/** A correction must win over a delayed retry of what it replaces. */
function version({ machineMillis }: WriteRows, newest: bigint): bigint {
  const now = BigInt(Math.floor(machineMillis())) * 1000n;
  return now > newest ? now : newest + 1000n;
}

interface Prepared {
  readonly rows: readonly WriteRow[];
  readonly corrected: number;
  /** Newest version time of the cells that are replaced. */
  readonly newest: bigint;
}

async function barWrites(job: WriteRows, bars: readonly BarRow[]): Promise<Result<Prepared>> {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return ok({ rows: [], corrected: 0, newest: 0n });
  if (first.period === null) return failed(problem('BAD_INPUT', 'how long a bar of this file is can not be told', 'give --period'));
  const stored = new Map<string, Row>();
  const read = await eachRow(job, barsStarting(first.index, first.period, first.time, last.time), ['v'], (row) => { stored.set(row.key, row); });
  if (read) return failed(read);
  const rows: WriteRow[] = [];
  let [corrected, newest] = [0, 0n];
  for (const bar of bars) {
    const row = barWrite(bar, first.period, job.officialCloses);
    const old = stored.get(row.key);
    if (old && row.cells.every(({ qualifier, value }) => old.cells.get(`v:${qualifier}`)?.value.toString('utf8') === value)) continue;
    if (old && old.cells.size > 0) {
      corrected += 1;
      for (const cell of old.cells.values()) if (cell.version > newest) newest = cell.version;
    }
    rows.push(row);
  }
  return ok({ rows, corrected, newest });
}

function barWrite(bar: BarRow, period: NonNullable<BarRow['period']>, official: boolean): WriteRow {
  const cells: WriteRow['cells'][number][] = [vendor('o', bar.open), vendor('h', bar.high), vendor('l', bar.low), vendor('c', bar.close)];
  if (bar.volume !== null) cells.push(vendor('v', bar.volume));
  if (bar.sessionDate !== null) cells.push(vendor('d', bar.sessionDate));
  if (official && period === '1d') cells.push(vendor('oc', bar.close));
  return { key: barKey(bar.index, period, bar.time), cells };
}

const vendor = (qualifier: string, value: string) => ({ family: 'v', qualifier, value }) as const;

/** What makes two prints of one source and instant the same. */
const print = (tick: Pick<Tick, 'price' | 'bid' | 'ask' | 'volume'> & { readonly nanos: number | null }): string => [tick.price, tick.bid, tick.ask, tick.volume, tick.nanos ?? 0].join(' ');

/** What the table holds at one instant, by sequence. */
interface Instant {
  readonly own: Map<number, { readonly print: string; readonly family: Tick['family'] }>;
  readonly others: Set<number>;
}

/** As a multiset: of equal prints at one instant only those beyond what is there are written. */
async function tickWrites(job: WriteRows, ticks: readonly TickRow[]): Promise<Result<Prepared>> {
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (!first || !last) return ok({ rows: [], corrected: 0, newest: 0n });
  const groups = Map.groupBy(ticks, ({ time }) => time);
  const stored = new Map<bigint, Instant>();
  let unreadable: Problem | null = null;
  const read = await eachRow(job, ticksBetween(first.index, first.time, last.time), ['q', 'h'], (row) => {
    const tick = decodeTick(row);
    if (!tick.ok) {
      unreadable ??= tick.error;
      return;
    }
    const { time, sequence, source, family } = tick.value;
    if (!groups.has(time)) return;
    let instant = stored.get(time);
    if (!instant) stored.set(time, (instant = { own: new Map(), others: new Set() }));
    if (source === job.source) instant.own.set(sequence, { print: print(tick.value), family });
    else instant.others.add(sequence);
  });
  if (read ?? unreadable) return failed(read ?? unreadable ?? problem('BAD_DATA', 'a row that can not be read', 'delete it'));
  const rows: WriteRow[] = [];
  for (const [time, group] of groups) {
    const instant = stored.get(time) ?? { own: new Map(), others: new Set() };
    for (const { tick, sequence } of missing(group, instant, job.keep)) {
      // imports allocate in slot 0; what a live writer of this source wrote keeps its sequence
      if (sequence >= SLOT_SIZE && !instant.own.has(sequence)) return failed(problem('BAD_INPUT', `${tick.index}: more than ${SLOT_SIZE} ticks at one microsecond (line ${tick.line})`, 'check the time column of the file'));
      rows.push(tickWrite(job, tick, sequence));
    }
  }
  return ok({ rows, corrected: 0, newest: 0n });
}

/**
 * The ticks of one instant that must be written, with their sequences. A tick's place is the one that it gets where its source has
 * nothing there yet; whoever is missing after a cut import goes back to its place, so that the rows are those of an import at once.
 */
function missing(ticks: readonly TickRow[], { own, others }: Instant, keep: boolean): { readonly tick: TickRow; readonly sequence: number }[] {
  const found: { tick: TickRow; sequence: number }[] = [];
  const left = new Map(own);
  const match = (tick: TickRow, sequence: number): void => {
    // one under retention is written once more to be kept
    if (keep && left.get(sequence)?.family === 'q') found.push({ tick, sequence });
    left.delete(sequence);
  };
  const places = placesOf(ticks.length, others);
  const moved: { tick: TickRow; place: number }[] = [];
  for (const [i, tick] of ticks.entries()) {
    const place = places[i] ?? i;
    if (left.get(place)?.print === print(tick)) match(tick, place);
    else moved.push({ tick, place });
  }
  const fresh: typeof moved = [];
  for (const one of moved) {
    const same = [...left].find(([, { print: text }]) => text === print(one.tick));
    if (same) match(one.tick, same[0]);
    else fresh.push(one);
  }
  const taken = new Set([...others, ...own.keys()]);
  let free = 0;
  for (const { tick, place } of fresh) {
    while (taken.has(free)) free += 1;
    const sequence = taken.has(place) ? free : place;
    taken.add(sequence);
    found.push({ tick, sequence });
  }
  return found;
}

/** The first `count` sequences that no other source has. */
function placesOf(count: number, others: ReadonlySet<number>): number[] {
  const places: number[] = [];
  for (let sequence = 0; places.length < count; sequence += 1) if (!others.has(sequence)) places.push(sequence);
  return places;
}

function tickWrite(job: WriteRows, tick: TickRow, sequence: number): WriteRow {
  const family: Family = job.keep ? 'h' : 'q';
  const cells: WriteRow['cells'][number][] = [{ family, qualifier: 'p', value: tick.price }, { family, qualifier: 'i', value: job.now().toString() }, { family, qualifier: 's', value: job.source }];
  if (tick.volume !== null) cells.push({ family, qualifier: 'v', value: tick.volume });
  if (tick.bid !== null) cells.push({ family, qualifier: 'b', value: tick.bid });
  if (tick.ask !== null) cells.push({ family, qualifier: 'a', value: tick.ask });
  if (tick.nanos !== 0) cells.push({ family, qualifier: 'n', value: String(tick.nanos) });
  return { key: tickKey(tick.index, tick.time, sequence), cells };
}

/** Page by page, so that a dense stretch of the table is never held whole. The problem that ended it, or null. */
async function eachRow(job: WriteRows, range: KeyRange, families: readonly Family[], take: (row: Row) => void): Promise<Problem | null> {
  let { start } = range;
  for (;;) {
    const read = await job.reader.read({ ranges: [{ start, end: range.end }], limit: PAGE, deadlineMs: DEADLINE, families, ...(job.signal ? { signal: job.signal } : {}) });
    if (!read.ok) return read.error;
    for (const row of read.rows) take(row);
    const last = read.rows.at(-1);
    if (!last || read.rows.length < PAGE) return null;
    start = keyAfter(last.key);
    if (start >= range.end) return null;
  }
}
