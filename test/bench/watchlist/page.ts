/** The bench page: one list at a time, changed at a steady rate. Driven from outside through `window.bench`. */
import type { IndexView, QuoteView } from '../../../shared/channels.ts';
import { decimal, percentChange, subtract } from '../../../shared/decimal.ts';
import type { Contender, Make } from './contender.ts';
import { frontrow } from './frontrow.tsx';
import { agGrid, rechartsTiles } from './peers.tsx';
import { frontrowSparks } from './sparks.ts';

export interface ListBench {
  mount(name: string, count: number): Promise<number>;
  /** Makes so many changes of `share` of all indices each, to be streamed at `hz`: what makes them is no part of a list. */
  prepare(share: number, hz: number, updates: number): void;
  /** Streams what was prepared. */
  stream(hz: number): Promise<void>;
  destroy(): void;
}
declare global {
  interface Window {
    listBench: ListBench;
  }
}

const MAKES: Readonly<Record<string, Make>> = { frontrow, agGrid, frontrowSparks, rechartsTiles };
const BASE = decimal('100');
const REGIONS = ['Americas', 'Europe', 'Asia Pacific'] as const;

let seed = 1;
const random = (): number => {
  seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
  return seed / 4_294_967_296;
};

function quoteOf(index: string, price: string, time = Date.now()): QuoteView {
  const last = decimal(price);
  return {
    index, price, eventTime: null, eventMicros: String(Math.round(time * 1000)), sequence: 0, ingestMicros: null, ageMs: 0, state: 'live', phase: 'open', reason: null, flags: [],
    change: subtract(last, BASE), changePercent: percentChange(BASE, last) ?? null, base: { price: BASE, date: '2025-01-01', kind: 'official' }, baseNote: null, nextOpen: null, delayMs: 0, skewMs: null,
    key: null, day: { open: '100', high: '130', low: '70' },
  };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms); });
let current: Contender | null = null;
let ids: readonly string[] = [];
let prepared: (readonly QuoteView[])[] = [];

window.listBench = {
  async mount(name, count) {
    const make = MAKES[name];
    if (!make) throw new Error(`no such list: ${name}`);
    seed = 1;
    ids = Array.from({ length: count }, (_, at) => `IX${String(at).padStart(3, '0')}`);
    const indices = ids.map((id, at): IndexView => ({ id, name: id, mic: null, zone: 'UTC', region: REGIONS[at % 3] ?? 'Other', currency: 'USD', decimals: 2, delayMs: 0, label: null }));
    const place = document.createElement('div');
    place.style.cssText = 'width: 484px; height: 800px';
    document.body.append(place);
    const started = performance.now();
    current = make(place, indices, ids.map((id) => quoteOf(id, (90 + random() * 20).toFixed(2))));
    await sleep(3500); // snapshot, trend lines
    return performance.now() - started;
  },
  prepare(share, hz, updates) {
    const start = Date.now();
    prepared = Array.from({ length: updates }, (_, at) => ids.filter(() => random() < share).map((id) => quoteOf(id, (90 + random() * 20).toFixed(2), start + (at * 1000) / hz)));
  },
  async stream(hz) {
    let at = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const changed = prepared[at];
        at += 1;
        if (changed) current?.push(changed);
        else {
          clearInterval(timer);
          resolve();
        }
      }, 1000 / hz);
    });
  },
  destroy() {
    current?.destroy();
    current = null;
    document.body.replaceChildren();
  },
};
document.documentElement.dataset['ready'] = 'yes';
