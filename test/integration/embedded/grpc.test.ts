/** The store's own gRPC over HTTP/2, by grpc-js as a client and by bare HTTP/2 where a client would not do such a thing. */
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, type GrpcServer, type Handler, listen } from '../../../electron/embedded/grpc.ts';
import { CODE, StatusError } from '../../../electron/embedded/status.ts';

const MOST = 1024 * 1024;
const same = (bytes: Buffer): Buffer => bytes;
const failures: string[] = [];
/** Calls of `/t/wait` that are under way. */
const waiting: Call[] = [];
const handlers = new Map<string, Handler>([
  ['/t/echo', async (call, request) => {
    await Promise.resolve();
    call.write(request);
    call.end();
  }],
  ['/t/many', async (call, request) => {
    const size = 10_000;
    for (let n = 0; n < Number(request.toString()); n += 1) {
      if (call.cancelled) return;
      if (!call.write(Buffer.alloc(size, n))) await call.drained();
    }
    call.end();
  }],
  ['/t/throw', () => Promise.reject(new Error('no such luck – 株\n'))],
  ['/t/late', (call) => {
    call.write(Buffer.from('first'));
    return Promise.reject(new StatusError(CODE.invalid, 'after one'));
  }],
  ['/t/wait', (call) => {
    waiting.push(call);
    return Promise.resolve();
  }],
]);
let server: GrpcServer;
let client: Client;
let bare: ClientHttp2Session;

beforeAll(async () => {
  server = await listen(handlers, '127.0.0.1', 0, MOST, (path, error) => {
    failures.push(path);
    return error instanceof StatusError ? error : new StatusError(CODE.internal, String(error));
  });
  client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure(), { 'grpc.max_receive_message_length': -1 });
  bare = connect(`http://127.0.0.1:${server.port}`);
});
afterAll(() => {
  client.close();
  bare.destroy();
  server.close();
});

