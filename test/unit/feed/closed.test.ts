import { describe, expect, test } from 'vitest';
import { micros, utc } from '../../../shared/time.ts';
import { fakeClock } from './fakeClock.ts';
import { type Desk, desk, OPEN, pass, SATURDAY } from './feedDesk.ts';

test('closed: two reads a minute; at the open: every interval', async () => {
  const start = utc(2024, 3, 8, 14, 25); // five minutes before New York opens
  const { feed, table, tick } = desk(start, ['SPX']);
  tick('SPX', '7', { back: 3_600_000 * 18 });
  feed.start();
  await pass(5000);
  table.requests.length = 0;
  await pass(240_000);
  expect(table.requests.filter((request) => request.families?.includes('q')).length).toBeLessThanOrEqual(9);
  await pass(56_000);
  table.requests.length = 0;
  await pass(10_000);
  expect(table.requests.length).toBeGreaterThanOrEqual(9);
});

test('a closed index that prints shows it within a poll where new ids are looked for anyway, then is read at the interval', async () => {
  const { table, tick, quote, feed } = desk(SATURDAY, null);
  tick('SPX', '10', { back: 3_600_000 });
  feed.start();
  await pass(5_000);
  expect(quote('SPX')).toMatchObject({ price: '10', state: 'closed' });
  const before = table.requests.length;
  await pass(10_000);
  // one request a cycle, the one that looks for new ids
  expect(table.requests.length - before).toBeLessThanOrEqual(11);
  tick('SPX', '11');
  await pass(1_500);
  expect(quote('SPX')).toMatchObject({ price: '11', state: 'closed' });
  tick('SPX', '12');
  await pass(1_500);
  expect(quote('SPX').price).toBe('12');
});

test('a fixed list of closed indices: the first print after the long wait brings the next ones at the interval', async () => {
  const { tick, quote, feed } = desk(SATURDAY, ['SPX']);
  tick('SPX', '10', { back: 3_600_000 });
  feed.start();
  await pass(5_000);
  tick('SPX', '11');
  await pass(31_000);
  expect(quote('SPX').price).toBe('11');
  tick('SPX', '12');
  await pass(2_100);
  expect(quote('SPX').price).toBe('12');
});

describe('a closed index wakes at its open on desk time', () => {
  const BEFORE = utc(2024, 3, 8, 14, 20); // New York opens at 14:30
  const replaying = (speed: number): Desk => {
    const clock = fakeClock(BEFORE, 'replay');
    clock.setSpeed(speed);
    const made = desk(BEFORE, ['SPX'], {}, { clock });
    made.tick('SPX', '7', { back: 3_600_000 * 18 });
    made.feed.start();
    return made;
  };
  const openIn = ({ clock }: Desk): number => Number(utc(2024, 3, 8, 14, 30) - clock.now()) / 1000;
  /** The first print, and the state that a poll later is shown. */
  async function firstPrint({ tick, quote }: Desk): Promise<void> {
    expect(quote('SPX')).toMatchObject({ state: 'quiet', reason: 'awaiting-open' });
    tick('SPX', '8');
    await pass(1010);
    expect(quote('SPX')).toMatchObject({ price: '8', state: 'live' });
  }

  test.each([1, 10, 60])('at speed %i', async (speed) => {
    const made = replaying(speed);
    await pass(openIn(made) / speed + 50);
    await firstPrint(made);
  });

  test.each([[1, 60], [60, 1], [10, 60], [1, 10]])('when the speed changes from %i to %i', async (before, after) => {
    const made = replaying(before);
    await pass(2500);
    made.clock.setSpeed(after);
    await pass(openIn(made) / after + 50);
    await firstPrint(made);
  });

  test('when the clock was paused just before it, and runs again', async () => {
    const made = replaying(60);
    await pass(9700);
    made.clock.setSpeed(0);
    await pass(32_000);
    made.clock.setSpeed(60);
    await pass(openIn(made) / 60 + 50);
    await firstPrint(made);
  });

  test.each([1, 0])('when the clock jumps there, at speed %i', async (speed) => {
    const made = replaying(1);
    await pass(5000);
    made.clock.setSpeed(speed);
    await pass(2000);
    made.clock.jump(micros(utc(2024, 3, 8, 14, 30) + 1_000_000n));
    made.tick('SPX', '8');
    await pass(2050);
    expect(made.quote('SPX')).toMatchObject({ price: '8', state: 'live' });
  });
});

test('pausing a replay changes no state and no age', async () => {
  const clock = fakeClock(OPEN, 'replay');
  clock.setSpeed(60);
  const { feed, tick, quote } = desk(OPEN, ['SPX'], {}, { clock });
  feed.start();
  await pass(500);
  tick('SPX', '7');
  await pass(900);
  expect(quote('SPX').state).toBe('live');
  clock.setSpeed(0);
  await pass(60_000);
  expect(quote('SPX')).toMatchObject({ state: 'live', ageMs: 54_000 });
}, 10_000);
