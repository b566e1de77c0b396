/**
 * Random bytes to the store: as requests of every call, as HTTP/2 bodies that are no messages, and as stored rows. It answers each with a status
 * and goes on. FRONTROW_FUZZ=1000000 asks for a million inputs; FRONTROW_FUZZ_SEED repeats a run.
 */
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { Client, credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChunkReader } from '../../../electron/bigtable/chunks.ts';
import { readAnswer } from '../../../electron/bigtable/wire.ts';
import { cutBatch, mutationsOf, packEntry } from '../../../electron/embedded/batch.ts';
import { unpackCells } from '../../../electron/embedded/cells.ts';
import { createChunkWriter } from '../../../electron/embedded/chunks.ts';
import { data } from '../../../electron/embedded/protos.ts';
import { rawClient } from './rawClient.ts';
import { type Server, startEmbedded } from './servers.ts';

const INPUTS = Number(process.env['FRONTROW_FUZZ'] ?? 20_000);
const SEED = Number(process.env['FRONTROW_FUZZ_SEED'] ?? 1);
const TABLE = 'projects/p/instances/i/tables/t';
const IN_FLIGHT = 64;
let server: Server;

// xorshift32: a million inputs need a cheap source.
let state = SEED | 1;
const below = (bound: number): number => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % bound;
};
const noise = (most: number): Buffer => Buffer.from(Array.from({ length: below(most) }, () => below(256)));
const damaged = (good: Buffer): Buffer => {
  const bytes = Buffer.from(good.subarray(0, below(8) === 0 ? below(good.length + 1) : good.length));
  for (let n = below(4); n > 0 && bytes.length > 0; n--) bytes[below(bytes.length)] = below(256);
  return bytes;
};
const encoded = (writer: { finish(): Uint8Array }): Buffer => Buffer.from(writer.finish());
const K = Buffer.from('k');
const set = { setCell: { familyName: 'q', columnQualifier: K, timestampMicros: 1000, value: K } };
const CALLS: readonly [string, Buffer][] = [
  ['Bigtable/ReadRows', encoded(data.ReadRowsRequest.encode({ tableName: TABLE, rowsLimit: 3, rows: { rowKeys: [K], rowRanges: [{ startKeyClosed: K, endKeyOpen: Buffer.from('z') }] }, filter: { chain: { filters: [{ valueRegexFilter: Buffer.from('[a-z]*') }, { cellsPerColumnLimitFilter: 1 }] } } }))],
  ['Bigtable/MutateRows', encoded(data.MutateRowsRequest.encode({ tableName: TABLE, entries: [{ rowKey: K, mutations: [set] }, { rowKey: K, mutations: [{ deleteFromFamily: { familyName: 'q' } }, set] }] }))],
  ['Bigtable/MutateRow', encoded(data.MutateRowRequest.encode({ tableName: TABLE, rowKey: K, mutations: [set, { deleteFromColumn: { familyName: 'q', columnQualifier: K } }] }))],
  ['Bigtable/CheckAndMutateRow', encoded(data.CheckAndMutateRowRequest.encode({ tableName: TABLE, rowKey: K, predicateFilter: { passAllFilter: true }, trueMutations: [set], falseMutations: [set] }))],
  ['Bigtable/ReadModifyWriteRow', encoded(data.ReadModifyWriteRowRequest.encode({ tableName: TABLE, rowKey: K, rules: [{ familyName: 'q', columnQualifier: K, appendValue: K }] }))],
  ['Bigtable/SampleRowKeys', encoded(data.SampleRowKeysRequest.encode({ tableName: TABLE }))],
];

beforeAll(async () => {
  server = await startEmbedded();
  const raw = rawClient(server.address);
  expect(await raw.createTable({ parent: 'projects/p/instances/i', tableId: 't', table: { columnFamilies: { q: {} } } })).toMatchObject({ ok: true });
  raw.close();
});
afterAll(() => server?.stop());

/** Whether the store still does its work. */
async function works(): Promise<void> {
  const raw = rawClient(server.address);
  expect(await raw.mutateRow({ tableName: TABLE, rowKey: Buffer.from('sane'), mutations: [set] })).toMatchObject({ ok: true });
  expect(await raw.read({ tableName: TABLE, rows: { rowKeys: [Buffer.from('sane')] } })).toMatchObject({ ok: true, messages: [{ rows: [{ key: 'sane', cells: [['q', 'k', '1000', 'k', '']] }] }] });
  raw.close();
}

