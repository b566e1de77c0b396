/** A JSON file as a table: Alpha Vantage's answer, a list of objects wherever it stands, or one object a line. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import { readAlphaVantageJson } from './alphaVantageJson.ts';
import { type Header, readHeader } from './columns.ts';
import { hasTextPrice, keysOf, lineFields, readJsonRows, recordOf } from './jsonRows.ts';
import type { ImportOptions } from './plan.ts';
import type { CsvRecord } from './records.ts';
import { indexOf } from './symbols.ts';
import { type Vendor, vendors } from './vendors.ts';

/** What a file of JSON holds, as `take` of importFile.ts reads tables. */
export interface JsonTable {
  readonly vendor: Vendor;
  readonly header: Header;
  readonly records: () => AsyncIterable<readonly CsvRecord[]>;
  readonly options: ImportOptions;
  readonly warnings: readonly string[];
}

/** About a million bars; more must come line by line. */
const MAX_JSON = 64 * 1024 * 1024;
const MAX_LINE = 65_536;
const MAX_KEYS = 200;

type Text = () => AsyncIterable<string>;

export async function readJson(file: string, head: string, text: Text, options: ImportOptions): Promise<Result<JsonTable>> {
  if (options.format === 'json-lines' || (options.format !== 'alphavantage-json' && isLines(head, file))) return readLines(file, text, options);
  let whole = '';
  for await (const chunk of text()) {
    whole += chunk;
    if (whole.length > MAX_JSON) return failed(problem('BAD_INPUT', `${file}: more than ${MAX_JSON / 1024 / 1024} MB of JSON in one piece`, 'give it as CSV, or as JSON lines, one object a line (`jq -c ".[]" FILE` makes them of a list), which may have any size'));
  }
  const alphaVantage = options.format === 'alphavantage-json' || (options.format === 'auto' && /"Meta Data"\s*:/.test(head.slice(0, 400)));
  return alphaVantage ? readSeries(file, whole, options) : readList(file, whole, options);
}

function readSeries(file: string, whole: string, options: ImportOptions): Result<JsonTable> {
  const series = readAlphaVantageJson(file, whole);
  if (!series.ok) return series;
  const { symbol, zone, period, records } = series.value;
  const header = readHeader(records[0]?.cells ?? [], 0, file);
  if (!header.ok || !header.value) return failed(problem('BAD_INPUT', `${file}: no series in it`, 'download it again'));
  const daily = period === '1d';
  return ok({
    vendor: { name: 'alphavantage-json', zone, order: 'ymd', point: true, period }, header: header.value, records: () => each(records.slice(1)),
    options: { ...options, index: options.index ?? indexOf(symbol), zone: daily ? options.zone : (options.zone ?? zone) },
    warnings: !daily && options.zone !== null && options.zone !== zone ? [`--zone overrides the file's own ${zone}`] : [],
  });
}

function readList(file: string, whole: string, options: ImportOptions): Result<JsonTable> {
  const list = readJsonRows(file, whole);
  if (!list.ok) return list;
  const { header, records, symbol, zone, massive, numeric, counted } = list.value;
  const name = header.own ? 'frontrow' : massive ? 'massive-json' : 'json';
  if (options.format !== 'auto' && options.format !== 'json' && options.format !== name) return failed(problem('BAD_INPUT', `${file}: JSON, but not ${options.format}`, 'leave --format out'));
  const index = options.index ?? (symbol === null || header.columns.symbol !== undefined ? null : indexOf(symbol));
  return ok({
    vendor: { name, zone, order: null, point: numeric, period: null }, header, records: () => each(records), options: { ...options, index },
    warnings: counted ? ['rows are counted from 1: several are on one line'] : [],
  });
}

async function* each(records: readonly CsvRecord[]): AsyncGenerator<readonly CsvRecord[]> {
  yield records;
}

/** Whether every line is an object of its own, by the first two. */
function isLines(head: string, file: string): boolean {
  const [first, second] = head.split(/\r?\n/).filter((line) => line.trim() !== '');
  const fields = lineFields(first ?? '');
  if (fields === null) return false;
  if (second !== undefined) return second.trimStart().startsWith('{');
  const header = readHeader(Object.keys(fields), 0, file);
  return header.ok && header.value !== null;
}

/** Read once more than other files, to learn every key: objects need not all have the same. */
async function readLines(file: string, text: Text, options: ImportOptions): Promise<Result<JsonTable>> {
  const all = new Set<string>();
  for await (const lines of linesOf(text())) {
    for (const { fields } of lines) if (fields !== null) keysOf([fields], all);
    if (all.size > MAX_KEYS) return failed(problem('BAD_INPUT', `${file}: its lines have more than ${MAX_KEYS} keys`, 'give one object a price'));
  }
  const keys = [...all];
  const read = readHeader(keys, 0, file);
  if (!read.ok) return read;
  const header = read.value;
  if (!header) return failed(problem('BAD_INPUT', `${file}: the objects of its lines name no time and price (${keys.slice(0, 8).join(', ').slice(0, 80)})`, 'name them time, open, high, low, close, or time, price'));
  let textual = false;
  for await (const lines of linesOf(text())) {
    textual = lines.some(({ fields }) => fields !== null && hasTextPrice(fields, keys, header));
    if (textual) break;
  }
  const names = new Set(header.names);
  const known = vendors.find((vendor) => (vendor.name === 'databento' || vendor.name === 'massive' || vendor.name === 'frontrow') && vendor.header?.(names, file) === true);
  const vendor: Vendor = known ?? { name: 'json-lines', zone: null, order: null, point: !textual, period: null };
  async function* records(): AsyncGenerator<readonly CsvRecord[]> {
    for await (const lines of linesOf(text())) yield lines.map(({ line, fields }) => (fields === null ? { line, cells: [], bad: 'not a JSON object' } : recordOf(fields, keys, line)));
  }
  return ok({ vendor, header, records, options, warnings: [] });
}

interface ObjectLine {
  readonly line: number;
  /** Null where the line is no object. */
  readonly fields: ReturnType<typeof lineFields>;
}

/** Lines that are not empty, as many at once as a piece of text holds. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly ObjectLine[]> {
  let [pending, line] = ['', 0];
  const read = (lines: readonly string[]): ObjectLine[] => {
    const found: ObjectLine[] = [];
    for (const one of lines) {
      line += 1;
      if (one.trim() !== '') found.push({ line, fields: lineFields(one) });
    }
    return found;
  };
  for await (const chunk of text) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    if (pending.length > MAX_LINE) throw new RangeError(`line ${line + lines.length + 1} is longer than ${MAX_LINE} characters`);
    yield read(lines);
  }
  yield read([pending]);
}
