/** An embedded store with a table, and live writers on it whose store can be made to fail. */
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { type Conditional, createConditional } from '../../../electron/bigtable/conditional.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import { decodeTick } from '../../../electron/bigtable/decode.ts';
import type { Reader, StoreAddress, WriteOutcome, Writer } from '../../../electron/bigtable/reader.ts';
import { createWriter } from '../../../electron/bigtable/writer.ts';
import { startStore } from '../../../electron/embedded/startStore.ts';
import type { Lease } from '../../../electron/ingest/live/lease.ts';
import { createLiveWriter, type LiveWriter, type LiveWriterOptions } from '../../../electron/ingest/live/liveWriter.ts';
import { sleep } from '../../../electron/ingest/sleep.ts';
import type { Tick } from '../../../shared/quote.ts';
import { ok, problem } from '../../../shared/result.ts';
import { type IndexId, tickRange } from '../../../shared/rowKey.ts';
import { fromMillis } from '../../../shared/time.ts';

export interface LiveTable {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly conditional: Conditional;
  /** A writer on a slot of the test's choice: leases have tests of their own. */
  live(slot?: number, options?: Partial<LiveWriterOptions>): LiveWriter;
  /** Every tick of an index, oldest first. */
  ticks(index: IndexId): Promise<Tick[]>;
  close(): Promise<void>;
}

export const standing = (slot: number): Lease => ({ slot, stands: () => true, standing: () => Promise.resolve(ok(null)), release: () => Promise.resolve() });

export async function liveTable(): Promise<LiveTable> {
  const store = await startStore({ data: null, port: 0 });
  if (!store.ok) throw new Error(store.error.what);
  const address: StoreAddress = { kind: 'embedded', project: 'p', instance: 'i', table: 'live', appProfile: null, endpoint: store.value.address };
  const made = await ensureTable(address);
  if (!made.ok) throw new Error(made.error.what);
  const [reader, writer, conditional] = [connect(address), createWriter(address), createConditional(address)];
  return {
    reader, writer, conditional,
    live: (slot = 1, options = {}) => createLiveWriter({
      reader, writer, conditional, lease: standing(slot), now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), elapsed: () => performance.now(),
      sleep: (ms, signal) => sleep(Math.min(ms, 1), signal), ...options,
    }),
    async ticks(index) {
      const read = await reader.read({ ranges: [tickRange(index)], deadlineMs: 20_000 });
      if (!read.ok) throw new Error(read.error.what);
      return read.rows.map((row) => {
        const tick = decodeTick(row);
        if (!tick.ok) throw new Error(tick.error.what);
        return tick.value;
      }).reverse();
    },
    async close() {
      await Promise.all([reader.close(), writer.close(), conditional.close()]);
      await store.value.close();
    },
  };
}

/** What can happen to a write: it fails before, its answer is lost, half of it gets through, or nothing happens to it. */
export type Fate = 'fine' | 'refused' | 'unheard' | 'half';

/** Deals out fates in turn; fine when they are used up. Unheard writes may also come again, late: `replay` sends them as they were. */
export function unlucky(writer: Writer, fates: readonly Fate[]): Writer & { replay(): Promise<void> } {
  const left = [...fates];
  const late: (() => Promise<WriteOutcome>)[] = [];
  const lost = (key: string) => ({ key, error: problem('STORE_UNREACHABLE', 'gone', 'wait', true) });
  return {
    async write(rows, version) {
      const fate = left.shift() ?? 'fine';
      const through = fate === 'refused' ? [] : fate === 'half' ? rows.filter((_, i) => i % 2 === 0) : rows;
      if (fate === 'unheard') late.push(() => writer.write(rows, version));
      const done = through.length === 0 ? { written: 0, failed: [] } : await writer.write(through, version);
      if (fate === 'fine' || done.failed.length > 0) return done;
      const sent = new Set(fate === 'half' ? through : []);
      return { written: sent.size, failed: rows.filter((row) => !sent.has(row)).map(({ key }) => lost(key)) };
    },
    async replay() {
      for (const again of late.splice(0)) await again();
    },
  };
}
