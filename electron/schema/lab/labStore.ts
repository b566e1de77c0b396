/** The lab's tables in a store on this machine: made, written, read with figures, dropped. Keeps every version and takes any filter, unlike the app's reader. */
import protos, { type google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { failed, ok, type Problem, problem, ProblemError, type Result } from '../../../shared/result.ts';
import { createChunkReader, type WireRow } from '../../bigtable/chunks.ts';
import { LENGTH, tag } from '../../bigtable/cursor.ts';
import { dial, type Dialled } from '../../bigtable/dial.ts';
import { mutateRows } from '../../bigtable/mutateCall.ts';
import { badAnswer, problemOf } from '../../bigtable/problems.ts';
import type { StoreAddress } from '../../bigtable/reader.ts';
import { readAnswer } from '../../bigtable/wire.ts';
import { mapInFlight } from './inFlight.ts';

const { v2 } = protos.google.bigtable;

export interface LabCell {
  readonly qualifier: string;
  readonly value: string;
  /** Version time in microseconds, whole milliseconds; where a layout says nothing, the load's. */
  readonly version?: bigint;
}

export type LabRow = WireRow;

export interface LabRead {
  readonly table: string;
  readonly start: string;
  readonly end: string;
  /** Most rows; 0 or absent: all. */
  readonly limit?: number;
  readonly reversed?: boolean;
  readonly filter?: google.bigtable.v2.IRowFilter;
}

export interface EntryWrite {
  readonly key: string;
  readonly cells: readonly LabCell[];
}

/** Of all requests since the last time. */
export interface LabCost {
  requests: number;
  /** By the server's own figures; returned ones where it gives none. */
  rowsSeen: number;
  rowsReturned: number;
  cellsSeen: number;
  cellsReturned: number;
  /** Keys, qualifiers and values that came back. */
  bytes: number;
  /** Requests whose server gave figures. */
  told: number;
}

export interface OpenLab {
  /** Of one column family, `q`, which keeps everything. */
  create(table: string): Promise<void>;
  drop(tables: readonly string[]): Promise<void>;
  /** Throws a ProblemError unless every row is written. */
  write(table: string, entries: readonly EntryWrite[], version: bigint, signal: AbortSignal): Promise<void>;
  read(read: LabRead, signal: AbortSignal): Promise<LabRow[]>;
  take(): LabCost;
  close(): Promise<void>;
}

const READ_ROWS = '/google.bigtable.v2.Bigtable/ReadRows';
export const FAMILY = 'q';
const DEADLINE_MS = 60_000;
const ADMIN_IN_FLIGHT = 8;
const LAB = problem('CANCELLED', 'the lab was stopped', 'run it again');

/** `address`: the embedded store or an emulator; its table is not used. `prefix` begins the name of every table. */
export async function openLab(address: StoreAddress, prefix: string): Promise<Result<OpenLab, Problem>> {
  if (address.kind === 'bigtable') return failed(problem('BAD_INPUT', 'the lab writes to no real instance', 'use --emulator on this machine, or --memory'));
  try {
    const { openOfficial } = await import('../../bigtable/official.ts');
    const official = await openOfficial(address);
    const admin = official.admin.getTableAdminClient();
    const line = await dial(address);
    const parent = `projects/${address.project}/instances/${address.instance}`;
    const named = (table: string): string => `${parent}/tables/${prefix}${table}`;
    const options = { timeout: DEADLINE_MS, retry: null };
    let cost = fresh();
    return ok({
      async create(table) {
        try {
          await admin.createTable({ parent, tableId: prefix + table, table: { columnFamilies: { [FAMILY]: {} } } }, options);
        } catch (error) {
          throw new ProblemError(problemOf(error, address));
        }
      },
      async drop(tables) {
        await mapInFlight(tables, ADMIN_IN_FLIGHT, (table) => admin.deleteTable({ name: named(table) }, options).catch(() => undefined));
      },
      async write(table, entries, version, signal) {
        if (signal.aborted) throw new ProblemError(LAB);
        const message = Buffer.from(v2.MutateRowsRequest.encode({
          tableName: named(table),
          entries: entries.map(({ key, cells }) => ({
            rowKey: Buffer.from(key, 'latin1'),
            mutations: cells.map((cell) => ({ setCell: { familyName: FAMILY, columnQualifier: Buffer.from(cell.qualifier, 'latin1'), timestampMicros: String(cell.version ?? version), value: Buffer.from(cell.value, 'latin1') } })),
          })),
        }).finish());
        const { failed: lost } = await mutateRows(line, { address, message, rows: entries.length, deadlineMs: DEADLINE_MS, attempt: 0 });
        for (const error of lost.values()) throw new ProblemError(error);
      },
      async read(read, signal) {
        if (signal.aborted) throw new ProblemError(LAB);
        const counted = cost;
        counted.requests += 1;
        const message = Buffer.from(v2.ReadRowsRequest.encode({
          tableName: named(read.table), rows: { rowRanges: [{ startKeyClosed: Buffer.from(read.start, 'latin1'), endKeyOpen: Buffer.from(read.end, 'latin1') }] },
          requestStatsView: v2.ReadRowsRequest.RequestStatsView.REQUEST_STATS_FULL,
          ...(read.limit ? { rowsLimit: read.limit } : {}), ...(read.reversed === true ? { reversed: true } : {}), ...(read.filter ? { filter: read.filter } : {}),
        }).finish());
        const { rows, stats } = await call(line, address, message, read.reversed === true, signal);
        let cells = 0;
        for (const row of rows) {
          cells += row.cells.length;
          for (const { qualifier, value } of row.cells) counted.bytes += row.key.length + qualifier.length + value.length;
        }
        counted.rowsReturned += rows.length;
        counted.cellsReturned += cells;
        counted.rowsSeen += stats?.rowsSeen ?? rows.length;
        counted.cellsSeen += stats?.cellsSeen ?? cells;
        if (stats) counted.told += 1;
        return rows;
      },
      take() {
        const spent = cost;
        cost = fresh();
        return spent;
      },
      async close() {
        line.close();
        await admin.close();
        await official.close();
      },
    });
  } catch (error) {
    return failed(problemOf(error, address));
  }
}

const fresh = (): LabCost => ({ requests: 0, rowsSeen: 0, rowsReturned: 0, cellsSeen: 0, cellsReturned: 0, bytes: 0, told: 0 });

interface Stats {
  readonly rowsSeen: number;
  readonly cellsSeen: number;
}

function call(line: Dialled, address: StoreAddress, message: Buffer, reversed: boolean, signal: AbortSignal): Promise<{ rows: WireRow[]; stats: Stats | null }> {
  return new Promise((resolve, reject) => {
    const calling = line.channel.createCall(READ_ROWS, Date.now() + DEADLINE_MS, null, null, null);
    const chunks = createChunkReader(reversed);
    const rows: WireRow[] = [];
    let stats: Stats | null = null;
    const stop = (): void => {
      reject(new ProblemError(LAB));
      calling.cancelWithStatus(line.status.CANCELLED, LAB.what);
    };
    signal.addEventListener('abort', stop, { once: true });
    calling.start(reversed ? line.reverseMetadata : line.metadata, {
      onReceiveMetadata() {},
      onReceiveMessage(bytes: Buffer) {
        try {
          readAnswer(bytes, {
            known: () => 0,
            chunk(chunk) {
              const row = chunks.push(chunk);
              if (row) rows.push(row);
            },
            scanned: (key) => chunks.scanned(key),
          });
          stats = statsOf(bytes) ?? stats;
          calling.startRead();
        } catch (error) {
          reject(new ProblemError(badAnswer(address, error instanceof Error ? error.message : String(error))));
          calling.cancelWithStatus(line.status.CANCELLED, 'a bad answer');
        }
      },
      onReceiveStatus(status) {
        signal.removeEventListener('abort', stop);
        if (status.code === line.status.OK) resolve({ rows, stats });
        else reject(new ProblemError(problemOf(status, address)));
      },
    });
    calling.sendMessageWithContext({}, message);
    calling.startRead();
    calling.halfClose();
  });
}

/** Of a ReadRowsResponse with request_stats, its only field where it has them; null elsewhere. */
function statsOf(bytes: Buffer): Stats | null {
  if (bytes[0] !== tag(3, LENGTH)) return null;
  const counts = v2.ReadRowsResponse.decode(bytes).requestStats?.fullReadStatsView?.readIterationStats;
  return counts ? { rowsSeen: Number(counts.rowsSeenCount ?? 0), cellsSeen: Number(counts.cellsSeenCount ?? 0) } : null;
}
