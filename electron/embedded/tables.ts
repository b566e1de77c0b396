/** The catalogue: every table with its families and splits, and the statements that reach its rows. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Family } from './cells.ts';
import type { GcRule } from './gc.ts';
import { CODE, familyMissing, StatusError, tableMissing } from './status.ts';

export interface Table {
  /** projects/P/instances/I/tables/T: any P and I. */
  readonly name: string;
  readonly families: ReadonlyMap<string, Family>;
  readonly familiesById: ReadonlyMap<number, Family>;
  readonly splits: readonly Buffer[];
  readonly deletionProtection: boolean;
  /** Whether rows may still have cells of families that were dropped. */
  readonly hasDropped: boolean;
  readonly rows: RowStatements;
}

/** Prepared once per table. `scan` and `scanBack` take (start, end) of a half-open range and give [key, cells]. */
export interface RowStatements {
  readonly get: StatementSync;
  readonly put: StatementSync;
  /** Changes nothing where the row exists. */
  readonly add: StatementSync;
  /** ROWS_A_STATEMENT times (key, cells), as `add`. */
  readonly addSome: StatementSync;
  readonly remove: StatementSync;
  readonly scan: StatementSync;
  /** As `scan`, at most so many: (start, end, most). */
  readonly some: StatementSync;
  readonly scanBack: StatementSync;
  /** The first and the last row of (start, end), as `scan` gives it. */
  readonly first: StatementSync;
  readonly last: StatementSync;
  /** Takes (start, end, at most). */
  readonly removeRange: StatementSync;
  /** [key, length of cells] of (start, end, at most). */
  readonly sizes: StatementSync;
}

/** A statement costs as much as inserting a row; beyond so many rows there is nothing left to gain. */
export const ROWS_A_STATEMENT = 50;

export type FamilyChange =
  | { readonly kind: 'create' | 'update'; readonly name: string; readonly gc: GcRule | null }
  | { readonly kind: 'drop'; readonly name: string };

export interface Tables {
  /** Throws NOT_FOUND. */
  get(name: string): Table;
  list(parent: string): Table[];
  /** projects/P/instances/I of every table. */
  instances(): string[];
  create(name: string, families: readonly { name: string; gc: GcRule | null }[], splits: readonly Buffer[], deletionProtection?: boolean): Table;
  change(name: string, changes: readonly FamilyChange[]): Table;
  /** The table is gone at once; its rows go step by step (reclaim.ts). */
  drop(name: string): void;
  /** The first table, by name, at or after `name`. */
  from(name: string): Table | undefined;
  /** Ids of tables that were dropped and still have their rows. */
  deleted(): readonly number[];
  /** Drops what is left of one of those. */
  forget(id: number): void;
}

/** What is stored of a table; ids of families only grow. */
interface Schema {
  readonly nextFamily: number;
  readonly families: readonly Family[];
  readonly splits: readonly string[];
  readonly deletionProtection: boolean;
}

export function openTables(database: DatabaseSync): Tables {
  const insert = database.prepare('INSERT INTO tables (name, schema) VALUES (?, ?)');
  const update = database.prepare('UPDATE tables SET schema = ? WHERE name = ?');
  const remove = database.prepare('DELETE FROM tables WHERE name = ?');
  const known = new Map<string, { id: number; schema: Schema; table: Table }>();

  const register = (id: number, name: string, schema: Schema): Table => {
    const table = tableOf(name, schema, known.get(name)?.table.rows ?? prepareRows(database, id));
    known.set(name, { id, schema, table });
    return table;
  };
  for (const { id, name, schema } of database.prepare('SELECT id, name, schema FROM tables').all()) {
    register(Number(id), String(name), JSON.parse(String(schema)) as Schema); // written by this module alone
  }

  // AUTOINCREMENT: an id is never used again, so that rows without a table are those of one that was dropped.
  const ids = new Set([...known.values()].map(({ id }) => `rows_${id}`));
  const leftOver = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'rows_[0-9]*'").all()
    .map(({ name }) => String(name)).filter((name) => !ids.has(name)).map((name) => Number(name.slice('rows_'.length)));

  const entry = (name: string) => {
    const found = known.get(name);
    if (!found) throw tableMissing(name);
    return found;
  };

  return {
    get: (name) => entry(name).table,
    list: (parent) => [...known.values()].map(({ table }) => table).filter(({ name }) => name.startsWith(`${parent}/tables/`)).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    instances: () => [...new Set([...known.keys()].map((name) => name.slice(0, name.indexOf('/tables/'))))].toSorted(),
    create(name, families, splits, deletionProtection = false) {
      if (known.has(name)) throw new StatusError(CODE.alreadyExists, `Table already exists: ${name}`);
      const ordered = families.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const schema: Schema = {
        nextFamily: ordered.length + 1,
        families: ordered.map((family, index) => ({ id: index + 1, ...family })),
        splits: splits.map((split) => split.toString('base64')),
        deletionProtection,
      };
      const id = transaction(database, () => {
        const made = Number(insert.run(name, JSON.stringify(schema)).lastInsertRowid);
        database.exec(`CREATE TABLE rows_${made} (key BLOB NOT NULL PRIMARY KEY, cells BLOB NOT NULL) STRICT, WITHOUT ROWID`);
        return made;
      });
      return register(id, name, schema);
    },
    change(name, changes) {
      const { id, schema } = entry(name);
      const next = changes.reduce(changed, schema);
      update.run(JSON.stringify(next), name);
      return register(id, name, next);
    },
    drop(name) {
      const { id } = entry(name);
      remove.run(name);
      known.delete(name);
      leftOver.push(id);
    },
    from(name) {
      let found: Table | undefined;
      for (const { table } of known.values()) if (table.name >= name && (!found || table.name < found.name)) found = table;
      return found;
    },
    deleted: () => leftOver,
    forget(id) {
      database.exec(`DROP TABLE rows_${id}`);
      leftOver.splice(leftOver.indexOf(id), 1);
    },
  };
}

