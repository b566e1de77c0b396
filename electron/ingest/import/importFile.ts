/** One vendor file to settled rows: chooses its format, reads it once to learn and once to take, and refuses what it can't be sure of. */
import { basename } from 'node:path';
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import type { IndexId, Resolution } from '../../../shared/rowKey.ts';
import { leanQuote, leanTrade } from '../formats/lean.ts';
import { linesOf } from '../lines.ts';
import { columnName, type Header, readHeader } from './columns.ts';
import { type ImportOptions, makePlan, type Plan, zoneName } from './plan.ts';
import { readJson } from './readJson.ts';
import { type CsvRecord, findDelimiter, recordsOf } from './records.ts';
import { type ImportRow, rowReader } from './row.ts';
import { openSpool, type Spool } from './spool.ts';
import { straight } from './straight.ts';
import { survey } from './survey.ts';
import { type Encoding, readHead, textOf } from './text.ts';
import { formatNames, jsonFormats, type Vendor, vendors } from './vendors.ts';

export interface ImportedFile {
  readonly file: string;
  readonly format: string;
  /** Zone of the stamps, or of the days; null where the indices of a file have several. */
  readonly zone: string | null;
  readonly period: Resolution | null;
  /** Records read, the header among them, empty lines not. */
  readonly read: number;
  readonly warnings: readonly string[];
  /** The caller closes it. */
  readonly spool: Spool;
  /** All rows once, in the spool's order. Of a file that is passed straight, only then are they and the rejected lines counted; may throw (`unreadable`). */
  readonly rows: () => AsyncIterable<readonly ImportRow[]>;
  /** After the rows: BAD_INPUT where none was good, else what reading them gave to say. */
  readonly ended: () => Result<readonly string[]>;
}

export interface ReadingOptions {
  readonly signal?: AbortSignal;
  readonly onRead?: OnRead;
  /** A file in order is not spooled: its rows are read when asked for. */
  readonly straight?: boolean;
}

const HEADER_RECORDS = 20;
const OWN_START = /^\uFEFF?eventMicros,/;

/** Hears how many records of a file are read, again from 0 the second time. */
export type OnRead = (records: number) => void;

/** Reads a file whole. BAD_INPUT where it is no table of prices, where a reading is not certain, or where no row is good. */
export async function importFile(path: string, options: ImportOptions, reading: ReadingOptions = {}): Promise<Result<ImportedFile>> {
  const file = basename(path);
  if (!formatNames.includes(options.format)) return failed(problem('BAD_INPUT', `no format called ${JSON.stringify(options.format.slice(0, 40))}`, `give --format one of: ${formatNames.join(', ')}`));
  const head = await readHead(path, file);
  if (!head.ok) return head;
  try {
    return await readText(path, file, head.value.text, head.value.encoding, options, reading);
  } catch (error) {
    if (error instanceof TypeError && head.value.encoding === 'utf-8' && /encoded data/i.test(error.message)) {
      const again = await readText(path, file, head.value.text, 'windows-1252', options, reading);
      return again.ok ? ok({ ...again.value, warnings: ['not UTF-8: read as windows-1252', ...again.value.warnings] }) : again;
    }
    return failed(unreadable(file, error, reading.signal));
  }
}

/** What reading a file threw, as a problem. */
export function unreadable(file: string, error: unknown, signal?: AbortSignal): Problem {
  if (signal?.aborted === true) return problem('CANCELLED', `${file}: stopped`, 'run it again');
  return problem('BAD_INPUT', `${file}: ${error instanceof Error ? error.message : String(error)}`, 'repair the file or download it again');
}

