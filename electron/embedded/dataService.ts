/** google.bigtable.v2.Bigtable on the rows of this store. */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { type Batch, mutationsOf } from './batch.ts';
import { type Cell, packCells, unpackCells } from './cells.ts';
import type { Commits } from './commits.ts';
import { compileFilter, narrowingOf } from './filter.ts';
import { keptCells } from './gc.ts';
import { bigOf, exactNumber } from './int64.ts';
import { bytesOf, checkKey, MAX_MUTATIONS, mutated, readModifyWritten } from './mutate.ts';
import { rangesOf } from './rowSet.ts';
import { data } from './protos.ts';
import { sampleKeys } from './sampleKeys.ts';
import { createScan, type Page, type ScanCounts } from './scan.ts';
import { invalid, statusOf, unimplemented } from './status.ts';
import type { Table, Tables } from './tables.ts';
import { batchAnswer, type EntryStatus, writeEntries } from './writeBatch.ts';

type V2 = typeof google.bigtable.v2;
type Message<Name extends keyof V2> = V2[Name] extends { create(properties?: infer Properties): unknown } ? NonNullable<Properties> : never;

/** What the client announced of itself in the metadata `bigtable-features`. */
export interface Features {
  readonly reverseScans: boolean;
  readonly lastScannedRow: boolean;
}

export interface DataService {
  /** Pages of encoded ReadRowsResponse messages. */
  readRows(request: Message<'ReadRowsRequest'>, features: Features): () => Page;
  sampleRowKeys(request: Message<'SampleRowKeysRequest'>): Promise<Message<'SampleRowKeysResponse'>[]>;
  mutateRow(request: Message<'MutateRowRequest'>): Promise<Message<'MutateRowResponse'>>;
  /** One encoded MutateRowsResponse. */
  mutateRows(batch: Batch): Promise<Buffer>;
  checkAndMutateRow(request: Message<'CheckAndMutateRowRequest'>): Promise<Message<'CheckAndMutateRowResponse'>>;
  readModifyWriteRow(request: Message<'ReadModifyWriteRowRequest'>): Promise<Message<'ReadModifyWriteRowResponse'>>;
}

// One transaction's share of a MutateRows: reads get their turn between two of them.
const ENTRIES_A_COMMIT = 1000;

