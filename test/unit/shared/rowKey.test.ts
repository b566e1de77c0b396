import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  barKey, barRange, barsStarting, decodeKey, indexIdOf, type IndexId, isIndexId, keyAfter, type KeyRange, MAX_SEQUENCE, META_KINDS, metaKey, metaRange, RESOLUTIONS,
  reverseTime, shardedTickKey, shardRange, tickKey, tickRange, ticksBetween, ticksNewerThan, ticksUpTo,
} from '../../../shared/rowKey.ts';
import { type EpochMicros, MAX_MICROS, micros, MIN_MICROS, parseTime } from '../../../shared/time.ts';

const SPX = indexIdOf('SPX');
const edge = fc.constantFrom(MIN_MICROS, micros(MIN_MICROS + 1n), micros(-1n), micros(0n), micros(1n), micros(MAX_MICROS - 1n), MAX_MICROS);
const time = fc.oneof(
  { weight: 5, arbitrary: fc.bigInt({ min: MIN_MICROS, max: MAX_MICROS }).map(micros) },
  { weight: 2, arbitrary: fc.bigInt({ min: -1000n, max: 1000n }).map(micros) }, // both sides of 1970
  { weight: 1, arbitrary: edge },
);
const sequence = fc.integer({ min: 0, max: MAX_SEQUENCE });
const id = fc.stringMatching(/^[A-Z0-9^._-]{1,24}$/).map(indexIdOf);
const shard = fc.integer({ min: 0, max: 99 });

/** Byte order, as the store has it. */
const order = (a: string, b: string): number => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
const inside = (key: string, { start, end }: KeyRange): boolean => order(key, start) >= 0 && order(key, end) < 0;
const sign = (value: bigint): number => (value < 0n ? -1 : value > 0n ? 1 : 0);
const bare = (index: IndexId, at: EpochMicros): string => `${index}#${reverseTime(at)}`;

describe('order', () => {
  test('bytes sort as time does, newest first, over 0001..9999', () =>
    fc.assert(fc.property(time, time, (a, b) => { expect(order(tickKey(SPX, a), tickKey(SPX, b))).toBe(sign(b - a)); }), { numRuns: 2000 }));

  test('neighbouring microseconds stay apart everywhere', () =>
    fc.assert(fc.property(fc.bigInt({ min: MIN_MICROS, max: MAX_MICROS - 1n }).map(micros), (at) => {
      expect(order(tickKey(SPX, micros(at + 1n)), tickKey(SPX, at))).toBe(-1);
    })));

  test('within one instant the higher sequence sorts first', () =>
    fc.assert(fc.property(time, sequence, sequence, (at, a, b) => { expect(order(tickKey(SPX, at, a), tickKey(SPX, at, b))).toBe(Math.sign(b - a)); })));

  test('shards and bars sort newest first too', () =>
    fc.assert(fc.property(time, time, shard, fc.constantFrom(...RESOLUTIONS), (a, b, n, resolution) => {
      expect(order(shardedTickKey(SPX, n, a, 0), shardedTickKey(SPX, n, b, 0))).toBe(sign(b - a));
      expect(order(barKey(SPX, resolution, a), barKey(SPX, resolution, b))).toBe(sign(b - a));
    })));

  test('string order here is byte order there', () =>
    fc.assert(fc.property(id, id, time, time, (a, b, s, t) => {
      const [x, y] = [tickKey(a, s), tickKey(b, t)];
      expect(x < y ? -1 : x > y ? 1 : 0).toBe(order(x, y));
    })));
});

