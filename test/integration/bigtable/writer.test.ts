/** What becomes of rows whose calls fail in part, in the middle or at first, by a server that answers as the test says. */
import protos from '@google-cloud/bigtable-api/build/protos/protos.js';
import { type Metadata, Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';
import type { WriteRow } from '../../../electron/bigtable/reader.ts';
import { createWriter } from '../../../electron/bigtable/writer.ts';

const { MutateRowsRequest, MutateRowsResponse } = protos.google.bigtable.v2;
type Call = ServerWritableStream<protos.google.bigtable.v2.MutateRowsRequest, protos.google.bigtable.v2.IMutateRowsResponse>;

let server: Server | null = null;
afterEach(() => server?.forceShutdown());

/** Serves MutateRows: the nth call by the nth answer, the last one for all further. */
async function serve(...answers: ((call: Call) => void)[]): Promise<{ address: string; calls: { keys: string[]; metadata: Metadata }[] }> {
  const calls: { keys: string[]; metadata: Metadata }[] = [];
  server = new Server();
  server.addService(
    {
      mutateRows: {
        path: '/google.bigtable.v2.Bigtable/MutateRows', requestStream: false, responseStream: true,
        requestSerialize: (request) => Buffer.from(MutateRowsRequest.encode(request).finish()),
        requestDeserialize: (bytes) => MutateRowsRequest.decode(bytes),
        responseSerialize: (response) => Buffer.from(MutateRowsResponse.encode(MutateRowsResponse.fromObject(response)).finish()),
        responseDeserialize: (bytes) => MutateRowsResponse.decode(bytes),
      },
    },
    {
      mutateRows(call: Call) {
        calls.push({ keys: call.request.entries.map(({ rowKey }) => Buffer.from(rowKey as Uint8Array).toString()), metadata: call.metadata });
        answers[Math.min(calls.length, answers.length) - 1]!(call);
      },
    },
  );
  const bound = await new Promise<number>((resolve, reject) => {
    server!.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, given) => (error ? reject(error) : resolve(given)));
  });
  return { address: `127.0.0.1:${bound}`, calls };
}

const rows: WriteRow[] = ['a', 'b', 'c', 'd'].map((key) => ({ key, cells: [{ family: 'q', qualifier: 'p', value: '1' }] }));
const write = async (address: string, deadlineMs = 5000) => {
  const writer = createWriter({ kind: 'embedded', project: 'p', instance: 'i', table: 't', appProfile: 'desk', endpoint: address }, { deadlineMs });
  const outcome = await writer.write(rows, 1000n);
  await writer.close();
  return outcome;
};
const all = (codes: readonly number[]) => (call: Call): void => {
  // in messages of their own and back to front: the index alone counts
  for (const [index, code] of [...codes.entries()].reverse()) call.write({ entries: [{ index, status: { code, message: code === 0 ? '' : `refused with ${code}` } }] });
  call.end();
};

test('rows are matched by index: what may pass is sent again, alone, and what may not is told', async () => {
  const { address, calls } = await serve(all([0, 14, 3, 10]), all([14, 0]), all([0]));
  const outcome = await write(address);
  expect(outcome.written).toBe(3);
  expect(outcome.failed.map(({ key, error }) => [key, error.what])).toEqual([['c', expect.stringContaining('refused with 3')]]);
  expect(calls.map(({ keys }) => keys)).toEqual([['a', 'b', 'c', 'd'], ['b', 'd'], ['b']]);
  expect(calls.map(({ metadata }) => metadata.get('bigtable-attempt'))).toEqual([['0'], ['1'], ['2']]);
  expect(calls[1]?.metadata.get('x-goog-request-params')).toEqual(['table_name=projects%2Fp%2Finstances%2Fi%2Ftables%2Ft&app_profile_id=desk']);
});

test('a call that breaks off sends again what was not acknowledged', async () => {
  const broken = (call: Call): void => {
    call.write({ entries: [{ index: 1, status: { code: 0 } }, { index: 2, status: { code: 0 } }] });
    call.emit('error', Object.assign(new Error('gone'), { code: 14, details: 'gone' }));
  };
  const { address, calls } = await serve(broken, all([0, 0]));
  expect(await write(address)).toEqual({ written: 4, failed: [] });
  expect(calls.map(({ keys }) => keys)).toEqual([['a', 'b', 'c', 'd'], ['a', 'd']]);
});

test.each<[string, (call: Call) => void, string]>([
  ['ends without a word about its rows', all([]), 'STORE_UNREACHABLE'],
  ['speaks of a row that was not sent', (call) => { call.write({ entries: [{ index: 9, status: { code: 0 } }] }); call.end(); }, 'BAD_DATA'],
  ['stays silent', () => {}, 'STORE_TIMEOUT'],
])('a server that %s leaves rows unwritten, not taken for written', async (_, answer, code) => {
  const { address } = await serve(answer);
  const outcome = await write(address, 600);
  expect(outcome.failed.length).toBeGreaterThanOrEqual(1);
  expect(outcome.written + outcome.failed.length).toBe(4);
  expect(outcome.failed[0]?.error.code).toBe(code);
});
