/** `frontrow ingest`: vendors' files into the chosen store, or with `--dry-run` only read. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { basename } from 'node:path';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { metaKey } from '../../shared/rowKey.ts';
import { DAY, type EpochMicros } from '../../shared/time.ts';
import { DEFAULT_RETENTION_DAYS, ensureTable } from '../bigtable/admin.ts';
import type { Reader, Writer } from '../bigtable/reader.ts';
import { deskClock } from '../desk/deskClock.ts';
import { type ImportedFile, importFile, unreadable } from '../ingest/import/importFile.ts';
import type { ImportOptions } from '../ingest/import/plan.ts';
import type { ImportRow } from '../ingest/import/row.ts';
import { type Written, writeRows } from '../ingest/import/writeRows.ts';
import type { Command, Streams } from './command.ts';
import { errorLine } from './exit.ts';
import { IMPORT_OPTIONS, IMPORT_USAGE, importOptions } from './importOptions.ts';
import { printRows, printSummary } from './importReport.ts';
import { deleteListed } from './ingestDelete.ts';
import { withStore } from './withStore.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
/** Formats whose days are the exchange's; brokers' contracts and tables of unknown origin are not among them. */
const OFFICIAL: ReadonlySet<string> = new Set(['yahoo', 'stooq', 'nasdaq', 'investing', 'barchart', 'mplfinance', 'alphavantage', 'alphavantage-json']);

export const ingest: Command = {
  summary: "import vendors' files; --dry-run shows what they hold, --delete takes back ticks",
  usage: `ingest FILE... ${IMPORT_USAGE} [--keep] [--dry-run] [--reject-file F] [--json]\n`
    + '       ingest --delete LIST... [--dry-run] [--json]\n\n'
    + 'A LIST has one busted trade a line: its row key, ID TIME SEQUENCE, or JSON with "index", "eventMicros" and "sequence" (as `window --json` prints).\n'
    + 'What a format is known by, and what is asked for: docs/importing.md.',
  options: { ...IMPORT_OPTIONS, keep: flag, 'dry-run': flag, 'reject-file': text, delete: flag },
  positionals: { min: 1, max: 1000 },
  async run(parsed, streams, signal) {
    if (parsed.values['delete'] === true) return deleteListed(parsed, streams, signal);
    const asked = importOptions(parsed.values);
    if (!asked.ok) return asked;
    const name = parsed.values['reject-file'];
    const rejects = typeof name === 'string' ? await openLines(name) : null;
    if (rejects && !rejects.ok) return rejects;
    const job: Job = { files: parsed.positionals, options: asked.value, json: parsed.values['json'] === true, keep: parsed.values['keep'] === true, streams, signal, rejects: rejects?.value ?? null };
    try {
      if (parsed.values['dry-run'] === true) return await eachFile(job, null);
      return await withStore(parsed, async (store, settings) => {
        if (store.address.kind === 'embedded') {
          const ensured = await ensureTable(store.address);
          if (!ensured.ok) return ensured;
        } else {
          const missing = await tableProblem(store.reader, signal);
          if (missing) return failed(missing);
        }
        const clock = deskClock(settings.testNow);
        return eachFile(job, { reader: store.reader, writer: await store.writer(), now: () => clock.now() });
      });
    } finally {
      await rejects?.value.close();
    }
  },
};

const FIRST_DEADLINE = 20_000;

/** What keeps the table from being read, asked before the first of many large files is read for it. */
async function tableProblem(reader: Reader, signal: AbortSignal): Promise<Problem | null> {
  const range = { start: metaKey('index', '0'), end: metaKey('index', '~') };
  const first = await reader.read({ ranges: [range], limit: 1, deadlineMs: FIRST_DEADLINE, families: ['m'], signal });
  return first.ok ? null : first.error;
}

interface Job {
  readonly files: readonly string[];
  readonly options: ImportOptions;
  readonly json: boolean;
  readonly keep: boolean;
  readonly streams: Streams;
  readonly signal: AbortSignal;
  readonly rejects: Lines | null;
}

