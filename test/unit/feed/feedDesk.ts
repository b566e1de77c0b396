/** A feed over a table in memory, on fake timers: what its listeners were told, and a writer beside it. */
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { HealthView, QuoteView, TicksEvent } from '../../../shared/channels.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros, utc } from '../../../shared/time.ts';
import { createFeed, type Feed, type FeedOptions } from '../../../electron/feed/feed.ts';
import { type FakeClock, fakeClock } from './fakeClock.ts';
import { memoryTable, type MemoryTable } from './memoryTable.ts';

export const OPEN = utc(2024, 3, 6, 15, 0); // a Wednesday, New York open
export const SATURDAY = utc(2024, 3, 9, 15, 0);

export interface Desk {
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
export const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
};

export function desk(start: EpochMicros, indices: readonly string[] | null, more: Partial<FeedOptions['config']> = {}, options: Partial<FeedOptions> = {}): Desk {
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

export const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `X${String(i).padStart(3, '0')}`);
