import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoOf, microsOf } from '../../../electron/feed/instantText.ts';
import { formatIso, MAX_MICROS, micros, MIN_MICROS } from '../../../shared/time.ts';

const time = fc.oneof(
  fc.bigInt({ min: MIN_MICROS, max: MAX_MICROS }), fc.bigInt({ min: -2_000_000n, max: 2_000_000n }), fc.bigInt({ min: 1_764_000_000_000_000n, max: 1_764_000_130_000_000n }), fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n),
);

test('an instant is written as everywhere else, whatever was written before it', () =>
  fc.assert(fc.property(fc.array(time, { minLength: 1, maxLength: 8 }), (times) => {
    for (const at of times.map(micros)) expect([isoOf(at), microsOf(at)]).toEqual([formatIso(at), String(at)]);
  }), { numRuns: 300 }));