interface Target {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly now: () => EpochMicros;
}

/** Null: a dry run. A refused file leaves the table as it was and the others to be read; the command then ends as it would for that file. */
async function eachFile(job: Job, target: Target | null): Promise<Result<number>> {
  let refused: Problem | null = null;
  for (const path of job.files) {
    const done = await oneFile(path, job, target);
    if (done.ok) continue;
    if (done.error.code !== 'BAD_INPUT') return done;
    // the last one becomes the command's own error line
    if (refused) job.streams.err(errorLine(refused).trimEnd());
    refused = done.error;
  }
  return refused ? failed(refused) : ok(0);
}

async function oneFile(path: string, job: Job, target: Target | null): Promise<Result<null>> {
  const { options, json, streams, signal, rejects } = job;
  const clear = (): void => { if (streams.terminal) process.stderr.write('\r\u001B[K'); };
  const read = await importFile(path, options, { signal, straight: true, ...(streams.terminal ? { onRead: (records) => process.stderr.write(`\r${basename(path)}: ${records} records read\u001B[K`) } : {}) });
  clear();
  if (!read.ok) return read;
  const imported = read.value;
  const { file, spool } = imported;
  try {
    for (const warning of imported.warnings) streams.err(`${file}: ${warning}`);
    const done = await allRows(imported, job, target);
    if (!done.ok) return done;
    const ended = imported.ended();
    if (!ended.ok) return ended;
    clear();
    for (const warning of ended.value) streams.err(`${file}: ${warning}`);
    await printSummary({ ...imported, warnings: [...imported.warnings, ...ended.value] }, done.value, json, streams);
    if (rejects) for (const { line, reason } of spool.rejects()) await rejects.write(JSON.stringify({ file, line, reason }));
    return ok(null);
  } catch (error) {
    return failed(unreadable(file, error, signal));
  } finally {
    spool.close();
  }
}

/** Printed in a dry run, else written. */
async function allRows(imported: ImportedFile, { keep, json, streams, signal }: Job, target: Target | null): Promise<Result<Written | null>> {
  const { file, format, read, spool } = imported;
  if (target === null) {
    await printRows(imported.rows(), json, streams);
    return ok(null);
  }
  const age = keep ? null : retentionWarning(file, target.now(), streams);
  const done = await writeRows({
    rows: age ? age.watched(imported.rows()) : imported.rows(), source: format, keep, officialCloses: OFFICIAL.has(format), ...target, machineMillis: () => Date.now(), signal,
    onFuture: ({ line }) => { spool.reject({ line, reason: 'over 5 s in the future: not written' }); },
    onConflict: ({ line }, reason) => { spool.reject({ line, reason }); },
    onProgress: (count) => { if (streams.terminal) process.stderr.write(`\r${file}: ${count} rows of ${read} records\u001B[K`); },
  });
  age?.tell();
  return done.ok ? done : failed({ ...done.error, what: `${file}: ${done.error.what}` });
}

/** Counts the old ticks on their way. */
function retentionWarning(file: string, now: EpochMicros, streams: Streams): { watched(rows: AsyncIterable<readonly ImportRow[]>): AsyncGenerator<readonly ImportRow[]>; tell(): void } {
  let old = 0;
  return {
    async *watched(rows) {
      for await (const some of rows) {
        for (const row of some) if (row.kind === 'tick' && row.time < now - BigInt(DEFAULT_RETENTION_DAYS) * DAY) old += 1;
        yield some;
      }
    },
    tell() {
      if (old > 0) streams.err(`${file}: ${old} ticks are older than the ${DEFAULT_RETENTION_DAYS} days that ticks are kept, and will not be seen: --keep keeps them for ever`);
    },
  };
}

interface Lines {
  readonly write: (line: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function openLines(path: string): Promise<Result<Lines>> {
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