export function createDataService(tables: Tables, commits: Commits, now: () => number): DataService {
  /** The table that a request names; views are not served. */
  const tableOf = (request: { tableName?: string | null; authorizedViewName?: string | null; materializedViewName?: string | null }): Table => {
    if (request.authorizedViewName) throw unimplemented('Reading and writing through an authorized view');
    if (request.materializedViewName) throw unimplemented('Reading a materialized view');
    return tables.get(request.tableName ?? '');
  };

  /** The stored row without what the rules collect; [] for none. */
  const rowOf = (table: Table, key: Buffer): readonly Cell[] => {
    const found = table.rows.get.get(key) as unknown as [Uint8Array] | undefined;
    return found ? keptCells(unpackCells(found[0], table.familiesById), now()) : [];
  };
  const store = (table: Table, key: Buffer, before: readonly Cell[], after: readonly Cell[]): void => {
    if (after.length > 0) table.rows.put.run(key, packCells(after));
    else if (before.length > 0) table.rows.remove.run(key);
  };
  const mutate = (table: Table, key: Buffer, mutations: readonly google.bigtable.v2.IMutation[]): void => {
    const before = rowOf(table, key);
    store(table, key, before, mutated(before, mutations, table.families, now()));
  };

  return {
    readRows(request, features) {
      tableOf(request);
      const limit = exactNumber(request.rowsLimit) ?? Number(bigOf(request.rowsLimit));
      if (limit < 0) throw invalid(`Error in field 'rows_limit' : must not be negative, but was ${limit}`);
      if (request.reversed && !features.reverseScans) throw invalid("Reverse scans need a client that announces them (metadata 'bigtable-features')");
      const { rowKeys, rowRanges } = request.rows ?? {};
      return createScan({
        table: () => tables.get(request.tableName ?? ''),
        ranges: rangesOf((rowKeys ?? []).map(bytesOf), (rowRanges ?? []) as readonly { startKeyClosed?: Uint8Array }[]),
        limit,
        reversed: request.reversed === true,
        filter: request.filter ? compileFilter(request.filter) : null,
        narrowing: request.filter ? narrowingOf(request.filter) : null,
        now,
        reportScanned: features.lastScannedRow,
        summary: request.requestStatsView === data.ReadRowsRequest.RequestStatsView.REQUEST_STATS_FULL ? summaryFrom(performance.now()) : null,
      });
    },

    async sampleRowKeys(request) {
      tableOf(request);
      return sampleKeys(() => tables.get(request.tableName ?? ''), () => new Promise(setImmediate));
    },

    mutateRow(request) {
      const table = tableOf(request);
      const key = checkKey(request.rowKey);
      return commits.submit(() => {
        mutate(tables.get(table.name), key, request.mutations ?? []);
        return {};
      });
    },

    async mutateRows({ tableName, authorizedViewName, entries }) {
      const table = tableOf({ tableName, authorizedViewName });
      const total = mutationsOf(entries);
      if (total === 0) throw invalid('No mutations provided');
      if (total > MAX_MUTATIONS) throw invalid(`Too many mutations: ${total} (at most ${MAX_MUTATIONS})`);
      const statuses: EntryStatus[] = [];
      const count = entries.bounds.length / 2;
      for (let from = 0; from < count; from += ENTRIES_A_COMMIT) {
        const to = Math.min(count, from + ENTRIES_A_COMMIT);
        const written = await commits.submit(() => {
          const current = tables.get(table.name);
          return writeEntries(entries, from, to, current, (entry) => {
            const { rowKey, mutations } = data.MutateRowsRequest.Entry.decode(entry);
            mutate(current, checkKey(rowKey), mutations ?? []);
          });
        }).catch((error: unknown) => {
          const { code, details } = statusOf(error);
          return Array.from({ length: to - from }, () => ({ code, message: details }));
        });
        statuses.push(...written);
      }
      return batchAnswer(statuses);
    },

    checkAndMutateRow(request) {
      const table = tableOf(request);
      const key = checkKey(request.rowKey);
      const filter = request.predicateFilter ? compileFilter(request.predicateFilter) : null;
      const { trueMutations, falseMutations } = request;
      if (!trueMutations?.length && !falseMutations?.length) throw invalid('No mutations provided');
      return commits.submit(() => {
        const current = tables.get(table.name);
        const before = rowOf(current, key);
        const predicateMatched = before.length > 0 && (filter ? filter(before, key) : before).length > 0;
        const chosen = (predicateMatched ? trueMutations : falseMutations) ?? [];
        if (chosen.length > 0) store(current, key, before, mutated(before, chosen, current.families, now()));
        return { predicateMatched };
      });
    },

    readModifyWriteRow(request) {
      const table = tableOf(request);
      const key = checkKey(request.rowKey);
      return commits.submit(() => {
        const current = tables.get(table.name);
        const before = rowOf(current, key);
        const { row, made } = readModifyWritten(before, request.rules ?? [], current.families, now());
        store(current, key, before, row);
        return { row: { key, families: familiesOf(made) } };
      });
    },
  };
}

/** The figures of a read that began at `start` (ms of performance.now), as its last message. */
const summaryFrom = (start: number) => ({ rowsSeen, rowsReturned, cellsSeen, cellsReturned }: ScanCounts): Buffer => {
  const nanos = Math.round((performance.now() - start) * 1e6);
  return Buffer.from(data.ReadRowsResponse.encode({
    requestStats: {
      fullReadStatsView: {
        readIterationStats: { rowsSeenCount: rowsSeen, rowsReturnedCount: rowsReturned, cellsSeenCount: cellsSeen, cellsReturnedCount: cellsReturned },
        requestLatencyStats: { frontendServerLatency: { seconds: Math.floor(nanos / 1e9), nanos: nanos % 1e9 } },
      },
    },
  }).finish());
};

/** Cells in reading order as the Row message has them. */
function familiesOf(cells: readonly Cell[]): google.bigtable.v2.IFamily[] {
  const families: (google.bigtable.v2.IFamily & { columns: google.bigtable.v2.IColumn[] })[] = [];
  for (const { family, qualifier, version, value } of cells) {
    let last = families.at(-1);
    if (last?.name !== family.name) families.push((last = { name: family.name, columns: [] }));
    last.columns.push({ qualifier, cells: [{ timestampMicros: String(BigInt(version) * 1000n), value }] });
  }
  return families;
}
