import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TicksEvent } from '../../../shared/channels.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { micros, utc } from '../../../shared/time.ts';
import { createFeed, type Feed, type FeedConfig } from '../../../electron/feed/feed.ts';
import { memoryTable, type MemoryTable } from './memoryTable.ts';
import { fakeClock } from './fakeClock.ts';

const START = utc(2024, 3, 6, 15, 0);
const IDS = ['AAA', 'BBB', 'CCC'] as const;

const config = (strategy: FeedConfig['strategy'], more: Partial<FeedConfig> = {}): FeedConfig => ({
  indices: [...IDS], strategy, intervalMs: 1000, retentionDays: 90, storeKind: 'embedded', storeName: 'test', ...more,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Step =
  | { readonly kind: 'tick'; readonly id: number; readonly back: number; readonly sequence: number; readonly price: number }
  | { readonly kind: 'again' | 'correct' | 'delete'; readonly id: number; readonly nth: number; readonly price: number }
  | { readonly kind: 'future'; readonly id: number; readonly ahead: number; readonly price: number }
  | { readonly kind: 'junk'; readonly id: number }
  | { readonly kind: 'store'; readonly mode: MemoryTable['mode'] }
  | { readonly kind: 'wait'; readonly ms: number };

const id = fc.integer({ min: 0, max: IDS.length - 1 });
const price = fc.integer({ min: 1, max: 99 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('tick' as const), id, back: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 8000 })), sequence: fc.integer({ min: 0, max: 2 }), price }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('again' as const, 'correct' as const, 'delete' as const), id, nth: fc.integer({ min: 0, max: 2 }), price }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('future' as const), id, ahead: fc.oneof(fc.integer({ min: 5100, max: 12_000 }), fc.integer({ min: 200_000, max: 900_000 })), price }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('junk' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('store' as const), mode: fc.oneof(fc.constantFrom('ok' as const, 'refuse' as const, 'hang' as const), fc.record({ cut: fc.integer({ min: 0, max: 3 }) })) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3000 }) }) },
);

async function play(table: MemoryTable, steps: readonly Step[]): Promise<void> {
  let now = START;
  for (const given of steps) {
    if (given.kind === 'wait') {
      await vi.advanceTimersByTimeAsync(given.ms);
      now = micros(now + BigInt(given.ms) * 1000n);
      continue;
    }
    if (given.kind === 'store') {
      table.mode = given.mode;
      continue;
    }
    const index = indexIdOf(IDS[given.id]!);
    const keys = table.keys().filter((key) => key.startsWith(`${index}#`));
    if (given.kind === 'tick') table.put(tickKey(index, micros(now - BigInt(given.back) * 1000n), given.sequence), { 'q:p': String(given.price) });
    else if (given.kind === 'future') table.put(tickKey(index, micros(now + BigInt(given.ahead) * 1000n)), { 'q:p': String(given.price) });
    else if (given.kind === 'junk') table.put(tickKey(index, now, 7), { 'q:p': 'not a price' });
    else {
      const key = keys[given.nth];
      if (key === undefined) continue;
      if (given.kind === 'delete') table.remove(key);
      else if (given.kind === 'correct') table.put(key, { 'q:p': String(given.price) });
    }
  }
}

/** What a reader without memory would say: the newest decodable row at or before now + 5 s. */
async function truth(table: MemoryTable, now: bigint): Promise<(string | null)[]> {
  return Promise.all(IDS.map(async (name) => {
    const answer = await table.reader.read({ ranges: [{ start: `${name}#${2n ** 63n - 1n - now - 5_000_000n}`, end: `${name}$` }], deadlineMs: 1000 });
    const good = answer.rows.find((row) => row.cells.get('q:p')?.value.toString() !== 'not a price');
    return good ? `${good.key} ${good.cells.get('q:p')?.value.toString()}` : null;
  }));
}

const shown = (feed: Feed): (string | null)[] => feed.snapshot().map((quote) => (quote.key === null ? null : `${quote.key} ${quote.price}`));

describe.each([['unwatched', []], ['charted', [...IDS]]] as const)('%s', (_name, watched) => {
  test('scan, delta and auto show the same prices, and the true ones', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const table = memoryTable(3);
      table.put(tickKey(indexIdOf('AAA'), micros(START - 60_000_000n)), { 'q:p': '50' });
      const clock = fakeClock(START);
      const feeds = (['scan', 'delta', 'auto'] as const).map((strategy) => createFeed({ reader: table.reader, clock, config: config(strategy), random: () => 0.5 }));
      for (const feed of feeds) {
        feed.watch(Symbol('test'), watched);
        feed.start();
      }
      await vi.advanceTimersByTimeAsync(20);
      await play(table, steps);
      table.mode = 'ok';
      await vi.advanceTimersByTimeAsync(11_000);
      const truly = truth(table, clock.now());
      await vi.advanceTimersByTimeAsync(10);
      const expected = await truly;
      for (const feed of feeds) expect(shown(feed)).toEqual(expected);
      await Promise.all(feeds.map((feed) => feed.close()));
    }), { numRuns: Number(process.env.RUNS ?? 60) });
  }, 300_000);
});

test('the ticks of a charted index, added and removed, add up to the rows of the table, none doubled as news', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom('scan' as const, 'delta' as const), async (steps, strategy) => {
    const table = memoryTable(3);
    const clock = fakeClock(START);
    const feed = createFeed({ reader: table.reader, clock, config: config(strategy), random: () => 0.5 });
    const news = new Map<string, string>();
    feed.on((events) => {
      for (const event of events) if (event.channel === 'ticks') take(event.data, news);
    });
    feed.watch(Symbol('test'), IDS);
    feed.start();
    await vi.advanceTimersByTimeAsync(20);
    // Within the trailing window: what is older may be missed until the chart reads it again.
    await play(table, steps.map((given) => (given.kind === 'tick' ? { ...given, back: given.back % 1000 } : given)).filter((given) => given.kind !== 'delete' && given.kind !== 'correct' && given.kind !== 'junk' && given.kind !== 'future'));
    table.mode = 'ok';
    await vi.advanceTimersByTimeAsync(8_000);
    expect([...news.keys()].sort()).toEqual(table.keys());
    await feed.close();
  }), { numRuns: Number(process.env.RUNS ?? 60) });
}, 300_000);

function take(event: TicksEvent, news: Map<string, string>): void {
  for (const tick of event.ticks) {
    const key = tickKey(indexIdOf(event.index), micros(BigInt(tick.eventMicros)), tick.sequence);
    const known = news.get(key);
    // The same tick again only with another price: a correction.
    if (known !== undefined) expect(tick.price).not.toBe(known);
    news.set(key, tick.price);
  }
}
