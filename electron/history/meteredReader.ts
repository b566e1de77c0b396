/** A reader that lets only so many reads at the store at a time, and counts what they cost. */
import type { Reader, Row } from '../bigtable/reader.ts';

export interface ReadCost {
  readonly requests: number;
  readonly rows: number;
  /** Of keys and values. */
  readonly bytes: number;
}

export interface MeteredReader {
  readonly reader: Reader;
  /** Of all reads that have ended. */
  cost(): ReadCost;
}

/** Reads beyond `mostInFlight` wait their turn in order; the deadline of each counts from its turn. */
export function meteredReader(reader: Reader, mostInFlight: number): MeteredReader {
  let [requests, rows, bytes, inFlight] = [0, 0, 0, 0];
  const waiting: (() => void)[] = [];
  return {
    reader: {
      ...reader,
      async read(request) {
        if (inFlight >= mostInFlight) await new Promise<void>((resolve) => void waiting.push(resolve));
        else inFlight += 1;
        try {
          requests += 1;
          const outcome = await reader.read(request);
          rows += outcome.rows.length;
          for (const row of outcome.rows) bytes += sizeOf(row);
          return outcome;
        } finally {
          // a place goes straight to the next in line
          const next = waiting.shift();
          if (next) next();
          else inFlight -= 1;
        }
      },
    },
    cost: () => ({ requests, rows, bytes }),
  };
}

function sizeOf({ key, cells }: Row): number {
  let size = key.length;
  for (const { value } of cells.values()) size += value.length;
  return size;
}
