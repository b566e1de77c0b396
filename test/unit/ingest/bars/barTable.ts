/** A table in memory that keeps versions as Bigtable does: the newest cell counts, whatever the order of writes. */
import type { Cell, Reader, Row, Writer, WriteRow } from '../../../../electron/bigtable/reader.ts';
import type { Maker } from '../../../../electron/ingest/bars/makeBars.ts';
import { problem } from '../../../../shared/result.ts';
import { type IndexId, tickKey } from '../../../../shared/rowKey.ts';
import { type EpochMicros, micros } from '../../../../shared/time.ts';

export interface BarTable extends Reader, Writer {
  readonly rows: Map<string, Map<string, Cell>>;
  /** Rows written by `write`, by key. */
  readonly written: string[];
  requests: number;
  down: boolean;
  /** The next writes are lost on their way back: done, and told as failed. */
  lost: number;
  tick(id: IndexId, time: bigint, sequence: number, price: string, options?: { volume?: string; family?: 'q' | 'h' }): void;
  bar(key: string): Record<string, string>;
}

export function barTable(): BarTable {
  const rows = new Map<string, Map<string, Cell>>();
  let sorted: string[] | null = null;
  const put = ({ key, cells, removed = [] }: WriteRow, version: bigint): void => {
    const row = rows.get(key) ?? new Map<string, Cell>();
    for (const { family, qualifier } of removed) if ((row.get(`${family}:${qualifier}`)?.version ?? version) < version) row.delete(`${family}:${qualifier}`);
    for (const { family, qualifier, value } of cells) {
      const name = `${family}:${qualifier}`;
      if ((row.get(name)?.version ?? 0n) <= version) row.set(name, { value: Buffer.from(value), version });
    }
    if (row.size > 0) rows.set(key, row);
    else rows.delete(key);
    sorted = null;
  };
  let version = 1_000n;
  const table: BarTable = {
    rows, written: [], requests: 0, down: false, lost: 0,
    async read({ ranges, limit = 0, families, signal }) {
      table.requests += 1;
      await Promise.resolve();
      if (signal?.aborted === true) return { ok: false, error: problem('CANCELLED', 'cancelled', 'ask again', true), rows: [], scannedTo: null, elapsedMs: 0 };
      if (table.down) return { ok: false, error: problem('STORE_UNREACHABLE', 'down', 'wait', true), rows: [], scannedTo: null, elapsedMs: 0 };
      const found: Row[] = [];
      sorted ??= [...rows.keys()].sort();
      for (const key of sorted) {
        if (!ranges.some(({ start, end }) => key >= start && key < end)) continue;
        const cells = new Map([...(rows.get(key) ?? [])].filter(([name]) => families === undefined || families.includes(name.charAt(0) as 'q')));
        if (cells.size === 0) continue;
        found.push({ key, cells });
        if (limit > 0 && found.length >= limit) break;
      }
      return { ok: true, rows: found, elapsedMs: 0 };
    },
    async write(batch, at) {
      await Promise.resolve();
      if (table.down) return { written: 0, failed: batch.map(({ key }) => ({ key, error: problem('STORE_UNREACHABLE', 'down', 'wait', true) })) };
      for (const row of batch) {
        table.written.push(row.key);
        put(row, at);
      }
      if (table.lost === 0) return { written: batch.length, failed: [] };
      table.lost -= 1;
      return { written: 0, failed: batch.map(({ key }) => ({ key, error: problem('STORE_TIMEOUT', 'no answer', 'again', true) })) };
    },
    tick(id, time, sequence, price, { volume, family = 'q' } = {}) {
      version += 1_000n;
      const cells = [{ family, qualifier: 'p', value: price }, ...(volume === undefined ? [] : [{ family, qualifier: 'v', value: volume }])];
      rows.delete(tickKey(id, micros(time), sequence));
      put({ key: tickKey(id, micros(time), sequence), cells }, version);
    },
    bar: (key) => Object.fromEntries([...(rows.get(key) ?? [])].map(([name, { value }]) => [name, value.toString()])),
    renew() {},
    close: () => Promise.resolve(),
  };
  return table;
}

export interface TestMaker extends Maker {
  now: EpochMicros;
}

export function makerOf(table: BarTable, now: EpochMicros, options: Partial<Maker> = {}): TestMaker {
  let elapsed = 0;
  const maker: TestMaker = {
    now, reader: table, writer: table, retentionDays: 90, patienceMs: 1000, leases: null, signal: new AbortController().signal,
    machineMillis: () => 2_000_000_000_000 + elapsed, sleep: async (ms) => { elapsed += ms; await Promise.resolve(); },
    clock: { kind: 'test', now: () => maker.now, elapsed: () => elapsed, speed: () => 1, note: () => null },
    ...options,
  };
  return maker;
}