describe('the codec', () => {
  test('reads back every key it writes', () =>
    fc.assert(fc.property(id, time, sequence, shard, fc.constantFrom(...RESOLUTIONS), (index, at, n, of, resolution) => {
      expect(decodeKey(tickKey(index, at, n))).toEqual({ kind: 'tick', index, time: at, sequence: n, shard: null });
      expect(decodeKey(bare(index, at))).toEqual({ kind: 'tick', index, time: at, sequence: null, shard: null });
      expect(decodeKey(shardedTickKey(index, of, at, n))).toEqual({ kind: 'tick', index, time: at, sequence: n, shard: of });
      expect(decodeKey(barKey(index, resolution, at))).toEqual({ kind: 'bar', index, time: at, resolution });
    })));

  test('metadata', () => {
    for (const kind of META_KINDS) expect(decodeKey(metaKey(kind, 'SPX'))).toEqual({ kind, name: 'SPX' });
  });

  test('the time takes 19 digits over all the years', () => {
    for (const at of [MIN_MICROS, MAX_MICROS, 0n, -1n]) expect(reverseTime(at)).toMatch(/^\d{19}$/);
  });

  const { vectors } = JSON.parse(readFileSync(`${import.meta.dirname}/../../fixtures/formats/reverse-key-vectors.json`, 'utf8')) as {
    vectors: { label: string; utcMicros: string; int64MaxMinusMicros: string }[];
  };
  test.each(vectors)('vector $label: $utcMicros', ({ utcMicros, int64MaxMinusMicros }) => {
    expect(reverseTime(BigInt(utcMicros))).toBe(int64MaxMinusMicros);
    expect(decodeKey(`SPX#${int64MaxMinusMicros}`)).toMatchObject({ time: BigInt(utcMicros) });
  });

  test.each([
    '', '#', 'SPX', 'SPX#', 'spx#9221641425054775807', 'SPX#922164142505477580', 'SPX#92216414250547758070', 'SPX#9221641425054775807#', 'SPX#9221641425054775807#99999',
    'SPX#9221641425054775807#9999999', 'SPX~1#9221641425054775807#999999', 'SPX~01#9221641425054775807', 'SPX@2m#9221641425054775807', 'SPX@1m#9221641425054775807#999999',
    '!index#', '!other#SPX', '!index', 'SPX#0000000000000000000', 'SPX#9999999999999999999', 'S PX#9221641425054775807', 'SPX#-221641425054775807', 'SPX#9221641425054775807\n',
    `${'A'.repeat(25)}#9221641425054775807`, '\u0000SPX#9221641425054775807', 'SPX#９２２１６４１４２５０５４７７５８０７', '!index#SPX\n', '!index#\n',
  ])('is no key: %j', (key) => expect(decodeKey(key)).toBeUndefined());

  test('never throws and never guesses', () =>
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Z!]{0,4}[#@~]?\d{0,20}#?\d{0,7}$/)), (text) => {
      const key = decodeKey(text);
      if (key?.kind === 'tick' && key.shard === null) expect(key.sequence === null ? bare(key.index, key.time) : tickKey(key.index, key.time, key.sequence)).toBe(text);
    })));

  test('times and sequences outside are errors, never wrapped keys', () => {
    expect(() => reverseTime(MAX_MICROS + 1n)).toThrow(RangeError);
    expect(() => reverseTime(MIN_MICROS - 1n)).toThrow(RangeError);
    for (const bad of [-1, 1_000_000, 0.5, NaN]) expect(() => tickKey(SPX, micros(0n), bad)).toThrow(RangeError);
    for (const bad of [-1, 100, 1.5]) expect(() => shardedTickKey(SPX, bad, micros(0n), 0)).toThrow(RangeError);
  });

  test.each(['', 'spx', 'S#X', 'S~X', 'S@X', '!S', 'S X', 'SPX\n', 'É', 'A'.repeat(25)])('is no id: %j', (text) => {
    expect(isIndexId(text)).toBe(false);
    expect(() => indexIdOf(text)).toThrow(/A-Z 0-9/);
  });
});

