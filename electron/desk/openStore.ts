/** From settings to a store that answers: the embedded one is started, or found where another process runs it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { failed, ok, type Problem, problem, ProblemError, type Result } from '../../shared/result.ts';
import { createCurrentLayouts, type CurrentLayouts } from '../bigtable/layout/current.ts';
import type { ForeignLayout } from '../bigtable/layout/foreignLayout.ts';
import { layoutReader } from '../bigtable/layout/layoutReader.ts';
import type { Reader, StoreAddress } from '../bigtable/reader.ts';
import type { ClosableWriter } from '../bigtable/writer.ts';
import type { Settings } from '../config/settings.ts';
import { deskClock, elapsed } from './deskClock.ts';
import { reportProblem } from './report.ts';

export interface OpenStore {
  readonly address: StoreAddress;
  /** Canonical keys, wherever the registry says that their rows lie; the writer's too. */
  readonly reader: Reader;
  /** The table's own keys: for tools that look at keys and shards themselves. */
  readonly physical: Reader;
  /** Of a table that others designed: it is only read, and always scanned. */
  readonly layout: ForeignLayout | null;
  /** Loaded for the first write only. Rejects with a ProblemError where the table has a foreign layout. */
  writer(): Promise<ClosableWriter>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** An embedded store that forgets, whatever is configured. */
  readonly memory?: boolean;
  /** Never creates one: a command that only reads must leave a folder as it was (an empty store would also hide the demo). */
  readonly mustExist?: boolean;
  /** Put around the table's own reader, below layouts, shards and former names: it sees every request that the store gets. */
  readonly around?: (physical: Reader) => Reader;
}

/** Rows that a layout does not explain, in the log. */
const MAX_TOLD = 10;

/** Fails for the embedded store only: a store elsewhere that is down is a state. */
export async function openStore(settings: Settings, { memory = false, mustExist = false, around = (table) => table }: OpenOptions = {}): Promise<Result<OpenStore, Problem>> {
  const layout = memory || settings.layoutPath === null ? ok(null) : await loadLayout(settings.layoutPath);
  if (!layout.ok) return layout;
  let address: StoreAddress = memory ? { ...settings.store, kind: 'embedded', endpoint: null } : settings.store;
  let stop: (() => Promise<void>) | null = null;
  if (address.kind === 'embedded') {
    const { runningStore, startStore } = await import('../embedded/startStore.ts');
    // one process per data folder: where the dashboard has it, a command reads through the dashboard's store
    const running = memory ? null : runningStore(settings.dataDir);
    if (running === null) {
      if (mustExist && !memory && holdsNoStore(settings.dataDir)) {
        return failed(problem('NOT_FOUND', `there is no store in ${settings.dataDir} yet`, 'name its folder with --data or a store with --emulator, or create one with `frontrow init`'));
      }
      const started = await startStore({ data: memory ? null : settings.dataDir, port: 0 });
      if (!started.ok) return started;
      stop = () => started.value.close();
      address = { ...address, endpoint: started.value.address };
    } else address = { ...address, endpoint: running };
  }
  const { connect } = await import('../bigtable/connect.ts');
  const physical = around(connect(address));
  if (layout.value) return ok(await openForeign(address, physical, layout.value, settings, stop));
  const current = createCurrentLayouts(physical, elapsed);
  const reader = layoutReader(physical, current, elapsed);
  let writer: Promise<ClosableWriter> | null = null;
  return ok({
    address, reader, physical, layout: null,
    writer: () => (writer ??= openWriter(address, current)),
    async close() {
      await reader.close();
      await (await writer)?.close();
      await stop?.();
    },
  });
}

async function loadLayout(path: string): Promise<Result<ForeignLayout, Problem>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return failed(problem('BAD_INPUT', `layout file ${path} can't be read (${error instanceof Error ? error.message : 'no reason given'})`, 'correct --layout, or leave it out for a table of our own layout'));
  }
  const { parseLayout } = await import('../bigtable/layout/foreignFile.ts'); // zod is only loaded where there is a file
  return parseLayout(path, text);
}

async function openForeign(address: StoreAddress, physical: Reader, layout: ForeignLayout, settings: Settings, stop: (() => Promise<void>) | null): Promise<OpenStore> {
  const { foreignReader, readOnly } = await import('../bigtable/layout/foreignReader.ts');
  const clock = deskClock(settings.testNow);
  let told = 0;
  const unreadable = (_: string, why: Problem): void => {
    told += 1;
    if (told <= MAX_TOLD) reportProblem(told < MAX_TOLD ? why : { ...why, next: `${why.next}; more such rows are not told (\`frontrow schema check\` counts them)` });
  };
  const reader = foreignReader(physical, layout, { now: () => clock.now(), elapsed, unreadable });
  return {
    address, reader, physical, layout,
    writer: () => Promise.reject(new ProblemError(readOnly(layout))),
    async close() {
      await reader.close();
      await stop?.();
    },
  };
}

async function openWriter(address: StoreAddress, current: CurrentLayouts): Promise<ClosableWriter> {
  const [{ createWriter }, { layoutWriter }] = await Promise.all([import('../bigtable/writer.ts'), import('../bigtable/layout/layoutWriter.ts')]);
  return layoutWriter(createWriter(address), current);
}

/** False also for a path that can't be a folder: starting the store tells what is wrong with it. */
function holdsNoStore(folder: string): boolean {
  if (existsSync(join(folder, 'store.sqlite'))) return false;
  try {
    return statSync(folder).isDirectory();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
