import { describe, expect, test } from 'vitest';
import { micros } from '../../../shared/time.ts';
import { fakeClock } from './fakeClock.ts';
import { desk, many, OPEN, pass } from './feedDesk.ts';

describe('the store fails', () => {
  test.each(['scan', 'delta'] as const)('%s: an outage of ten minutes is broken, filling, live; every tick of it arrives as backfill, once', async (strategy) => {
    const { feed, table, tick, quote, links, ticks, health } = desk(OPEN, ['SPX', 'NDX'], { strategy });
    feed.watch(Symbol('page'), ['SPX']);
    tick('SPX', '1');
    tick('NDX', '1');
    feed.start();
    await pass(1500);
    ticks.length = 0;
    table.mode = 'refuse';
    for (let second = 0; second < 600; second += 1) {
      await pass(1000);
      tick('SPX', String(100 + second));
      tick('NDX', String(100 + second));
      if (second === 2) expect(quote('SPX')).toMatchObject({ state: 'disconnected', reason: 'store', price: '1' });
    }
    expect(health()).toMatchObject({ link: 'broken', problem: { code: 'STORE_UNREACHABLE' } });
    table.mode = 'ok';
    await pass(1000);
    expect(quote('SPX')).toMatchObject({ price: '699' });
    expect(quote('SPX').state).not.toBe('disconnected');
    await pass(9000);
    expect(links).toEqual(['connecting', 'live', 'broken', 'filling', 'live']);
    expect(health().problem).toBeNull();
    const seen = ticks.flatMap((event) => event.ticks.map((one) => one.price));
    expect(seen).toHaveLength(600);
    expect(new Set(seen).size).toBe(600);
    expect(ticks.filter((event) => event.backfill).flatMap((event) => event.ticks).length).toBeGreaterThan(590);
  });

  test.each([2, 500])('frozen: %i values are disconnected within two deadlines, prices kept, and back within a second of its return', async (count) => {
    const { feed, table, tick } = desk(OPEN, many(count));
    for (const id of many(count)) tick(id, '7');
    feed.start();
    await pass(5050);
    table.mode = 'hang';
    await pass(4000);
    expect(new Set(feed.snapshot().map((quote) => `${quote.state} ${quote.price}`))).toEqual(new Set(['disconnected 7']));
    await pass(20_000);
    table.mode = 'ok';
    await pass(3500); // a read that hangs must run out first, the store being back does not end it
    expect(feed.snapshot().filter((quote) => quote.state === 'disconnected')).toEqual([]);
  });

  test('while it fails one read asks for it at a time, at most every half second', async () => {
    const { feed, table, tick } = desk(OPEN, many(500));
    for (const id of many(500)) tick(id, '7');
    feed.start();
    await pass(5000);
    table.mode = 'refuse';
    await pass(2000);
    table.requests.length = 0;
    await pass(10_000);
    expect(table.requests.length).toBeGreaterThan(15);
    expect(table.requests.length).toBeLessThan(50);
  });

  test('nothing listens from the start: disconnected, and live by itself once it does', async () => {
    const { feed, table, tick, quote, health } = desk(OPEN, ['SPX']);
    table.mode = 'refuse';
    tick('SPX', '7');
    feed.start();
    await pass(1000);
    expect(quote('SPX')).toMatchObject({ state: 'disconnected', price: null });
    table.mode = 'ok';
    await pass(1000);
    expect(quote('SPX').price).toBe('7');
    expect(health().link).toBe('live');
  });

  test('a table that is back and holds no index has nothing to fill: live at once', async () => {
    const { feed, table, links, health } = desk(OPEN, null);
    table.mode = 'refuse';
    feed.start();
    await pass(3000);
    expect(health().link).toBe('broken');
    table.mode = 'ok';
    await pass(1000);
    expect(health()).toMatchObject({ link: 'live', problem: null });
    expect(links.at(-1)).toBe('live');
  });

  test('a poll that is due while one is in flight is skipped and counted', async () => {
    const { feed, table, tick, health } = desk(OPEN, ['SPX']);
    tick('SPX', '7');
    feed.start();
    await pass(1500);
    expect(health().skippedPolls).toBe(0);
    table.mode = 'hang';
    await pass(1800);
    expect(health().skippedPolls).toBe(1);
  });
});

test('resume cancels what is in flight, renews the channel and has a fresh value at once', async () => {
  const { feed, table, tick, quote, links } = desk(OPEN, ['SPX']);
  tick('SPX', '7');
  feed.start();
  await pass(1500);
  table.mode = 'hang';
  await pass(600);
  table.mode = 'ok';
  tick('SPX', '8');
  feed.resume();
  await pass(50);
  expect(quote('SPX').price).toBe('8');
  expect(table.renewed).toBe(1);
  await pass(1500);
  expect(links).toEqual(['connecting', 'live', 'filling', 'live']);
});

test('a machine that slept without saying so resumes by itself', async () => {
  const clock = fakeClock(OPEN, 'wall');
  const { feed, table, tick } = desk(OPEN, ['SPX'], {}, { clock });
  tick('SPX', '7');
  feed.start();
  await pass(1500);
  expect(table.renewed).toBe(0);
  clock.jump(micros(clock.now() + 600_000_000n));
  await pass(1100);
  expect(table.renewed).toBe(1);
});

test('a look for new ids that hangs with a frozen store does not hold up the read that confirms it', async () => {
  const { table, tick, quote, feed } = desk(OPEN, null);
  tick('SPX', '10');
  feed.start();
  await pass(2_900);
  table.mode = 'hang';
  await pass(4_000);
  expect(quote('SPX').state).toBe('disconnected');
});
