/** What tests of the live writer share: a table for a file, its ticks and what is written in them. */
import { afterAll, beforeAll, expect } from 'vitest';
import type { LiveTick } from '../../../electron/ingest/live/liveTick.ts';
import type { LiveWriter, LiveWriterOptions } from '../../../electron/ingest/live/liveWriter.ts';
import { decimal } from '../../../shared/decimal.ts';
import type { Tick } from '../../../shared/quote.ts';
import { type IndexId, indexIdOf } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';
import { type LiveTable, liveTable } from './liveTable.ts';

/** Instants of `tick` and `prints` count from here, in microseconds. */
export const T0 = 1_710_163_800_000_000n;
export const none = { written: 0, duplicates: 0, corrected: 0, late: 0, quarantined: 0, waiting: 0, refused: 0, deleted: 0, absent: 0 };

let ids = 0;
/** One that no test wrote to. */
export const newIndex = (): IndexId => indexIdOf(`L${(ids += 1)}`);
export const tick = (index: IndexId, at: bigint, price: string, n: number | null = 0, more: Partial<LiveTick> = {}): LiveTick => ({ index, time: micros(T0 + at), nanos: 0, price: decimal(price), volume: null, bid: null, ask: null, source: 'test', n, ...more });
const print = ({ time, sequence, price, volume, nanos }: Tick): string => `${time - T0} ${sequence} ${price} ${volume ?? '-'} ${nanos ?? 0}`;

export async function done(writer: LiveWriter): Promise<ReturnType<LiveWriter['counts']>> {
  const closed = await writer.close();
  if (!closed.ok) throw new Error(closed.error.what);
  return closed.value;
}

export interface LiveWrites {
  /** Once the tests run. */
  readonly table: LiveTable;
  prints(index: IndexId): Promise<string[]>;
  /** By a writer of its own; its counts. */
  write(ticks: readonly LiveTick[], slot?: number, options?: Partial<LiveWriterOptions>): ReturnType<typeof done>;
}

/** A table from the first test of a file to the last. */
export function liveWrites(): LiveWrites {
  let table: LiveTable;
  beforeAll(async () => { table = await liveTable(); });
  afterAll(() => table.close());
  return {
    get table() {
      return table;
    },
    prints: async (index) => (await table.ticks(index)).map(print),
    async write(ticks, slot = 1, options = {}) {
      const writer = table.live(slot, options);
      expect(await writer.write(ticks)).toMatchObject({ ok: true });
      return done(writer);
    },
  };
}
