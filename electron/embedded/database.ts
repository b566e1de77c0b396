/** The SQLite file of a store: made, checked and opened so that an acknowledged write survives. Nothing else opens it. */
import { close, closeSync, existsSync, fsync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { failed, ok, problem, type Problem, type Result } from '../../shared/result.ts';
import { folderProblem } from './lock.ts';

const FILE = 'store.sqlite';
const APPLICATION = 0x46726f77; // "Frow", at offset 68 of the file
const FORMAT = 1;
// Up to here a check of every page takes under a second at start; beyond it damage shows when it is read.
const CHECKED_BYTES = 256 * 1024 * 1024;
// What the log holds until it is written back, 1000 pages and the commit that is one too many.
const LOG_BYTES = 9 * 1024 * 1024;

const SCHEMA = `
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${FORMAT};
  CREATE TABLE tables (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, schema TEXT NOT NULL) STRICT;
`;

/** A store that ends with its process. */
export function openMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  return database;
}

/**
 * Opens the store file of a folder whose lock the caller holds, or makes it. A file that is damaged, of another program or of a
 * newer format is refused with DATA_FOLDER_CORRUPT and left as it is, byte for byte.
 */
export function openFolder(data: string): Result<DatabaseSync> {
  const file = join(data, FILE);
  try {
    if (!existsSync(file)) create(file);
    const refused = refusal(file);
    if (refused) return failed(refused);
    makeRoom(`${file}-wal`);
    const database = new DatabaseSync(file, { timeout: 0 });
    try {
      makeDurable(database);
    } catch (error) {
      database.close();
      throw error;
    }
    return ok(database);
  } catch (error) {
    return failed(folderProblem(data, error));
  }
}

/** Write-ahead log, synced at every commit. Asserted: a file system that cannot do it must not pass for one that can. */
function makeDurable(database: DatabaseSync): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
  const journal = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
  const synchronous = database.prepare('PRAGMA synchronous').get()?.['synchronous'];
  if (journal !== 'wal' || synchronous !== 2) throw new Error(`no durable writes here: journal_mode ${String(journal)}, synchronous ${String(synchronous)}`);
}

/**
 * Gives a log that is new its length beforehand, in zeros, which are no entry of it: a sync that must write the file's new length, too, takes twice as long.
 * Where there is no room for that the log grows by itself, as ever.
 */
function makeRoom(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) return; // has what was not written back
  const zeros = Buffer.alloc(1024 * 1024);
  const descriptor = openSync(log, 'w');
  let whole = false;
  try {
    for (let at = 0; at < LOG_BYTES; at += zeros.length) if (writeSync(descriptor, zeros) < zeros.length) return;
    whole = true;
  } catch {
    // a full disk, most likely: the first commit tells
  } finally {
    if (whole) fsync(descriptor, () => close(descriptor)); // nobody waits for it
    else {
      closeSync(descriptor);
      rmSync(log, { force: true });
    }
  }
}

/** Made whole under another name, synced, then renamed: a kill at any moment leaves no store or a good one. */
function create(file: string): void {
  const draft = `${file}.new`;
  for (const name of [draft, `${draft}-journal`, `${draft}-wal`, `${draft}-shm`]) rmSync(name, { force: true });
  const database = new DatabaseSync(draft);
  database.exec(`PRAGMA synchronous = FULL; PRAGMA page_size = 8192; BEGIN; ${SCHEMA} COMMIT; PRAGMA journal_mode = WAL`);
  database.close();
  renameSync(draft, file);
  syncFolder(file);
}

function syncFolder(file: string): void {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const folder = openSync(join(file, '..'), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Why a file cannot be opened as a store, or null. Reads only. */
function refusal(file: string): Problem | null {
  const corrupt = (what: string, next = 'move it away or restore a copy, or name another folder with --data; it was left as it is'): Problem =>
    problem('DATA_FOLDER_CORRUPT', `the data file ${file} ${what}`, next);
  const header = Buffer.alloc(100);
  // Plain reads are safe only while this process has no SQLite handle on the file: closing one would drop that handle's locks.
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, 100, 0);
  } finally {
    closeSync(descriptor);
  }
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return corrupt('is damaged or not a store (no SQLite header)');
  if (header.readUInt32BE(68) !== APPLICATION) return corrupt('belongs to another program');
  return damage(file, corrupt);
}

function damage(file: string, corrupt: (what: string, next?: string) => Problem): Problem | null {
  // Read-only, or closing it would write the log back into the file; immutable where no log is left to be read, so that none is made.
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const wholeAlone = log === undefined || log.size === 0;
  const immutable = pathToFileURL(file);
  immutable.search = 'immutable=1';
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(wholeAlone ? immutable : file, { readOnly: true });
    const format = database.prepare('PRAGMA user_version').get()?.['user_version'];
    if (typeof format !== 'number' || format > FORMAT) return corrupt(`has format ${String(format)}; this version reads up to ${FORMAT}`, 'update frontrow, or name another folder with --data');
    if (statSync(file).size > CHECKED_BYTES) {
      database.prepare('SELECT count(*) FROM tables').get();
      return null;
    }
    const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    return found === 'ok' ? null : corrupt(`is damaged (${String(found).replaceAll('\n', ' ').slice(0, 120)})`);
  } catch (error) {
    return corrupt(`is damaged (${error instanceof Error ? error.message : String(error)})`);
  } finally {
    database?.close();
    // The read-only handle's index of the log: the folder's lock says that nobody else uses it.
    rmSync(`${file}-shm`, { force: true });
  }
}