/** Runs `work` in one transaction; rolls back and rethrows when it throws. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    database.exec('COMMIT');
    return value;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK'); // a full disk has rolled back by itself
    throw error;
  }
}

function changed(schema: Schema, change: FamilyChange): Schema {
  const { name } = change;
  const old = schema.families.find((family) => family.name === name);
  if (change.kind === 'create') {
    if (old) throw new StatusError(CODE.alreadyExists, `Column family already exists: ${name}`);
    return { ...schema, nextFamily: schema.nextFamily + 1, families: [...schema.families, { id: schema.nextFamily, name, gc: change.gc }] };
  }
  if (!old) throw familyMissing(name);
  const others = (family: Family): Family => (family === old && change.kind === 'update' ? { id: old.id, name, gc: change.gc } : family);
  return { ...schema, families: change.kind === 'drop' ? schema.families.filter((family) => family !== old) : schema.families.map(others) };
}

function tableOf(name: string, { families, splits, deletionProtection, nextFamily }: Schema, rows: RowStatements): Table {
  return {
    name, rows, deletionProtection, hasDropped: nextFamily - 1 > families.length,
    families: new Map(families.map((family) => [family.name, family])),
    familiesById: new Map(families.map((family) => [family.id, family])),
    splits: splits.map((split) => Buffer.from(split, 'base64')),
  };
}

function prepareRows(database: DatabaseSync, id: number): RowStatements {
  const rows = `rows_${id}`;
  const arrays = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  return {
    get: arrays(`SELECT cells FROM ${rows} WHERE key = ?`),
    put: database.prepare(`INSERT INTO ${rows} (key, cells) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET cells = excluded.cells`),
    add: database.prepare(`INSERT INTO ${rows} (key, cells) VALUES (?, ?) ON CONFLICT (key) DO NOTHING`),
    // Not ON CONFLICT DO NOTHING: that keeps copies of pages, so that the statement alone could be undone, a fifth of its time.
    addSome: database.prepare(`INSERT OR IGNORE INTO ${rows} (key, cells) VALUES ${Array.from({ length: ROWS_A_STATEMENT }, () => '(?, ?)').join()}`),
    remove: database.prepare(`DELETE FROM ${rows} WHERE key = ?`),
    scan: arrays(`SELECT key, cells FROM ${rows} WHERE key >= ? AND key < ? ORDER BY key`),
    some: arrays(`SELECT key, cells FROM ${rows} WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`),
    scanBack: arrays(`SELECT key, cells FROM ${rows} WHERE key >= ? AND key < ? ORDER BY key DESC`),
    first: arrays(`SELECT key, cells FROM ${rows} WHERE key >= ? AND key < ? ORDER BY key LIMIT 1`),
    last: arrays(`SELECT key, cells FROM ${rows} WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1`),
    removeRange: database.prepare(`DELETE FROM ${rows} WHERE key IN (SELECT key FROM ${rows} WHERE key >= ? AND key < ? ORDER BY key LIMIT ?)`),
    sizes: arrays(`SELECT key, length(cells) FROM ${rows} WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`),
  };
}
