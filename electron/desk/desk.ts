/** What both hosts (IPC and WebSocket) serve to a page, whatever store and clock stand behind it. */
import type { Message, RequestName, Requests } from '../../shared/channels.ts';
import type { Result } from '../../shared/result.ts';

/** One page: its own sequence numbers and watched indices. */
export interface Connection {
  /** `request` is already validated by shared/schemas.ts. Never rejects. */
  request<K extends RequestName>(name: K, request: Requests[K]['request']): Promise<Result<Requests[K]['answer']>>;
  /** Sends snapshot, indices, health and heartbeat again: after a slow page dropped messages. */
  resync(): void;
  close(): void;
}

export interface Desk {
  /** The listener gets `calendar`, `indices`, a `quotes` snapshot, `health` and `heartbeat` at once (as far as known), then changes. */
  connect(listener: (message: Message) => void): Connection;
  /** For /healthz: the failing part, or null while values can be trusted. */
  failing(): string | null;
  /** Prometheus text. */
  metrics(): string;
  /** The machine woke up: cancel reads in flight, renew the channel, read now. */
  resume(): void;
  close(): Promise<void>;
}
