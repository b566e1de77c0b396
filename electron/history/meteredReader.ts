/** Readers that let only so many reads at the store at a time, and that count what reads cost. */
import type { Reader, Row } from '../bigtable/reader.ts';

export interface ReadCost {
  readonly requests: number;
  readonly rows: number;
  /** Of keys and values. */
  readonly bytes: number;
}

export interface CostMeter {
  /** The same reader, counted. Goes around the table's own: above shards and former names one read is several requests. */
  readonly around: (reader: Reader) => Reader;
  /** Of all reads that have ended. */
  readonly cost: () => ReadCost;
}

export function costMeter(): CostMeter {
  let [requests, rows, bytes] = [0, 0, 0];
  return {
    around: (reader) => ({
      ...reader,
      async read(request) {
        requests += 1;
        const outcome = await reader.read(request);
        rows += outcome.rows.length;
        for (const row of outcome.rows) bytes += sizeOf(row);
        return outcome;
      },
    }),
    cost: () => ({ requests, rows, bytes }),
  };
}

/** Reads beyond `mostInFlight` wait their turn in order; the deadline of each counts from its turn. */
export function boundedReader(reader: Reader, mostInFlight: number): Reader {
  let inFlight = 0;
  const waiting: (() => void)[] = [];
  return {
    ...reader,
    async read(request) {
      if (inFlight >= mostInFlight) await new Promise<void>((resolve) => void waiting.push(resolve));
      else inFlight += 1;
      try {
        return await reader.read(request);
      } finally {
        // a place goes straight to the next in line
        const next = waiting.shift();
        if (next) next();
        else inFlight -= 1;
      }
    },
  };
}

function sizeOf({ key, cells }: Row): number {
  let size = key.length;
  for (const { value } of cells.values()) size += value.length;
  return size;
}
