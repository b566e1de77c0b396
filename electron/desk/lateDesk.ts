/**
 * A desk for pages that are there before the real one: the window shows at once, the Bigtable client loads behind it. Until then pages
 * get a heartbeat and a health that says so; a start that failed is such a state too, and is tried again. Then each page is handed over
 * to the real desk, its sequence numbers counting on.
 */
import type { ClockView, EventName, HealthView, Message } from '../../shared/channels.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import type { Connection, Desk } from './desk.ts';
import { reportDefect } from './report.ts';

export interface LateDeskOptions {
  /** Loads and opens the real desk; called again after a failure. A rejection counts as one (INTERNAL). */
  readonly open: () => Promise<Result<Desk>>;
  /** What is known of the store before anything was read. */
  readonly health: HealthView;
  /** Milliseconds since 1970 of the machine's clock, for the heartbeat until a desk clock exists. */
  readonly wallMillis: () => number;
}

/** What is known of the store before the desk is open. */
export const STARTING: HealthView = {
  link: 'connecting', problem: null, brokenSinceMicros: null, store: { kind: 'embedded', name: 'starting' }, strategy: 'scan', pollIntervalMs: 1_000,
  readsPerSecond: 0, rowsPerSecond: 0, nodeShare: 0, readMs: null, errors: 0, skippedPolls: 0, late: 0, duplicate: 0, corrected: 0, future: 0, undecodable: 0,
};

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 10_000;
const HEARTBEAT_MS = 1_000;

interface Viewer {
  send(message: Message): void;
  attach(desk: Desk): void;
}

/** `start()` begins to open the real desk; pages may connect before and after. */
export function createLateDesk({ open, health, wallMillis }: LateDeskOptions): Desk & { start(): void } {
  const viewers = new Set<Viewer>();
  let desk: Desk | null = null;
  let trouble: Problem | null = null;
  let retryMs = FIRST_RETRY_MS;
  let retry: NodeJS.Timeout | null = null;
  let opening: Promise<void> | null = null;
  let closed = false;

  const heartbeat = (): ClockView => ({ kind: 'wall', nowMicros: `${BigInt(Math.floor(wallMillis())) * 1000n}`, speed: 1, paused: false, note: null });
  const state = (): HealthView => (trouble === null ? health : { ...health, link: 'broken', problem: trouble });
  const beats = setInterval(() => {
    for (const viewer of viewers) viewer.send({ channel: 'heartbeat', sequence: 0, data: heartbeat() });
  }, HEARTBEAT_MS);

  async function tryOnce(): Promise<void> {
    let opened: Result<Desk>;
    try {
      opened = await open();
    } catch (error) {
      reportDefect('opening the desk', error);
      opened = failed(problem('INTERNAL', `the desk could not be opened (${error instanceof Error ? error.message : String(error)})`, 'see the host\'s log', true));
    }
    if (closed) {
      if (opened.ok) await opened.value.close();
      return;
    }
    if (opened.ok) {
      desk = opened.value;
      clearInterval(beats);
      for (const viewer of viewers) viewer.attach(opened.value);
      return;
    }
    trouble = opened.error;
    for (const viewer of viewers) viewer.send({ channel: 'health', sequence: 0, data: state() });
    retry = setTimeout(start, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  function start(): void {
    if (retry !== null) clearTimeout(retry);
    retry = null;
    if (desk !== null || closed || opening !== null) return;
    opening = tryOnce().finally(() => {
      opening = null;
    });
  }

  return {
    start,
    connect(listener) {
      const sequences = new Map<EventName, number>();
      let inner: Connection | null = null;
      let watched: readonly string[] | null = null;
      const viewer: Viewer = {
        send(message) {
          const sequence = sequences.get(message.channel) ?? 0;
          sequences.set(message.channel, sequence + 1);
          listener({ ...message, sequence });
        },
        attach(real) {
          inner = real.connect((message) => viewer.send(message));
          if (watched !== null) void inner.request('watch', { indices: watched });
        },
      };
      const introduce = (): void => {
        viewer.send({ channel: 'health', sequence: 0, data: state() });
        viewer.send({ channel: 'heartbeat', sequence: 0, data: heartbeat() });
      };
      viewers.add(viewer);
      if (desk === null) introduce();
      else viewer.attach(desk);
      return {
        async request(name, request) {
          if (inner !== null) return inner.request(name, request);
          if (name === 'watch' && 'indices' in request) {
            watched = request.indices;
            return ok(null);
          }
          return failed(trouble ?? problem('STORE_UNREACHABLE', 'still connecting', 'ask again in a second', true));
        },
        resync() {
          if (inner === null) introduce();
          else inner.resync();
        },
        close() {
          viewers.delete(viewer);
          inner?.close();
        },
      };
    },
    failing: () => (desk === null ? (trouble === null ? 'starting' : `start: ${trouble.code}`) : desk.failing()),
    metrics: () => desk?.metrics() ?? '',
    resume() {
      if (desk === null) start();
      else desk.resume();
    },
    async close() {
      closed = true;
      clearInterval(beats);
      if (retry !== null) clearTimeout(retry);
      await opening;
      await desk?.close();
    },
  };
}