test('requests', async () => {
  const client = new Client(server.address, credentials.createInsecure());
  const same = (bytes: Buffer): Buffer => bytes;
  const codes = new Map<number, number>();
  const one = (): Promise<void> => new Promise((resolve) => {
    const [call, good] = CALLS[below(CALLS.length)] as [string, Buffer];
    client.makeServerStreamRequest<Buffer, Buffer>(`/google.bigtable.v2.${call}`, same, same, below(4) === 0 ? noise(80) : damaged(good), { deadline: Date.now() + 60_000 })
      .on('data', () => {}).on('error', () => {}).on('status', ({ code }) => {
        codes.set(code, (codes.get(code) ?? 0) + 1);
        resolve();
      });
  });
  // A tenth of the inputs go over the wire.
  let left = Math.ceil(INPUTS / 10);
  await Promise.all(Array.from({ length: IN_FLIGHT }, async () => {
    while (left-- > 0) await one();
  }));
  client.close();
  console.log(`fuzz: ${Math.ceil(INPUTS / 10)} requests, seed ${SEED}, by code ${JSON.stringify(Object.fromEntries(codes))}`);
  // Good, invalid, not found, not served: nothing that is the store's fault, nothing lost, nothing late.
  expect([...codes.keys()].filter((code) => ![0, 3, 5, 9, 12].includes(code))).toEqual([]);
  await works();
}, 60_000 + INPUTS);

test('bodies that are no messages', async () => {
  const send = (session: ClientHttp2Session): Promise<void> => new Promise((resolve) => {
    const stream = session.request({ ':method': below(8) === 0 ? 'GET' : 'POST', ':path': below(4) === 0 ? '/x' : '/google.bigtable.v2.Bigtable/ReadRows', 'content-type': 'application/grpc', ...(below(3) === 0 ? { 'grpc-timeout': `${below(50)}${'mSx'[below(3)]}`, 'grpc-encoding': 'gzip' } : {}) }, { endStream: false });
    stream.on('error', () => {}).on('data', () => {}).once('close', () => resolve());
    stream.write(noise(40));
    if (below(5) === 0) stream.close(8);
    else stream.end();
  });
  const session = connectHttp2(`http://${server.address}`);
  session.on('error', () => {});
  for (let n = 0; n < Math.min(2000, INPUTS / 20); n += 20) await Promise.all(Array.from({ length: 20 }, () => send(session)));
  session.destroy();
  await works();
}, 60_000 + INPUTS);

test('the readers of batches, stored rows and chunks', () => {
  const families = new Map([[1, { id: 1, name: 'q', gc: null }]]);
  const byName = new Map([['q', { id: 1, name: 'q', gc: null }]]);
  const row = Buffer.from([1, 1, 107, 0, 3, 1, 2, 3, 1, 1, 108, 5, 0, 1, 0, 9, 1, 120]);
  const writer = createChunkWriter();
  writer.packed(K, row, families, 0);
  const [answer] = writer.take();
  const batch = CALLS[1]?.[1] ?? K;
  const attempt = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof Error && error.name === 'StatusError')) throw error;
    }
  };
  for (let n = 0; n < INPUTS; n += 3) {
    const one = below(4) === 0 ? noise(60) : damaged(batch);
    attempt(() => {
      const { source, bounds } = cutBatch(one).entries;
      mutationsOf({ source, bounds });
      for (let i = 0; i < bounds.length; i += 2) packEntry(source, bounds[i] ?? 0, bounds[i + 1] ?? 0, byName);
    });
    const stored = below(4) === 0 ? noise(40) : damaged(row);
    attempt(() => unpackCells(stored, families));
    attempt(() => writer.packed(K, stored, families, 0));
    if (n % 300 === 0) writer.take();
    const reader = createChunkReader(below(2) === 0);
    attempt(() => {
      readAnswer(below(4) === 0 ? noise(60) : damaged(answer ?? K), { known: () => 0, chunk: (chunk) => void reader.push(chunk), scanned: (key) => reader.scanned(key) });
      reader.end();
    });
  }
}, 60_000 + INPUTS);
