/** JSON as records: a list of objects, alone or under a key, or one object a line. Numbers keep the digits they are written with. Pure. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import { isZone } from '../../../shared/zone.ts';
import { type Header, readHeader } from './columns.ts';
import type { CsvRecord } from './records.ts';

export interface JsonRows {
  readonly header: Header;
  readonly records: readonly CsvRecord[];
  /** What stands beside the list: a symbol, a zone. Null: not told. */
  readonly symbol: string | null;
  readonly zone: string | null;
  /** An answer of Polygon (Massive), by what stands beside its list. */
  readonly massive: boolean;
  /** No cell of a price is text: then a point is a decimal point. */
  readonly numeric: boolean;
  /** Records are counted where several share a line. */
  readonly counted: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
/** A number as its file writes it: a double would lose its digits. */
class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const MAX_DEPTH = 6;
const MAX_NODES = 10_000;
const MAX_KEYS = 200;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Written);

/** Throws SyntaxError where the text is no JSON. */
function parse(text: string): unknown {
  const reviver = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => (typeof value === 'number' ? new Written(context?.source ?? String(value)) : value);
  return JSON.parse(text, reviver);
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Written) return value.text;
  return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : JSON.stringify(value).slice(0, 100);
}

/** Databento keeps a record's time in a header of its own. */
const flat = (row: Fields): Fields => (isFields(row['hd']) ? { ...row['hd'], ...row } : row);

/** The keys of all rows, as they first come. */
export function keysOf(rows: Iterable<Fields>, into = new Set<string>()): Set<string> {
  for (const row of rows) for (const key in row) if (key !== 'hd') into.add(key);
  return into;
}

/** One line of JSON lines; null where it is no object. */
export function lineFields(line: string): Fields | null {
  try {
    const value = parse(line);
    return isFields(value) ? flat(value) : null;
  } catch {
    return null;
  }
}

export const recordOf = (row: Fields, keys: readonly string[], line: number): CsvRecord => ({ line, cells: keys.map((key) => (Object.hasOwn(row, key) ? cellOf(row[key]) : '')) });

/** Whether a row writes one of these columns as text. */
export const hasTextPrice = (row: Fields, keys: readonly string[], { columns }: Header): boolean =>
  [columns.open, columns.high, columns.low, columns.close, columns.price, columns.bid, columns.ask].some((at) => at !== undefined && typeof row[keys[at] ?? ''] === 'string');

interface Candidate {
  readonly path: string;
  readonly rows: readonly unknown[];
  readonly keys: readonly string[];
  readonly header: Header;
  readonly beside: Fields;
}

