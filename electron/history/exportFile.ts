/**
 * Rows into a file that is either whole or not there: written under a temporary name beside it, flushed to the disk, read back and counted,
 * and only then given its name. Whatever ends it before (a cancelled or failed read, a full disk), the temporary file goes.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import type { Format, PrintedPage } from './printed.ts';

export interface Exported {
  readonly rows: number;
  readonly bytes: number;
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
}

/** The calls to the file system that may fail; `node:fs/promises`. */
export interface Files {
  readonly open: (path: string, flags: string) => Promise<FileHandle>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly unlink: (path: string) => Promise<void>;
}

export interface ExportOptions {
  /** The failure where there is no row. */
  readonly empty: Problem;
  readonly signal?: AbortSignal;
  readonly files?: Files;
}

const READ_BYTES = 1 << 18;
let exports = 0;

/**
 * CSV: a header and a line a row. JSON: an array, a row a line. A file of that name is replaced. Fails with the first failed page, or with
 * BAD_INPUT where the file can't be written, or CANCELLED. Then nothing is left behind and an old file stays.
 */
export async function exportFile(path: string, pages: AsyncIterable<Result<PrintedPage>>, format: Format, { empty, signal, files = { open, rename, unlink } }: ExportOptions): Promise<Result<Exported>> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${process.pid}-${(exports += 1)}.part`);
  let handle: FileHandle | null = null;
  let made = false;
  try {
    handle = await files.open(temporary, 'wx+');
    made = true;
    const written = await writePages(handle, pages, format);
    if (!written.ok) return written;
    if (written.value.rows === 0) return failed(empty);
    await handle.sync();
    const read = await readBack(handle, format);
    if (read.sha256 !== written.value.sha256 || read.rows !== written.value.rows) {
      return failed(problem('INTERNAL', `${path}: reading it back gives ${read.rows} rows (${read.sha256.slice(0, 12)}), but ${written.value.rows} were written (${written.value.sha256.slice(0, 12)})`, 'check the disk, and export again'));
    }
    if (signal?.aborted === true) return failed(problem('CANCELLED', `${path}: stopped`, 'run it again'));
    await handle.close();
    handle = null;
    await files.rename(temporary, path);
    made = false;
    await flushFolder(folder, files);
    return written;
  } catch (error) {
    return failed(problem('BAD_INPUT', `${path} can't be written: ${error instanceof Error ? error.message : String(error)}`, 'give a file in a folder that can be written, with space for it'));
  } finally {
    await handle?.close().catch(() => undefined);
    if (made) await files.unlink(temporary).catch(() => undefined);
  }
}

async function writePages(handle: FileHandle, pages: AsyncIterable<Result<PrintedPage>>, format: Format): Promise<Result<Exported>> {
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  const write = async (text: string): Promise<void> => {
    const chunk = Buffer.from(text, 'utf8');
    hash.update(chunk);
    for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
    bytes += chunk.length;
  };
  for await (const page of pages) {
    if (!page.ok) return page;
    const { header, text } = page.value;
    if (format === 'csv') await write(`${rows === 0 ? `${header}\n` : ''}${text}\n`);
    else await write(`${rows === 0 ? '[\n' : ',\n'}${text.replaceAll('\n', ',\n')}`);
    rows += page.value.rows;
  }
  if (format === 'json' && rows > 0) await write('\n]\n');
  return ok({ rows, bytes, sha256: hash.digest('hex') });
}

/** What the file holds: rows by their line ends, which in CSV count outside of quotes only. */
async function readBack(handle: FileHandle, format: Format): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let [lines, position, quotes] = [0, 0, 0];
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    hash.update(buffer.subarray(0, bytesRead));
    for (let i = 0; i < bytesRead; i += 1) {
      if (buffer[i] === 0x22) quotes += 1;
      else if (buffer[i] === 0x0a && (format === 'json' || quotes % 2 === 0)) lines += 1;
    }
  }
  return { rows: lines - (format === 'csv' ? 1 : 2), sha256: hash.digest('hex') };
}

/** So that the new name outlives a power cut too; where a system has no such thing, its own ways hold. */
async function flushFolder(folder: string, files: Files): Promise<void> {
  let handle: FileHandle | null = null;
  try {
    handle = await files.open(folder, 'r');
    await handle.sync();
  } catch {
    // a folder can't be opened as a file there (Windows)
  } finally {
    await handle?.close().catch(() => undefined);
  }
}
