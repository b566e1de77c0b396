import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HealthView, QuoteView, TicksEvent } from '../../../shared/channels.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros, utc } from '../../../shared/time.ts';
import { createFeed, type Feed, type FeedOptions } from '../../../electron/feed/feed.ts';
import { type FakeClock, fakeClock } from './fakeClock.ts';
import { memoryTable, type MemoryTable } from './memoryTable.ts';

const OPEN = utc(2024, 3, 6, 15, 0); // a Wednesday, New York open
const SATURDAY = utc(2024, 3, 9, 15, 0);

interface Desk {
  readonly table: MemoryTable;
  readonly clock: FakeClock;
  readonly feed: Feed;
  readonly links: string[];
  readonly ticks: TicksEvent[];
  readonly changes: QuoteView[];
  health(): HealthView;
  quote(id: string): QuoteView;
  tick(id: string, price: string, options?: { back?: number; sequence?: number }): string;
}

let feeds: Feed[] = [];
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  await Promise.all(feeds.map((feed) => feed.close()));
  feeds = [];
  vi.useRealTimers();
});
const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
};

function desk(start: EpochMicros, indices: readonly string[] | null, more: Partial<FeedOptions['config']> = {}, options: Partial<FeedOptions> = {}): Desk {
  const table = memoryTable(3);
  const clock = options.clock ? (options.clock as FakeClock) : fakeClock(start);
  const feed = createFeed({
    reader: table.reader, clock, random: () => 0.5, ...options,
    config: { indices, strategy: 'auto', intervalMs: 1000, retentionDays: 90, storeKind: 'embedded', storeName: 'test', ...more },
  });
  feeds.push(feed);
  const links: string[] = [];
  const ticks: TicksEvent[] = [];
  const changes: QuoteView[] = [];
  feed.on((events) => {
    for (const event of events) {
      if (event.channel === 'health' && links.at(-1) !== event.data.link) links.push(event.data.link);
      if (event.channel === 'ticks') ticks.push(event.data);
      if (event.channel === 'quotes') changes.push(...event.data.quotes);
    }
  });
  return {
    table, clock, feed, links, ticks, changes,
    health: () => feed.health(),
    quote: (id) => feed.snapshot().find((quote) => quote.index === id) ?? expect.fail(`no quote of ${id}`),
    tick(id, price, { back = 0, sequence = 0 } = {}) {
      const key = tickKey(indexIdOf(id), micros(clock.now() - BigInt(back) * 1000n), sequence);
      table.put(key, { 'q:p': price, 'q:i': String(clock.now()) });
      return key;
    },
  };
}

const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `X${String(i).padStart(3, '0')}`);

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

test('a look for new ids that hangs with a frozen store does not hold up the read that confirms it', async () => {
  const { table, tick, quote, feed } = desk(OPEN, null);
  tick('SPX', '10');
  feed.start();
  await pass(2_900);
  table.mode = 'hang';
  await pass(4_000);
  expect(quote('SPX').state).toBe('disconnected');
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

test('close leaves no timer', async () => {
  const { feed } = desk(OPEN, ['SPX']);
  feed.start();
  await pass(1500);
  await feed.close();
  await pass(5000);
  expect(vi.getTimerCount()).toBe(0);
});
