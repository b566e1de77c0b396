/** A table in memory and a time that only sleeping moves: the demo's day passes in milliseconds. */
import type { EpochMicros } from '../../../shared/time.ts';
import { problem, ok, type Result } from '../../../shared/result.ts';
import type { WriteOutcome, Writer, WriteRow } from '../../../electron/bigtable/reader.ts';
import type { Sleep } from '../../../electron/ingest/pacer.ts';

export interface MemoryTable extends Writer {
  readonly rows: Map<string, { version: bigint; cells: WriteRow['cells'] }>;
  /** Each call, in order. */
  readonly writes: { keys: string[]; version: bigint }[];
  readonly removed: string[][];
  remove(keys: readonly string[]): Promise<Result<number>>;
  /** The next `count` writes fail after taking every second row. */
  failNext(count: number, retryable?: boolean): void;
}

export function memoryTable(): MemoryTable {
  const rows: MemoryTable['rows'] = new Map();
  const writes: MemoryTable['writes'] = [];
  const removed: string[][] = [];
  let failures = 0;
  let again = true;
  return {
    rows, writes, removed,
    failNext(count, retryable = true) {
      failures = count;
      again = retryable;
    },
    write(batch, version): Promise<WriteOutcome> {
      writes.push({ keys: batch.map(({ key }) => key), version });
      const fails = failures > 0;
      if (fails) failures -= 1;
      const taken = batch.filter((_, nth) => !fails || nth % 2 === 1);
      for (const row of taken) rows.set(row.key, { version, cells: row.cells });
      const lost = fails ? batch.filter((_, nth) => nth % 2 === 0) : [];
      return Promise.resolve({ written: taken.length, failed: lost.map(({ key }) => ({ key, error: problem('STORE_UNREACHABLE', 'down', 'wait', again) })) });
    },
    remove(keys) {
      removed.push([...keys]);
      for (const key of keys) rows.delete(key);
      return Promise.resolve(ok(keys.length));
    },
  };
}

export interface FakeTime {
  readonly elapsed: () => number;
  readonly sleep: Sleep;
  advance(ms: number): void;
}

export function fakeTime(): FakeTime {
  let now = 1000.5;
  return {
    elapsed: () => now,
    advance: (ms) => void (now += ms),
    sleep: (ms) =>
      new Promise((resolve) => {
        now += Math.max(ms, 0.01);
        setImmediate(resolve);
      }),
  };
}

export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition(); turn += 1) {
    if (turn > 1_000_000) throw new Error('never happened');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export const at = (iso: string): EpochMicros => (BigInt(Date.parse(iso)) * 1000n) as EpochMicros;
