/** The bench page: mounts one chart at a time and streams into it. Driven from outside through `window.bench`. */
import type { HistoryAnswer } from '../../../shared/channels.ts';
import type { Contender, Make } from './contender.ts';
import { frontrow } from './frontrow.tsx';
import { lightweight, uplot } from './peers.ts';

export interface Bench {
  /** Mounts and waits for the paint; resolves with the milliseconds from mount to painted. */
  mount(name: string, points: number, spacing: number): Promise<number>;
  /** Streams at `hz` for `seconds`; resolves with the number of updates. */
  stream(hz: number, seconds: number): Promise<number>;
  destroy(): Promise<void>;
}
declare global {
  interface Window {
    bench: Bench;
  }
}

const MAKES: Readonly<Record<string, Make>> = { 'frontrow-5m': frontrow('5m'), 'frontrow-1h': frontrow('1h'), 'frontrow-1h-complete': frontrow('1h', 'grid'), uplot, lightweight };
const SIZE = { width: 1200, height: 600 };
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
    const made = make(place, history, SIZE);
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
  async destroy() {
    current?.destroy();
    place?.remove();
    current = null;
    await sleep(20);
  },
};
document.documentElement.dataset['ready'] = 'yes';
