import { describe, expect, test } from 'vitest';
import { auditDue, backoffMs, confirmDeadlineOf, deadlineOf, intervalOf, nextCycle, nextPoll, scansAll } from '../../../electron/feed/schedule.ts';

test('the interval is a whole number of milliseconds within 100..60000', () => {
  for (const bad of [99, 60_001, 0, -1, 1.5, Number.NaN]) expect(() => intervalOf(bad)).toThrow(RangeError);
  expect([100, 1000, 60_000].map(intervalOf)).toEqual([100, 1000, 60_000]);
});

test.each([[100, 2000], [1000, 2000], [1500, 3000], [5000, 10_000], [60_000, 10_000]])('at %i ms a read fails after %i ms', (interval, deadline) => {
  expect(deadlineOf(interval)).toBe(deadline);
});

test('a store that freezes right after a poll is known as broken within two deadlines at the default interval', () => {
  expect(1000 + deadlineOf(1000) + backoffMs(1, 1) + confirmDeadlineOf(1000)).toBeLessThan(2 * deadlineOf(1000));
});

test('back-off doubles, is jittered down to half and never passes 500 ms', () => {
  expect(backoffMs(1, 1)).toBe(100);
  expect(backoffMs(1, 0)).toBe(50);
  expect(backoffMs(2, 1)).toBe(200);
  for (const failures of [3, 10, 1000]) {
    expect(backoffMs(failures, 1)).toBeLessThanOrEqual(500);
    expect(backoffMs(failures, 0)).toBeGreaterThan(0);
  }
});

describe('next poll', () => {
  const open = { now: 10_000, intervalMs: 1000, closed: false, activeAt: null, openInMs: null };
  const closed = { ...open, closed: true };

  test('open: an interval later', () => expect(nextPoll(open)).toBe(11_000));
  test('closed: half a minute later', () => expect(nextPoll(closed)).toBe(40_000));
  test('closed, opens before that: at the open', () => expect(nextPoll({ ...closed, openInMs: 12_000 })).toBe(22_000));
  test('closed, opens at once: not faster than the interval', () => expect(nextPoll({ ...closed, openInMs: 5 })).toBe(11_000));
  test('closed, but printing: as if open, for a minute', () => {
    expect(nextPoll({ ...closed, activeAt: 9_000 })).toBe(11_000);
    expect(nextPoll({ ...closed, now: 70_000, activeAt: 9_000 })).toBe(100_000);
  });
  test('closed never means faster', () => expect(nextPoll({ ...closed, intervalMs: 60_000 })).toBe(70_000));
});

test.each([100, 1000, 3000, 9000])('polling every %i ms, no two audits are 10 s apart', (interval) => {
  let last = 0;
  let longest = 0;
  for (let now = 0; now < 100_000; now += interval) {
    if (!auditDue(now, last, interval)) continue;
    longest = Math.max(longest, now - last);
    last = now;
  }
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThan(10_000);
});

test('cycles stay on their grid: what a slow one missed is skipped', () => {
  expect(nextCycle(1000, 1003, 1000)).toBe(2000);
  expect(nextCycle(1000, 2999, 1000)).toBe(3000);
  expect(nextCycle(1000, 3500, 1000)).toBe(4000);
});

test('auto scans up to 16 indices', () => {
  expect([scansAll('auto', 16), scansAll('auto', 17), scansAll('delta', 1), scansAll('scan', 500)]).toEqual([true, false, false, true]);
});
