import { describe, expect, test } from 'vitest';
import { createSkew, type Skew } from '../../../electron/feed/skew.ts';
import { indexIdOf } from '../../../shared/rowKey.ts';
import { micros, utc } from '../../../shared/time.ts';

const TRUE = utc(2024, 3, 6, 15, 0);
const shift = (ms: number): ReturnType<typeof micros> => micros(TRUE + BigInt(ms) * 1000n);

/** `indices` print each second for `seconds`; the desk runs `skew` ms ahead and sees each price `travel` ms after it was handled. */
function live(skew: Skew, { indices = 3, seconds = 5, ahead = 0, travel = 300, late = 0, ingest = true, from = 0 }): number | null {
  for (let second = 0; second < seconds; second += 1) {
    for (let i = 0; i < indices; i += 1) {
      const at = second * 1000;
      const tick = { time: shift(at - late), ingest: ingest ? shift(at) : null };
      skew.arrived(indexIdOf(`I${i + from}`), tick, 0, shift(at + travel + ahead), at);
    }
  }
  return skew.estimate(seconds * 1000);
}

test.each([[600_000], [-600_000], [3_000], [-3_000]])('a desk %i ms ahead is found, to within a second', (ahead) => {
  const found = live(createSkew(1000), { ahead }) ?? Number.NaN;
  expect(Math.abs(found - ahead)).toBeLessThanOrEqual(1000);
});
test('no difference that could not be the way of a price is none', () => expect(live(createSkew(1000), { travel: 900 })).toBe(0));

describe('unknown', () => {
  test('with nothing read', () => expect(createSkew(1000).estimate(0)).toBeNull());
  test.each([1, 2])('with %i indices', (indices) => expect(live(createSkew(1000), { indices, ahead: 600_000 })).toBeNull());
  test('with too few prices of each', () => expect(live(createSkew(1000), { seconds: 2, ahead: 600_000 })).toBeNull());
  test('when indices disagree', () => {
    const skew = createSkew(1000);
    live(skew, { ahead: 0 });
    expect(live(skew, { ahead: -3_600_000, from: 3, seconds: 40 })).toBeNull();
  });
  test('when a feed without ingest times is late: it must not look live', () => expect(live(createSkew(1000), { late: 900_000, ingest: false })).toBeNull());
  test('after a step of the clock', () => {
    const skew = createSkew(1000);
    live(skew, { ahead: 600_000 });
    skew.forget();
    expect(skew.estimate(6000)).toBeNull();
  });
});

test('a late feed with ingest times says nothing of the clock', () => expect(live(createSkew(1000), { late: 900_000 })).toBe(0));
test('events from the future of several indices tell of a desk that is behind, ingest times or not', () => expect(live(createSkew(1000), { ahead: -600_000, ingest: false, travel: 0 })).toBe(-600_000));
test('one index stamped an hour ahead changes nothing', () => {
  const skew = createSkew(1000);
  live(skew, { indices: 1, ahead: -3_600_000, from: 9 });
  expect(live(skew, {})).toBe(0);
});
test('a desk that moves little keeps its estimate', () => {
  const skew = createSkew(1000);
  const first = live(skew, { ahead: 10_000 });
  expect(live(skew, { ahead: 10_200, travel: 200 })).toBe(first);
});
