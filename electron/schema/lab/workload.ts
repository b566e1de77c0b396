/** The market that the lab loads: skewed, with late ticks and several within one microsecond, the same for the same seed. Pure. */
import { floorDiv, floorMod, HOUR, MINUTE, SECOND } from '../../../shared/time.ts';
import { fractionsFrom, pickByRank } from '../../../shared/seeded.ts';

export interface WorkloadShape {
  readonly indices: number;
  /** Ticks a second, of all indices together. */
  readonly rate: number;
  /** The k-th index gets a share of 1 / k^skew; 0: all the same. */
  readonly skew: number;
  /** Of a tick's values. */
  readonly bytes: number;
  /** Seconds of history that are loaded. */
  readonly span: number;
  /** Seconds that Q3 and Q5 ask for. */
  readonly window: number;
  readonly seed: number;
}

export const LAB_REGIONS = ['AMER', 'APAC', 'EMEA'] as const;
export type LabRegion = (typeof LAB_REGIONS)[number];

/** One line of events: the ticks of an index, or its bars of one resolution. */
export interface Series {
  /** As in keys: `LAB0001`, `LAB0001@1m`. */
  readonly text: string;
  readonly kind: 'tick' | 'bar';
  readonly region: LabRegion;
}

export interface LabEvent {
  readonly series: Series;
  /** Microseconds since 1970. */
  readonly time: bigint;
  readonly sequence: number;
  readonly price: string;
  /** Microseconds since 1970; of a bar: its end. */
  readonly ingest: bigint;
}

export interface Workload {
  readonly shape: WorkloadShape;
  readonly start: bigint;
  /** The first instant after the last tick that can be there. */
  readonly end: bigint;
  readonly ticks: readonly Series[];
  readonly bars: readonly Series[];
  /** Of the bars, in words: `1m`. */
  readonly resolution: string;
  /** Start of the first bar that can be there. */
  readonly barStart: bigint;
  /** Ticks in the order in which they are written, late ones among them. */
  readonly events: readonly LabEvent[];
  readonly barEvents: readonly LabEvent[];
}

/** 2026-01-05T14:30:00Z: a span of an hour crosses the border of one, as bucketed layouts must. */
const START = 1_767_623_400_000_000n;
const LATE = 0.01;
const COLLISION = 0.01;
const MOST_LATE = 30_000_000;
const MOST_LAG = 50_000;
/** Pixels of the chart that Q4 draws: at most twice as many bars. */
export const CHART_WIDTH = 120;
const RESOLUTIONS: readonly (readonly [string, bigint])[] = [['1s', SECOND], ['1m', MINUTE], ['5m', 5n * MINUTE], ['1h', HOUR], ['1d', 24n * HOUR]];
const REGION_TURN: readonly LabRegion[] = ['AMER', 'EMEA', 'AMER', 'EMEA', 'APAC'];

export function makeWorkload(shape: WorkloadShape): Workload {
  const random = fractionsFrom(shape.seed);
  const end = START + BigInt(Math.ceil(shape.span * 1_000_000));
  const [resolution, length] = RESOLUTIONS.find(([, each]) => (end - START) / each <= BigInt(2 * CHART_WIDTH)) ?? ['1d', 24n * HOUR];
  const names = Array.from({ length: shape.indices }, (_, k) => ({ id: `LAB${String(k + 1).padStart(4, '0')}`, region: REGION_TURN[k % REGION_TURN.length] ?? 'AMER' }));
  const ticks = names.map(({ id, region }): Series => ({ text: id, kind: 'tick', region }));
  const bars = names.map(({ id, region }): Series => ({ text: `${id}@${resolution}`, kind: 'bar', region }));
  const pick = pickByRank(shape.indices, shape.skew);
  const markets = ticks.map((series) => ({ series, cents: 100_000 + Math.floor(random() * 900_000), last: null as bigint | null, taken: new Map<bigint, number>() }));

  const events: LabEvent[] = [];
  const count = Math.max(1, Math.round(shape.rate * shape.span));
  const gap = 1_000_000 / shape.rate;
  for (let nth = 0; nth < count; nth += 1) {
    const market = markets[pick(random())];
    const [roll, draw, step, lag] = [random(), random(), random(), random()];
    if (!market) continue;
    const now = START + BigInt(Math.min(Math.floor(nth * gap + draw * gap), Number(end - START) - 1));
    let time = now;
    if (roll < LATE) time = now - BigInt(Math.floor(draw * MOST_LATE));
    else if (roll < LATE + COLLISION && market.last !== null) time = market.last;
    if (time < START) time = START;
    if (market.last === null || time > market.last) market.last = time;
    const sequence = market.taken.get(time) ?? 0;
    market.taken.set(time, sequence + 1);
    market.cents = Math.max(100, market.cents + Math.floor(step * 41) - 20);
    events.push({ series: market.series, time, sequence, price: decimal(market.cents), ingest: now + 1n + BigInt(Math.floor(lag * MOST_LAG)) });
  }
  return { shape, start: START, end, ticks, bars, resolution, barStart: START - floorMod(START, length), events, barEvents: barsOf(events, ticks, bars, length) };
}

const decimal = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Each bar by its start, with the close as its price. */
function barsOf(events: readonly LabEvent[], ticks: readonly Series[], bars: readonly Series[], length: bigint): LabEvent[] {
  const place = new Map(ticks.map((series, at) => [series, at]));
  const closes = new Map<string, { readonly bar: Series; readonly start: bigint; readonly last: LabEvent }>();
  for (const event of events) {
    const bar = bars[place.get(event.series) ?? -1];
    if (!bar) continue;
    const start = event.time - floorMod(event.time, length);
    const key = `${bar.text} ${start}`;
    const last = closes.get(key)?.last;
    if (!last || last.time < event.time || (last.time === event.time && last.sequence < event.sequence)) closes.set(key, { bar, start, last: event });
  }
  return [...closes.values()].map(({ bar, start, last }) => ({ series: bar, time: start, sequence: 0, price: last.price, ingest: start + length }));
}

/** Of all ticks, the part of the index that has most. */
export function hottestShare({ events, ticks }: Workload): number {
  const counts = new Map(ticks.map((series) => [series, 0]));
  for (const { series } of events) counts.set(series, (counts.get(series) ?? 0) + 1);
  return Math.max(...counts.values()) / events.length;
}

/** Which whole `length` since 1970 an instant lies in. */
export const bucketOf = (time: bigint, length: bigint): bigint => floorDiv(time, length);
