/** Rows of the canonical layout to ticks and bars. Cells are untrusted: whoever can write to the table can write anything. */
import type { Decimal } from '../../shared/decimal.ts';
import { parseDecimal } from '../../shared/decimal.ts';
import type { Bar, Tick } from '../../shared/quote.ts';
import { failed, ok, type Problem, problem, ProblemError, type Result } from '../../shared/result.ts';
import { decodeKey } from '../../shared/rowKey.ts';
import { type EpochMicros, parseMicros } from '../../shared/time.ts';
import { columnOf } from './column.ts';
import { quickTick } from './quickTick.ts';
import type { Cell, Row } from './reader.ts';

/** Longest value of any column that we read; the longest that we write is under 30. */
const MAX_VALUE_BYTES = 64;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A tick row to a tick. Family `q` is subject to retention, `h` kept for ever, both with the same columns: where a row has a price in
 * both, the later written one counts (by version time), with the columns of its family. Fails with BAD_DATA, naming key and column.
 */
export function decodeTick(row: Row): Result<Tick> {
  const quick = row.wire === undefined ? null : quickTick(row.key, row.wire);
  if (quick !== null) return ok(quick);
  const key = decodeKey(row.key);
  if (key?.kind !== 'tick') return failed(notA('tick', row.key));
  const [q, h] = [row.cells.get('q:p'), row.cells.get('h:p')];
  const family = q && (!h || q.version >= h.version) ? 'q' : 'h';
  return reading(() => ({
    index: key.index,
    time: key.time,
    sequence: key.sequence ?? 0,
    price: required(row, family, 'p'),
    volume: decimalOf(row, family, 'v'),
    bid: decimalOf(row, family, 'b'),
    ask: decimalOf(row, family, 'a'),
    ingest: instantOf(row, family, 'i'),
    source: textOf(row, family, 's'),
    nanos: integerOf(row, family, 'n', 999),
    family,
    key: row.key,
  }));
}

/**
 * A bar row to a bar: the vendor's (`v`) before ours (`b`) for 1d, ours before the vendor's below; the family that has no close is passed
 * over. The official close of a day may come from either. Fails with BAD_DATA, naming key and column.
 */
export function decodeBar(row: Row): Result<Bar> {
  const key = decodeKey(row.key);
  if (key?.kind !== 'bar') return failed(notA('bar', row.key));
  const daily = key.resolution === '1d';
  const [first, second] = daily ? (['v', 'b'] as const) : (['b', 'v'] as const);
  const family = row.cells.has(`${first}:c`) || !row.cells.has(`${second}:c`) ? first : second;
  const other = family === first ? second : first;
  return reading(() => ({
    index: key.index,
    start: key.time,
    resolution: key.resolution,
    open: required(row, family, 'o'),
    high: required(row, family, 'h'),
    low: required(row, family, 'l'),
    close: required(row, family, 'c'),
    volume: decimalOf(row, family, 'v'),
    ticks: integerOf(row, family, 'k', Number.MAX_SAFE_INTEGER),
    kind: family === 'v' ? ('vendor' as const) : ('own' as const),
    officialClose: daily ? (decimalOf(row, family, 'oc') ?? decimalOf(row, other, 'oc')) : null,
    sessionDate: daily ? (dateOf(row, family) ?? dateOf(row, other)) : null,
    key: row.key,
  }));
}

/** The inner parsers throw a ProblemError, so that each field is one expression; nothing else may leave as a value. */
function reading<T>(read: () => T): Result<T> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof ProblemError) return failed(error.problem);
    throw error;
  }
}

function required(row: Row, family: string, qualifier: string): Decimal {
  const value = decimalOf(row, family, qualifier);
  if (value === null) throw bad(row, `${family}:${qualifier}`, 'has no value');
  return value;
}

function decimalOf(row: Row, family: string, qualifier: string): Decimal | null {
  const text = asciiOf(row, family, qualifier);
  if (text === null || text === '') return null;
  const value = parseDecimal(text);
  if (value === undefined) throw bad(row, `${family}:${qualifier}`, `is not a plain decimal number: ${quoted(text)}`);
  return value;
}

function instantOf(row: Row, family: string, qualifier: string): EpochMicros | null {
  const text = asciiOf(row, family, qualifier);
  if (text === null) return null;
  try {
    return parseMicros(text);
  } catch {
    throw bad(row, `${family}:${qualifier}`, `is not a time in microseconds: ${quoted(text)}`);
  }
}

function integerOf(row: Row, family: string, qualifier: string, most: number): number | null {
  const text = asciiOf(row, family, qualifier);
  if (text === null || text === '') return null;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw bad(row, `${family}:${qualifier}`, `is not a whole number up to ${most}: ${quoted(text)}`);
  return value;
}

function dateOf(row: Row, family: string): string | null {
  const text = asciiOf(row, family, 'd');
  if (text === null) return null;
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  // A Date rolls 02-30 over to March: only a date that survives the round trip exists.
  if (!date || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) throw bad(row, `${family}:d`, `is not a date: ${quoted(text)}`);
  return text;
}

/** Empty text is no value: a correction takes a column back by it. Numbers and dates are ASCII; any other byte becomes a character that no parser accepts. */
function asciiOf(row: Row, family: string, qualifier: string): string | null {
  const cell = cellOf(row, family, qualifier);
  return cell ? cell.value.toString('latin1') : null;
}

function textOf(row: Row, family: string, qualifier: string): string | null {
  const cell = cellOf(row, family, qualifier);
  if (!cell) return null;
  try {
    return utf8.decode(cell.value);
  } catch {
    throw bad(row, `${family}:${qualifier}`, 'is not UTF-8 text');
  }
}

function cellOf(row: Row, family: string, qualifier: string): Cell | undefined {
  const cell = row.cells.get(columnOf(family, qualifier));
  if (cell && cell.value.length > MAX_VALUE_BYTES) throw bad(row, `${family}:${qualifier}`, `has ${cell.value.length} bytes, more than ${MAX_VALUE_BYTES}`);
  return cell;
}

const bad = (row: Row, column: string, what: string): ProblemError =>
  new ProblemError(problem('BAD_DATA', `row ${quoted(row.key)} column ${column} ${what}`, 'correct the row, or whoever writes it: values are plain decimal text'));

const notA = (kind: string, key: string): Problem =>
  problem('BAD_DATA', `row key ${quoted(key)} is not the key of a ${kind}`, 'check that the table has the canonical layout');

/** Foreign text in a message: escaped, so that no control character reaches a terminal, and cut. */
const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
