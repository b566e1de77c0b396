import { describe, expect, test, vi } from 'vitest';
import { type EpochMicros, utc } from '../../../shared/time.ts';
import { desk, many, OPEN, pass, SATURDAY } from './feedDesk.ts';

test('a price shows after one poll, with time, key and state', async () => {
  const { feed, tick, quote } = desk(OPEN, ['SPX']);
  feed.start();
  await pass(10);
  expect(quote('SPX')).toMatchObject({ price: null, state: 'nodata', reason: 'empty' });
  const key = tick('SPX', '5104.76');
  await pass(1010);
  expect(quote('SPX')).toMatchObject({ price: '5104.76', key, state: 'live', sequence: 0, phase: 'open' });
});

test('nothing is sent for a value whose age alone changed', async () => {
  const { feed, tick, changes } = desk(SATURDAY, ['SPX']);
  tick('SPX', '5104.76', { back: 86_400_000 });
  feed.start();
  await pass(2000);
  const before = changes.length;
  await pass(100_000);
  expect(changes).toHaveLength(before);
});

describe('a change of the newest row shows', () => {
  test.each([[2, false, 10_000], [30, false, 10_000], [2, true, 5_000], [30, true, 5_000]])('%i indices, charted %s: within %i ms', async (count, charted, within) => {
    const ids = many(count);
    const { feed, table, tick } = desk(OPEN, ids);
    const keys = new Map(ids.map((id) => [id, [tick(id, '6', { back: 9000 }), tick(id, '7', { back: 500 })] as const]));
    if (charted) feed.watch(Symbol('page'), ids);
    feed.start();
    await pass(3000);
    for (const [id, [, newest]] of keys) {
      if (id.endsWith('0')) table.remove(newest);
      else table.put(newest, { 'q:p': '8' });
    }
    await pass(within);
    for (const quote of feed.snapshot()) expect(quote).toMatchObject(quote.index.endsWith('0') ? { price: '6', flags: ['test-clock', 'no-calendar', 'deleted'] } : { price: '8', flags: ['test-clock', 'no-calendar', 'corrected'] });
  });
});

test('stopping the writer stalls the value at its limit plus a second, with its age', async () => {
  const { feed, tick, quote } = desk(OPEN, ['SPX']);
  feed.start();
  for (let i = 0; i < 10; i += 1) {
    tick('SPX', '7');
    await pass(1000);
  }
  expect(quote('SPX').state).toBe('live');
  await pass(6000);
  expect(quote('SPX').state).toBe('stalled');
  expect(quote('SPX').ageMs).toBeGreaterThanOrEqual(6000);
});

test('open, high and low come from the session, and follow a correction of the high', async () => {
  const { feed, table, tick, quote } = desk(OPEN, ['SPX']);
  tick('SPX', '1', { back: 24 * 3_600_000 }); // yesterday's
  tick('SPX', '50.25', { back: 1_600_000 });
  const high = tick('SPX', '60', { back: 2_000 });
  tick('SPX', '40.5', { back: 1_000 });
  feed.watch(Symbol('page'), ['SPX']);
  feed.start();
  await pass(1500);
  expect(quote('SPX').day).toEqual({ open: '50.25', high: '60', low: '40.5' });
  table.put(high, { 'q:p': '55' });
  await pass(2500);
  expect(quote('SPX').day).toEqual({ open: '50.25', high: '55', low: '40.5' });
});

test('the change is from the official close, read with the daily bars', async () => {
  const { feed, table, tick, quote } = desk(OPEN, ['SPX']);
  tick('SPX', '5104.76');
  const bar = (date: EpochMicros): string => `SPX@1d#${2n ** 63n - 1n - date}`;
  table.put(bar(utc(2024, 3, 5, 5)), { 'v:o': '5110', 'v:h': '5115', 'v:l': '5050', 'v:c': '5078.60', 'v:oc': '5078.65', 'v:d': '2024-03-05' });
  feed.start();
  await pass(1500);
  expect(quote('SPX')).toMatchObject({ base: { price: '5078.65', date: '2024-03-05', kind: 'official' }, change: '26.11' });
});

