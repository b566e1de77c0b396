/** The page's desk: messages in, small stores out, one flush per frame; watches its host and asks for a new snapshot where it lost the thread. */
import type { CalendarView, ClockView, EventName, HealthView, IndexView, Market, Message, QuoteView, TicksEvent } from '../../shared/channels.ts';
import { assertNever, failed, problem } from '../../shared/result.ts';
import type { EpochMicros } from '../../shared/time.ts';
import { type Arrangement, arrange } from './arrangement.ts';
import { type Cell, createCell, createKeyed, type Keyed } from './cell.ts';
import { parseMessage } from './message.ts';
import { createPageClock, type PageClock } from './pageClock.ts';

/** The host beats each second; this long without a beat and nothing on the page can be trusted. */
export const HOST_SILENCE_MS = 3000;
const RESYNC_GAP_MS = 1000;
const RESYNC_LOST_MS = 5000;
const TICK_MS = 250;
/** Where frames come closer than this, the next one takes the pulse along. */
const BUSY_MS = 120;
/** Frames stand still in hidden windows: then the timer flushes. */
const NO_FRAME_MS = 1000;
/** Ticks that wait for a frame; a hidden page drops the oldest, and its charts load again on the next snapshot. */
const MAX_PENDING_TICKS = 20_000;

/** `connecting` until the first snapshot; `lost`: no heartbeat, or the thread was lost and no new snapshot came yet. */
export type HostLink = { readonly kind: 'connecting' | 'live' } | { readonly kind: 'lost'; readonly since: number };

/** One instant for all that is drawn together. */
export interface Pulse {
  /** Desk time; undefined before the first heartbeat. */
  readonly now: EpochMicros | undefined;
  /** Milliseconds on the page's monotonic clock. */
  readonly elapsed: number;
}

export interface PageDesk {
  /** Never rejects. */
  readonly request: Market['request'];
  readonly clock: PageClock;
  /** Null until the host told. */
  readonly indices: Cell<readonly IndexView[] | null>;
  readonly info: Keyed<IndexView>;
  /** As shown: with a lost host every value is disconnected. */
  readonly quotes: Keyed<QuoteView>;
  readonly health: Cell<HealthView | null>;
  readonly beat: Cell<ClockView | null>;
  /** The user's own dates; null until the host told. */
  readonly calendar: Cell<CalendarView | null>;
  readonly host: Cell<HostLink>;
  /** Counts snapshots: what was loaded by request is loaded again when it changes. 0: none yet. */
  readonly epoch: Cell<number>;
  readonly arrangement: Cell<Arrangement>;
  /** A new one about each quarter second, drawn together with the prices of its frame: wakes what shows ages and clocks. */
  readonly pulse: Cell<Pulse>;
  /** Milliseconds on the page's monotonic clock. */
  elapsed(): number;
  readonly onTicks: (listener: (event: TicksEvent) => void) => () => void;
  close(): void;
}

export interface PageDeskOptions {
  readonly elapsed?: () => number;
  /** Calls back before the next paint, or never: a timer sees to it that nothing waits for long. */
  readonly frame?: (callback: () => void) => void;
}

const nextFrame = (callback: () => void): void => void requestAnimationFrame(callback);

