/** `frontrow ingest`: vendor files to rows. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { isIndexId, type Resolution, RESOLUTIONS } from '../../shared/rowKey.ts';
import { formatIso } from '../../shared/time.ts';
import { isZone } from '../../shared/zone.ts';
import type { Parsed } from '../config/options.ts';
import { type ImportedFile, importFile } from '../ingest/import/importFile.ts';
import type { ImportOptions } from '../ingest/import/plan.ts';
import type { ImportRow } from '../ingest/import/row.ts';
import { isDate } from '../ingest/moveDays.ts';
import type { Command, Streams } from './command.ts';
import { errorLine } from './exit.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
/** Of a summary; `--reject-file` has them all. */
const MAX_REJECTED = 10_000;
const SHOWN = 20;
const LINES_AT_ONCE = 500;

export const ingest: Command = {
  summary: "read vendors' files, and show what they hold",
  usage: 'ingest FILE... --dry-run [--index ID] [--format auto|NAME] [--zone ZONE] [--period 1s|1m|5m|1h|1d] [--date-order dmy|mdy|ymd] [--decimal point|comma] [--stamp start|end] [--day DATE] [--reject-file F] [--json]',
  options: { index: text, format: text, zone: text, period: text, 'date-order': text, decimal: text, stamp: text, day: text, keep: flag, 'dry-run': flag, 'reject-file': text },
  positionals: { min: 1, max: 1000 },
  async run(parsed, streams, signal) {
    const asked = request(parsed.values);
    if (!asked.ok) return asked;
    if (parsed.values['dry-run'] !== true) return failed(problem('BAD_INPUT', 'writing the rows of a file is not available yet', 'give --dry-run to see what it holds, or replay it with `frontrow replay`'));
    const rejectFile = parsed.values['reject-file'];
    const rejects = typeof rejectFile === 'string' ? await openLines(rejectFile) : null;
    if (rejects && !rejects.ok) return rejects;
    let refused: Problem | null = null;
    for (const path of parsed.positionals) {
      const read = await importFile(path, asked.value, signal);
      if (!read.ok) {
        if (read.error.code === 'CANCELLED') return read;
        // the last one becomes the command's own error line
        if (refused) streams.err(errorLine(refused).trimEnd());
        refused = read.error;
        continue;
      }
      try {
        await show(read.value, parsed.values['json'] === true, streams);
        if (rejects) for (const { line, reason } of read.value.spool.rejects()) await rejects.value.write(JSON.stringify({ file: read.value.file, line, reason }));
      } finally {
        read.value.spool.close();
      }
    }
    if (rejects) await rejects.value.close();
    return refused ? failed(refused) : ok(0);
  },
};

async function show(imported: ImportedFile, json: boolean, streams: Streams): Promise<void> {
  const { file, format, zone, period, read, spool, warnings } = imported;
  const { rows, duplicate, corrected, rejected } = spool.counts();
  for (const warning of warnings) streams.err(`${file}: ${warning}`);
  let lines: string[] = [];
  for (const row of spool.rows()) {
    if (lines.push(json ? JSON.stringify(jsonRow(row)) : textRow(row)) < LINES_AT_ONCE) continue;
    await streams.out(lines.join('\n'));
    lines = [];
  }
  if (lines.length > 0) await streams.out(lines.join('\n'));
  const list: { line: number; reason: string }[] = [];
  for (const { line, reason } of spool.rejects()) {
    if (list.length === (json ? MAX_REJECTED : SHOWN)) break;
    list.push({ line, reason });
  }
  if (json) {
    // a dry run writes nothing; `accepted` is what it would
    await streams.out(JSON.stringify({ summary: { file, format, zone, period, read, accepted: rows, written: 0, duplicate, late: 0, corrected, rejectedCount: rejected, rejected: list, warnings } }));
    return;
  }
  streams.err(`${file}: ${format}, ${zone ?? 'several zones'}, ${read} read, ${rows} good${rejected === 0 ? '' : `, ${rejected} lines rejected or replaced`}; nothing written`);
  for (const { line, reason } of list) streams.err(`  line ${line}: ${reason}`);
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

async function openLines(path: string): Promise<Result<{ write: (line: string) => Promise<void>; close: () => Promise<void> }>> {
  const stream = createWriteStream(path);
  try {
    await once(stream, 'open');
  } catch (error) {
    return failed(problem('BAD_INPUT', `--reject-file ${path}: ${error instanceof Error ? error.message : String(error)}`, 'give a file that can be written'));
  }
  return ok({
    async write(line) { if (!stream.write(`${line}\n`)) await once(stream, 'drain'); },
    async close() { stream.end(); await once(stream, 'close'); },
  });
}

function request(values: Parsed['values']): Result<ImportOptions> {
  const option = (name: string): string | null => (typeof values[name] === 'string' ? values[name] : null);
  const bad = (name: string, next: string): Result<never> => failed(problem('BAD_INPUT', `--${name} ${JSON.stringify((option(name) ?? '').slice(0, 60))} is not one`, next));
  const oneOf = <T extends string>(name: string, allowed: readonly T[]): T | null | undefined => {
    const given = option(name);
    return given === null ? null : allowed.find((word) => word === given);
  };
  const index = option('index');
  if (index !== null && !isIndexId(index)) return bad('index', 'use 1 to 24 of A-Z 0-9 ^ . _ -');
  const zone = zoneOf(option('zone'));
  if (zone === undefined) return bad('zone', 'give an IANA name such as America/New_York, or UTC-05:00');
  const period = oneOf<Resolution>('period', RESOLUTIONS);
  if (period === undefined) return bad('period', `give one of ${RESOLUTIONS.join(', ')}`);
  const order = oneOf('date-order', ['dmy', 'mdy', 'ymd'] as const);
  if (order === undefined) return bad('date-order', 'give dmy, mdy or ymd');
  const decimal = oneOf('decimal', ['point', 'comma'] as const);
  if (decimal === undefined) return bad('decimal', 'give point or comma');
  const stamp = oneOf('stamp', ['start', 'end'] as const);
  if (stamp === undefined) return bad('stamp', 'give start or end');
  const day = option('day');
  if (day !== null && !isDate(day)) return bad('day', 'write YYYY-MM-DD');
  return ok({ format: option('format') ?? 'auto', index, zone, period, order, decimal, stamp: stamp ?? 'start', day });
}

/** Undefined for an unknown zone. Intl writes fixed offsets without the letters UTC. */
function zoneOf(given: string | null): string | null | undefined {
  if (given === null) return null;
  const zone = /^(?:UTC|GMT)[+-]\d\d:\d\d$/.test(given) ? given.slice(3) : given;
  return isZone(zone) ? zone : undefined;
}
