/**
 * One viewer of the feed over a WebSocket. Host -> page `{"channel","sequence","data"}`; page -> host `{"id","request","data"}`, answered
 * `{"id","result"}`. A viewer that reads too slowly loses messages, not the host's memory: it gets the whole state again once it has caught up.
 */
import type { RawData, WebSocket } from 'ws';
import type { Message } from '../../shared/channels.ts';
import { failed, problem } from '../../shared/result.ts';
import { answer } from '../desk/answer.ts';
import type { Connection, Desk } from '../desk/desk.ts';
import type { Outgoing } from '../desk/outgoing.ts';
import { reportDefect } from '../desk/report.ts';

export interface FeedLimits {
  /** Bytes waiting for one viewer beyond which messages are dropped, and below which it has caught up. */
  readonly highBytes: number;
  readonly lowBytes: number;
  /** Bytes waiting at which a viewer that also asks for more is cut off. */
  readonly cutBytes: number;
  /** Requests of one viewer that may wait at the same time. */
  readonly waiting: number;
  /** Between two pings; a viewer that missed one whole round, or lags for four, is cut off and may come again. */
  readonly pingMs: number;
}

export const FEED_LIMITS: FeedLimits = { highBytes: 1 << 20, lowBytes: 1 << 16, cutBytes: 16 << 20, waiting: 32, pingMs: 15_000 };

export interface FeedCounts {
  dropped: number;
  resyncs: number;
  cut: number;
}

/** Connects `socket` to the desk until either side closes. */
export function serveFeedSocket(socket: WebSocket, { desk, outgoing, counts, limits = FEED_LIMITS }: {
  readonly desk: Pick<Desk, 'connect'>; readonly outgoing: Outgoing; readonly counts: FeedCounts; readonly limits?: FeedLimits;
}): void {
  let lagging = false;
  let lagRounds = 0;
  let answered = true;
  let waiting = 0;

  function caughtUp(): void {
    if (!lagging || socket.bufferedAmount > limits.lowBytes || socket.readyState !== socket.OPEN) return;
    lagging = false;
    lagRounds = 0;
    counts.resyncs += 1;
    connection.resync();
  }

  function send(message: Message): void {
    if (socket.readyState !== socket.OPEN || !outgoing.passes(message)) return;
    if (lagging || socket.bufferedAmount > limits.highBytes) {
      lagging = true;
      counts.dropped += 1;
      return;
    }
    socket.send(outgoing.text(message), caughtUp);
  }

  function cut(): void {
    counts.cut += 1;
    socket.terminate();
  }

  async function received(data: RawData, isBinary: boolean): Promise<void> {
    const asked = isBinary ? null : parseAsked(data);
    if (asked === null) return socket.close(1008, 'not {"id","request","data"}');
    const result = waiting >= limits.waiting
      ? failed(problem('STORE_BUSY', `${limits.waiting} requests of this page are waiting`, 'wait for one to be answered', true))
      : await counted(asked);
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > limits.cutBytes) return cut();
    socket.send(JSON.stringify({ id: asked.id, result }), caughtUp);
  }

  async function counted({ name, data }: Asked): Promise<unknown> {
    waiting += 1;
    try {
      return await answer(connection, name, data);
    } finally {
      waiting -= 1;
    }
  }

  const pings = setInterval(() => {
    lagRounds = lagging ? lagRounds + 1 : 0;
    if (!answered || lagRounds > 4) return cut();
    answered = false;
    socket.ping();
  }, limits.pingMs);

  socket.on('pong', () => {
    answered = true;
  });
  socket.on('message', (data, isBinary) => {
    received(data, isBinary).catch((error: unknown) => reportDefect('a feed request', error));
  });
  // Broken frames and oversized messages: ws closes the socket itself, with the right code.
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(pings);
    connection.close();
  });
  const connection: Connection = desk.connect(send);
}

interface Asked {
  readonly id: number;
  readonly name: unknown;
  readonly data: unknown;
}

function parseAsked(raw: RawData): Asked | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.isBuffer(raw) ? raw.toString('utf8') : '');
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('id' in value) || !('request' in value)) return null;
  const { id, request } = value;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) return null;
  return { id, name: request, data: 'data' in value ? value.data : undefined };
}
