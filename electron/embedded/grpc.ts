/**
 * The server side of gRPC over HTTP/2, as far as this store needs it: one request message a call, any number of answers. grpc-js's
 * server costs a small read more than reading the row does, and takes a batch of writes through a window of 64 kB, each byte copied twice.
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
import { constants, createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gunzipSync, inflateSync } from 'node:zlib';
import { CODE, StatusError } from './status.ts';

/** One call, as its handler sees it. */
export interface Call {
  /** True once nobody waits for the answer: cancelled, past its deadline, or the connection is gone. */
  readonly cancelled: boolean;
  header(name: string): string | null;
  /** Sends a message; false where the client is slow: wait for `drained`. */
  write(message: Uint8Array): boolean;
  /** Resolves once there is room again, or the call is over. */
  drained(): Promise<void>;
  /** The good end. */
  end(): void;
}

/** Answers a call; what it throws ends the call through `failure`. */
export type Handler = (call: Call, request: Buffer) => Promise<void>;

export interface GrpcServer {
  readonly port: number;
  /** Ends every call and connection at once. */
  close(): void;
}

const WINDOW = 4 * 1024 * 1024;
// What a scan has under way stands before the answers of other calls of its connection.
const ROOM = 64 * 1024;
const PREFIX = 5;
// Clients refuse long headers.
const MAX_DETAILS = 2000;
const JOINED = 64 * 1024;
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };
const CONTENT = 'application/grpc+proto';

/** `failure` gives the status of what a handler threw, by the path of the call. Rejects where the port cannot be bound. */
export async function listen(handlers: ReadonlyMap<string, Handler>, host: string, port: number, mostBytes: number, failure: (path: string, error: unknown) => StatusError): Promise<GrpcServer> {
  const sessions = new Set<ServerHttp2Session>();
  const server: Http2Server = createServer({ maxSessionMemory: Number.MAX_SAFE_INTEGER, settings: { initialWindowSize: WINDOW, enablePush: false } });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {}); // a broken connection ends its calls, nothing else
    session.once('close', () => sessions.delete(session));
    session.setLocalWindowSize(WINDOW);
  });
  server.on('sessionError', () => {});
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {}); // its call sees that it is over
    const path = String(headers[':path']);
    const call = new StreamCall(stream, headers);
    if (headers[':method'] !== 'POST' || !String(headers['content-type']).startsWith('application/grpc')) {
      stream.respond({ ':status': 415 }, { endStream: true });
      return;
    }
    const handler = handlers.get(path);
    if (!handler) {
      call.fail(new StatusError(CODE.unimplemented, `The server does not implement the method ${path}`));
      return;
    }
    receive(stream, String(headers['grpc-encoding'] ?? 'identity'), mostBytes, (request) => {
      if (request instanceof StatusError) call.fail(request);
      else handler(call, request).catch((error: unknown) => call.fail(failure(path, error)));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), () => resolve());
  });
  server.on('error', () => {});
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}

/** Reads the one message of a call, or why it is none. */
function receive(stream: ServerHttp2Stream, encoding: string, mostBytes: number, done: (request: Buffer | StatusError) => void): void {
  let parts: Buffer[] = [];
  let size = 0;
  let over = false;
  const finish = (request: Buffer | StatusError): void => {
    if (over) return;
    over = true;
    parts = [];
    done(request);
  };
  stream.on('data', (part: Buffer) => {
    if (over) return;
    parts.push(part);
    size += part.length;
    if (size > mostBytes + PREFIX) finish(new StatusError(CODE.exhausted, `Received message larger than max (${size - PREFIX} vs ${mostBytes})`));
  });
  stream.on('end', () => {
    if (over) return;
    const [first] = parts;
    const all = parts.length === 1 && first ? first : Buffer.concat(parts, size);
    if (all.length < PREFIX || all.readUInt32BE(1) !== all.length - PREFIX) finish(new StatusError(CODE.internal, 'The request is not one whole message'));
    else finish(all[0] === 0 ? all.subarray(PREFIX) : unzipped(all.subarray(PREFIX), encoding, mostBytes));
  });
}

function unzipped(message: Buffer, encoding: string, mostBytes: number): Buffer | StatusError {
  try {
    if (encoding === 'gzip') return gunzipSync(message, { maxOutputLength: mostBytes });
    if (encoding === 'deflate') return inflateSync(message, { maxOutputLength: mostBytes });
  } catch (error) {
    return new StatusError(CODE.internal, `The request cannot be decompressed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return new StatusError(CODE.unimplemented, `The compression ${encoding}`);
}

class StreamCall implements Call {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #deadline: NodeJS.Timeout | null = null;
  #status: StatusError | null = null;
  #ended = false;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.#stream = stream;
    this.#headers = headers;
    const ms = timeoutOf(headers['grpc-timeout']);
    if (ms === null) return;
    const deadline = setTimeout(() => this.fail(new StatusError(CODE.deadline, 'Deadline exceeded')), ms);
    this.#deadline = deadline;
    stream.once('close', () => clearTimeout(deadline));
  }

  get cancelled(): boolean {
    return this.#ended || this.#stream.destroyed || this.#stream.closed;
  }

  header(name: string): string | null {
    const value = this.#headers[name];
    return typeof value === 'string' ? value : null;
  }

  write(message: Uint8Array): boolean {
    if (this.cancelled) return true;
    this.#begin();
    const stream = this.#stream;
    const joined = message.length <= JOINED;
    const prefix = Buffer.allocUnsafe(joined ? PREFIX + message.length : PREFIX);
    prefix[0] = 0;
    prefix.writeUInt32BE(message.length, 1);
    if (joined) prefix.set(message, PREFIX);
    stream.write(prefix);
    if (!joined) stream.write(message);
    return stream.writableLength < ROOM;
  }

  async drained(): Promise<void> {
    const stream = this.#stream;
    if (this.cancelled || !stream.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        for (const event of ['drain', 'close']) stream.off(event, go);
        resolve();
      };
      for (const event of ['drain', 'close']) stream.on(event, go);
    });
  }

  end(): void {
    if (this.cancelled) return;
    this.#begin();
    this.#over();
    this.#stream.end();
  }

  /** The bad end; nothing where the call is over already. */
  fail(status: StatusError): void {
    const stream = this.#stream;
    if (this.cancelled) return;
    this.#status = status;
    this.#over();
    if (stream.headersSent) stream.end();
    else stream.respond({ ':status': 200, 'content-type': CONTENT, 'grpc-accept-encoding': 'identity,deflate,gzip', ...trailersOf(status) }, { endStream: true });
    // What the client still sends of its request is of no use.
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  }

  #over(): void {
    this.#ended = true;
    if (this.#deadline) clearTimeout(this.#deadline);
  }

  #begin(): void {
    const stream = this.#stream;
    if (stream.headersSent) return;
    stream.respond({ ':status': 200, 'content-type': CONTENT }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers(this.#status ? trailersOf(this.#status) : GOOD));
  }
}

const GOOD = { 'grpc-status': '0' };
const trailersOf = ({ code, details }: StatusError): Record<string, string> => ({ 'grpc-status': String(code), 'grpc-message': encodeURI(details.slice(0, MAX_DETAILS).toWellFormed()) });

/** The header grpc-timeout in ms; null for none, or one that is none. */
function timeoutOf(header: string | string[] | undefined): number | null {
  const [, count, unit] = /^(\d{1,8})([HMSmun])$/.exec(String(header ?? '')) ?? [];
  const ms = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  return ms < 2 ** 31 - 1 ? ms : null; // NaN, and what timers cannot hold
}
