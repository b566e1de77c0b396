/**
 * The embedded store, in a process of its own and on disk with every write synced, against Google's emulator (in memory) and against the floor of
 * its transport. Raw calls with requests that are encoded beforehand and answers that are not decoded, so that the client costs both the same.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { admin, data } from '../../electron/embedded/protos.ts';
import { startEmulator } from '../emulator/emulator.ts';
import { figure, type Figure, median } from './figure.ts';
import { startFloor } from './floorProcess.ts';

// Rows of the deep prefix. The million takes the emulator minutes: FRONTROW_BENCH_ROWS=1000000 asks for it.
const ROWS = Number(process.env['FRONTROW_BENCH_ROWS'] ?? 100_000);
const BATCH = 1000;
const SHALLOW = 200;
const IN_FLIGHT = 32;
const TABLE = 'projects/bench/instances/i/tables/t';
const COLUMNS = ['p', 'b', 'a', 'v', 'i'].map((name) => Buffer.from(name));
const EMULATOR = "Google's emulator";

interface Side {
  readonly address: string;
  readonly client: Client;
  stop(): Promise<void>;
}

const same = (bytes: Buffer): Buffer => bytes;
const connect = (address: string): Client => new Client(address, credentials.createInsecure(), { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
const bytesOf = (writer: { finish(): Uint8Array }): Buffer => Buffer.from(writer.finish());

/** Resolves with the bytes of the answer. */
const stream = (client: Client, call: string, request: Buffer): Promise<number> => new Promise((resolve, reject) => {
  let bytes = 0;
  client.makeServerStreamRequest<Buffer, Buffer>(`/google.bigtable.v2.Bigtable/${call}`, same, same, request)
    .on('data', (message: Buffer) => (bytes += message.length)).on('error', reject).on('end', () => resolve(bytes));
});

async function startStoreProcess(): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'frontrow-bench-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../integration/embedded/writingStore.ts'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { address } = JSON.parse(line.toString()) as { address: string };
  const client = connect(address);
  return {
    address, client,
    async stop() {
      client.close();
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const createTable = (client: Client): Promise<void> => new Promise((resolve, reject) => {
  const request = bytesOf(admin.CreateTableRequest.encode({ parent: 'projects/bench/instances/i', tableId: 't', table: { columnFamilies: { q: {} } } }));
  client.makeUnaryRequest<Buffer, Buffer>('/google.bigtable.admin.v2.BigtableTableAdmin/CreateTable', same, same, request, (error) => (error ? reject(error) : resolve()));
});

const batch = (keys: readonly string[]): Buffer => bytesOf(data.MutateRowsRequest.encode({
  tableName: TABLE,
  entries: keys.map((key, n) => ({
    rowKey: Buffer.from(key),
    mutations: COLUMNS.map((columnQualifier) => ({ setCell: { familyName: 'q', columnQualifier, timestampMicros: 1_700_000_000_000_000, value: Buffer.from(`${5000 + n}.25`) } })),
  })),
}));
const read = (start: string, end: string, rowsLimit: number): Buffer => bytesOf(data.ReadRowsRequest.encode({ tableName: TABLE, rowsLimit, rows: { rowRanges: [{ startKeyClosed: Buffer.from(start), endKeyOpen: Buffer.from(end) }] } }));

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Milliseconds per call of `count` calls, `IN_FLIGHT` at a time. */
async function perCall(client: Client, requests: readonly Buffer[], count: number): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await stream(client, 'ReadRows', requests[next++ % requests.length] as Buffer);
  };
  return (await timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, worker)))) / count;
}

/** 99th percentile, in ms, of limit-1 reads one after the other while a scan of everything runs again and again. */
async function besideScan(client: Client, requests: readonly Buffer[], seconds: number): Promise<number> {
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

export async function* run(): AsyncIterable<Figure> {
  const emulator = await startEmulator();
  if ('skipped' in emulator) {
    process.stderr.write(`bench: store skipped: ${emulator.skipped}\n`);
    return;
  }
  const theirs: Side = { ...emulator, client: connect(emulator.address) };
  const ours = await startStoreProcess();
  const floor = await startFloor();
  const bare = connect(floor.address);
  try {
    for (const { client } of [ours, theirs]) await createTable(client);
    const shallow = Array.from({ length: SHALLOW }, (_, n) => `IX${String(n).padStart(3, '0')}`);
    const times = { ours: [] as number[], theirs: [] as number[], floor: [] as number[] };
    for (let from = 0; from < ROWS; from += BATCH) {
      const request = batch(Array.from({ length: BATCH }, (_, n) => `DEEP#${String(from + n).padStart(19, '0')}#999999`));
      times.ours.push(await timed(() => stream(ours.client, 'MutateRows', request)));
      times.theirs.push(await timed(() => stream(theirs.client, 'MutateRows', request)));
    }
    yield figure(`store: ${ROWS} rows of 5 cells written in batches of ${BATCH}, synced (the peer in memory)`, median(times.ours), median(times.theirs), EMULATOR, 'ms/batch', 0.5);

    for (const { client } of [ours, theirs]) await stream(client, 'MutateRows', batch(shallow.map((id) => `${id}#${'9'.repeat(19)}#999999`)));
    const latest = shallow.map((id) => read(`${id}#`, `${id}$`, 1));
    for (const list of Object.values(times)) list.length = 0;
    for (let round = 0; round < 6; round++) {
      const [a, b, c] = [await perCall(ours.client, latest, 1500), await perCall(bare, latest, 1500), await perCall(theirs.client, latest, 1500)];
      if (round === 0) continue; // the compilers have seen it
      times.ours.push(a);
      times.floor.push(b);
      times.theirs.push(c);
    }
    process.stderr.write(`bench: limit-1 reads on shallow prefixes, ${IN_FLIGHT} in flight: ours ${(1000 / median(times.ours)).toFixed(0)}/s, floor ${(1000 / median(times.floor)).toFixed(0)}/s, emulator ${(1000 / median(times.theirs)).toFixed(0)}/s\n`);
    yield figure(`store: limit-1 on shallow prefixes, ${IN_FLIGHT} in flight`, median(times.ours), median(times.floor), 'an empty grpc-js stream server', 'ms/read', 1.25);

    const all = read('DEEP#', 'DEEP$', 0);
    for (const list of Object.values(times)) list.length = 0;
    for (let round = 0; round < 5; round++) {
      times.ours.push(await timed(() => stream(ours.client, 'ReadRows', all)));
      times.theirs.push(await timed(() => stream(theirs.client, 'ReadRows', all)));
    }
    yield figure(`store: range read of ${ROWS} rows of 5 columns`, (median(times.ours) / ROWS) * 1000, (median(times.theirs) / ROWS) * 1000, EMULATOR, 'us/row', 1 / 3);

    const newest = [read('DEEP#', 'DEEP$', 1)];
    yield figure(`store: limit-1 on a prefix of ${ROWS} rows, ${IN_FLIGHT} in flight`, await perCall(ours.client, newest, 1500), await perCall(theirs.client, newest, IN_FLIGHT), EMULATOR, 'ms/read', 0.01);
    yield figure('store: p99 of limit-1 reads beside a running scan', await besideScan(ours.client, latest, 4), await besideScan(theirs.client, latest, 4), EMULATOR, 'ms', 1);
  } finally {
    bare.close();
    theirs.client.close();
    await Promise.all([ours.stop(), theirs.stop(), floor.stop()]);
  }
}
