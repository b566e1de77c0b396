/** google.bigtable.admin.v2.BigtableTableAdmin, the calls that act on tables and their rows. */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import type { Commits } from './commits.ts';
import { gcMessage, gcRuleOf } from './gcMessage.ts';
import { bytesOf } from './mutate.ts';
import { admin } from './protos.ts';
import { END, prefixRange, type Range } from './rowSet.ts';
import { CODE, invalid, StatusError, unimplemented } from './status.ts';
import type { FamilyChange, Table, Tables } from './tables.ts';

type Admin = typeof google.bigtable.admin.v2;
type Message<Name extends keyof Admin> = Admin[Name] extends { create(properties?: infer Properties): unknown } ? NonNullable<Properties> : never;

export interface TableAdmin {
  createTable(request: Message<'CreateTableRequest'>): Message<'Table'>;
  getTable(request: Message<'GetTableRequest'>): Message<'Table'>;
  listTables(request: Message<'ListTablesRequest'>): Message<'ListTablesResponse'>;
  deleteTable(request: Message<'DeleteTableRequest'>): object;
  modifyColumnFamilies(request: Message<'ModifyColumnFamiliesRequest'>): Message<'Table'>;
  dropRowRange(request: Message<'DropRowRangeRequest'>): Promise<object>;
  generateConsistencyToken(request: Message<'GenerateConsistencyTokenRequest'>): Message<'GenerateConsistencyTokenResponse'>;
  checkConsistency(request: Message<'CheckConsistencyRequest'>): Message<'CheckConsistencyResponse'>;
}

const TABLE_ID = /^[\w.-]{1,50}$/;
const FAMILY_ID = /^[\w.-]{1,64}$/;
const PARENT = /^projects\/[^/]{1,100}\/instances\/[^/]{1,100}$/;
const MAX_FAMILIES = 100;
const MAX_TABLES = 1000;
const ROWS_A_COMMIT = 2000;
const { View, TimestampGranularity: { MILLIS }, ClusterState: { ReplicationState: { READY } } } = admin.Table;

export function createTableAdmin(tables: Tables, commits: Commits): TableAdmin {
  const token = (name: string): string => `consistent:${name}`;

  return {
    createTable({ parent, tableId, table, initialSplits }) {
      commits.flush();
      if (!PARENT.test(parent ?? '')) throw invalid(`Error in field 'parent' : not projects/P/instances/I: '${parent ?? ''}'`);
      if (!TABLE_ID.test(tableId ?? '')) throw invalid(`Error in field 'table_id' : must be 1 to 50 of letters, digits, _ . -, but was '${tableId ?? ''}'`);
      if (tables.list(parent ?? '').length >= MAX_TABLES) throw new StatusError(CODE.exhausted, `The instance has ${MAX_TABLES} tables, its most`);
      const families = Object.entries(table?.columnFamilies ?? {}).map(([name, family]) => ({ name: familyName(name), gc: gcOf(family) }));
      if (families.length > MAX_FAMILIES) throw invalid(`Too many column families: ${families.length} (at most ${MAX_FAMILIES})`);
      const splits = (initialSplits ?? []).map((split) => Buffer.from(bytesOf(split.key))).toSorted((a, b) => Buffer.compare(a, b));
      return message(tables.create(`${parent}/tables/${tableId}`, families, splits, table?.deletionProtection === true), View.FULL);
    },
    getTable: ({ name, view }) => message(tables.get(name ?? ''), view),
    listTables: ({ parent }) => ({ tables: tables.list(parent ?? '').map((table) => ({ name: table.name })) }),
    deleteTable({ name }) {
      commits.flush();
      if (tables.get(name ?? '').deletionProtection) throw new StatusError(CODE.precondition, `The table ${name ?? ''} is protected against deletion`);
      tables.drop(name ?? '');
      return {};
    },
    modifyColumnFamilies({ name, modifications }) {
      commits.flush();
      const changes = (modifications ?? []).map(changeOf);
      const table = tables.get(name ?? '');
      const added = changes.reduce((sum, { kind }) => sum + (kind === 'create' ? 1 : kind === 'drop' ? -1 : 0), table.families.size);
      if (added > MAX_FAMILIES) throw invalid(`Too many column families: ${added} (at most ${MAX_FAMILIES})`);
      return message(tables.change(name ?? '', changes), View.FULL);
    },
    async dropRowRange({ name, rowKeyPrefix, deleteAllDataFromTable }) {
      tables.get(name ?? '');
      if (!deleteAllDataFromTable && bytesOf(rowKeyPrefix).length === 0) throw invalid("Either 'row_key_prefix' or 'delete_all_data_from_table' must be given");
      const range: Range = deleteAllDataFromTable ? { start: Buffer.alloc(0), end: END } : prefixRange(bytesOf(rowKeyPrefix));
      // In slices, so that reads get their turn; the service does not promise more.
      for (let removed = ROWS_A_COMMIT; removed === ROWS_A_COMMIT;) {
        removed = await commits.submit(() => Number(tables.get(name ?? '').rows.removeRange.run(range.start, range.end, ROWS_A_COMMIT).changes));
      }
      return {};
    },
    generateConsistencyToken: ({ name }) => ({ consistencyToken: token(tables.get(name ?? '').name) }),
    checkConsistency({ name, consistencyToken }) {
      if (consistencyToken !== token(tables.get(name ?? '').name)) throw invalid(`The consistency token is not one of ${name ?? ''}`);
      return { consistent: true };
    },
  };
}

function changeOf(modification: google.bigtable.admin.v2.ModifyColumnFamiliesRequest.IModification): FamilyChange {
  const name = familyName(modification.id ?? '');
  if (modification.create) return { kind: 'create', name, gc: gcOf(modification.create) };
  if (modification.update) return { kind: 'update', name, gc: gcOf(modification.update) };
  if (modification.drop) return { kind: 'drop', name };
  throw invalid(`Error in field 'modifications' : nothing to do for '${name}'`);
}

function familyName(name: string): string {
  if (!FAMILY_ID.test(name)) throw invalid(`Column family names are 1 to 64 of letters, digits, _ . -, not '${name.slice(0, 80)}'`);
  return name;
}

function gcOf(family: google.bigtable.admin.v2.IColumnFamily) {
  if (family.valueType?.aggregateType) throw unimplemented('A family of aggregates');
  return gcRuleOf(family.gcRule);
}

function message(table: Table, view: google.bigtable.admin.v2.IGetTableRequest['view']): google.bigtable.admin.v2.ITable {
  if (view === View.NAME_ONLY) return { name: table.name };
  const columnFamilies = Object.fromEntries([...table.families].map(([name, { gc }]) => [name, { gcRule: gcMessage(gc) }]));
  return {
    name: table.name, columnFamilies, granularity: MILLIS, deletionProtection: table.deletionProtection,
    ...(view === View.REPLICATION_VIEW || view === View.FULL ? { clusterStates: { local: { replicationState: READY } } } : {}),
  };
}
