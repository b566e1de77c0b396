/** Long scans: they let others pass, stop when cancelled, and wait for a reader that is slow. Raw gRPC, to see the call itself. */
import { type ClientReadableStream, credentials, makeClientConstructor, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { data } from '../../../electron/embedded/protos.ts';
import { rawClient } from './rawClient.ts';
import { clientOf, type Server, startEmbedded } from './servers.ts';

const ROWS = 30_000;
const TABLE = 'projects/p/instances/i/tables/t';
let server: Server;

type Request = Parameters<typeof data.ReadRowsRequest.create>[0];
const Client = makeClientConstructor({
  readRows: {
    path: '/google.bigtable.v2.Bigtable/ReadRows', requestStream: false, responseStream: true,
    requestSerialize: (message: Request) => Buffer.from(data.ReadRowsRequest.encode(message ?? {}).finish()), requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes, responseDeserialize: (bytes: Buffer) => data.ReadRowsResponse.decode(bytes),
  },
  sql: {
    path: '/google.bigtable.v2.Bigtable/ExecuteQuery', requestStream: false, responseStream: true,
    requestSerialize: () => Buffer.alloc(0), requestDeserialize: (bytes: Buffer) => bytes, responseSerialize: (bytes: Buffer) => bytes, responseDeserialize: (bytes: Buffer) => bytes,
  },
}, 'Bigtable');
type Answer = InstanceType<typeof data.ReadRowsResponse>;
let client: InstanceType<typeof Client>;
const read = (request: Request, features?: string): ClientReadableStream<Answer> => {
  const metadata = new Metadata();
  if (features) metadata.set('bigtable-features', features);
  const call: unknown = client['readRows']?.({ tableName: TABLE, ...request }, metadata);
  return call as ClientReadableStream<Answer>;
};
const all = (stream: ClientReadableStream<Answer>): Promise<{ keys: string[]; messages: Answer[] }> => new Promise((resolve, reject) => {
  const messages: Answer[] = [];
  stream.on('data', (message: Answer) => messages.push(message));
  stream.on('error', reject);
  stream.on('end', () => resolve({ messages, keys: messages.flatMap(({ chunks }) => chunks ?? []).flatMap(({ rowKey }) => (rowKey?.length ? [rowKey.toString()] : [])) }));
});
const key = (n: number): string => `A#${String(n).padStart(6, '0')}`;

beforeAll(async () => {
  server = await startEmbedded();
  client = new Client(server.address, credentials.createInsecure());
  const official = clientOf(server.address);
  const table = official.instance('i').table('t');
  await table.create({ families: ['q'] });
  const value = { value: Buffer.alloc(200, 'x'), timestamp: 1_700_000_000_000_000 };
  for (let from = 0; from < ROWS; from += 5000) {
    await table.insert(Array.from({ length: 5000 }, (_, n) => ({ key: key(from + n), data: { q: { p: value } } })));
  }
  await official.close();
});
afterAll(async () => {
  client?.close();
  await server?.stop();
});

test('every row comes once, in order, over all pages', async () => {
  const { keys } = await all(read({}));
  expect(keys).toEqual(Array.from({ length: ROWS }, (_, n) => key(n)));
});

test('backwards, for a client that announces it', async () => {
  const { keys } = await all(read({ reversed: true }, 'CAE='));
  expect(keys).toEqual(Array.from({ length: ROWS }, (_, n) => key(ROWS - 1 - n)));
  expect((await all(read({ reversed: true, rowsLimit: 1, rows: { rowRanges: [{ endKeyOpen: Buffer.from(key(77)) }] } }, 'CAE='))).keys).toEqual([key(76)]);
  await expect(all(read({ reversed: true }))).rejects.toMatchObject({ code: 3 });
});

test('limit-1 reads pass a long scan', async () => {
  const ended: string[] = [];
  const scan = all(read({ filter: { valueRegexFilter: Buffer.from('.*y') } })).then(() => ended.push('scan'));
  for (let i = 0; i < 5; i++) {
    await all(read({ rowsLimit: 1 }));
    ended.push('limit 1');
  }
  await scan;
  expect(ended).toEqual([...Array.from({ length: 5 }, () => 'limit 1'), 'scan']);
});

test('a cancelled scan ends with code 1 and the store goes on; a slow reader is waited for', async () => {
  const cancelled = await new Promise<{ code: number; messages: number }>((resolve) => {
    const stream = read({});
    let messages = 0;
    stream.on('data', () => {
      messages++;
      stream.cancel();
    });
    stream.on('error', (error: Error & { code: number }) => resolve({ code: error.code, messages }));
  });
  expect(cancelled.code).toBe(1);
  const slow = read({});
  slow.pause();
  expect((await all(read({ rowsLimit: 3 }))).keys).toEqual([key(0), key(1), key(2)]);
  const rest = all(slow);
  slow.resume();
  expect((await rest).keys).toHaveLength(ROWS);
});

test('a scan that returns nothing tells how far it is, to who asks for it', async () => {
  const nothing = { filter: { blockAllFilter: true } };
  const told = (await all(read(nothing, Buffer.from(data.FeatureFlags.encode({ lastScannedRowResponses: true }).finish()).toString('base64url')))).messages;
  expect(told.length).toBeGreaterThan(0);
  const keys = told.map(({ lastScannedRowKey }) => Buffer.from(lastScannedRowKey).toString());
  expect(keys).toEqual(keys.toSorted());
  expect((await all(read(nothing))).messages).toEqual([]);
});

test('a read that asks for figures about itself gets them last', async () => {
  const full = data.ReadRowsRequest.RequestStatsView.REQUEST_STATS_FULL;
  const { messages } = await all(read({ requestStatsView: full, rowsLimit: 7, filter: { rowKeyRegexFilter: Buffer.from('.*[02468]') } }));
  const stats = messages.at(-1)?.requestStats?.fullReadStatsView;
  expect(Object.values(data.ReadIterationStats.toObject(data.ReadIterationStats.create(stats?.readIterationStats ?? {}), { longs: Number }))).toEqual([13, 7, 13, 7]);
  expect(stats?.requestLatencyStats?.frontendServerLatency).toBeTruthy();
  expect((await all(read({ rowsLimit: 1 }))).messages.every(({ requestStats }) => !requestStats)).toBe(true);
});

test('what is not there is named', async () => {
  await expect(all(client['sql']?.({}) as unknown as ClientReadableStream<Answer>)).rejects.toMatchObject({ code: 12, details: expect.stringContaining('ExecuteQuery') as string });
  await expect(all(read({ filter: { valueRegexFilter: Buffer.from('(') } }))).rejects.toMatchObject({ code: 3 });
  await expect(all(read({ rowsLimit: -1 }))).rejects.toMatchObject({ code: 3 });
});

test('keys are sampled over all pages: the last one is the end, with the size of everything', async () => {
  const raw = rawClient(server.address);
  const answer = await raw.sampleRowKeys(TABLE);
  expect(answer.ok && answer.messages.map(({ rowKey }) => Buffer.from(rowKey as Uint8Array).toString()).at(-1)).toBe('');
  expect(answer.ok && Number(answer.messages.at(-1)?.offsetBytes)).toBeGreaterThan(ROWS * 200);
  expect(await raw.sampleRowKeys(`${TABLE}x`)).toMatchObject({ ok: false, code: 5 });
  raw.close();
});

test.each([
  'v2.Bigtable/ReadChangeStream', 'v2.Bigtable/GenerateInitialChangeStreamPartitions', 'v2.Bigtable/PrepareQuery', 'v2.Bigtable/ExecuteQuery',
  'admin.v2.BigtableTableAdmin/CreateBackup', 'admin.v2.BigtableTableAdmin/UpdateTable', 'admin.v2.BigtableTableAdmin/SnapshotTable', 'admin.v2.BigtableTableAdmin/CreateAuthorizedView',
  'admin.v2.BigtableInstanceAdmin/CreateInstance', 'admin.v2.BigtableInstanceAdmin/CreateAppProfile', 'v2.Bigtable/NoSuchCall',
])('%s is refused by its name, and the store goes on', async (call) => {
  const raw = rawClient(server.address);
  expect(await raw.call(`/google.bigtable.${call}`)).toMatchObject({ ok: false, code: 12, details: expect.stringContaining(call) as string });
  expect(await raw.read({ tableName: TABLE, rowsLimit: 1 })).toMatchObject({ ok: true });
  raw.close();
});