/** A request that throws on its way (a closed window, a refused message) is a failed one, like any other. */
const askSafely = (market: Market): Market['request'] => async (name, request) => {
  try {
    return await market.request(name, request);
  } catch (error) {
    return failed(problem('INTERNAL', `${name} failed: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300), 'reload the page', true));
  }
};

export function createPageDesk(market: Market, { elapsed = () => performance.now(), frame = nextFrame }: PageDeskOptions = {}): PageDesk {
  const clock = createPageClock(elapsed);
  const indices = createCell<readonly IndexView[] | null>(null);
  const info = createKeyed<IndexView>();
  const quotes = createKeyed<QuoteView>();
  const health = createCell<HealthView | null>(null);
  const beat = createCell<ClockView | null>(null);
  const calendar = createCell<CalendarView | null>(null);
  const host = createCell<HostLink>({ kind: 'connecting' });
  const epoch = createCell(0);
  const arrangement = createCell<Arrangement>(arrange([], () => undefined));
  const pulse = createCell<Pulse>({ now: undefined, elapsed: elapsed() });
  const tickListeners = new Set<(event: TicksEvent) => void>();

  const told = new Map<string, QuoteView>(); // as the host says them
  const changed = new Set<string>();
  let ticks: TicksEvent[] = [];
  let pendingTicks = 0;
  let toldIndices: readonly IndexView[] | undefined;
  let toldHealth: HealthView | undefined;
  let flushing = false;
  let [scheduledAt, flushedAt, pulseDue] = [0, 0, false];
  let rearrange = false;
  let snapshots = 0;
  let inStep = false; // a snapshot came and no sequence was missed since
  let sequences = new Map<EventName, number>();
  let resyncedAt = -Infinity;
  let unsubscribe: (() => void) | undefined;
  let closed = false;

  const shown = (quote: QuoteView): QuoteView => (host.get().kind === 'lost' ? { ...quote, state: 'disconnected', reason: 'host' } : quote);

  function flush(): void {
    if (closed || !flushing) return; // the timer was before this frame
    flushing = false;
    flushedAt = elapsed();
    if (toldIndices !== undefined) {
      indices.set(toldIndices);
      for (const index of toldIndices) info.set(index.id, index);
      toldIndices = undefined;
      rearrange = true;
    }
    for (const id of changed) {
      const quote = told.get(id);
      const next = quote === undefined ? undefined : shown(quote);
      if (quotes.get(id)?.state !== next?.state) rearrange = true;
      if (next === undefined) quotes.delete(id);
      else quotes.set(id, next);
    }
    changed.clear();
    if (rearrange) {
      rearrange = false;
      arrangement.set(arrange(indices.get() ?? [], (id) => quotes.get(id)?.state));
    }
    if (toldHealth !== undefined) health.set(toldHealth);
    epoch.set(snapshots);
    const due = ticks;
    ticks = [];
    pendingTicks = 0;
    for (const event of due) for (const listener of tickListeners) listener(event);
    if (!pulseDue) return;
    pulseDue = false;
    pulse.set({ now: clock.now(), elapsed: elapsed() });
  }
  function schedule(): void {
    if (flushing) return;
    flushing = true;
    scheduledAt = elapsed();
    frame(flush);
  }

  function setHost(next: HostLink): void {
    if (host.get().kind === next.kind) return;
    host.set(next);
    for (const id of told.keys()) changed.add(id);
    schedule();
  }

  /** A snapshot comes only with a new connection; asked for at most once per `gap`. */
  function resync(gap: number): void {
    inStep = false;
    const now = elapsed();
    if (now - resyncedAt < gap || closed) return;
    resyncedAt = now;
    sequences = new Map();
    unsubscribe?.();
    unsubscribe = market.subscribe(receive);
  }

  function receiveQuotes(data: Extract<Message, { channel: 'quotes' }>['data']): void {
    if (data.kind === 'snapshot') {
      for (const id of told.keys()) changed.add(id);
      told.clear();
      inStep = true;
      snapshots += 1;
      if (clock.silentMs() <= HOST_SILENCE_MS) setHost({ kind: 'live' });
    } else if (!inStep) return;
    for (const quote of data.quotes) {
      told.set(quote.index, quote);
      changed.add(quote.index);
    }
    for (const id of data.removed ?? []) {
      told.delete(id);
      changed.add(id);
    }
  }

  function receive(raw: unknown): void {
    const message = parseMessage(raw);
    if (message === undefined || closed) return;
    const last = sequences.get(message.channel);
    sequences.set(message.channel, message.sequence);
    // A smaller number is a connection made anew below us: it starts with its own snapshot.
    if (last !== undefined && message.sequence > last + 1) resync(RESYNC_GAP_MS);
    switch (message.channel) {
      case 'quotes':
        receiveQuotes(message.data);
        break;
      case 'indices':
        toldIndices = message.data;
        break;
      case 'ticks':
        ticks.push(message.data);
        pendingTicks += message.data.ticks.length + 1;
        while (pendingTicks > MAX_PENDING_TICKS && ticks.length > 1) pendingTicks -= (ticks.shift()?.ticks.length ?? 0) + 1;
        break;
      case 'health':
        toldHealth = message.data;
        break;
      case 'heartbeat':
        clock.beat(message.data);
        beat.set(message.data);
        if (inStep) setHost({ kind: 'live' });
        break;
      case 'calendar':
        calendar.set(message.data);
        break;
      default:
        assertNever(message);
    }
    schedule();
  }

  const timer = setInterval(() => {
    if (pulseDue || elapsed() - flushedAt > BUSY_MS) schedule();
    pulseDue = true;
    if (elapsed() - scheduledAt > NO_FRAME_MS) flush();
    const silent = clock.silentMs();
    if (silent > HOST_SILENCE_MS) {
      setHost({ kind: 'lost', since: elapsed() - silent });
      resync(RESYNC_LOST_MS);
    } else if (!inStep && host.get().kind === 'lost') resync(RESYNC_LOST_MS);
    else if (!inStep && snapshots > 0) {
      resync(RESYNC_GAP_MS);
      if (elapsed() - resyncedAt > HOST_SILENCE_MS - RESYNC_GAP_MS) setHost({ kind: 'lost', since: resyncedAt });
    }
  }, TICK_MS);
  resyncedAt = elapsed();
  unsubscribe = market.subscribe(receive);

  return {
    request: askSafely(market), clock, indices, info, quotes, health, beat, calendar, host, epoch, arrangement, pulse, elapsed,
    onTicks(listener) {
      tickListeners.add(listener);
      return () => {
        tickListeners.delete(listener);
      };
    },
    close() {
      closed = true;
      clearInterval(timer);
      unsubscribe?.();
    },
  };
}
