/**
 * Writes ticks as they come, each event once: a bounded queue, reads before writes, batches in flight, retries with their first version.
 * Whoever may send an event again gives it a number of its own (`n`); the writer then tells duplicates and corrections apart.
 */
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import { type EpochMicros, SECOND } from '../../../shared/time.ts';
import type { Conditional } from '../../bigtable/conditional.ts';
import type { Reader, Writer } from '../../bigtable/reader.ts';
import type { Sleep } from '../pacer.ts';
import { versionTimes } from '../tickRow.ts';
import { type Attempts, persist, persistRows } from './attempts.ts';
import { type Accepted, type Batch, settleBatch } from './batch.ts';
import { createKnown } from './known.ts';
import { advanceLatest, repairLatest } from './latestState.ts';
import type { Lease } from './lease.ts';
import type { LiveTick, TickIdentity } from './liveTick.ts';
import { createQuarantine } from './quarantine.ts';
import { readBefore } from './readBefore.ts';
import { removeTick } from './removeTick.ts';
import type { Counts } from './settle.ts';
import { sequenceOf, SLOT_SIZE } from './slot.ts';
import { createWatermarks, type Watermarks } from './watermarks.ts';

export interface LiveWriterOptions {
  readonly reader: Reader;
  readonly writer: Writer;
  /** For `!latest`. */
  readonly conditional: Conditional;
  /** Of the slot; the writer gives it back when it closes. */
  readonly lease: Lease;
  /** Desk time: ingest times, and what lies ahead. */
  readonly now: () => EpochMicros;
  /** The machine's wall clock in milliseconds: version times. */
  readonly machineMillis: () => number;
  readonly elapsed: () => number;
  readonly sleep: Sleep;
  /** Ticks are kept for ever (`h`), not under the table's retention (`q`). */
  readonly keep?: boolean;
  /** Keeps `!latest#ID` too. */
  readonly latest?: boolean;
  /** Shared by the writers of a process that write one index. */
  readonly watermarks?: Watermarks;
  readonly queueBound?: number;
  readonly quarantineBound?: number;
  /** Longest time to keep trying one batch; then the writer stops. */
  readonly patienceMs?: number;
  /** A tick that was not written as it came: `waiting` until its time, or `refused` for ever. */
  readonly onHeldBack?: (tick: LiveTick, what: 'waiting' | 'refused', why: Problem) => void;
  /** The store's trouble once when it begins, null when it is over. */
  readonly onProblem?: (problem: Problem | null) => void;
}

export interface LiveWriter {
  readonly slot: number;
  /** Waits while the queue is full. Fails once the writer has stopped; ticks since the last good `flush` must then be given again. */
  write(ticks: readonly LiveTick[]): Promise<Result<null>>;
  /** A busted trade: deletes its row once everything given before is written. */
  remove(identity: TickIdentity): Promise<Result<null>>;
  /** Everything given so far is in the table, but for ticks ahead of their time. */
  flush(): Promise<Result<null>>;
  counts(): Counts;
  /** Ticks ahead of their time. */
  waiting(): readonly LiveTick[];
  /** Gives up what is not written yet; for `close`, where the store takes too long. */
  abandon(): void;
  /** Writes what was given, then gives the slot back. Fails where something was not written; `waiting` is what was ahead of its time. */
  close(): Promise<Result<Counts>>;
}

type Item = { readonly kind: 'tick'; readonly accepted: Accepted } | { readonly kind: 'delete'; readonly identity: TickIdentity };

const BATCH = 1000;
const IN_FLIGHT = 4;
const AHEAD = 5n * SECOND;
const NAP = 100;
const STOPPED = problem('CANCELLED', 'writing was stopped', 'start it again to go on');
const CLOSED = problem('CANCELLED', 'the writer was closed', 'start another');

