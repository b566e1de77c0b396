/** Mutations of one row, applied to its cells. Pure: either all of them, or an error and nothing. */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { type Cell, compareCells, type Family, MAX_VERSION, sameColumn } from './cells.ts';
import { bigOf, exactNumber, type Int64 } from './int64.ts';
import { MAX_KEY } from './rowSet.ts';
import { familyMissing, invalid, unimplemented } from './status.ts';

export type Mutation = google.bigtable.v2.IMutation;
type Families = ReadonlyMap<string, Family>;

const MAX_QUALIFIER = 16 * 1024;
const MAX_VALUE = 100 * 1024 * 1024;
const MAX_ROW = 256 * 1024 * 1024;
/** Most mutations of one request, over all its entries. */
export const MAX_MUTATIONS = 100_000;
const MAX_MICROS = BigInt(MAX_VERSION) * 1000n;
const NONE = new Uint8Array(0);

export function checkKey(key: Uint8Array | string | null | undefined): Buffer {
  const bytes = bytesOf(key);
  if (bytes.length === 0) throw invalid('Row keys must be non-empty');
  if (bytes.length > MAX_KEY) throw invalid(`Row key is too long: ${bytes.length} bytes (at most ${MAX_KEY})`);
  return bytes;
}

/** A bytes field; a view, not a copy. */
export function bytesOf(field: Uint8Array | string | null | undefined): Buffer {
  if (typeof field === 'string') return Buffer.from(field, 'base64'); // as protobufjs has bytes in plain objects
  const bytes = field ?? NONE;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * The row after `mutations`, in reading order; `now` in ms stands for "server time" (-1).
 * Throws INVALID_ARGUMENT, NOT_FOUND (family) or UNIMPLEMENTED.
 */
export function mutated(cells: readonly Cell[], mutations: readonly Mutation[], families: Families, now: number): readonly Cell[] {
  if (mutations.length === 0) throw invalid('No mutations provided');
  if (mutations.length > MAX_MUTATIONS) throw invalid(`Too many mutations: ${mutations.length} (at most ${MAX_MUTATIONS})`);
  let current = cells;
  let set: Cell[] = []; // merged only when a deletion or the end needs it, so that large rows cost one sort
  for (const mutation of mutations) {
    if (mutation.setCell) {
      set.push(cellOf(mutation.setCell, families, now));
      continue;
    }
    current = withCells(current, set);
    set = [];
    current = current.filter(kept(mutation, families));
  }
  const after = withCells(current, set);
  let size = 0;
  for (const cell of after) size += cell.qualifier.length + cell.value.length;
  if (size > MAX_ROW) throw invalid(`The row would have ${size} bytes (at most ${MAX_ROW})`);
  return after;
}

/** `cells` with `set` added or, where family, qualifier and version are the same, replaced; of equal ones the later wins. */
export function withCells(cells: readonly Cell[], set: readonly Cell[]): readonly Cell[] {
  if (set.length === 0) return cells;
  if (cells.length === 0 && set.every((cell, index) => index === 0 || compareCells(set[index - 1] as Cell, cell) < 0)) return set;
  const sorted = [...cells, ...set].sort(compareCells); // stable
  return sorted.filter((cell, index) => {
    const next = sorted[index + 1];
    return next === undefined || compareCells(cell, next) !== 0;
  });
}

function cellOf(set: google.bigtable.v2.Mutation.ISetCell, families: Families, now: number): Cell {
  const family = familyOf(set.familyName, families);
  const qualifier = bytesOf(set.columnQualifier);
  const value = bytesOf(set.value);
  if (qualifier.length > MAX_QUALIFIER) throw invalid(`Column qualifier is too long: ${qualifier.length} bytes (at most ${MAX_QUALIFIER})`);
  if (value.length > MAX_VALUE) throw invalid(`Cell value is too large: ${value.length} bytes (at most ${MAX_VALUE})`);
  const micros = exactNumber(set.timestampMicros);
  if (micros === -1) return { family, qualifier, value, version: now };
  // The common case without BigInt; versionOf refuses, and knows the far times.
  const version = micros !== null && micros >= 0 && micros % 1000 === 0 ? micros / 1000 : versionOf(bigOf(set.timestampMicros));
  return { family, qualifier, value, version };
}

/** Microseconds as whole milliseconds. Throws INVALID_ARGUMENT for finer, negative and far ones. */
export function versionOf(micros: bigint): number {
  if (micros % 1000n !== 0n) throw invalid(`Timestamp granularity mismatch. Expected a multiple of 1000 (millisecond granularity), but got ${micros}.`);
  if (micros < 0n || micros > MAX_MICROS) throw invalid(`Timestamp out of range: ${micros} (0 to ${MAX_MICROS})`);
  return Number(micros / 1000n);
}

function kept(mutation: Mutation, families: Families): (cell: Cell) => boolean {
  if (mutation.deleteFromRow) return () => false;
  if (mutation.deleteFromFamily) {
    const family = familyOf(mutation.deleteFromFamily.familyName, families);
    return (cell) => cell.family !== family;
  }
  if (mutation.deleteFromColumn) {
    const { familyName, columnQualifier, timeRange } = mutation.deleteFromColumn;
    const family = familyOf(familyName, families);
    const qualifier = bytesOf(columnQualifier);
    const [from, to] = versionRange(timeRange);
    return (cell) => cell.family !== family || cell.version < from || cell.version >= to || !cell.qualifier.equals(qualifier);
  }
  const name = mutation.addToCell ? 'AddToCell' : mutation.mergeToCell ? 'MergeToCell' : null;
  throw name ? unimplemented(name) : invalid('Mutation is empty');
}

/** A half-open range of versions in ms; an end of 0 is none. Throws INVALID_ARGUMENT. */
export function versionRange(range: { startTimestampMicros?: Int64; endTimestampMicros?: Int64 } | null | undefined): [number, number] {
  const from = versionOf(bigOf(range?.startTimestampMicros));
  const end = versionOf(bigOf(range?.endTimestampMicros));
  if (end !== 0 && from >= end) throw invalid(`Invalid timestamp range: start ${from}000 is not before end ${end}000`);
  return [from, end === 0 ? Infinity : end];
}

export function familyOf(name: string | null | undefined, families: Families): Family {
  const family = families.get(name ?? '');
  if (!family) throw familyMissing(name ?? '');
  return family;
}

const INT64 = 64;

/** ReadModifyWriteRow: the row after the rules, and the cells that they made (the last one of each column). */
export function readModifyWritten(
  cells: readonly Cell[], rules: readonly google.bigtable.v2.IReadModifyWriteRule[], families: Families, now: number,
): { row: readonly Cell[]; made: readonly Cell[] } {
  if (rules.length === 0) throw invalid('No rules provided');
  let row = cells;
  let made: readonly Cell[] = [];
  for (const rule of rules) {
    const family = familyOf(rule.familyName, families);
    const column: Cell = { family, qualifier: bytesOf(rule.columnQualifier), version: 0, value: Buffer.alloc(0) };
    const newest = row.find((cell) => sameColumn(cell, column));
    const cell: Cell = { ...column, version: Math.max(now, newest?.version ?? 0), value: nextValue(rule, newest?.value ?? null) };
    row = withCells(row, [cell]);
    made = withCells(made.filter((other) => !sameColumn(other, cell)), [cell]);
  }
  return { row, made };
}

function nextValue(rule: google.bigtable.v2.IReadModifyWriteRule, old: Buffer | null): Buffer {
  if (rule.appendValue) return Buffer.concat([old ?? NONE, bytesOf(rule.appendValue)]);
  if (rule.incrementAmount === null || rule.incrementAmount === undefined) throw invalid('Rule is empty');
  if (old && old.length !== 8) throw invalid(`Increment of a value that is not 8 bytes but ${old.length}`);
  const next = Buffer.alloc(8);
  next.writeBigInt64BE(BigInt.asIntN(INT64, (old?.readBigInt64BE() ?? 0n) + bigOf(rule.incrementAmount)));
  return next;
}
