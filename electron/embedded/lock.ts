/**
 * One process per data folder. The lock is the operating system's, held on the empty file `lock` through SQLite: it ends with
 * its holder however that ends, so a kill leaves nothing stale and a reused process id means nothing. `address.json` beside it
 * only tells others where the holder answers.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { failed, ok, problem, type Problem, type Result } from '../../shared/result.ts';

export interface FolderLock {
  /** Tells other processes where the holder answers. */
  announce(address: string): void;
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly address: string;
}

// A probe (runningStore) holds the lock for less than a millisecond; wait that out.
const PROBE_PATIENCE_MS = 500;
const HOLDER = 'address.json';

/** Takes the lock of a folder, making the folder where it is missing. DATA_FOLDER_LOCKED names the holder. */
export function lockFolder(data: string): Result<FolderLock> {
  const usable = prepareFolder(data);
  if (!usable.ok) return usable;
  let lock: DatabaseSync | null = null;
  try {
    lock = new DatabaseSync(join(data, 'lock'), { timeout: PROBE_PATIENCE_MS });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    return failed(isBusy(error) ? lockedProblem(data) : folderProblem(data, error));
  }
  const held = lock;
  const holder = join(data, HOLDER);
  rmSync(holder, { force: true }); // of a holder that was killed
  return ok({
    announce(address) {
      // Renamed into place, so that a reader never sees half of it.
      writeFileSync(`${holder}.new`, JSON.stringify({ pid: process.pid, address } satisfies Holder));
      renameSync(`${holder}.new`, holder);
    },
    release() {
      rmSync(holder, { force: true });
      held.close();
    },
  });
}

/** HOST:PORT of the store that has this data folder open now, in any process; null when none has. */
export function runningStore(data: string): string | null {
  const holder = readHolder(data);
  return holder && isLocked(data) ? holder.address : null;
}

function isLocked(data: string): boolean {
  let probe: DatabaseSync | null = null;
  try {
    // readOnly: a probe must not make the file.
    probe = new DatabaseSync(join(data, 'lock'), { readOnly: true, timeout: 0 });
    probe.exec('BEGIN; SELECT count(*) FROM sqlite_master');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    probe?.close();
  }
}

function readHolder(data: string): Holder | null {
  try {
    const found: unknown = JSON.parse(readFileSync(join(data, HOLDER), 'utf8'));
    if (typeof found !== 'object' || found === null || !('pid' in found) || !('address' in found)) return null;
    const { pid, address } = found;
    return typeof pid === 'number' && typeof address === 'string' && /^[\w.:[\]-]{1,255}:\d{1,5}$/.test(address) ? { pid, address } : null;
  } catch {
    return null; // missing, or not ours: no holder that can be told
  }
}

function prepareFolder(data: string): Result<null> {
  try {
    if (statSync(data, { throwIfNoEntry: false })?.isFile()) return failed(problem('BAD_INPUT', `the data path ${data} is a file`, 'name a folder with --data'));
    mkdirSync(data, { recursive: true, mode: 0o700 });
    return ok(null);
  } catch (error) {
    return failed(folderProblem(data, error));
  }
}

/** Why a data folder cannot be used, in the reader's words. */
export function folderProblem(data: string, error: unknown): Problem {
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const result = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
  if (code === 'ENOSPC' || result === 13) return problem('INTERNAL', `no space left for the data folder ${data}`, 'free some space, or name another folder with --data', true);
  if (code === 'ENOTDIR' || code === 'EEXIST') return problem('BAD_INPUT', `the data path ${data} lies below a file`, 'name a folder with --data');
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || result === 8 || result === 14) {
    return problem('BAD_INPUT', `the data folder ${data} cannot be written`, 'allow writing there, or name another folder with --data');
  }
  return problem('INTERNAL', `the data folder ${data} cannot be used: ${text}`, 'check the disk, or name another folder with --data');
}

function lockedProblem(data: string): Problem {
  const holder = readHolder(data);
  const who = holder ? `by process ${holder.pid}, which answers on ${holder.address}` : 'by another process that is starting or stopping';
  const next = holder ? `use --emulator ${holder.address}, or stop that process` : 'try again, or name another folder with --data';
  return problem('DATA_FOLDER_LOCKED', `the data folder ${data} is in use ${who}`, next, true);
}

const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;
