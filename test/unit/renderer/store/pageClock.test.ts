import { expect, test } from 'vitest';
import { createPageClock } from '../../../../renderer/store/pageClock.ts';

const view = (nowMicros: bigint, speed = 1, paused = false) => ({ kind: 'wall' as const, nowMicros: String(nowMicros), speed, paused, note: null });

test('unknown before the first beat, then counted on by the own clock times speed', () => {
  let elapsed = 0;
  const clock = createPageClock(() => elapsed);
  expect(clock.now()).toBeUndefined();
  clock.beat(view(1_000_000n, 10));
  elapsed = 500;
  expect(clock.now()).toBe(6_000_000n);
});

test('silence is measured from the last beat; desk time goes on without beats', () => {
  let elapsed = 0;
  const clock = createPageClock(() => elapsed);
  clock.beat(view(0n));
  elapsed = 60_000;
  expect(clock.silentMs()).toBe(60_000);
  expect(clock.now()).toBe(60_000_000n);
});

test('a pause freezes it', () => {
  let elapsed = 0;
  const clock = createPageClock(() => elapsed);
  clock.beat(view(5_000_000n, 10, true));
  elapsed = 9000;
  expect(clock.now()).toBe(5_000_000n);
});

test('a late beat never throws the clock back by its lateness, a jump is followed at once', () => {
  let elapsed = 0;
  const clock = createPageClock(() => elapsed);
  clock.beat(view(0n));
  elapsed = 1300; // the beat of second 1, 300 ms late
  clock.beat(view(1_000_000n));
  expect(Number(clock.now())).toBeGreaterThan(1_200_000);
  elapsed = 2000;
  clock.beat(view(-50_000_000n)); // the replay starts again
  expect(clock.now()).toBe(-50_000_000n);
});

test('small errors are slewed away within a minute of beats', () => {
  let elapsed = 0;
  const clock = createPageClock(() => elapsed);
  clock.beat(view(800_000n)); // 800 ms ahead
  for (let second = 1; second <= 60; second += 1) {
    elapsed = second * 1000;
    clock.beat(view(BigInt(second) * 1_000_000n));
  }
  expect(Math.abs(Number(clock.now()) - 60_000_000)).toBeLessThan(10_000);
});
