/** Files for the importer's tests: written to a folder of their own, read whole. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { importFile } from '../../../../electron/ingest/import/importFile.ts';
import type { ImportOptions } from '../../../../electron/ingest/import/plan.ts';
import type { ImportRow } from '../../../../electron/ingest/import/row.ts';
import type { Reject } from '../../../../electron/ingest/import/spool.ts';
import type { Problem } from '../../../../shared/result.ts';
import { indexIdOf } from '../../../../shared/rowKey.ts';

export const AUTO: ImportOptions = { format: 'auto', index: null, zone: null, period: null, order: null, decimal: null, stamp: 'start', day: null };
export const SPX: ImportOptions = { ...AUTO, index: indexIdOf('SPX') };

export interface Whole {
  readonly format: string;
  readonly zone: string | null;
  readonly period: string | null;
  readonly read: number;
  readonly warnings: readonly string[];
  readonly rows: readonly ImportRow[];
  readonly rejects: readonly Reject[];
  readonly counts: { readonly rows: number; readonly duplicate: number; readonly corrected: number; readonly rejected: number };
}

let folder: string | null = null;
afterAll(() => { if (folder !== null) rmSync(folder, { recursive: true, force: true }); });

export function fileOf(name: string, content: string | Uint8Array): string {
  folder ??= mkdtempSync(join(tmpdir(), 'frontrow-import-'));
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A refusal as one line of text. */
export const readWhole = (path: string, options: ImportOptions): Promise<Whole | string> => readOnce(path, options, false);

/** Whatever the file, reading it straight gives the same as reading it by way of the spool. */
export async function readBoth(path: string, options: ImportOptions): Promise<Whole | string> {
  const [spooled, passed] = [await readOnce(path, options, false), await readOnce(path, options, true)];
  expect(passed).toEqual(spooled);
  return spooled;
}

async function readOnce(path: string, options: ImportOptions, straight: boolean): Promise<Whole | string> {
  const read = await importFile(path, options, { straight });
  if (!read.ok) return refusalOf(read.error);
  const { spool, rows: chunks, ended, ...rest } = read.value;
  try {
    const rows = (await Array.fromAsync(chunks())).flat();
    const end = ended();
    return end.ok ? { ...rest, warnings: [...rest.warnings, ...end.value], rows, rejects: [...spool.rejects()], counts: spool.counts() } : refusalOf(end.error);
  } finally {
    spool.close();
  }
}
const refusalOf = ({ code, what, next }: Problem): string => `${code}: ${what}; ${next}`;

export async function accepted(content: string | Uint8Array, options: ImportOptions = SPX, name = 'file.csv'): Promise<Whole> {
  const whole = await readWhole(fileOf(name, content), options);
  if (typeof whole === 'string') throw new Error(whole);
  return whole;
}

export async function refusal(content: string | Uint8Array, options: ImportOptions = SPX, name = 'file.csv'): Promise<string> {
  const whole = await readWhole(fileOf(name, content), options);
  if (typeof whole !== 'string') throw new Error(`accepted as ${whole.format}: ${whole.rows.length} rows`);
  return whole;
}

/** `time open high low close volume` of each row, for short expectations. */
export const brief = (whole: Whole): string[] => whole.rows.map((row) => [row.time, ...(row.kind === 'bar' ? [row.open, row.high, row.low, row.close] : [row.price]), row.volume ?? '-'].join(' '));
