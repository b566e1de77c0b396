/** The two sides of the store's bench, and raw calls to them: requests are encoded beforehand and answers not decoded, so that the client costs both the same. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { admin, data } from '../../electron/embedded/protos.ts';
import { startEmulator } from '../emulator/emulator.ts';

export const BATCH = 1000;
export const IN_FLIGHT = 32;
export const EMULATOR = "Google's emulator";
const TABLE = 'projects/bench/instances/i/tables/t';
const COLUMNS = ['p', 'b', 'a', 'v', 'i'].map((name) => Buffer.from(name));

export interface Side {
  readonly address: string;
  readonly client: Client;
  /** Resident memory now, in MB. */
  memory(): number;
  stop(): Promise<void>;
}

const same = (bytes: Buffer): Buffer => bytes;
export const connect = (address: string): Client => new Client(address, credentials.createInsecure(), { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
const bytesOf = (writer: { finish(): Uint8Array }): Buffer => Buffer.from(writer.finish());
const resident = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Resolves with the bytes of the answer. */
export const stream = (client: Client, call: string, request: Buffer): Promise<number> => new Promise((resolve, reject) => {
  let bytes = 0;
  client.makeServerStreamRequest<Buffer, Buffer>(`/google.bigtable.v2.Bigtable/${call}`, same, same, request)
    .on('data', (message: Buffer) => (bytes += message.length)).on('error', reject).on('end', () => resolve(bytes));
});

export async function startStoreProcess(): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'frontrow-bench-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../integration/embedded/writingStore.ts'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { address } = JSON.parse(line.toString()) as { address: string };
  const client = connect(address);
  return {
    address, client,
    memory: () => resident(child.pid ?? 0),
    async stop() {
      client.close();
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Google's emulator as the other side, or why there is none. */
export async function startTheirs(): Promise<Side | { skipped: string }> {
  const emulator = await startEmulator();
  if ('skipped' in emulator) return emulator;
  const client = connect(emulator.address);
  return {
    address: emulator.address, client,
    memory: () => resident(emulator.pid),
    async stop() {
      client.close();
      await emulator.stop();
    },
  };
}

export const createTable = (client: Client): Promise<void> => new Promise((resolve, reject) => {
  const request = bytesOf(admin.CreateTableRequest.encode({ parent: 'projects/bench/instances/i', tableId: 't', table: { columnFamilies: { q: {} } } }));
  client.makeUnaryRequest<Buffer, Buffer>('/google.bigtable.admin.v2.BigtableTableAdmin/CreateTable', same, same, request, (error) => (error ? reject(error) : resolve()));
});

export const batch = (keys: readonly string[]): Buffer => bytesOf(data.MutateRowsRequest.encode({
  tableName: TABLE,
  entries: keys.map((key, n) => ({
    rowKey: Buffer.from(key),
    mutations: COLUMNS.map((columnQualifier) => ({ setCell: { familyName: 'q', columnQualifier, timestampMicros: 1_700_000_000_000_000, value: Buffer.from(`${5000 + n}.25`) } })),
  })),
}));
export const read = (start: string, end: string, rowsLimit: number): Buffer => bytesOf(data.ReadRowsRequest.encode({ tableName: TABLE, rowsLimit, rows: { rowRanges: [{ startKeyClosed: Buffer.from(start), endKeyOpen: Buffer.from(end) }] } }));

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Milliseconds per call of `count` calls, `IN_FLIGHT` at a time. */
export async function perCall(client: Client, requests: readonly Buffer[], count: number): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await stream(client, 'ReadRows', requests[next++ % requests.length] as Buffer);
  };
  return (await timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, worker)))) / count;
}

/** 99th percentile, in ms, of limit-1 reads one after the other while a scan of everything runs again and again. */
export async function besideScan(client: Client, requests: readonly Buffer[], seconds: number): Promise<number> {
  const stopped = new AbortController();
  const scanning = (async () => {
    while (!stopped.signal.aborted) await stream(client, 'ReadRows', read('DEEP#', 'DEEP$', 0));
  })();
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) times.push(await timed(() => stream(client, 'ReadRows', requests[times.length % requests.length] as Buffer)));
  stopped.abort();
  await scanning;
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
