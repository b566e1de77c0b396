import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReplayClock, MAX_SPEED, MIN_SPEED } from '../../../electron/ingest/replayClock.ts';
import { SECOND } from '../../../shared/time.ts';
import { at, fakeTime } from './fakes.ts';

const START = at('2019-11-06T14:20:00Z');
const made = (speed?: number) => {
  const time = fakeTime();
  return { time, clock: createReplayClock({ start: START, elapsed: time.elapsed, ...(speed === undefined ? {} : { speed }) }) };
};

test('runs at ten times unless told otherwise', () => {
  const { time, clock } = made();
  time.advance(1500);
  expect([clock.now() - START, clock.speed(), clock.kind]).toEqual([15n * SECOND, 10, 'replay']);
});

test('a pause freezes it, elapsed time goes on, and it resumes where it stood', () => {
  const { time, clock } = made(60);
  time.advance(1000);
  clock.set({ paused: true });
  const before = clock.elapsed();
  time.advance(5000);
  expect([clock.now() - START, clock.speed(), clock.chosenSpeed(), clock.paused(), clock.elapsed() - before]).toEqual([60n * SECOND, 0, 60, true, 5000]);
  clock.set({ speed: 2 });
  time.advance(5000);
  expect(clock.now() - START).toBe(60n * SECOND);
  clock.set({ paused: false });
  time.advance(1000);
  expect(clock.now() - START).toBe(62n * SECOND);
});

test('no change of speed or pause steps desk time, and it never runs back', () =>
  fc.assert(fc.property(fc.array(fc.record({ wait: fc.nat(10_000), speed: fc.option(fc.integer({ min: MIN_SPEED, max: MAX_SPEED }), { nil: undefined }), paused: fc.option(fc.boolean(), { nil: undefined }) })), (changes) => {
    const { time, clock } = made();
    for (const { wait, ...change } of changes) {
      const [started, ran] = [clock.now(), clock.speed()];
      time.advance(wait);
      const before = clock.now();
      expect(Math.abs(Number(before - started) - wait * 1000 * ran)).toBeLessThanOrEqual(1);
      clock.set(change);
      expect(clock.now()).toBe(before);
    }
  })));

test('until tells the elapsed time left, none while paused', () => {
  const { time, clock } = made(10);
  const target = at('2019-11-06T14:20:10Z');
  expect(clock.until(target)).toBeCloseTo(1000, 6);
  clock.set({ paused: true });
  expect(clock.until(target)).toBeNull();
  clock.set({ paused: false });
  time.advance(1000);
  expect(clock.until(target)).toBe(0);
});

test('a speed out of range changes nothing and is told', () => {
  const { clock } = made();
  for (const speed of [0, 0.5, 61, -1, Number.NaN, Infinity]) expect(clock.set({ speed, paused: true })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
  expect([clock.speed(), clock.paused()]).toEqual([10, false]);
  expect(() => made(61)).toThrow(RangeError);
});

test('a jump moves desk time, says why, and tells listeners', () => {
  const { time, clock } = made();
  let told = 0;
  const off = clock.onChange(() => (told += 1));
  time.advance(60_000);
  clock.jump(START, 'started again');
  expect([clock.now(), clock.note(), told]).toEqual([START, 'started again', 1]);
  clock.jump(START);
  expect(clock.note()).toBe('started again');
  off();
  clock.set({ speed: 1 });
  expect(told).toBe(2);
});
