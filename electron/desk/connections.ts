/** One feed, many pages: each connection counts its own sequences and names its own charted indices; all share every read. */
import type { CalendarView, ClockView, EventName, Events, Message, RequestName, Requests } from '../../shared/channels.ts';
import type { Result } from '../../shared/result.ts';
import { ok } from '../../shared/result.ts';
import type { Feed } from '../feed/feedConfig.ts';
import type { Connection } from './desk.ts';

export type Answers = { readonly [K in RequestName]: (request: Requests[K]['request']) => Promise<Result<Requests[K]['answer']>> };

export interface Connections {
  connect(listener: (message: Message) => void): Connection;
  count(): number;
  /** Tells every page the clock now: after a jump or a change of speed. */
  beat(): void;
  /** Sends every page everything again: the desk shows another time. */
  resync(): void;
  close(): void;
}

const HEARTBEAT_MS = 1000;

/** `clock`: desk time for a page; `calendar`: the user's own dates. */
export function createConnections(feed: Feed, clock: () => ClockView, calendar: () => CalendarView, answers: Omit<Answers, 'watch'>): Connections {
  const pages = new Set<{ send<K extends EventName>(channel: K, data: Events[K]): void; resync(): void }>();
  const toAll = <K extends EventName>(channel: K, data: Events[K]): void => {
    for (const page of pages) page.send(channel, data);
  };
  const unsubscribe = feed.on((events) => {
    for (const event of events) toAll(event.channel, event.data);
  });
  const beat = (): void => toAll('heartbeat', clock());
  const beats = setInterval(beat, HEARTBEAT_MS);

  return {
    connect(listener) {
      const owner = Symbol('page');
      const next = new Map<EventName, number>();
      const watched = new Set<string>();
      const page = {
        send<K extends EventName>(channel: K, data: Events[K]): void {
          // a page hears the ticks of what it charts, not of what another page charts
          if (channel === 'ticks' && !watched.has((data as Events['ticks']).index)) return;
          const sequence = next.get(channel) ?? 0;
          next.set(channel, sequence + 1);
          listener({ channel, sequence, data } as Message);
        },
        resync: () => resync(),
      };
      const resync = (): void => {
        page.send('heartbeat', clock());
        page.send('calendar', calendar());
        page.send('indices', feed.indices());
        page.send('quotes', { kind: 'snapshot', quotes: feed.snapshot() });
        page.send('health', feed.health());
      };
      pages.add(page);
      resync();
      const own: Answers = {
        ...answers,
        async watch({ indices }) {
          watched.clear();
          for (const id of indices) watched.add(id);
          feed.watch(owner, [...watched]);
          return ok(null);
        },
      };
      return {
        request: (name, request) => own[name](request),
        resync,
        close() {
          pages.delete(page);
          feed.watch(owner, []);
        },
      };
    },
    count: () => pages.size,
    beat,
    resync() {
      for (const page of pages) page.resync();
    },
    close() {
      clearInterval(beats);
      unsubscribe();
      pages.clear();
    },
  };
}
