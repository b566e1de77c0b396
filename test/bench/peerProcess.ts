/** The official client in a process of its own: 500 `createReadStream` scans of one row on demand, answered with their CPU. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Bigtable } from '@google-cloud/bigtable';
import type { StoreAddress } from '../../electron/bigtable/reader.ts';

export interface PeerProcess {
  /** One round over all ids; milliseconds of CPU, user and system. */
  scans(): Promise<number>;
  stop(): Promise<void>;
}

interface Ask {
  readonly address?: StoreAddress;
  readonly ids?: readonly string[];
}

export async function startPeerProcess(address: StoreAddress, ids: readonly string[]): Promise<PeerProcess> {
  const child = fork(import.meta.filename, [], {
    execPath: process.execPath,
    // The client looks for credentials, which no store on this machine asks for.
    env: { ...process.env, FRONTROW_BENCH_PEER: '1', BIGTABLE_EMULATOR_HOST: address.endpoint ?? '', METADATA_SERVER_DETECTION: 'none' },
  });
  const ask = async (message: Ask): Promise<number> => {
    const answered = once(child, 'message') as Promise<[{ cpu?: number; error?: string }]>;
    child.send(message);
    const [{ cpu = 0, error }] = await answered;
    if (error !== undefined) throw new Error(error);
    return cpu;
  };
  await ask({ address, ids });
  return {
    scans: () => ask({}),
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

async function measure(round: () => Promise<unknown>): Promise<void> {
  const before = process.cpuUsage();
  try {
    await round();
    const { user, system } = process.cpuUsage(before);
    process.send?.({ cpu: (user + system) / 1000 });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
}

function serve(): void {
  let round: () => Promise<unknown> = () => Promise.resolve();
  process.on('message', ({ address, ids = [] }: Ask) => {
    if (address) {
      const table = new Bigtable({ projectId: address.project, apiEndpoint: address.endpoint ?? '', metricsEnabled: false }).instance(address.instance).table(address.table);
      const scan = (id: string): Promise<void> =>
        new Promise((resolve, reject) => {
          table.createReadStream({ prefix: `${id}#`, limit: 1, decode: false }).on('data', () => {}).on('error', reject).on('end', () => resolve());
        });
      round = () => Promise.all(ids.map(scan));
      process.send?.({});
      return;
    }
    void measure(round);
  });
  process.on('disconnect', () => process.exit(0));
}

if (process.env['FRONTROW_BENCH_PEER'] === '1') serve();
