/** Scenes for chart tests: real minutes, their sessions, and a source that answers as the host does. */
import type { HistoryAnswer, HistoryRequest, IndexView, QuoteView, SessionWindow, TicksEvent } from '../../shared/channels.ts';
import { ok, type Result } from '../../shared/result.ts';
import n225 from '../fixtures/chart/n225-minutes-2021-01-14.csv?raw';
import spx from '../fixtures/chart/spx-minutes-2019-11-05_06.csv?raw';

export interface Point {
  readonly time: number; // milliseconds
  readonly price: string;
}

/** New York is five hours behind UTC in November. */
export const SPX_POINTS: readonly Point[] = spx.trim().split('\n').slice(1).map((line) => {
  const [date = '', , close = ''] = line.split(',');
  const [, month = '', day = '', year = '', hour = '', minute = ''] = /^(\d+)\/(\d+)\/(\d+) (\d+):(\d+)$/.exec(date) ?? [];
  return { time: Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour) + 5, Number(minute)), price: close };
});

/** Tokyo is nine hours ahead of UTC. */
export const NKY_POINTS: readonly Point[] = n225.trim().split('\n').map((line) => {
  const [millis = '', , , , close = ''] = line.split(',');
  return { time: Date.UTC(2021, 0, 14) - 9 * 3_600_000 + Number(millis), price: close };
});

const view = (id: string, name: string, mic: string | null, zone: string): IndexView =>
  ({ id, name, mic, zone, region: 'Americas', currency: 'USD', decimals: 2, delayMs: 0, label: null });
export const SPX = view('SPX', 'S&P 500', 'XNYS', 'America/New_York');
export const NKY = view('NKY', 'Nikkei 225', 'XTKS', 'Asia/Tokyo');

const sessionWindow = (date: string, open: number, close: number, note: string | null = null): SessionWindow =>
  ({ date, openMicros: String(open * 1000), closeMicros: String(close * 1000), note });
const utc = Date.UTC;
export const SPX_SESSIONS: readonly SessionWindow[] = [4, 5, 6, 7].map((day) => sessionWindow(`2019-11-0${day}`, utc(2019, 10, day, 14, 30), utc(2019, 10, day, 21)));
export const NKY_SESSIONS: readonly SessionWindow[] = [13, 14, 15].flatMap((day) => [
  sessionWindow(`2021-01-${day}`, utc(2021, 0, day, 0), utc(2021, 0, day, 2, 30)),
  sessionWindow(`2021-01-${day}`, utc(2021, 0, day, 3, 30), utc(2021, 0, day, 6)),
]);

export function answer(request: HistoryRequest, points: readonly Point[], resolution: HistoryAnswer['resolution'] = '1m'): Result<HistoryAnswer> {
  const within = points.filter(({ time }) => time * 1000 >= Number(request.fromMicros) && time * 1000 <= Number(request.toMicros));
  return ok({
    index: request.index, times: within.map(({ time }) => String(time * 1000)), sequences: within.map(() => 0), prices: within.map(({ price }) => price), resolution,
    kind: resolution === 'tick' ? 'tick' : 'vendor', rows: within.length, truncated: false,
  });
}

export function quoteOf(info: IndexView, point: Point, change: Partial<QuoteView> = {}): QuoteView {
  return {
    index: info.id, price: point.price, eventTime: new Date(point.time).toISOString(), eventMicros: String(point.time * 1000), sequence: 0, ingestMicros: null, ageMs: 400,
    state: 'live', phase: 'open', reason: null, flags: [], change: null, changePercent: null, base: null, baseNote: null, nextOpen: null, delayMs: 0, skewMs: null, key: null, day: null, ...change,
  };
}

/** A tail that tests push into. */
export function createTail(): { onTicks: (listener: (event: TicksEvent) => void) => () => void; send: (event: Partial<TicksEvent>) => void } {
  const listeners = new Set<(event: TicksEvent) => void>();
  return {
    onTicks(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: (event) => listeners.forEach((listener) => listener({ index: 'SPX', ticks: [], removed: [], backfill: false, ...event })),
  };
}

export const tick = (time: number, price: string, sequence = 0): TicksEvent['ticks'][number] =>
  ({ eventMicros: String(time * 1000), sequence, price, volume: null, source: null, ingestMicros: null });
