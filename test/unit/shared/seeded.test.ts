import { expect, test } from 'vitest';
import { fractionsFrom, pickByRank, randomFrom } from '../../../shared/seeded.ts';

const some = (seed: number): number[] => { const next = randomFrom(seed); return Array.from({ length: 5 }, next); };

test('the same seed tells the same, another seed another', () => {
  expect(some(7)).toEqual(some(7));
  expect(some(7)).not.toEqual(some(8));
  expect(some(7)).not.toEqual(some(7 + 2 ** 32));
});

test('fractions lie in [0, 1) and are spread evenly', () => {
  const next = fractionsFrom(1);
  const drawn = Array.from({ length: 10_000 }, next);
  expect(drawn.every((one) => one >= 0 && one < 1)).toBe(true);
  for (let tenth = 0; tenth < 10; tenth += 1) expect(drawn.filter((one) => Math.floor(one * 10) === tenth).length / 1000).toBeCloseTo(1, 0);
});

test('ranks have the shares of Zipf\'s law, and every draw a rank', () => {
  const pick = pickByRank(3, 1); // 1 : 1/2 : 1/3
  expect([0, 0.54, 0.55, 0.81, 0.82, 0.999_999].map(pick)).toEqual([0, 0, 1, 1, 2, 2]);
  expect(Array.from({ length: 4 }, (_, at) => pickByRank(4, 0)(at / 4))).toEqual([0, 1, 2, 3]);
});