describe('ranges', () => {
  test('SPX# never holds SPX500#, nor any other id', () => {
    expect(inside(tickKey(indexIdOf('SPX500'), micros(0n)), tickRange(SPX))).toBe(false);
    fc.assert(fc.property(id, id, time, sequence, (a, b, at, n) => {
      expect(inside(tickKey(b, at, n), tickRange(a))).toBe(a === b);
      expect(inside(tickKey(indexIdOf(`${a}${b}`.slice(0, 24)), at, n), tickRange(a))).toBe(a.length === 24);
    }));
  });

  test('ticks, bars and shards of one id lie apart', () =>
    fc.assert(fc.property(id, time, sequence, shard, shard, fc.constantFrom(...RESOLUTIONS), fc.constantFrom(...RESOLUTIONS), (index, at, n, m, other, resolution, second) => {
      const [tick, bar, sharded] = [tickKey(index, at, n), barKey(index, resolution, at), shardedTickKey(index, m, at, n)];
      expect([tickRange(index), barRange(index, resolution), shardRange(index, m)].map((range) => [tick, bar, sharded].map((key) => inside(key, range))))
        .toEqual([[true, false, false], [false, true, false], [false, false, true]]);
      expect(inside(bar, barRange(index, second))).toBe(resolution === second);
      expect(inside(sharded, shardRange(index, other))).toBe(m === other);
    })));

  test('a closed range holds its boundary instants with all sequences, and keys without one', () =>
    fc.assert(fc.property(time, time, time, sequence, (a, b, at, n) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      const range = ticksBetween(SPX, from, to);
      for (const bound of [from, to]) for (const key of [bare(SPX, bound), tickKey(SPX, bound, 0), tickKey(SPX, bound, n), tickKey(SPX, bound, MAX_SEQUENCE)]) expect(inside(key, range)).toBe(true);
      expect(inside(tickKey(SPX, at, n), range)).toBe(at >= from && at <= to);
      expect(inside(bare(SPX, at), range)).toBe(at >= from && at <= to);
      for (const outside of [from - 1n, to + 1n]) {
        if (outside < MIN_MICROS || outside > MAX_MICROS) continue;
        for (const key of [bare(SPX, outside as EpochMicros), tickKey(SPX, outside as EpochMicros, 0), tickKey(SPX, outside as EpochMicros, MAX_SEQUENCE)]) expect(inside(key, range)).toBe(false);
      }
    })));

  test('a range as of an instant holds it and all before', () =>
    fc.assert(fc.property(time, time, sequence, (bound, at, n) => { expect(inside(tickKey(SPX, at, n), ticksUpTo(SPX, bound))).toBe(at <= bound); })));

  test('a delta holds what sorts before the known row and nothing else', () =>
    fc.assert(fc.property(time, sequence, time, sequence, (known, m, at, n) => {
      const newer = at > known || (at === known && n > m);
      expect(inside(tickKey(SPX, at, n), ticksNewerThan(SPX, tickKey(SPX, known, m)))).toBe(newer);
    })));

  test('bars by their start, both ends included', () =>
    fc.assert(fc.property(time, time, time, (a, b, at) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      expect(inside(barKey(SPX, '1m', at), barsStarting(SPX, '1m', from, to))).toBe(at >= from && at <= to);
    })));

  test('metadata of one kind', () => {
    expect(inside(metaKey('index', 'SPX'), metaRange('index'))).toBe(true);
    expect(inside(metaKey('latest', 'SPX'), metaRange('index'))).toBe(false);
  });

  test('no bound is empty: that would be the whole table', () => {
    const at = parseTime('2024-11-03');
    for (const { start, end } of [tickRange(SPX), shardRange(SPX, 0), barRange(SPX, '1d'), metaRange('index'), ticksBetween(SPX, at, at), ticksUpTo(SPX, at), ticksNewerThan(SPX, tickKey(SPX, at)), barsStarting(SPX, '1d', at, at)]) {
      expect(start.length > 0 && end.length > 0 && order(start, end) < 0).toBe(true);
    }
  });

  test('the key after a key has nothing between', () => {
    expect(order(keyAfter('SPX#1'), 'SPX#1')).toBe(1);
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => { expect(text > 'SPX#1' && text < keyAfter('SPX#1')).toBe(false); }));
  });
});
