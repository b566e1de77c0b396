/** What `ingest` prints of one file: its rows, and a summary as the last line. */
import type { ImportedFile } from '../ingest/import/importFile.ts';
import type { ImportRow } from '../ingest/import/row.ts';
import type { Reject } from '../ingest/import/spool.ts';
import type { Written } from '../ingest/import/writeRows.ts';
import { formatIso } from '../../shared/time.ts';
import type { Streams } from './command.ts';

/** Of a summary; `--reject-file` has them all. */
const MAX_REJECTED = 10_000;
const SHOWN = 20;
const LINES_AT_ONCE = 500;

export async function printRows(rows: AsyncIterable<readonly ImportRow[]>, json: boolean, streams: Streams): Promise<void> {
  for await (const some of rows) {
    for (let at = 0; at < some.length; at += LINES_AT_ONCE) await streams.out(some.slice(at, at + LINES_AT_ONCE).map((row) => (json ? JSON.stringify(jsonRow(row)) : textRow(row))).join('\n'));
  }
}

/** `written` null: a dry run, which counts within the file only. */
export async function printSummary({ file, format, zone, period, read, spool, warnings }: ImportedFile, written: Written | null, json: boolean, streams: Streams): Promise<void> {
  const { rows, duplicate, corrected, rejected } = spool.counts();
  if (json) {
    await streams.out(JSON.stringify({ summary: {
      file, format, zone, period, read, accepted: rows, written: (written?.written ?? 0) + (written?.corrected ?? 0), duplicate: duplicate + (written?.duplicate ?? 0),
      // late is said of live ticks only
      late: 0, quarantined: written?.future ?? 0, corrected: corrected + (written?.corrected ?? 0), rejectedCount: rejected, rejected: first(spool.rejects(), MAX_REJECTED), warnings,
    } }));
    return;
  }
  const done = written === null ? 'nothing written' : `${written.written + written.corrected} written (${written.corrected} of them corrections), ${written.duplicate} there already`;
  const sentence = `${file}: ${format}, ${zone ?? 'several zones'}, ${read} read, ${rows} good${rejected === 0 ? '' : `, ${rejected} lines rejected or replaced`}; ${done}`;
  if (written === null) streams.err(sentence);
  else await streams.out(sentence);
  for (const { line, reason } of first(spool.rejects(), SHOWN)) streams.err(`  line ${line}: ${reason}`);
}

function first(rejects: Iterable<Reject>, most: number): Reject[] {
  const list: Reject[] = [];
  for (const { line, reason } of rejects) {
    if (list.length === most) break;
    list.push({ line, reason });
  }
  return list;
}

function jsonRow(row: ImportRow): Record<string, unknown> {
  const { line, index, volume } = row;
  const start = { line, index, eventMicros: row.time.toString() };
  return row.kind === 'bar' ? { ...start, open: row.open, high: row.high, low: row.low, close: row.close, volume } : { ...start, price: row.price, volume };
}

function textRow(row: ImportRow): string {
  const prices = row.kind === 'bar' ? `${row.open} ${row.high} ${row.low} ${row.close}` : row.price;
  return `${row.index} ${formatIso(row.time)} ${prices} ${row.volume ?? '-'}`;
}
