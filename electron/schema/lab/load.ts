/** Loads a workload under a layout, and says what writing it costs. */
import { busiestRange, type HotRange } from './hotRange.ts';
import { mapInFlight } from './inFlight.ts';
import type { LabLayout, RowWrite } from './layout.ts';
import type { EntryWrite, OpenLab } from './labStore.ts';
import type { LabEvent, Workload } from './workload.ts';

export interface WriteFigures {
  readonly hot: HotRange;
  /** Rows written, and bytes of keys, qualifiers and values, for one tick. */
  readonly rowsPerTick: number;
  readonly bytesPerTick: number;
  /** Of the whole load, bars included. */
  readonly rows: number;
  readonly largestRow: { readonly bytes: number; readonly events: number };
  /** Of one stored cell: what the server passes over is valued by it. */
  readonly bytesPerCell: number;
}

const BATCH = 1000;
const CALLS_IN_FLIGHT = 4;
/** The layout's initials before its own name of a table: a table's name has at most 50 characters. */
export const tableOf = ({ name }: Pick<LabLayout, 'name'>, table: string): string => `${name.split('-').map((word) => word.charAt(0)).join('')}-${table}`;

const sizeOf = ({ key, cells }: RowWrite): number => cells.reduce((sum, { qualifier, value }) => sum + key.length + qualifier.length + value.length, 0);

/** Throws a ProblemError. `version`: of cells that have none of their own. */
export async function loadLayout(layout: LabLayout, workload: Workload, lab: OpenLab, version: bigint, tablets: number, signal: AbortSignal, onDone: (events: number) => void): Promise<WriteFigures> {
  const all = [...workload.events, ...workload.barEvents];
  const rows = new Map<string, { bytes: number; events: number }>();
  const places: RowWrite[][] = [];
  let cells = 0;
  let bytes = 0;
  let tickBytes = 0;
  let tickRows = 0;
  for (let at = 0; at < all.length; at += BATCH) {
    const batch = all.slice(at, at + BATCH).map((event) => ({ event, writes: layout.rows(event) }));
    for (const { event, writes } of batch) {
      for (const write of writes) {
        const size = sizeOf(write);
        const place = `${write.table}\0${write.key}`;
        const row = rows.get(place) ?? { bytes: 0, events: 0 };
        rows.set(place, row);
        row.bytes += size;
        row.events += 1;
        cells += write.cells.length;
        bytes += size;
        if (event.series.kind === 'tick') tickBytes += size;
      }
      if (event.series.kind === 'tick') {
        places.push(writes);
        tickRows += writes.length;
      }
    }
    // what is derived follows what it is derived from
    await writeBatch(layout, batch.flatMap(({ writes }) => writes.slice(0, 1)), lab, version, signal);
    await writeBatch(layout, batch.flatMap(({ writes }) => writes.slice(1)), lab, version, signal);
    onDone(at + batch.length);
  }
  const hot = busiestRange(places.map((writes) => writes.map((write) => ({ table: write.table, key: write.key, bytes: sizeOf(write) }))), tablets);
  const [largestRow = { bytes: 0, events: 0 }] = [...rows.values()].sort((a, b) => b.bytes - a.bytes);
  return { hot, rowsPerTick: tickRows / workload.events.length, bytesPerTick: tickBytes / workload.events.length, rows: rows.size, largestRow, bytesPerCell: bytes / cells };
}

/** One entry a row, in the order of the writes, so that the later of two to one cell is what stays. */
async function writeBatch(layout: LabLayout, writes: readonly RowWrite[], lab: OpenLab, version: bigint, signal: AbortSignal): Promise<void> {
  const tables = new Map<string, Map<string, EntryWrite & { cells: EntryWrite['cells'][number][] }>>();
  for (const { table, key, cells } of writes) {
    const entries = tables.get(table) ?? new Map<string, EntryWrite & { cells: EntryWrite['cells'][number][] }>();
    tables.set(table, entries);
    const entry = entries.get(key) ?? { key, cells: [] };
    entries.set(key, entry);
    entry.cells.push(...cells);
  }
  await mapInFlight([...tables], CALLS_IN_FLIGHT, ([table, entries]) => lab.write(tableOf(layout, table), [...entries.values()], version, signal));
}

/** Milliseconds from the acknowledgement of a tick to that of what is derived from it, of ticks written one by one: again, so that nothing changes. */
export async function derivedLag(layout: LabLayout, events: readonly LabEvent[], lab: OpenLab, version: bigint, signal: AbortSignal): Promise<number[]> {
  const lags: number[] = [];
  for (const event of events) {
    const [first, ...derived] = layout.rows(event);
    if (!first || derived.length === 0) continue;
    await writeBatch(layout, [first], lab, version, signal);
    const acknowledged = performance.now();
    await writeBatch(layout, derived, lab, version, signal);
    lags.push(performance.now() - acknowledged);
  }
  return lags;
}
