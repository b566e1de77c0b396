/** The floor of a call: a grpc-js server that answers every ReadRows with one message of the size of a row and does nothing else. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';

const ANSWER = Buffer.alloc(160, 'x');

export async function startFloor(): Promise<{ address: string; stop(): Promise<void> }> {
  const child = fork(import.meta.filename, [], { execPath: process.execPath, env: { ...process.env, FRONTROW_BENCH_FLOOR: '1' } });
  const [address] = (await once(child, 'message')) as [string];
  return {
    address,
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

async function serve(): Promise<void> {
  const same = (bytes: Buffer): Buffer => bytes;
  const server = new Server();
  server.addService({
    readRows: { path: '/google.bigtable.v2.Bigtable/ReadRows', requestStream: false, responseStream: true, requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same },
  }, {
    readRows(call: ServerWritableStream<Buffer, Buffer>) {
      call.write(ANSWER);
      call.end();
    },
  });
  const port = await new Promise<number>((resolve, reject) => server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))));
  process.on('disconnect', () => process.exit(0));
  process.send?.(`127.0.0.1:${port}`);
}

if (process.env['FRONTROW_BENCH_FLOOR'] === '1') await serve();
