import fc from 'fast-check';
import { expect, test } from 'vitest';
import { horizonKey, isBeyond } from '../../../electron/feed/horizon.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { MAX_MICROS, micros, MIN_MICROS } from '../../../shared/time.ts';

const SPX = indexIdOf('SPX');
const time = fc.oneof(fc.bigInt({ min: MIN_MICROS, max: MAX_MICROS }), fc.bigInt({ min: 10n, max: 14n })).map(micros);

test('a key is beyond the horizon where it sorts before its key, cut off keys and foreign ones too', () =>
  fc.assert(fc.property(time, time, fc.nat({ max: 30 }), fc.constantFrom('', '#', '~', '\0', 'x'), (horizon, at, size, tail) => {
    const key = `SPX#${tickKey(SPX, at, 3).slice(4, 4 + size)}${tail}`;
    expect(isBeyond(SPX, key, horizon)).toBe(key < horizonKey(SPX, horizon));
  })));
