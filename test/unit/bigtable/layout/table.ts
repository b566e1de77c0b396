/** A table in memory behind the Reader contract, and one that fails part of the way. */
import type { KeyRange } from '../../../../shared/rowKey.ts';
import { problem } from '../../../../shared/result.ts';
import type { Reader, ReadOutcome, ReadRequest, Row } from '../../../../electron/bigtable/reader.ts';

export const rowAt = (key: string, text = key): Row => ({ key, cells: new Map([['q:p', { value: Buffer.from(text), version: 0n }]]) });

const within = (key: string, ranges: readonly KeyRange[]): boolean => ranges.some(({ start, end }) => start <= key && key < end);

export const rowsIn = (rows: readonly Row[], { ranges, limit = 0 }: Pick<ReadRequest, 'ranges' | 'limit'>): Row[] => {
  const found = rows.filter(({ key }) => within(key, ranges)).sort((a, b) => (a.key < b.key ? -1 : 1));
  return limit > 0 ? found.slice(0, limit) : found;
};

export const DOWN = problem('STORE_UNREACHABLE', 'the connection broke', 'try again', true);

export interface TableReader extends Reader {
  readonly asked: ReadRequest[];
}

/** `cut`: after how many rows each read breaks (its `scannedTo` is the last row, or null before the first); Infinity: never. */
export function tableReader(rows: () => readonly Row[], cut: (request: ReadRequest, nth: number) => number = () => Number.POSITIVE_INFINITY): TableReader {
  const asked: ReadRequest[] = [];
  return {
    asked,
    read(request): Promise<ReadOutcome> {
      asked.push(request);
      if (request.ranges.length > 250) throw new Error(`${request.ranges.length} ranges`);
      for (const [at, range] of request.ranges.entries()) if (range.start >= range.end || (request.ranges[at - 1]?.end ?? '') > range.start) throw new Error(`ranges ${JSON.stringify(request.ranges)}`);
      if (request.signal?.aborted) return Promise.resolve({ ok: false, error: problem('CANCELLED', 'cancelled', 'ask again', true), rows: [], scannedTo: null, elapsedMs: 0 });
      const found = rowsIn(rows(), request);
      const given = cut(request, asked.length);
      if (given >= found.length + 1) return Promise.resolve({ ok: true, rows: found, elapsedMs: 0 });
      const before = found.slice(0, given);
      return Promise.resolve({ ok: false, error: DOWN, rows: before, scannedTo: before.at(-1)?.key ?? null, elapsedMs: 0 });
    },
    renew() {},
    close: () => Promise.resolve(),
  };
}
