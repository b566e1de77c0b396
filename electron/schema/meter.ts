/** A reader that counts what its requests cost. */
import type { Reader, ReadRequest } from '../bigtable/reader.ts';

export interface Cost {
  requests: number;
  /** Ranges asked for, over all requests. */
  ranges: number;
  /** Rows that came back, as in the table. */
  rows: number;
  /** Keys, qualifiers and values of those rows. */
  bytes: number;
  /** Of the whole, by who spent it. */
  elapsedMs: number;
  /** The first requests, in order. */
  readonly plan: ReadRequest[];
}

const MAX_PLAN = 100;

export function meteredReader(reader: Reader): { readonly reader: Reader; take(): Cost } {
  const fresh = (): Cost => ({ requests: 0, ranges: 0, rows: 0, bytes: 0, elapsedMs: 0, plan: [] });
  let cost = fresh();
  return {
    reader: {
      async read(request) {
        if (cost.plan.length < MAX_PLAN) cost.plan.push(request);
        cost.requests += 1;
        cost.ranges += request.ranges.length;
        const counted = cost;
        const outcome = await reader.read(request);
        counted.rows += outcome.rows.length;
        for (const { key, cells } of outcome.rows) for (const [column, { value }] of cells) counted.bytes += key.length + column.length + value.length;
        return outcome;
      },
      renew: () => reader.renew(),
      close: () => reader.close(),
    },
    /** What was spent since the last time. */
    take() {
      const spent = cost;
      cost = fresh();
      return spent;
    },
  };
}