/** Runs at once. */
export function createLiveWriter(options: LiveWriterOptions): LiveWriter {
  const { lease, reader, writer, conditional, now, sleep, queueBound = 10_000, patienceMs = 60_000, keep = false, watermarks = createWatermarks() } = options;
  const { slot } = lease;
  const known = createKnown();
  const quarantine = createQuarantine(options.quarantineBound ?? 10_000);
  const version = versionTimes(options.machineMillis);
  const count = { written: 0, duplicates: 0, corrected: 0, late: 0, quarantined: 0, refused: 0, deleted: 0, absent: 0 };
  const queue: Item[] = [];
  const flying = new Set<Promise<void>>();
  /** `busy`: what was taken from the queue is not under way yet. */
  const state: { stopped: Problem | null; closing: boolean; busy: boolean } = { stopped: null, closing: false, busy: false };
  const halt = new AbortController();
  let wakers: (() => void)[] = [];
  const attempts: Attempts = { lease, elapsed: options.elapsed, sleep, patienceMs, onProblem: (trouble) => options.onProblem?.(trouble), signal: halt.signal };

  /** Something changed: whoever waits looks again. */
  function wake(): void {
    const woken = wakers;
    wakers = [];
    for (const one of woken) one();
  }
  const change = (): Promise<void> => new Promise((resolve) => wakers.push(resolve));

  function stop(why: Problem): void {
    state.stopped ??= why;
    halt.abort();
    wake();
  }
  const crash = (error: unknown): void => stop(problem('INTERNAL', `the writer stopped: ${error instanceof Error ? error.message : String(error)}`, 'report this'));
  const outcome = (): Result<null> => (state.stopped === null ? ok(null) : failed(state.stopped));

  function refuse(tick: LiveTick, why: Problem): void {
    count.refused += 1;
    options.onHeldBack?.(tick, 'refused', why);
  }

  const enqueue = (tick: LiveTick): void => void queue.push({ kind: 'tick', accepted: { tick, behind: watermarks.pass(tick.index, tick.time) } });

  function accept(tick: LiveTick): void {
    const numbered = tick.n === null ? null : sequenceOf(slot, tick.n);
    if (numbered?.ok === false) return refuse(tick, numbered.error);
    if (tick.time <= now() + AHEAD) return enqueue(tick);
    const why = problem('BAD_INPUT', `${tick.index}: a tick more than 5 s ahead of the clock (${tick.time})`, 'check the clocks of the source and of this machine');
    if (!quarantine.add(tick)) return refuse(tick, { ...why, what: `${why.what}, and too many of them wait already` });
    count.quarantined += 1;
    options.onHeldBack?.(tick, 'waiting', why);
    return undefined;
  }

  async function run(): Promise<void> {
    while (state.stopped === null) {
      for (const tick of quarantine.due(now())) enqueue(tick);
      const [first] = queue;
      if (!first) {
        if (state.closing && flying.size === 0) return;
        if (quarantine.next() === null || state.closing) await change();
        else await sleep(NAP, halt.signal);
        continue;
      }
      state.busy = true;
      if (first.kind === 'delete') {
        queue.shift();
        await Promise.all(flying);
        await remove(first.identity);
      } else if (flying.size >= IN_FLIGHT) await Promise.race(flying);
      else {
        // a burst comes together first
        await new Promise((resolve) => setImmediate(resolve));
        await launch(takeBatch());
      }
      state.busy = false;
      wake();
    }
  }

  function takeBatch(): Accepted[] {
    const batch: Accepted[] = [];
    for (const item of queue) {
      if (item.kind !== 'tick' || batch.length === BATCH) break;
      batch.push(item.accepted);
    }
    queue.splice(0, batch.length);
    return batch;
  }

  /** Settles a batch against the table, one after the other, then writes it beside the others. */
  async function launch(accepted: readonly Accepted[]): Promise<void> {
    const read = await persist(() => readBefore(accepted.map(({ tick }) => tick), { reader, known, watermarks, slot, now }), attempts);
    if (!read.ok) return stop(read.error);
    const batch = settleBatch(accepted, known, watermarks, { slot, keep, version: version(), ingest: now() });
    for (const { tick, error } of batch.refused) refuse(tick, error);
    count.duplicates += batch.count.duplicates;
    if (batch.rows.size > 0) {
      const flight = fly(batch).catch(crash);
      flying.add(flight);
      void flight.finally(() => {
        flying.delete(flight);
        wake();
      });
    }
    known.trim();
    return undefined;
  }

  async function fly(batch: Batch): Promise<void> {
    for (const instant of batch.touched) instant.pending += 1;
    const written = await write(batch);
    for (const instant of batch.touched) instant.pending -= 1;
    if (!written.ok) return stop(written.error);
    count.written += batch.count.written;
    count.corrected += batch.count.corrected;
    count.late += batch.count.late;
    return undefined;
  }

  /** Ticks first: who reads `!latest` finds its tick in the table. */
  async function write({ rows, newest }: Batch): Promise<Result<null>> {
    const groups = await Promise.all([...rows].map(([stamp, group]) => persistRows(group, stamp, writer, attempts)));
    const bad = groups.find((group) => !group.ok);
    if (bad || options.latest !== true) return bad ?? ok(null);
    const advanced = await Promise.all(newest.map(({ tick, version: stamp }) => persist(() => advanceLatest(conditional, tick, stamp), attempts)));
    const lost = advanced.find((one) => !one.ok);
    return lost?.ok === false ? lost : ok(null);
  }

  async function remove(identity: TickIdentity): Promise<void> {
    const removed = await removeTick(identity, reader, writer, version, attempts);
    if (!removed.ok) return stop(removed.error);
    if (Math.floor(identity.sequence / SLOT_SIZE) === slot) known.instant(identity.index, identity.time)?.events.delete(identity.sequence % SLOT_SIZE);
    count[removed.value ? 'deleted' : 'absent'] += 1;
    if (options.latest !== true) return undefined;
    const repaired = await persist(() => repairLatest(reader, conditional, identity, now()), attempts);
    return repaired.ok ? undefined : stop(repaired.error);
  }

  const running = run().catch(crash);

  /** Waits for room in the queue. */
  async function room(): Promise<Result<null>> {
    while (queue.length >= queueBound && state.stopped === null) await change();
    return state.stopped === null && state.closing ? failed(CLOSED) : outcome();
  }

  return {
    slot,
    async write(ticks) {
      for (const tick of ticks) {
        if (queue.length >= queueBound || state.stopped !== null || state.closing) {
          wake();
          const free = await room();
          if (!free.ok) return free;
        }
        accept(tick);
      }
      wake();
      return outcome();
    },
    async remove(identity) {
      const free = await room();
      if (!free.ok) return free;
      queue.push({ kind: 'delete', identity });
      wake();
      return free;
    },
    async flush() {
      while (state.stopped === null && (queue.length > 0 || flying.size > 0 || state.busy)) await change();
      return outcome();
    },
    counts: () => ({ ...count, waiting: quarantine.list().length }),
    waiting: () => quarantine.list(),
    abandon: () => stop(STOPPED),
    async close() {
      state.closing = true;
      wake();
      await running;
      await Promise.all(flying);
      await lease.release();
      return state.stopped === null ? ok({ ...count, waiting: quarantine.list().length }) : failed(state.stopped);
    },
  };
}
