/** Trading windows of every exchange on the list around desk time, for ribbon, health line and axis; asked for again as the day moves. */
import type { SessionWindow } from '../../shared/channels.ts';
import { DAY, type EpochMicros, floorDiv, HOUR, parseMicros } from '../../shared/time.ts';
import { type Cell, createCell } from './cell.ts';
import type { PageDesk } from './pageDesk.ts';

export interface Session {
  readonly date: string;
  readonly open: EpochMicros;
  readonly close: EpochMicros;
  readonly note: string | null;
  /** Dates of the user's that it rests on. */
  readonly own?: readonly string[];
  /** The calendar does not know the dates before it. */
  readonly unknownBefore?: boolean;
}
export type Sessions = ReadonlyMap<string, readonly Session[]>;

export interface SessionBook {
  readonly sessions: Cell<Sessions>;
  close(): void;
}

/** Behind and ahead of now: the ribbon's day, and a weekend for the next open. */
const BEHIND = 12n * HOUR;
const AHEAD = 4n * DAY;
const AT_ONCE = 6;

/** Checked like all that comes from the host: a window that does not parse or ends before it starts is left out. */
export function readWindows(windows: readonly SessionWindow[]): Session[] {
  const read: Session[] = [];
  for (const { date, openMicros, closeMicros, note, own, unknownBefore } of windows.slice(0, 1000)) {
    try {
      const [open, close] = [parseMicros(openMicros), parseMicros(closeMicros)];
      if (open < close) read.push({ date, open, close, note, ...(own ? { own } : {}), ...(unknownBefore ? { unknownBefore } : {}) });
    } catch {
      // not an instant: nothing to draw
    }
  }
  return read;
}

/** What the exchange does next: `closes` while a window is open, else `opens`; undefined where the book does not say. */
export function nextEdge(windows: readonly Session[], now: EpochMicros): { readonly kind: 'closes' | 'opens'; readonly at: EpochMicros } | undefined {
  const next = windows.find((window) => window.close > now);
  if (!next || (next.unknownBefore && next.open > now)) return undefined;
  return next.open <= now ? { kind: 'closes', at: next.close } : { kind: 'opens', at: next.open };
}

export function openSessionBook(desk: PageDesk): SessionBook {
  const sessions = createCell<Sessions>(new Map());
  let asked = '';
  let closed = false;

  async function ask(mics: readonly string[], now: EpochMicros, key: string): Promise<void> {
    const found = new Map<string, readonly Session[]>();
    const queue = [...mics];
    let complete = true;
    const worker = async (): Promise<void> => {
      for (let mic = queue.shift(); mic !== undefined; mic = queue.shift()) {
        const result = await desk.request('sessions', { mic, fromMicros: String(now - BEHIND), toMicros: String(now + AHEAD) });
        if (result.ok) found.set(mic, readWindows(result.value));
        else complete = false;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (closed || asked !== key) return;
    sessions.set(found);
    // Some exchange got no answer: ask again with the next pulse after a while.
    if (!complete) setTimeout(() => { if (asked === key) asked = ''; }, 5000);
  }

  const look = (): void => {
    const now = desk.clock.now();
    const indices = desk.indices.get();
    if (now === undefined || indices === null || desk.host.get().kind !== 'live') return;
    const mics = [...new Set(indices.map((index) => index.mic).filter((mic) => mic !== null))].toSorted();
    const key = `${desk.epoch.get()} ${floorDiv(now, HOUR)} ${mics.join(' ')}`;
    if (key === asked) return;
    asked = key;
    void ask(mics, now, key);
  };
  const stop = desk.pulse.subscribe(look);
  return {
    sessions,
    close() {
      closed = true;
      stop();
    },
  };
}
