/** A store with its writer in a process of its own, so that the CPU of the measured process is the client's alone. Asked by messages. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ensureTable } from '../../electron/bigtable/admin.ts';
import type { StoreAddress, WriteRow } from '../../electron/bigtable/reader.ts';
import { createWriter } from '../../electron/bigtable/writer.ts';
import { type IndexId, tickKey } from '../../shared/rowKey.ts';
import { fromMillis } from '../../shared/time.ts';
import { startStore } from '../../electron/embedded/startStore.ts';

export interface StoreProcess {
  readonly address: StoreAddress;
  /** Writes one new row of each index at `now` (milliseconds); the rows are made in that process too. */
  tick(ids: readonly IndexId[], now?: number): Promise<void>;
  stop(): Promise<void>;
}

const addressOf = (endpoint: string): StoreAddress => ({ kind: 'embedded', project: 'bench', instance: 'frontrow', table: 'quotes', appProfile: null, endpoint });

/** Starts the process, the store in it, and makes the table. */
export async function startStoreProcess(): Promise<StoreProcess> {
  const child = fork(import.meta.filename, [], { execPath: process.execPath, env: { ...process.env, FRONTROW_BENCH_STORE: '1' } });
  const answer = async (): Promise<{ address?: string; error?: string }> => {
    const [message] = (await once(child, 'message')) as [{ address?: string; error?: string }];
    if (message.error !== undefined) throw new Error(message.error);
    return message;
  };
  const { address = '' } = await answer();
  let known = 0;
  return {
    address: addressOf(address),
    async tick(ids, now = Date.now()) {
      const done = answer();
      child.send(ids.length === known ? { now } : { ids, now });
      known = ids.length;
      await done;
    },
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

function newTicks(ids: readonly IndexId[], now: number): WriteRow[] {
  return ids.map((id, i) => ({
    key: tickKey(id, fromMillis(now), i % 10),
    cells: [
      { family: 'q', qualifier: 'p', value: `${5000 + (now % 1000)}.${10 + (i % 90)}` },
      { family: 'q', qualifier: 'i', value: `${now}000` },
      { family: 'q', qualifier: 's', value: 'bench' },
    ],
  }));
}

async function serve(): Promise<void> {
  const started = await startStore({ data: null, port: 0 });
  if (!started.ok) throw new Error(started.error.what);
  const store = started.value;
  const ensured = await ensureTable(addressOf(store.address));
  if (!ensured.ok) throw new Error(ensured.error.what);
  const writer = createWriter(addressOf(store.address));
  let ids: readonly IndexId[] = [];
  process.on('message', (message: { ids?: readonly IndexId[]; now: number }) => {
    ids = message.ids ?? ids;
    void writer.write(newTicks(ids, message.now), BigInt(Date.now()) * 1000n).then((outcome) => process.send?.(outcome.failed.length > 0 ? { error: outcome.failed[0]?.error.what } : {}));
  });
  process.on('disconnect', () => {
    void store.close().then(() => process.exit(0));
  });
  process.send?.({ address: store.address });
}

if (process.env['FRONTROW_BENCH_STORE'] === '1') await serve();
