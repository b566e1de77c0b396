/** A table in memory behind the read primitive, with a machine clock of its own and failures on demand. */
import type { Cell, Reader, ReadOutcome, ReadRequest, Row } from '../../../electron/bigtable/reader.ts';
import { problem } from '../../../shared/result.ts';

export interface MemoryTable {
  readonly reader: Reader;
  /** Every request so far. */
  readonly requests: ReadRequest[];
  put(key: string, cells: Readonly<Record<string, string>>): void;
  remove(key: string): void;
  /** A replica that lags: the row is there, and no read shows it yet. */
  hide(key: string): void;
  show(key: string): void;
  /** `refuse`: fails at once; `hang`: fails at the deadline; `cut`: fails after that many rows. */
  mode: 'ok' | 'refuse' | 'hang' | { readonly cut: number };
  renewed: number;
  readonly keys: () => string[];
}

export function memoryTable(latencyMs = 0): MemoryTable {
  const rows = new Map<string, Map<string, Cell>>();
  const hidden = new Set<string>();
  let version = 1_000n;
  let sorted: string[] | null = null;
  const keys = (): string[] => (sorted ??= [...rows.keys()].sort());

  function answer(request: ReadRequest): { rows: Row[]; cut: boolean } {
    const found: Row[] = [];
    const most = typeof table.mode === 'object' ? table.mode.cut : Number.POSITIVE_INFINITY;
    const ranges = request.ranges.toSorted((a, b) => (a.start < b.start ? -1 : 1));
    for (const [at, range] of ranges.entries()) {
      if (range.start >= range.end || range.start === '') throw new Error(`bad range ${JSON.stringify(range)}`);
      const before = ranges[at - 1];
      if (before && before.end > range.start) throw new Error(`ranges overlap: ${JSON.stringify([before, range])}`);
      const all = keys();
      for (let i = firstAtOrAfter(all, range.start); i < all.length; i += 1) {
        const key = all[i]!;
        if (key >= range.end) break;
        const cells = new Map([...(rows.get(key) ?? [])].filter(([column]) => !request.families || request.families.includes(column.charAt(0) as 'q')));
        if (cells.size === 0 || hidden.has(key)) continue;
        if (found.length >= most) return { rows: found, cut: true };
        found.push({ key, cells });
        if (request.limit && found.length >= request.limit) return { rows: found, cut: false };
      }
    }
    return { rows: found, cut: false };
  }

  async function read(request: ReadRequest): Promise<ReadOutcome> {
    table.requests.push(request);
    if (request.ranges.length > 250) throw new Error('too many ranges');
    const { mode } = table;
    const wait = mode === 'hang' ? request.deadlineMs : latencyMs;
    const cancelled = await new Promise<boolean>((resolve) => {
      const done = (aborted: boolean) => () => {
        request.signal?.removeEventListener('abort', abort);
        resolve(aborted);
      };
      const abort = done(true);
      request.signal?.addEventListener('abort', abort);
      if (wait === 0) done(false)();
      else setTimeout(done(false), wait);
    });
    if (cancelled) return { ok: false, error: problem('CANCELLED', 'cancelled', 'ask again', true), rows: [], scannedTo: null, elapsedMs: wait };
    if (mode === 'refuse') return { ok: false, error: problem('STORE_UNREACHABLE', 'refused', 'start it', true), rows: [], scannedTo: null, elapsedMs: 0 };
    if (mode === 'hang') return { ok: false, error: problem('STORE_TIMEOUT', 'timed out', 'wait', true), rows: [], scannedTo: null, elapsedMs: wait };
    const result = answer(request);
    if (result.cut) return { ok: false, error: problem('STORE_UNREACHABLE', 'cut off', 'ask again', true), rows: result.rows, scannedTo: result.rows.at(-1)?.key ?? null, elapsedMs: wait };
    return { ok: true, rows: result.rows, elapsedMs: wait };
  }

  const table: MemoryTable = {
    requests: [], mode: 'ok', renewed: 0, keys,
    reader: { read, renew: () => void (table.renewed += 1), close: () => Promise.resolve() },
    put(key, cells) {
      version += 1_000n;
      const row = rows.get(key) ?? new Map<string, Cell>();
      // A new map: rows that were read before stay as they were.
      rows.set(key, new Map([...row, ...Object.entries(cells).map(([column, text]): [string, Cell] => [column, { value: Buffer.from(text), version }])]));
      sorted = null;
    },
    hide: (key) => void hidden.add(key),
    show: (key) => void hidden.delete(key),
    remove(key) {
      rows.delete(key);
      sorted = null;
    },
  };
  return table;
}

function firstAtOrAfter(sorted: readonly string[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
