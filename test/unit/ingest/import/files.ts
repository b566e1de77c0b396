/** Files for the importer's tests: written to a folder of their own, read whole. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { importFile } from '../../../../electron/ingest/import/importFile.ts';
import type { ImportOptions } from '../../../../electron/ingest/import/plan.ts';
import type { ImportRow } from '../../../../electron/ingest/import/row.ts';
import type { Reject } from '../../../../electron/ingest/import/spool.ts';
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
export async function readWhole(path: string, options: ImportOptions): Promise<Whole | string> {
  const read = await importFile(path, options);
  if (!read.ok) return `${read.error.code}: ${read.error.what}; ${read.error.next}`;
  const { spool, ...rest } = read.value;
  const whole = { ...rest, rows: [...spool.rows()], rejects: [...spool.rejects()], counts: spool.counts() };
  spool.close();
  return whole;
}

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