async function readText(path: string, file: string, head: string, encoding: Encoding, options: ImportOptions, reading: ReadingOptions): Promise<Result<ImportedFile>> {
  const { signal, onRead } = reading;
  const lean = [leanTrade, leanQuote].find(({ name, detect }) => (options.format === 'auto' ? detect(head.split(/\r?\n/), file) >= (options.day === null ? 1 : 0.6) : name === options.format));
  if (lean) return readLean(path, file, encoding, head, lean, options);
  if (jsonFormats.has(options.format) || ((options.format === 'auto' || options.format === 'frontrow') && /^\s*[{[]/.test(head))) {
    const table = await readJson(file, head, () => guarded(textOf(path, encoding), signal), options);
    if (!table.ok) return table;
    const taken = await take(file, table.value.vendor, table.value.header, heard(table.value.records, onRead), table.value.options, reading.straight);
    return taken.ok ? ok({ ...taken.value, warnings: [...table.value.warnings, ...taken.value.warnings] }) : taken;
  }
  const delimiter = OWN_START.test(head) ? ',' : findDelimiter(head); // a source may hold any sign, many times
  if (delimiter === null) return failed(problem('BAD_INPUT', `${file}: not a table, no line splits into columns`, 'give a CSV file'));
  const records = (): AsyncGenerator<readonly CsvRecord[]> => recordsOf(guarded(textOf(path, encoding), signal), delimiter);
  const found = await findHeader(records(), file, delimiter, options.format);
  if (!found.ok) return found;
  return take(file, found.value.vendor, found.value.header, heard(records, onRead), options, reading.straight);
}

const HEARD = 20_000;

function heard(records: () => AsyncIterable<readonly CsvRecord[]>, onRead?: OnRead): () => AsyncIterable<readonly CsvRecord[]> {
  if (onRead === undefined) return records;
  return async function* () {
    let [count, next] = [0, 0];
    for await (const some of records()) {
      if (count >= next) {
        onRead(count);
        next = count + HEARD;
      }
      count += some.length;
      yield some;
    }
    onRead(count);
  };
}

async function* guarded(text: AsyncIterable<string>, signal?: AbortSignal): AsyncGenerator<string> {
  for await (const chunk of text) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

/** The header among the first records, or the vendor whose rows need none. */
async function findHeader(records: AsyncIterable<readonly CsvRecord[]>, file: string, delimiter: string, format: string): Promise<Result<{ vendor: Vendor; header: Header }>> {
  const candidates = vendors.filter(({ name }) => format === 'auto' || name === format);
  const first: CsvRecord[] = [];
  for await (const some of records) {
    first.push(...some.slice(0, HEADER_RECORDS - first.length));
    if (first.length === HEADER_RECORDS) break;
  }
  for (const { line, cells } of first) {
    for (const vendor of candidates) {
      const fits = vendor.headerless?.(cells, delimiter);
      if (fits) return ok({ vendor, header: { line: 0, names: Array.from({ length: fits.width }, () => ''), columns: fits.columns, kind: fits.kind } });
    }
    const header = readHeader(cells, line, file);
    if (!header.ok) return header;
    if (header.value) {
      const names = new Set(header.value.names);
      const vendor = candidates.find((one) => one.header?.(names, file) === true);
      if (vendor) return ok({ vendor, header: header.value });
      return failed(problem('BAD_INPUT', `${file}: line ${line} is not a header of ${format} (${cells.map(columnName).slice(0, 8).join(', ')})`, 'leave --format out, or give --format generic'));
    }
  }
  return failed(problem('BAD_INPUT', `${file}: no line names a time and a price column, and its rows fit no known format without a header (first: ${(first[0]?.cells ?? []).slice(0, 6).join(' | ').slice(0, 80)})`, 'add a header line such as time,open,high,low,close,volume'));
}

async function take(file: string, vendor: Vendor, header: Header, records: () => AsyncIterable<readonly CsvRecord[]>, options: ImportOptions, direct = false): Promise<Result<ImportedFile>> {
  let width = header.names.length;
  while (header.line > 0 && width > 0 && header.names[width - 1] === '') width -= 1;
  const seen = await survey(records(), header, width);
  const made = makePlan(file, vendor, header, width, seen, options);
  if (!made.ok) return made;
  const plan = made.value;
  const reader = rowReader(file, plan, options);
  const told = (): string[] => (reader.twice() === 0 ? [] : [`${reader.twice()} local times occurred twice (clocks went back): their pass is told by the order of the rows`]);
  if (direct && plan.inOrder) {
    const spool = openSpool();
    const zone = summaryZone(plan, plan.index === null ? [] : [plan.index]);
    return ok({
      file, format: vendor.name, zone, period: plan.period, read: seen.records, warnings: plan.warnings, spool,
      rows: () => straight(records(), reader, spool), ended: () => (spool.counts().rows > 0 ? ok(told()) : failed(noGoodRow(file, spool))),
    });
  }
  return fill(file, plan.period, plan.warnings, async (spool) => {
    for await (const some of records()) {
      for (const record of some) {
        const outcome = reader.read(record);
        if (outcome === null) continue;
        if ('row' in outcome) spool.add(outcome.row);
        else spool.reject({ line: record.line, reason: outcome.reason });
      }
    }
    return { format: vendor.name, zone: summaryZone(plan, spool.indices()), read: seen.records, warnings: told() };
  });
}

function summaryZone(plan: Plan, indices: readonly IndexId[]): string | null {
  if (plan.zone !== null) return zoneName(plan.zone);
  const zones = new Set<string>();
  for (const index of indices) zones.add(plan.daily || plan.header.columns.period !== undefined ? (plan.dayZone(index) ?? 'UTC') : 'UTC');
  return zones.size === 1 ? ([...zones][0] ?? null) : null;
}

/** Runs a reading into a new spool, and lets go of it where nothing good came. */
async function fill(
  file: string, period: Resolution | null, warnings: readonly string[],
  reading: (spool: Spool) => Promise<Pick<ImportedFile, 'format' | 'zone' | 'read' | 'warnings'>>,
): Promise<Result<ImportedFile>> {
  const spool = openSpool();
  try {
    const done = await reading(spool);
    if (spool.counts().rows > 0) return ok({ file, period, spool, rows: () => inChunks(spool.rows()), ended: () => ok([]), ...done, warnings: [...warnings, ...done.warnings] });
    const refusal = noGoodRow(file, spool);
    spool.close();
    return failed(refusal);
  } catch (error) {
    spool.close();
    throw error;
  }
}

function noGoodRow(file: string, spool: Spool): Problem {
  const [first] = spool.rejects();
  return problem('BAD_INPUT', `${file}: no good row${first ? ` (line ${first.line}: ${first.reason})` : ''}`, 'check --format and --zone');
}

const CHUNK = 1000;
async function* inChunks(rows: Iterable<ImportRow>): AsyncGenerator<readonly ImportRow[]> {
  let chunk: ImportRow[] = [];
  for (const row of rows) {
    if (chunk.push(row) < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}

async function readLean(path: string, file: string, encoding: Encoding, head: string, lean: typeof leanTrade, options: ImportOptions): Promise<Result<ImportedFile>> {
  const opened = lean.open({ name: file, index: options.index, zone: options.zone, day: options.day, outside: options.outside ?? 'reject' }, head.split(/\r?\n/).slice(0, 20));
  if (!opened.ok) return opened;
  const { index, zone, parse } = opened.value;
  const warnings = options.zone === null ? [`times are read as ${zone}, as Lean's market hours document; --zone overrides it`] : [];
  return fill(file, '1m', warnings, async (spool) => {
    const bytes = new TextEncoder();
    async function* utf8(): AsyncGenerator<Uint8Array> {
      for await (const chunk of textOf(path, encoding)) yield bytes.encode(chunk);
    }
    let line = 0;
    for await (const text of linesOf(utf8())) {
      line += 1;
      const parsed = parse(text, line);
      if (parsed.kind === 'rejected') spool.reject(parsed.rejected);
      if (parsed.kind !== 'bar') continue;
      const { start, open, high, low, close, volume } = parsed.bar;
      const time = options.stamp === 'end' ? start - 60_000_000n : start;
      spool.add({ kind: 'bar', line, index, time: time as typeof start, period: '1m', sessionDate: null, open, high, low, close, volume });
    }
    return { format: lean.name, zone, read: line, warnings: [] };
  });
}