const unary = (path: string, request: Buffer, options = {}): Promise<{ code: number; details: string; answer: Buffer | undefined }> => new Promise((resolve) => {
  client.makeUnaryRequest<Buffer, Buffer>(path, same, same, request, options, (error: ServiceError | null, answer) => resolve({ code: error?.code ?? 0, details: error?.details ?? '', answer }));
});
const framed = (message: Buffer, compressed = 0): Buffer => {
  const prefix = Buffer.alloc(5, 0);
  prefix[0] = compressed;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
};
/** Sends these bytes as the body of a call; its status, and the bytes of its answer. */
async function raw(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<{ code: number; http: number; bytes: Buffer }> {
  const stream: ClientHttp2Stream = bare.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers });
  let [head, tail]: IncomingHttpHeaders[] = [{}, {}];
  stream.on('response', (given) => { head = given; });
  stream.on('trailers', (given) => { tail = given; });
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  stream.on('error', () => {});
  stream.end(body);
  await once(stream, 'close');
  return { code: Number(tail?.['grpc-status'] ?? head?.['grpc-status'] ?? -1), http: Number(head?.[':status']), bytes: Buffer.concat(parts) };
}
const until = async (there: () => boolean): Promise<void> => {
  while (!there()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('a call', () => {
  test('brings its message and takes the answer, empty and large ones too', async () => {
    for (const size of [0, 1, 70_000, MOST]) expect(await unary('/t/echo', Buffer.alloc(size, 7))).toMatchObject({ code: 0, answer: Buffer.alloc(size, 7) });
  });

  test('of a method that is not there is UNIMPLEMENTED, with its name', async () => {
    expect(await unary('/t/none', Buffer.alloc(3))).toMatchObject({ code: status.UNIMPLEMENTED, details: expect.stringContaining('/t/none') as string });
    expect(await unary('/t/echo', Buffer.from('still there'))).toMatchObject({ code: 0 });
  });

  test('that throws fails with what it threw, its text whole, before and after an answer', async () => {
    expect(await unary('/t/throw', Buffer.alloc(0))).toMatchObject({ code: status.INTERNAL, details: 'Error: no such luck – 株\n' });
    expect(failures).toContain('/t/throw');
    expect(await unary('/t/late', Buffer.alloc(0))).toMatchObject({ code: status.INVALID_ARGUMENT, details: 'after one' });
  });

  test('larger than allowed is refused, plain or unpacked', async () => {
    expect(await unary('/t/echo', Buffer.alloc(MOST + 1))).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect((await raw('/t/echo', framed(gzipSync(Buffer.alloc(MOST + 1)), 1), { 'grpc-encoding': 'gzip' })).code).not.toBe(0);
  });

  test('may come compressed', async () => {
    const sent = await raw('/t/echo', framed(gzipSync(Buffer.from('packed')), 1), { 'grpc-encoding': 'gzip' });
    expect(sent).toMatchObject({ code: 0, bytes: framed(Buffer.from('packed')) });
    expect((await raw('/t/echo', framed(Buffer.from('not gzip'), 1), { 'grpc-encoding': 'gzip' })).code).toBe(status.INTERNAL);
    expect((await raw('/t/echo', framed(Buffer.from('?'), 1), { 'grpc-encoding': 'snappy' })).code).toBe(status.UNIMPLEMENTED);
  });

  test('in broken frames fails alone', async () => {
    const good = framed(Buffer.from('message'));
    for (const body of [Buffer.alloc(0), good.subarray(0, 4), good.subarray(0, 8), Buffer.concat([good, Buffer.from('x')]), Buffer.concat([good, good])]) expect((await raw('/t/echo', body)).code).toBe(status.INTERNAL);
    expect(await raw('/t/echo', good)).toMatchObject({ code: 0, bytes: good });
  });

  test('that is no gRPC is 415', async () => {
    expect((await raw('/t/echo', Buffer.alloc(0), { 'content-type': 'text/html' })).http).toBe(415);
  });
});

describe('the end of a call', () => {
  test('comes at its deadline, and the handler knows', async () => {
    waiting.length = 0;
    expect((await raw('/t/wait', framed(Buffer.alloc(0)), { 'grpc-timeout': '50m' })).code).toBe(status.DEADLINE_EXCEEDED);
    expect(waiting.map(({ cancelled }) => cancelled)).toEqual([true]);
  });

  test('comes with a cancel, and the handler knows', async () => {
    waiting.length = 0;
    const call = client.makeServerStreamRequest<Buffer, Buffer>('/t/wait', same, same, Buffer.alloc(0));
    call.on('error', () => {});
    await until(() => waiting.length === 1);
    expect(waiting[0]?.cancelled).toBe(false);
    call.cancel();
    await until(() => waiting[0]?.cancelled === true);
    await waiting[0]?.drained(); // resolves though nobody reads
    expect(waiting[0]?.write(Buffer.from('to nobody'))).toBe(true);
  });
});

test('many calls of one connection run beside each other, each with all its messages', async () => {
  const counted = await Promise.all(Array.from({ length: 100 }, (_, n) => new Promise<number>((resolve, reject) => {
    let messages = 0;
    client.makeServerStreamRequest<Buffer, Buffer>('/t/many', same, same, Buffer.from(String(n))).on('data', (each: Buffer) => {
      if (each.length !== 10_000 || each[0] !== messages++) reject(new Error('a message is not itself'));
    }).on('error', reject).on('end', () => resolve(messages));
  })));
  expect(counted).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

test('a server that closes ends what is under way and frees its port', async () => {
  const own = await listen(handlers, '127.0.0.1', 0, MOST, () => new StatusError(CODE.internal, ''));
  const other = new Client(`127.0.0.1:${own.port}`, credentials.createInsecure());
  waiting.length = 0;
  const call = other.makeServerStreamRequest<Buffer, Buffer>('/t/wait', same, same, Buffer.alloc(0));
  const ended = new Promise<number>((resolve) => { call.on('error', (error: Error & { code?: number }) => resolve(error.code ?? -1)); });
  await until(() => waiting.length === 1);
  own.close();
  expect(await ended).toBe(status.UNAVAILABLE);
  await until(() => waiting[0]?.cancelled === true);
  other.close();
  const again = await listen(handlers, '127.0.0.1', own.port, MOST, () => new StatusError(CODE.internal, ''));
  expect(again.port).toBe(own.port);
  await expect(listen(handlers, '127.0.0.1', own.port, MOST, () => new StatusError(CODE.internal, ''))).rejects.toThrow('EADDRINUSE');
  again.close();
});
