import { describe, expect, test } from 'vitest';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';
import { desk, many, OPEN, pass } from './feedDesk.ts';

test('a tick stamped an hour ahead never becomes the price until its time comes', async () => {
  const { feed, tick, quote, health } = desk(OPEN, many(20));
  tick('X003', '7');
  feed.start();
  await pass(1500);
  tick('X003', '99', { back: -3_600_000 });
  await pass(1500);
  expect(quote('X003')).toMatchObject({ price: '7' });
  expect(quote('X003').flags).toContain('future');
  expect(health().future).toBe(1);
  await pass(3_598_000);
  expect(quote('X003').price).toBe('99');
  expect(quote('X003').flags).not.toContain('future');
  expect(health().future).toBe(1);
}, 30_000);

test('after the replay clock jumped back, what it passed is not shown', async () => {
  const { feed, clock, tick, quote, table } = desk(OPEN, ['SPX']);
  tick('SPX', '7', { back: 60_000 });
  const ahead = tick('SPX', '9');
  feed.start();
  await pass(1500);
  expect(quote('SPX').price).toBe('9');
  clock.jump(micros(OPEN - 30_000_000n));
  table.remove(ahead);
  feed.reset();
  await pass(50);
  expect(quote('SPX')).toMatchObject({ price: '7' });
  expect(quote('SPX').flags).not.toContain('deleted');
});

describe.each([['scan', 3], ['delta', 3], ['delta', 30]] as const)('%s, a desk of %i indices whose clock is wrong', (strategy, count) => {
  test.each([600_000, -600_000])('by %i ms: the skew is found and shown, ages and states are right', async (ahead) => {
    const ids = many(count);
    const { feed, table, clock, changes } = desk(OPEN, ids, { strategy });
    const write = (id: string, price: string, ingest: boolean): void => {
      const now = micros(clock.now() - BigInt(ahead) * 1000n);
      table.put(tickKey(indexIdOf(id), now), { 'q:p': price, ...(ingest ? { 'q:i': String(now) } : {}) });
    };
    feed.start();
    for (let second = 0; second < 40; second += 1) {
      for (const id of ids) write(id, String(second), ahead > 0);
      await pass(1000);
    }
    for (const quote of feed.snapshot()) {
      expect(quote).toMatchObject({ price: '39', state: 'live' });
      expect(quote.flags).toContain('skew');
      expect(quote.flags).not.toContain('future');
      expect(Math.abs((quote.skewMs ?? 0) - ahead)).toBeLessThan(2000);
      expect(quote.ageMs).toBeLessThan(3000);
    }
    expect(changes.some((quote) => quote.skewMs !== null && quote.flags.includes('skew'))).toBe(true);
  });
});

test('one index alone never tells the time, nor do a few stamped ahead among many', async () => {
  const ids = many(20);
  const { feed, tick, quote } = desk(OPEN, ids);
  feed.start();
  for (let second = 0; second < 20; second += 1) {
    for (const id of ids) tick(id, String(second), id < 'X004' ? { back: -3_600_000 } : {});
    await pass(1000);
  }
  expect(quote('X000')).toMatchObject({ price: null, skewMs: 0 });
  expect(quote('X009')).toMatchObject({ price: '19', state: 'live' });
});
