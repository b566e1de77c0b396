/** A market that never was: which event comes when, from a seed alone. The same seed and shape give the same events, on every machine. Pure. */
import { fromScaled } from '../../../shared/decimal.ts';
import { type IndexId, indexIdOf } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros } from '../../../shared/time.ts';
import type { LiveTick } from './liveTick.ts';
import { pickByRank, randomFrom } from '../../../shared/seeded.ts';

export interface MarketShape {
  readonly indices: number;
  /** Events a second, of all indices together. */
  readonly rate: number;
  /** The k-th index gets a share of 1 / k^skew; 0: all the same. */
  readonly skew: number;
  /** Shares of all events: behind their index's watermark; sent again as they were; at the microsecond of the index's newest; sent again with another price. Together at most 1. */
  readonly late: number;
  readonly duplicate: number;
  readonly collisions: number;
  readonly corrections: number;
  readonly writers: number;
  readonly seed: number;
  /** Event time of the first event. */
  readonly start: EpochMicros;
}

export type EventKind = 'plain' | 'late' | 'duplicate' | 'collision' | 'correction';

export interface MarketEvent {
  readonly kind: EventKind;
  /** Position of its writer, 0 to writers - 1. An index has one; a collision comes from the next one. */
  readonly writer: number;
  readonly tick: LiveTick;
}

/** Ids that no real index has, so that an invented price never stands under a real name. */
export const simulatedId = (nth: number): IndexId => indexIdOf(`SIM${String(nth + 1).padStart(4, '0')}`);

/** Microseconds from the start to the nth event, even: odd instants are the late ones' own. */
export const offsetOf = (nth: number, rate: number): bigint => (BigInt(Math.floor((nth / rate) * 1_000_000)) / 2n) * 2n;

const REMEMBERED = 256; // recent events that may come again
const MOST_LATE = 15_000_000; // half of the longest lag, µs
const PER_MICRO = 90_000; // below the numbers that late events use

interface Market {
  /** Event time of the newest, 0 where there is none. */
  time: bigint;
  n: number;
  late: number;
  /** Hundredths. */
  price: bigint;
}

/** Endless. Whole numbers decide everything that is written; shares of indices alone are computed in doubles. */
export function* marketEvents(shape: MarketShape): Generator<MarketEvent, never> {
  const random = randomFrom(shape.seed);
  const chance = (): number => random() / 2 ** 32;
  const pick = pickByRank(shape.indices, shape.skew);
  const ids = Array.from({ length: shape.indices }, (_, nth) => simulatedId(nth));
  const markets = ids.map((): Market => ({ time: 0n, n: 0, late: 0, price: BigInt(100_000 + (random() % 900_000)) }));
  const recent: MarketEvent[] = [];
  const { late, duplicate, collisions, corrections } = shape;

  for (let nth = 0; ; nth += 1) {
    const roll = chance();
    const draw = chance();
    const again = recent[random() % Math.max(1, recent.length)];
    const steps = random();
    if (again && roll < duplicate) {
      yield { ...again, kind: 'duplicate' };
      continue;
    }
    if (again && roll < duplicate + corrections) {
      const corrected: MarketEvent = { ...again, kind: 'correction', tick: { ...again.tick, price: fromScaled(cents(again.tick.price) + 1n, 2) } };
      recent[recent.indexOf(again)] = corrected;
      yield corrected;
      continue;
    }
    const index = pick(draw);
    const [market, id] = [markets[index], ids[index]];
    if (!market || !id) throw new RangeError(`no index ${index}`);
    const moved = market.price + BigInt((steps % 41) - 20);
    market.price = moved > 100n ? moved : 100n;
    const has = market.time !== 0n;
    const wanted: EventKind = roll < duplicate + corrections ? 'plain' : roll < duplicate + corrections + late ? 'late' : roll < duplicate + corrections + late + collisions ? 'collision' : 'plain';
    // the first event of an index has nothing to be late behind or to meet
    const kind = !has || (wanted === 'collision' && market.n >= PER_MICRO) ? 'plain' : wanted;
    const event = eventOf(kind, id, market, index, nth, steps, shape);
    if (recent.push(event) > REMEMBERED) recent.shift();
    yield event;
  }
}

function eventOf(kind: EventKind, index: IndexId, market: Market, nth: number, at: number, steps: number, { rate, start, writers }: MarketShape): MarketEvent {
  const tick = (time: bigint, n: number): LiveTick => (
    { index, time: micros(time), nanos: 0, price: fromScaled(market.price, 2), volume: null, bid: null, ask: null, source: 'simulate', n });
  const writer = nth % writers;
  if (kind === 'late') {
    market.late += 1;
    const lag = BigInt(steps % MOST_LATE) * 2n + 1n;
    return { kind, writer, tick: tick(market.time - lag, PER_MICRO + (market.late % (100_000 - PER_MICRO))) };
  }
  if (kind === 'collision') {
    market.n += 1;
    return { kind, writer: (writer + 1) % writers, tick: tick(market.time, market.n) };
  }
  const time = start + offsetOf(at, rate);
  market.n = time === market.time ? market.n + 1 : 0;
  market.time = time;
  return { kind, writer, tick: tick(time, market.n) };
}

const cents = (price: string): bigint => {
  const [whole = '0', fraction = ''] = price.split('.');
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
};