/** `text`: the whole file. BAD_INPUT where it is cut, a message in place of data, or no one list of rows with a time and a price. */
export function readJsonRows(file: string, text: string): Result<JsonRows> {
  const refuse = (what: string, next: string): Result<never> => failed(problem('BAD_INPUT', `${file}: ${what}`, next));
  let body: unknown;
  try {
    body = parse(text);
  } catch (error) {
    return refuse(`not complete JSON (${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'})`, 'download it again');
  }
  const found: Candidate[] = [];
  const searched = search(body, '', {}, 0, { file, found, nodes: 0 });
  if (!searched.ok) return searched;
  const [one, another] = found;
  if (!one) {
    const message = isFields(body) ? Object.entries(body).find(([key, value]) => typeof value === 'string' && /message|error|note|information|detail|reason/i.test(key)) : undefined;
    if (message) return refuse(`the vendor's message in place of data: ${message[0]}: ${String(message[1]).slice(0, 160)}`, 'wait for the quota or correct the request, and download again');
    if (isFields(body) && (cellOf(body['resultsCount']) === '0' || cellOf(body['status']).toLowerCase() === 'no_data')) return refuse('the vendor had no data for the request', 'check the symbol and the dates');
    return refuse('JSON without a list of objects that name a time and a price', 'convert it to CSV, or to a list such as [{"time":...,"open":...,"high":...,"low":...,"close":...}]');
  }
  if (another) return refuse(`it holds ${found.length} lists of prices (${found.slice(0, 3).map(({ path }) => path).join(', ')})`, 'give one of them a file, with --index');
  const { rows, keys, header, beside } = one;
  const lines = linesOfLeaves(text, body);
  const objects = rows.filter(isFields);
  const distinct = new Set(objects.map((row) => lines.get(row)));
  const counted = distinct.size < objects.length || distinct.has(undefined);
  let line = 0;
  const records = rows.map((row, nth): CsvRecord => {
    line = counted ? nth + 1 : (lines.get(row) ?? line); // what is no object stands on the line before, or after it
    return isFields(row) ? recordOf(flat(row), keys, line) : { line, cells: [], bad: 'not an object' };
  });
  const meta = isFields(beside['meta']) ? beside['meta'] : {};
  const told = (...names: readonly string[]): string | null => names.flatMap((name) => [beside[name], meta[name]]).find((value) => typeof value === 'string') ?? null;
  const zone = told('timezone', 'time_zone', 'timeZone', 'exchange_timezone', 'exchangeTimezoneName');
  return ok({
    header, records, symbol: told('ticker', 'symbol'), zone: zone !== null && isZone(zone) ? zone : null, massive: 'ticker' in beside && ('resultsCount' in beside || 'queryCount' in beside),
    numeric: !rows.some((row) => isFields(row) && hasTextPrice(row, keys, header)), counted,
  });
}

/** Lists whose objects name a time and a price, wherever they stand; those inside one are its rows. */
function search(value: unknown, path: string, beside: Fields, depth: number, state: { readonly file: string; readonly found: Candidate[]; nodes: number }): Result<null> {
  state.nodes += 1;
  if (depth > MAX_DEPTH || state.nodes > MAX_NODES || typeof value !== 'object' || value === null) return ok(null);
  if (Array.isArray(value)) {
    const rows: readonly unknown[] = value;
    const keys = [...keysOf(rows.filter(isFields).map(flat))];
    const header = keys.length === 0 || keys.length > MAX_KEYS ? ok(null) : readHeader(keys, 0, state.file);
    if (!header.ok) return header;
    if (header.value) {
      state.found.push({ path: path === '' ? 'the whole' : path, rows, keys, header: header.value, beside });
      return ok(null);
    }
    for (const [nth, item] of rows.entries()) {
      const searched = search(item, `${path}[${nth}]`, {}, depth + 1, state);
      if (!searched.ok) return searched;
    }
    return ok(null);
  }
  for (const [key, item] of Object.entries(value)) {
    const searched = search(item, path === '' ? key : `${path}.${key}`, value as Fields, depth + 1, state);
    if (!searched.ok) return searched;
  }
  return ok(null);
}

/** The line on which each object without objects in it begins. */
function linesOfLeaves(text: string, body: unknown): ReadonlyMap<unknown, number> {
  const starts: number[] = [];
  const open: { line: number; leaf: boolean }[] = [];
  let line = 1;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]\n]/g)) {
    if (token === '\n') line += 1;
    else if (token === '{' || token === '[') {
      for (const one of open.slice(-1)) one.leaf = false;
      open.push({ line, leaf: token === '{' });
    } else if (token === '}' || token === ']') {
      const closed = open.pop();
      if (closed?.leaf === true) starts.push(closed.line);
    }
  }
  const lines = new Map<unknown, number>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof Written) return;
    const inner = Object.values(value).filter((item) => typeof item === 'object' && item !== null && !(item instanceof Written));
    if (inner.length === 0 && !Array.isArray(value)) {
      const start = starts[lines.size];
      if (start !== undefined) lines.set(value, start);
    }
    for (const item of inner) visit(item);
  };
  visit(body);
  return lines;
}
