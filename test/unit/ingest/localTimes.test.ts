import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localTimes } from '../../../electron/ingest/localTimes.ts';
import { atLocal, dateOf } from '../../../shared/zone.ts';
import { HOUR, MINUTE } from '../../../shared/time.ts';

const of = (clock: string): bigint => BigInt(clock.slice(0, 2)) * HOUR + BigInt(clock.slice(3)) * MINUTE;

test('the second 01:00 after 01:59 is the second pass; 02:30 in spring never was; 24:00 is the next midnight', () => {
  const resolve = localTimes('America/New_York');
  const times = [['2024-11-03', '00:59'], ['2024-11-03', '01:00'], ['2024-11-03', '01:59'], ['2024-11-03', '01:00'], ['2024-11-03', '01:30'], ['2024-11-03', '02:00'], ['2024-11-04', '24:00']]
    .map(([date, clock]) => resolve(date!, of(clock!)));
  expect(times.map((found) => ('time' in found ? Number(found.time / 1_000_000n) : found.reason)))
    .toEqual([1730609940, 1730610000, 1730613540, 1730613600, 1730615400, 1730617200, 1730782800]);
  expect(resolve('2024-03-10', of('02:30'))).toEqual({ reason: 'this local time does not exist in America/New_York on 2024-03-10' });
  expect(resolve('2024-03-10', 24n * HOUR + 1n)).toEqual({ reason: 'no such time of day' });
});

test('days without a change of clocks take the short way and agree with the long one', () => {
  const zones = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Tokyo', 'Australia/Sydney', 'UTC');
  fc.assert(
    fc.property(zones, fc.integer({ min: 3650, max: 22_000 }), fc.bigInt({ min: 0n, max: 24n * HOUR }), (zone, day, ofDay) => {
      const date = dateOf(BigInt(day));
      const [short, long] = [localTimes(zone)(date, ofDay), atLocal(zone, date, ofDay)];
      if (long.kind === 'none') expect(short).toHaveProperty('reason');
      else expect(short).toEqual({ time: long.kind === 'one' ? long.time : long.first });
    }),
    { numRuns: 300 },
  );
});
