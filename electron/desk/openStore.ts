/** From settings to a store that answers: the embedded one is started, or found where another process runs it. */
import { ok, type Problem, type Result } from '../../shared/result.ts';
import type { Reader, StoreAddress } from '../bigtable/reader.ts';
import type { ClosableWriter } from '../bigtable/writer.ts';
import type { Settings } from '../config/settings.ts';

export interface OpenStore {
  readonly address: StoreAddress;
  readonly reader: Reader;
  /** The official client is loaded for the first write only. */
  writer(): Promise<ClosableWriter>;
  close(): Promise<void>;
}

/** `memory`: an embedded store that forgets, whatever is configured. Fails for the embedded store only: a store elsewhere that is down is a state. */
export async function openStore(settings: Settings, memory = false): Promise<Result<OpenStore, Problem>> {
  let address: StoreAddress = memory ? { ...settings.store, kind: 'embedded', endpoint: null } : settings.store;
  let stop: (() => Promise<void>) | null = null;
  if (address.kind === 'embedded') {
    const { runningStore, startStore } = await import('../embedded/startStore.ts');
    // one process per data folder: where the dashboard has it, a command reads through the dashboard's store
    const running = memory ? null : runningStore(settings.dataDir);
    if (running === null) {
      const started = await startStore({ data: memory ? null : settings.dataDir, port: 0 });
      if (!started.ok) return started;
      stop = () => started.value.close();
      address = { ...address, endpoint: started.value.address };
    } else address = { ...address, endpoint: running };
  }
  const { connect } = await import('../bigtable/connect.ts');
  const reader = connect(address);
  let writer: Promise<ClosableWriter> | null = null;
  return ok({
    address, reader,
    writer: () => (writer ??= import('../bigtable/writer.ts').then(({ createWriter }) => createWriter(address))),
    async close() {
      await reader.close();
      await (await writer)?.close();
      await stop?.();
    },
  });
}
