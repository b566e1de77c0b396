/** The product's own chart component, fed as the page feeds it: history by `load`, ticks by `onTicks`, the headline by `quote`. */
import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { IndexChart } from '../../../renderer/chart/IndexChart.tsx';
import { DEFAULT_SETTINGS } from '../../../renderer/chart/settings.ts';
import type { HistoryAnswer, IndexView, QuoteView, TicksEvent } from '../../../shared/channels.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Make, once } from './contender.ts';

const INFO: IndexView = { id: 'SPX', name: 'S&P 500', mic: 'XNYS', zone: 'America/New_York', region: 'Americas', currency: 'USD', decimals: 2, delayMs: 0, label: null };

const DAY = 86_400_000;

const quoteAt = (time: number, price: string): QuoteView => ({
  index: 'SPX', price, eventTime: null, eventMicros: String(time * 1000), sequence: 0, ingestMicros: null, ageMs: 0, state: 'live', phase: 'open', reason: null, flags: [],
  change: null, changePercent: null, base: { price: '100.12', date: '2025-01-01', kind: 'official' }, baseNote: null, nextOpen: null, delayMs: 0, skewMs: null, key: null, day: null,
});

/** The page's React root: in the product it is there long before a chart is. */
function openPage(): { readonly container: HTMLElement; readonly root: Root } {
  const container = document.createElement('div');
  container.style.height = '100%';
  return { container, root: createRoot(container) };
}
let page: ReturnType<typeof openPage> | null = null;

interface Options {
  /** What counts as drawn. */
  readonly until?: 'line' | 'grid' | 'cursor';
  readonly kind?: 'line' | 'candles';
  /** The session begins with the data, as on the page of one index; else four hours around it. */
  readonly session?: 'data' | 'around';
  /** A root of its own: one of several charts. */
  readonly several?: boolean;
}

/** `range`: 5m for the streamed window, 1h for a history that fills the chart. */
export const frontrow = (range: '5m' | '1h' | '1D', { until = 'line', kind = 'line', session = 'around', several = false }: Options = {}): Make => (place, history, { width, height }) => {
  const started = performance.now();
  place.style.width = `${width}px`;
  place.style.height = `${height}px`;
  const last = history.times.length - 1;
  const start = Number(history.times[last]) / 1000;
  const first = Number(history.times[0]) / 1000;
  // One session around the data, and the day before it.
  const sessions = ok([1, 0].map((back) => ({
    date: new Date(start - back * DAY).toISOString().slice(0, 10), openMicros: String((first - (session === 'data' ? 0 : 600_000) - back * DAY) * 1000), closeMicros: String((start + (session === 'data' ? 60_000 : 4 * 3_600_000) - back * DAY) * 1000), note: null,
  })));

  const listeners = new Set<(event: TicksEvent) => void>();
  const renders = new Set<() => void>();
  let quote = quoteAt(start, history.prices[last] ?? '');
  const read = (): QuoteView => quote;
  const onTicks = (listener: (event: TicksEvent) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const subscribe = (render: () => void): (() => void) => {
    renders.add(render);
    return () => renders.delete(render);
  };
  const load = (): Promise<Result<HistoryAnswer>> => Promise.resolve(ok(history));
  const loadSessions = (): Promise<typeof sessions> => Promise.resolve(sessions);
  const now = (): bigint => BigInt(Math.round((start + performance.now() - started) * 1000));
  function Host() {
    const current = useSyncExternalStore(subscribe, read);
    return <IndexChart info={INFO} quote={current} load={load} sessions={loadSessions} onTicks={onTicks} now={now} zone={INFO.zone} range={range} stale={false} settings={settings} />;
  }
  const settings = { ...DEFAULT_SETTINGS, kind, detail: kind === 'candles' ? ('1m' as const) : ('auto' as const) };
  page ??= openPage();
  const { container, root } = several ? openPage() : page;
  const cursor = (): HTMLElement | null => place.querySelector('.chart-cursor');
  // A pointer's events bring both along.
  const target = once(cursor);
  const box = once(() => place.getBoundingClientRect());
  place.append(container);
  flushSync(() => root.render(<Host />));
  return {
    push(time, price) {
      const event: TicksEvent = { index: 'SPX', ticks: [{ eventMicros: String(time * 1000), sequence: 0, price, volume: null, source: null, ingestMicros: null }], removed: [], backfill: false };
      for (const listener of listeners) listener(event);
      quote = quoteAt(time, price);
      for (const render of renders) render();
    },
    drawn: () => (until === 'grid' ? place.querySelector('.recharts-cartesian-grid line') !== null : until === 'cursor' ? cursor() !== null
      : ['tail', 'upTail', 'downTail'].some((part) => (place.querySelector(`[data-part="${part}"]`)?.getAttribute('d') ?? '') !== '')),
    pan: (share) => target()?.dispatchEvent(new WheelEvent('wheel', { deltaX: share * (width - 90), bubbles: true, cancelable: true })),
    zoom: (factor) => target()?.dispatchEvent(new WheelEvent('wheel', { deltaY: Math.log(factor) / 0.0016, clientX: box().left + width / 2, bubbles: true, cancelable: true })),
    hover: (x, y) => target()?.dispatchEvent(new PointerEvent('pointermove', { clientX: box().left + x, clientY: box().top + y, bubbles: true })),
    destroy: () => flushSync(() => (several ? root.unmount() : root.render(null))),
  };
};

/** The least that a chart of React on this page takes: the same box, a figure and one stroke in it (a frame that paints nothing is held back). */
export const floor: Make = (place, _, { width, height }) => {
  place.style.width = `${width}px`;
  place.style.height = `${height}px`;
  page ??= openPage();
  const { container, root } = page;
  place.append(container);
  flushSync(() => root.render(<figure className="chart"><svg className="chart-plot" width={width} height={height} aria-hidden="true"><path className="chart-line chart-line-current" d={`M0,0L${width},${height}`} /></svg></figure>));
  return { push() {}, drawn: () => true, destroy: () => flushSync(() => root.render(null)) };
};