test('a daily bar that is none is counted once, and passed over', async () => {
  const { feed, table, tick, quote, health } = desk(OPEN, ['SPX']);
  tick('SPX', '5104.76');
  const bar = (date: EpochMicros): string => `SPX@1d#${2n ** 63n - 1n - date}`;
  table.put(bar(utc(2024, 3, 5, 5, 0)), { 'v:o': '5110', 'v:h': '5120', 'v:l': '5070', 'v:c': '5078.65', 'v:oc': '5078.65', 'v:d': '2024-03-05' });
  table.put(bar(utc(2024, 3, 4, 5, 0)), { 'v:o': '5110', 'v:h': '5120', 'v:l': 'low', 'v:c': '5130.95' });
  feed.start();
  await pass(2500);
  expect(quote('SPX').base).toEqual({ price: '5078.65', date: '2024-03-05', kind: 'official' });
  expect(health().undecodable).toBe(1);
  await pass(700_000); // read again
  expect(health().undecodable).toBe(1);
});

test('a new index shows within an interval, with few indices and, within ten seconds, with many', async () => {
  const { feed, tick, quote } = desk(OPEN, null);
  feed.start();
  await pass(3000);
  expect(feed.snapshot()).toEqual([]);
  tick('NEW-1', '7');
  await pass(1050);
  expect(quote('NEW-1').price).toBe('7');
  for (const id of many(60)) tick(id, '7');
  await pass(2000);
  expect(feed.snapshot()).toHaveLength(61);
  tick('NEW-2', '8');
  await pass(11_000);
  expect(quote('NEW-2').price).toBe('8');
});

describe('a charted index', () => {
  test.each(['scan', 'delta', 'auto'] as const)('%s: the ticks between two polls come in one event, in event order, none late', async (strategy) => {
    const { feed, tick, ticks, health } = desk(OPEN, ['SPX', 'NDX'], { strategy });
    tick('SPX', '1');
    feed.watch(Symbol('page'), ['SPX']);
    feed.start();
    await pass(1500);
    ticks.length = 0;
    for (let poll = 0; poll < 5; poll += 1) {
      for (const [back, price] of [[30, '2'], [20, '3'], [10, '4']] as const) tick('SPX', price, { back });
      await pass(1000);
    }
    expect(ticks.map((event) => [event.backfill, event.ticks.map((one) => one.price).join(' ')])).toEqual(Array.from({ length: 5 }, () => [false, '2 3 4']));
    expect(health().late).toBe(0);
  });

  test.each(['scan', 'delta'] as const)('%s: one failed read changes nothing of that', async (strategy) => {
    const { feed, table, tick, ticks } = desk(OPEN, ['SPX'], { strategy });
    tick('SPX', '1');
    feed.watch(Symbol('page'), ['SPX']);
    feed.start();
    await pass(1500);
    ticks.length = 0;
    table.mode = 'refuse';
    await pass(520); // one poll; its retry comes within a tenth of a second
    for (const [back, price] of [[30, '2'], [20, '3'], [10, '4']] as const) tick('SPX', price, { back });
    table.mode = 'ok';
    await pass(2000);
    expect(ticks.map((event) => event.ticks.map((one) => one.price).join(' '))).toEqual(['2 3 4']);
  });

  test('a tick that a replica showed late, but that was written before the one shown, is not late; one written after it is', async () => {
    const { feed, table, tick, health, ticks } = desk(OPEN, ['SPX']);
    tick('SPX', '1', { back: 4000 });
    feed.watch(Symbol('page'), ['SPX']);
    feed.start();
    await pass(2500);
    const hidden = tick('SPX', '2', { back: 20 });
    table.hide(hidden);
    tick('SPX', '3', { back: 10 });
    await pass(1000);
    table.show(hidden);
    await pass(1000);
    expect(health().late).toBe(0);
    tick('SPX', '4', { back: 2_015 });
    await pass(1000);
    expect(health().late).toBe(1);
    expect(ticks.flatMap((event) => event.ticks.map((one) => one.price))).toEqual(expect.arrayContaining(['2', '3', '4']));
  });
});

test('more new rows than one answer may hold: the newest prices at once, the rest by pages, no tick lost', async () => {
  const ids = many(20);
  const { feed, tick, ticks, quote } = desk(OPEN, ids);
  feed.watch(Symbol('page'), ['X019']);
  for (const id of ids) tick(id, '7');
  feed.start();
  await pass(1500);
  ticks.length = 0;
  for (let n = 0; n < 400; n += 1) for (const id of ids) tick(id, String(n), { back: 400 - n });
  await pass(1100);
  for (const id of ids) expect(quote(id).price).toBe('399');
  await pass(3000);
  expect(new Set(ticks.flatMap((event) => event.ticks.map((one) => one.price))).size).toBe(400);
});

test('close leaves no timer', async () => {
  const { feed } = desk(OPEN, ['SPX']);
  feed.start();
  await pass(1500);
  await feed.close();
  await pass(5000);
  expect(vi.getTimerCount()).toBe(0);
});
