/** The demo: a real day written into a store as its clock reaches it, from ten minutes before the New York open, round and round. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IndexInfo } from '../../shared/quote.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import type { Writer } from '../bigtable/reader.ts';
import { DEMO_END, DEMO_START, loadDemoDay } from './demoDay.ts';
import { pace, type Sleep, writeAll } from './pacer.ts';
import { createReplayClock, type ReplayClock } from './replayClock.ts';
import { versionTimes } from './tickRow.ts';

export interface DemoOptions {
  readonly writer: Writer;
  /** Makes table and families; called first. */
  readonly prepare?: () => Promise<Result<unknown>>;
  /** Deletes these rows, absent ones among them; called before the day starts again (and before it starts, unless `fresh`). */
  readonly remove: (keys: readonly string[]) => Promise<Result<unknown>>;
  /** The table is known to be empty: nothing to remove before the first start. */
  readonly fresh?: boolean;
  /** Milliseconds that never step back. */
  readonly elapsed: () => number;
  readonly sleep: Sleep;
  /** The machine's wall clock in milliseconds: version times, never the replay clock's. */
  readonly machineMillis: () => number;
  /** 1 to 60, default 10. */
  readonly speed?: number;
  /** `removing`: the afternoon's rows are about to go; `restarted`: the clock stands at 14:20 again: readers forget what they knew. */
  readonly onRestart?: (step: 'removing' | 'restarted') => void;
  /** The store's trouble while live prices are written; null when it is over. */
  readonly onProblem?: (problem: Problem | null) => void;
  readonly dataFolder?: string;
}

export interface Demo {
  /** Runs since just before `startDemo` resolved. */
  readonly clock: ReplayClock;
  readonly infos: readonly IndexInfo[];
  /** How many times the day started again. */
  restarts(): number;
  /** Stops writing; resolves when nothing is in flight. */
  close(): Promise<void>;
}

const NAP = 100; // longest wait before a changed speed is noticed
const SEED_PATIENCE = 30_000;
const NOTE = 'replays 2019-11-06; starts again at 14:20 UTC after New York’s close';
const AGAIN = 'started again at 14:20 UTC after New York’s close';

/** Resolves when registry, daily closes and history up to 14:20 UTC are in the store: then the dashboard may show. */
export async function startDemo(options: DemoOptions): Promise<Result<Demo>> {
  const folder = options.dataFolder ?? demoDataFolder();
  if (folder === null) return failed(problem('NOT_FOUND', 'the demo’s data files are not where the program was installed', 'install Frontrow again'));
  const [day, prepared] = await Promise.all([loadDemoDay(folder), options.prepare?.() ?? ok(null)]);
  if (!day.ok) return day;
  if (!prepared.ok) return prepared;
  const { infos, known, coming } = day.value;
  const afternoon = coming.map((one) => one.row(DEMO_START).key);
  const version = versionTimes(options.machineMillis);
  const stop = new AbortController();
  const writing = { writer: options.writer, sleep: options.sleep, version, signal: stop.signal };

  if (options.fresh !== true) {
    const removed = await options.remove(afternoon);
    if (!removed.ok) return removed;
  }
  const seeding = createReplayClock({ start: DEMO_START, elapsed: options.elapsed });
  const seeded = await writeAll(known, { ...writing, clock: seeding, patienceMs: SEED_PATIENCE });
  if (!seeded.ok) return seeded;

  const clock = createReplayClock({ start: DEMO_START, elapsed: options.elapsed, note: NOTE, ...(options.speed === undefined ? {} : { speed: options.speed }) });
  const wait = async (time: typeof DEMO_END): Promise<void> => options.sleep(Math.min(NAP, clock.until(time) ?? NAP), stop.signal);
  let restarts = 0;

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await pace({ ...writing, due: coming, clock, reach: wait, patienceMs: Infinity, ...(options.onProblem ? { onProblem: options.onProblem } : {}) });
      while (!stop.signal.aborted && clock.now() < DEMO_END) await wait(DEMO_END);
      if (stop.signal.aborted) return;
      options.onRestart?.('removing');
      // Before the clock goes back: rows ahead of it would be future rows, and hide the newest true price.
      await removeAll(options, afternoon, stop.signal);
      if (stop.signal.aborted) return;
      restarts += 1;
      clock.jump(DEMO_START, AGAIN);
      options.onRestart?.('restarted');
    }
  }
  const running = run().catch((error: unknown) => {
    options.onProblem?.(problem('INTERNAL', `the demo stopped: ${error instanceof Error ? error.message : String(error)}`, 'start it again, and report this'));
  });

  return ok({
    clock, infos,
    restarts: () => restarts,
    close: async () => {
      stop.abort();
      await running;
    },
  });
}

async function removeAll(options: DemoOptions, keys: readonly string[], signal: AbortSignal): Promise<void> {
  let troubled = false;
  for (let pause = 100; !signal.aborted; pause = Math.min(1000, pause * 2)) {
    const removed = await options.remove(keys);
    if (removed.ok) {
      if (troubled) options.onProblem?.(null);
      return;
    }
    if (!troubled) options.onProblem?.(removed.error);
    troubled = true;
    await options.sleep(pause, signal);
  }
}

/** Beside this module in the sources, else in the project that the bundle lies in. */
export function demoDataFolder(from = import.meta.dirname): string | null {
  const beside = join(from, 'data');
  if (existsSync(join(beside, 'SOURCES.md'))) return beside;
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'electron', 'ingest', 'data');
    if (existsSync(join(found, 'SOURCES.md'))) return found;
    if (dirname(folder) === folder) return null;
  }
}
