/** The bench page: mounts one chart at a time and streams into it. Driven from outside through `window.bench`. */
import type { HistoryAnswer } from '../../../shared/channels.ts';
import type { Contender, Make } from './contender.ts';
import { cursorFloor } from './cursorFloor.tsx';
import { floor, frontrow } from './frontrow.tsx';
import { lightweight, lightweightCandles, uplot } from './peers.ts';
import { openYear } from './year.tsx';

export interface Bench {
  /** Mounts and waits for the paint; resolves with the milliseconds from mount to painted. */
  mount(name: string, points: number, spacing: number): Promise<number>;
  /** Streams at `hz` for `seconds`; resolves with the number of updates. */
  stream(hz: number, seconds: number): Promise<number>;
  /** Mounts `count` charts side by side; resolves when all are drawn. */
  mountSeveral(name: string, count: number, points: number, spacing: number): Promise<void>;
  /** Moves the pointer over the first of them step by step, a frame each. */
  hover(steps: number): Promise<void>;
  /** Pans and zooms the first of them in turn, a frame each. */
  move(steps: number): Promise<void>;
  /** Opens a year of minutes, marked as such on the page's timeline: its points. It stays until `destroy`. */
  year(): Promise<number>;
  destroy(): Promise<void>;
}
declare global {
  interface Window {
    bench: Bench;
  }
}

const MAKES: Readonly<Record<string, Make>> = { 'frontrow-5m': frontrow('5m'), 'frontrow-1h': frontrow('1h'), 'frontrow-1h-complete': frontrow('1h', { until: 'grid' }),
  'frontrow-candles': frontrow('1D', { kind: 'candles', session: 'data' }), 'frontrow-several': frontrow('1h', { until: 'cursor', several: true }), floor, 'cursor-floor': cursorFloor, uplot, lightweight, 'lightweight-candles': lightweightCandles };
const SIZE = { width: 1200, height: 600 };
/** Room for a thousand candles. */
const WIDE = { width: 1900, height: 600 };
const QUARTER = { width: 620, height: 380 };
const START = Date.UTC(2025, 0, 2, 15, 0, 40);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms); });
const frame = (): Promise<number> => new Promise((resolve) => { requestAnimationFrame(resolve); });

/** The same walk for everybody. */
function walk(seed: number): () => string {
  let state = seed;
  let value = 100;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    value += (state / 4_294_967_296 - 0.5) * 0.4;
    return value.toFixed(3);
  };
}

let place: HTMLElement | null = null;
let current: Contender | null = null;
let year: { readonly box: HTMLElement; readonly close: () => void } | null = null;
const several: { readonly box: HTMLElement; readonly chart: Contender }[] = [];
let nextValue = walk(1);
let end = START;
let streamStart = 0;

window.bench = {
  async mount(name, points, spacing) {
    const make = MAKES[name];
    if (!make) throw new Error(`no such chart: ${name}`);
    nextValue = walk(points);
    const times = Array.from({ length: points }, (_, index) => String((START - (points - 1 - index) * spacing) * 1000));
    const history: HistoryAnswer = { index: 'SPX', times, sequences: times.map(() => 0), prices: times.map(() => nextValue()), resolution: 'tick', kind: 'tick', rows: points, truncated: false };
    end = START;
    place = document.createElement('div');
    document.body.append(place);
    await sleep(40);
    const started = performance.now();
    const made = make(place, history, name.includes('candles') ? WIDE : SIZE);
    current = made;
    await frame();
    while (!made.drawn()) await frame();
    await frame(); // the frame before this one is on screen
    streamStart = performance.now();
    return performance.now() - started;
  },
  async stream(hz, seconds) {
    const chart = current;
    if (!chart) throw new Error('nothing is mounted');
    const until = performance.now() + seconds * 1000;
    let updates = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (performance.now() >= until) {
          clearInterval(timer);
          resolve();
          return;
        }
        end = Math.max(end + 1, START + Math.round(performance.now() - streamStart)); // event time is the wall's: a real-time feed
        chart.push(end, nextValue());
        updates++;
      }, 1000 / hz);
    });
    return updates;
  },
  async mountSeveral(name, count, points, spacing) {
    const make = MAKES[name];
    if (!make) throw new Error(`no such chart: ${name}`);
    for (let at = 0; at < count; at++) {
      nextValue = walk(points + at);
      const times = Array.from({ length: points }, (_, index) => String((START - (points - 1 - index) * spacing) * 1000));
      const history: HistoryAnswer = { index: 'SPX', times, sequences: times.map(() => 0), prices: times.map(() => nextValue()), resolution: 'tick', kind: 'tick', rows: points, truncated: false };
      const box = document.createElement('div');
      box.style.cssText = 'display:inline-block;vertical-align:top';
      document.body.append(box);
      several.push({ box, chart: make(box, history, QUARTER) });
    }
    while (several.some(({ chart }) => !chart.drawn())) await frame();
    for (let at = 0; at < 10; at++) await frame();
  },
  async hover(steps) {
    const chart = several[0]?.chart;
    for (let at = 0; at < steps; at++) {
      chart?.hover?.(20 + ((at * 7) % (QUARTER.width - 130)), 150 + (at % 60));
      await frame();
    }
    await frame();
  },
  async move(steps) {
    const chart = several[0]?.chart;
    for (let at = 0; at < steps; at++) {
      if (at % 4 === 0) chart?.zoom?.(0.8);
      else if (at % 4 === 1) chart?.pan?.(-0.1);
      else if (at % 4 === 2) chart?.zoom?.(1.25);
      else chart?.pan?.(0.09);
      await frame();
    }
    await frame();
  },
  async year() {
    performance.mark('year');
    const box = document.createElement('div');
    document.body.append(box);
    const { points, close } = openYear(box);
    year = { box, close };
    while (points() === 0) await sleep(50);
    await sleep(300);
    return points();
  },
  async destroy() {
    year?.close();
    year?.box.remove();
    year = null;
    for (const { box, chart } of several.splice(0)) {
      chart.destroy();
      box.remove();
    }
    current?.destroy();
    place?.remove();
    current = null;
    await sleep(20);
  },
};
document.documentElement.dataset['ready'] = 'yes';
