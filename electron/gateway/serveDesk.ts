/** The browser host: the desk over HTTP and WebSocket, on one port. */
import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { LIMITS } from '../../shared/schemas.ts';
import type { Desk } from '../desk/desk.ts';
import { createOutgoing, faultLog } from '../desk/outgoing.ts';
import { isLoopbackHost } from '../../shared/loopback.ts';
import { type FeedCounts, type FeedLimits, serveFeedSocket } from './feedSocket.ts';
import { createGatekeeper, type Gatekeeper } from './pass.ts';
import { handleHttp, type Site, turnedAway } from './routes.ts';

export interface GatewayOptions {
  readonly desk: Desk;
  /** Folder of the built page. */
  readonly rendererDir: string;
  /** Address or name to listen on; anything but loopback needs a token. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly token: string | null;
  readonly maxViewers?: number;
  readonly limits?: FeedLimits;
}

export interface Gateway {
  /** `http://HOST:PORT/`, without secrets. */
  readonly url: string;
  /** The address to open in this machine's browser: with a token set, a login that works once within a minute. */
  openUrl(): string;
  /** Closes every viewer's socket (1001) and the port; the desk stays as it is. */
  close(): Promise<void>;
}

const MAX_VIEWERS = 100;
const CLOSE_MS = 1_000;

/** Fails with PORT_IN_USE, or BAD_INPUT for a host that can't be listened on or lacks its token. */
export async function serveDesk({ desk, rendererDir, host, port, token, maxViewers = MAX_VIEWERS, limits }: GatewayOptions): Promise<Result<Gateway>> {
  const loopback = isLoopbackHost(host);
  if (token === '' || (token === null && !loopback)) {
    return failed(problem('BAD_INPUT', `host ${host} can be reached from other machines and no token is set`, 'add --token T, or leave --host out to serve this machine alone'));
  }
  let actualPort = port;
  const gate = createGatekeeper({ token, port: () => actualPort, seconds: () => Date.now() / 1000, elapsed: () => performance.now() });
  const counts: FeedCounts = { dropped: 0, resyncs: 0, cut: 0 };
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LIMITS.requestBytes, perMessageDeflate: false });
  const site: Site = {
    desk, rendererDir, gate, needsToken: token !== null, loopback, names: [host, hostname()],
    ownMetrics: () => gatewayMetrics(sockets.clients.size, counts),
  };
  // A client that sends its request byte by byte must not hold a socket for ever.
  const server = createServer({ maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 5_000 }, (request, response) => {
    void handleHttp(request, response, site);
  });
  server.maxConnections = maxViewers * 2 + 50;

  const outgoing = createOutgoing(faultLog((line) => process.stderr.write(`${line}\n`)));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy()); // gone before the answer
    const refusal = feedRefusal(request, site, sockets.clients.size >= maxViewers);
    if (refusal !== null) return refuse(socket, ...refusal);
    sockets.handleUpgrade(request, socket, head, (viewer) => {
      serveFeedSocket(viewer, { desk, outgoing, counts, ...(limits === undefined ? {} : { limits }) });
    });
  });

  const listening = await listen(server, host, port);
  if (!listening.ok) return listening;
  actualPort = listening.value;
  const url = `http://${urlHost(host)}:${actualPort}/`;
  return ok({
    url,
    openUrl: () => (token === null ? url : `${url}login?code=${gate.code()}`),
    close: () => close(server, sockets),
  });
}

/** [status, text], or null to let the viewer in. */
function feedRefusal(request: IncomingMessage, site: Site & { readonly gate: Gatekeeper }, full: boolean): readonly [number, string] | null {
  const refusal = turnedAway(request, site);
  if (refusal !== null) return refusal;
  if ((request.url ?? '').split('?', 1)[0] !== '/feed') return [404, 'the feed is at /feed'];
  const address = request.socket.remoteAddress ?? '';
  if (!site.gate.admits(request.headers)) {
    if (site.gate.tooMany(address)) return [429, 'too many wrong tokens'];
    if (request.headers.authorization !== undefined) site.gate.failed(address);
    return [401, 'log in first, or give Authorization: Bearer'];
  }
  return full ? [503, 'too many viewers'] : null;
}

function refuse(socket: Duplex, status: number, text: string): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`);
}

/** The port that was taken, once it listens. */
function listen(server: Server, host: string, port: number): Promise<Result<number>> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => resolve(failed(listenProblem(error, host, port)));
    server.once('error', onError);
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port, exclusive: true }, () => {
      server.off('error', onError);
      const address = server.address();
      resolve(ok(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): Problem {
  if (error.code === 'EADDRINUSE') return problem('PORT_IN_USE', `port ${port} on ${host} is in use`, 'stop what uses it, or choose another with --port (0 takes a free one)');
  if (error.code === 'EACCES') return problem('BAD_INPUT', `port ${port} may not be listened on by this user`, 'choose a port above 1023 with --port');
  return problem('BAD_INPUT', `host ${host} port ${port} can't be listened on (${error.code ?? error.message})`, 'give an address of this machine with --host');
}

/** How a browser on this machine writes the host: brackets for IPv6, loopback for "every address". */
function urlHost(host: string): string {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  if (name === '0.0.0.0' || name === '::') return '127.0.0.1';
  return name.includes(':') ? `[${name}]` : name;
}

async function close(server: Server, sockets: WebSocketServer): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  for (const viewer of sockets.clients) viewer.close(1001, 'the host is closing');
  server.closeIdleConnections();
  // Whoever does not say goodbye in time is cut off: quitting must not wait for a frozen browser.
  const timer = setTimeout(() => {
    for (const viewer of sockets.clients) viewer.terminate();
    server.closeAllConnections();
  }, CLOSE_MS);
  await closed;
  clearTimeout(timer);
}

function gatewayMetrics(viewers: number, counts: FeedCounts): string {
  const line = (name: string, type: string, help: string, value: number): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`;
  return line('frontrow_viewers', 'gauge', 'Browsers that watch the feed now.', viewers)
    + line('frontrow_viewer_dropped_messages_total', 'counter', 'Messages that slow viewers lost.', counts.dropped)
    + line('frontrow_viewer_resyncs_total', 'counter', 'Times a slow viewer caught up and got everything again.', counts.resyncs)
    + line('frontrow_viewer_cut_total', 'counter', 'Viewers cut off because they stopped reading or answering.', counts.cut);
}
