/** Market over the browser host's WebSocket: reconnects with back-off, numbers its requests, and bounds all that waits. */
import type { Market, Message, RequestName, Requests } from '../../shared/channels.ts';
import { failed, type Problem, problem, type Result } from '../../shared/result.ts';
import { parseMessage } from './message.ts';

const CONNECT_MS = 5000;
const REQUEST_MS = 15_000;
const MAX_WAITING = 64;
const MAX_MESSAGE = 32 * 1024 * 1024;
const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 2000;

export interface SocketOptions {
  /** `ws://host/feed`. */
  readonly url: string;
  /** 0..1, spreads reconnects of many pages. */
  readonly random?: () => number;
  readonly open?: (url: string) => WebSocket;
  readonly requestMs?: number;
}

interface Waiting {
  readonly text: string;
  readonly timer: ReturnType<typeof setTimeout>;
  sent: boolean;
  resolve(result: Result<never>): void;
}

const noHost = (what: string): Problem => problem('STORE_UNREACHABLE', what, 'check that frontrow still runs where this page came from', true);

/** The feed's address beside the page's own; a token travels in its cookie. */
export const feedUrl = (page: { readonly protocol: string; readonly host: string }): string =>
  `${page.protocol === 'https:' ? 'wss' : 'ws'}://${page.host}/feed`;

export function connectSocket({ url, random = Math.random, open = (address) => new WebSocket(address), requestMs = REQUEST_MS }: SocketOptions): Market {
  const listeners = new Set<(message: Message) => void>();
  const waiting = new Map<number, Waiting>();
  let socket: WebSocket | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;
  let nextId = 1;

  const settle = (id: number, result: Result<never>): void => {
    const call = waiting.get(id);
    if (!call) return;
    waiting.delete(id);
    clearTimeout(call.timer);
    call.resolve(result);
  };
  const send = (call: Waiting): void => {
    if (socket?.readyState !== WebSocket.OPEN || call.sent) return;
    call.sent = true;
    socket.send(call.text);
  };
  const receive = (raw: unknown): void => {
    if (typeof raw !== 'string' || raw.length > MAX_MESSAGE) return;
    let value: unknown;
    try {
      value = JSON.parse(raw);
    } catch {
      return socket?.close(); // not our protocol: start over with a snapshot
    }
    const reply = value as { id?: unknown; result?: { ok?: unknown } } | null;
    if (typeof reply?.id === 'number' && typeof reply.result?.ok === 'boolean') return settle(reply.id, reply.result as Result<never>);
    const message = parseMessage(value);
    if (message) for (const listener of listeners) listener(message);
  };

  const connect = (): void => {
    if (socket || retry !== undefined) return;
    const own = open(url);
    socket = own;
    const lost = (): void => {
      clearTimeout(deadline);
      if (socket !== own) return;
      socket = undefined;
      // A request that was sent may have been half done: only the asker knows whether to ask again.
      for (const [id, call] of waiting) if (call.sent) settle(id, failed(noHost('the connection to Frontrow broke')));
      if (listeners.size === 0 && waiting.size === 0) return;
      const wait = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(attempts, 10));
      attempts += 1;
      retry = setTimeout(() => {
        retry = undefined;
        connect();
      }, wait * (0.5 + random() / 2));
    };
    const deadline = setTimeout(() => {
      own.close(); // a frozen host accepts the connection and then says nothing
      lost();
    }, CONNECT_MS);
    own.addEventListener('open', () => {
      clearTimeout(deadline);
      attempts = 0;
      for (const call of waiting.values()) send(call);
    });
    own.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (socket === own) receive(event.data);
    });
    own.addEventListener('close', lost);
  };

  const drop = (): void => {
    clearTimeout(retry);
    retry = undefined;
    const own = socket;
    socket = undefined;
    own?.close();
    for (const [id, call] of waiting) if (call.sent) settle(id, failed(noHost('the page reconnects')));
  };

  return {
    host: 'browser',
    request<K extends RequestName>(name: K, data: Requests[K]['request']) {
      return new Promise<Result<Requests[K]['answer']>>((resolve) => {
        if (waiting.size >= MAX_WAITING) {
          resolve(failed(problem('STORE_BUSY', `${MAX_WAITING} requests of this page wait already`, 'wait a moment', true)));
          return;
        }
        const id = nextId;
        nextId += 1;
        const timer = setTimeout(() => settle(id, failed(problem('STORE_TIMEOUT', `no answer to ${name} within ${requestMs / 1000} s`, 'wait or reload the page', true))), requestMs);
        const call: Waiting = { text: JSON.stringify({ id, request: name, data }), timer, sent: false, resolve };
        waiting.set(id, call);
        connect();
        send(call);
      });
    },
    subscribe(listener) {
      listeners.add(listener);
      connect();
      return () => {
        listeners.delete(listener);
        // The next subscriber needs a snapshot, and only a new connection brings one.
        if (listeners.size === 0) drop();
      };
    },
  };
}
