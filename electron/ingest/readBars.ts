/** One vendor file, in any format of the importer, as bars and ticks in memory: what a replay or the demo shows. */
import { infoFor } from '../../shared/indices.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import type { IndexId } from '../../shared/rowKey.ts';
import { localDate } from '../../shared/zone.ts';
import { type ImportedFile, importFile } from './import/importFile.ts';
import type { ImportOptions } from './import/plan.ts';
import type { ImportRow } from './import/row.ts';
import type { FileTick, Rejected, SourceBar } from './sourceBar.ts';

/** About ten years of minutes of one index: a replay holds all of them. */
export const MAX_ROWS = 1_000_000;
const MAX_REASONS = 1000;

export type ReadOptions = Pick<ImportOptions, 'format' | 'index' | 'zone' | 'day'> & Partial<Pick<ImportOptions, 'period' | 'order' | 'decimal' | 'stamp' | 'outside'>>;

export interface FileBars {
  readonly file: string;
  readonly format: string;
  readonly index: IndexId;
  /** Of the file's days: of its stamps; where those are instants, of the exchange. */
  readonly zone: string;
  /** By start, one per start and period. */
  readonly bars: readonly SourceBar[];
  /** By time; of one instant as the file has them. */
  readonly ticks: readonly FileTick[];
  /** Records read, headers among them. */
  readonly read: number;
  readonly rejectedCount: number;
  /** The first thousand, by line. */
  readonly rejected: readonly Rejected[];
  /** What was taken for granted in reading it. */
  readonly warnings: readonly string[];
}

/** Fails with BAD_INPUT as `importFile` does, and where the file holds several indices or more than MAX_ROWS. */
export async function readBars(path: string, options: ReadOptions, signal?: AbortSignal): Promise<Result<FileBars>> {
  const read = await importFile(path, { period: null, order: null, decimal: null, stamp: 'start', ...options }, signal ? { signal } : {});
  if (!read.ok) return read;
  const { spool } = read.value;
  try {
    return held(read.value, options);
  } finally {
    spool.close();
  }
}

function held({ file, format, zone: stamps, read, warnings, spool }: ImportedFile, options: ReadOptions): Result<FileBars> {
  const [index, another] = spool.indices();
  const { rows, rejected: rejectedCount } = spool.counts();
  if (index === undefined || another !== undefined) return failed(problem('BAD_INPUT', `${file}: holds ${spool.indices().length} indices`, 'give each a file of its own'));
  if (rows > MAX_ROWS) return failed(problem('BAD_INPUT', `${file}: more than ${MAX_ROWS} rows`, 'split the file'));
  const home = infoFor(index);
  const zone = options.zone ?? (stamps === null || (stamps === 'UTC' && home.mic !== null) ? home.zone : stamps.replace(/^UTC(?=[+-])/, ''));
  const [bars, ticks]: [SourceBar[], FileTick[]] = [[], []];
  for (const row of spool.rows()) {
    if (row.kind === 'bar') bars.push(sourceBar(row, zone));
    else ticks.push({ line: row.line, start: row.time, date: localDate(zone, row.time), price: row.price });
  }
  const rejected: Rejected[] = [];
  for (const one of spool.rejects()) if (rejected.push({ line: one.line, reason: one.reason }) === MAX_REASONS) break;
  return ok({ file, format, index, zone, bars, ticks, read, rejectedCount, rejected, warnings });
}

const sourceBar = ({ line, time, period, sessionDate, open, high, low, close, volume }: ImportRow & { readonly kind: 'bar' }, zone: string): SourceBar =>
  ({ line, start: time, period, date: sessionDate ?? localDate(zone, time), open, high, low, close, volume });
