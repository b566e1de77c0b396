/** `simulate`: an invented market into a store through live writers, each event when its time comes. */
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { EpochMicros } from '../../../shared/time.ts';
import type { Conditional } from '../../bigtable/conditional.ts';
import type { Reader, Writer } from '../../bigtable/reader.ts';
import type { Sleep } from '../pacer.ts';
import { type Lease, takeLease } from './lease.ts';
import { createLiveWriter, type LiveWriter } from './liveWriter.ts';
import { type EventKind, type MarketEvent, marketEvents, type MarketShape, offsetOf } from './market.ts';
import type { Counts } from './settle.ts';
import { createWatermarks } from './watermarks.ts';

export interface Simulation {
  readonly shape: Omit<MarketShape, 'start'>;
  /** Seconds; null: until stopped. */
  readonly duration: number | null;
  readonly reader: Reader;
  readonly writer: Writer;
  readonly conditional: Conditional;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly machineMillis: () => number;
  readonly sleep: Sleep;
  /** Event time of the first event; null: now. */
  readonly start: EpochMicros | null;
  /** Unlike any other run's. */
  readonly token: string;
  /** Keeps `!latest#ID` too. */
  readonly latest: boolean;
  /** A slot is not free yet. */
  readonly onWait?: () => void;
  readonly onStarted?: (slots: readonly number[]) => void;
  readonly onProgress?: (sent: number, behindMs: number) => void;
  readonly onProblem?: (problem: Problem | null) => void;
  readonly signal: AbortSignal;
}

export interface SimulationSummary {
  readonly fromMicros: bigint;
  /** Events sent, by what they were made as. */
  readonly sent: Readonly<Record<EventKind, number>>;
  /** What became of them in the table. */
  readonly counts: Counts;
  readonly slots: readonly { readonly slot: number; readonly counts: Counts }[];
  /** Stopped before its duration was over. */
  readonly stopped: boolean;
  readonly elapsedMs: number;
}

const NAP = 20;
const AT_ONCE = 2000;
/** After Ctrl-C the queue may take so long; then it is given up, and told. */
const LAST_WORDS = 5000;

/** Fails where a slot can't be had or the store stays away; what was written until then is whole. */
export async function runSimulation(simulation: Simulation): Promise<Result<SimulationSummary>> {
  const { shape, clock, signal, sleep } = simulation;
  const opened = await openWriters(simulation);
  if (!opened.ok) return opened;
  const writers = opened.value;
  simulation.onStarted?.(writers.map(({ slot }) => slot));

  const begun = clock.elapsed();
  const start = simulation.start ?? clock.now();
  const total = simulation.duration === null ? Infinity : Math.floor(simulation.duration * shape.rate);
  const events = marketEvents({ ...shape, start });
  const sent: Record<EventKind, number> = { plain: 0, late: 0, duplicate: 0, collision: 0, correction: 0 };
  let next = 0;
  let trouble: Problem | null = null;
  while (next < total && !signal.aborted && trouble === null) {
    const passed = clock.elapsed() - begun;
    let taken = 0;
    // one by one over all writers: what is late depends on the order
    for (; next < total && taken < AT_ONCE && trouble === null && offsetOf(next, shape.rate) <= BigInt(Math.floor(passed * 1000)); next += 1, taken += 1) {
      const event: MarketEvent = events.next().value;
      const wrote = await writers[event.writer]?.write([event.tick]);
      if (wrote?.ok === false) trouble = wrote.error;
      sent[event.kind] += 1;
    }
    simulation.onProgress?.(next, Math.max(0, passed - (next / shape.rate) * 1000));
    if (taken < AT_ONCE && next < total) await sleep(NAP, signal);
  }
  // the last event's second runs out, so that a duration is one
  if (simulation.duration !== null && trouble === null) await sleep(Math.max(0, simulation.duration * 1000 - (clock.elapsed() - begun)), signal);

  const stopped = next < total;
  const abandon = new AbortController();
  if (stopped) void giveUp(writers, sleep, abandon.signal);
  const closed = await Promise.all(writers.map((writer) => writer.close()));
  abandon.abort();
  const slots = writers.map((writer) => ({ slot: writer.slot, counts: writer.counts() }));
  const counts = sum(slots.map((one) => one.counts));
  const failure = trouble ?? firstProblem(closed);
  if (failure) return failed({ ...failure, what: `${failure.what}; ${next - counts.written - counts.duplicates - counts.corrected - counts.refused} of ${next} events are not known to be written` });
  return ok({ fromMicros: start, sent, counts, slots, stopped: stopped && simulation.duration !== null, elapsedMs: clock.elapsed() - begun });
}

async function giveUp(writers: readonly LiveWriter[], sleep: Sleep, done: AbortSignal): Promise<void> {
  await sleep(LAST_WORDS, done);
  if (!done.aborted) for (const writer of writers) writer.abandon();
}

/** All slots are taken before the first write: what the table holds of them is read after that. */
async function openWriters(simulation: Simulation): Promise<Result<LiveWriter[]>> {
  const { reader, writer, conditional, clock, machineMillis, sleep, token, signal, shape } = simulation;
  const onProblem = sharedProblem(simulation.onProblem);
  const leases: Lease[] = [];
  // one after the other, and named by the seed: the same run again has the same slots, so the same identities
  for (let nth = 0; nth < shape.writers; nth += 1) {
    const lease = await takeLease({ reader, conditional, name: `simulate-${shape.seed}-${nth}`, token: `${token}-${nth}`, elapsed: clock.elapsed, machineMillis, sleep, signal, onProblem: onProblem(`lease ${nth}`), ...(simulation.onWait ? { onWait: simulation.onWait } : {}) });
    if (!lease.ok) {
      await Promise.all(leases.map((one) => one.release()));
      return lease.error.code === 'STORE_BUSY' ? failed(problem('STORE_BUSY', `${lease.error.what}: ${nth} of ${shape.writers} writers got one`, 'stop other writers, or give fewer --writers', true)) : lease;
    }
    leases.push(lease.value);
  }
  const watermarks = createWatermarks();
  return ok(leases.map((lease, nth) => createLiveWriter({
    reader, writer, conditional, lease, watermarks, machineMillis, sleep, now: clock.now, elapsed: clock.elapsed, latest: simulation.latest, onProblem: onProblem(`writer ${nth}`),
  })));
}

/** Several see the same trouble: told when the first meets it, and when the last is over it. */
function sharedProblem(tell: Simulation['onProblem']): (name: string) => (trouble: Problem | null) => void {
  const troubled = new Set<string>();
  return (name) => (trouble) => {
    const before = troubled.size;
    if (trouble === null) troubled.delete(name);
    else troubled.add(name);
    if ((before === 0) !== (troubled.size === 0)) tell?.(trouble);
  };
}

function firstProblem(results: readonly Result<unknown>[]): Problem | null {
  for (const result of results) if (!result.ok) return result.error;
  return null;
}

function sum(all: readonly Counts[]): Counts {
  const total = { written: 0, duplicates: 0, corrected: 0, late: 0, quarantined: 0, waiting: 0, refused: 0, deleted: 0, absent: 0 };
  for (const counts of all) for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name]; // eslint-disable-line typescript/no-unsafe-type-assertion -- keys of the record above
  return total;
}
