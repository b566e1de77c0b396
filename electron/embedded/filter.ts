/** Row filters, compiled once per request to functions on the cells of a row. Semantics: google/bigtable/v2/data.proto, RowFilter. */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { compileByteRegex } from './byteRegex.ts';
import { type Cell, compareCells, sameColumn } from './cells.ts';
import { bytesOf, versionRange } from './mutate.ts';
import type { CellFilter, Narrowing } from './scan.ts';
import { invalid, StatusError, unimplemented } from './status.ts';

export type RowFilter = google.bigtable.v2.IRowFilter;

const MAX_DEPTH = 20;
const NOTHING: readonly Cell[] = [];

/** Throws INVALID_ARGUMENT for a filter that breaks the rules, UNIMPLEMENTED (with its name) for one that this store lacks. */
export function compileFilter(filter: RowFilter): CellFilter {
  const sinks: Sinks = { used: false, allowed: true, cells: [] };
  const compiled = compile(filter, 0, sinks);
  if (!sinks.used) return compiled;
  return (cells, key) => {
    sinks.cells = [];
    const passed = compiled(cells, key);
    return sinks.cells.length === 0 ? passed : [...passed, ...sinks.cells].sort(compareCells);
  };
}

/** What a filter leaves out, where that is only families and all but the newest cells of each column, as most readers ask; null for every other. It compiles. */
export function narrowingOf(filter: RowFilter): Narrowing | null {
  const [kind, value] = caseOf(filter);
  if (kind === 'cellsPerColumnLimitFilter') return { family: () => true, perColumn: Number(value) };
  if (kind === 'familyNameRegexFilter') {
    const matches = regex(Buffer.from(filter.familyNameRegexFilter ?? ''), 'family_name_regex_filter');
    return { family: (name) => matches(Buffer.from(name)), perColumn: Infinity };
  }
  if (kind !== 'chain') return null;
  const parts = (filter.chain?.filters ?? []).map(narrowingOf);
  if (!parts.every((part) => part !== null)) return null;
  return { family: (name) => parts.every(({ family }) => family(name)), perColumn: Math.min(...parts.map(({ perColumn }) => perColumn)) };
}

/** What the sinks of one filter have caught of the row at hand: it goes to the output past all that follows. */
interface Sinks {
  used: boolean;
  /** Not within a condition. */
  allowed: boolean;
  cells: Cell[];
}

function compile(filter: RowFilter, depth: number, sinks: Sinks): CellFilter {
  if (depth > MAX_DEPTH) throw invalid(`Error in field 'filter' : nested deeper than ${MAX_DEPTH}`);
  const inner = (filters: readonly RowFilter[] | null | undefined, field: string): CellFilter[] => {
    if (!filters || filters.length < 2) throw invalid(`Error in field '${field}' : needs at least two filters`);
    return filters.map((one) => compile(one, depth + 1, sinks));
  };
  const only = (kept: (cell: Cell) => boolean): CellFilter => (cells) => cells.filter(kept);
  const [kind, value] = caseOf(filter);

  switch (kind) {
    case 'chain': {
      if ((filter.chain?.filters ?? []).filter(labels).length > 1) throw invalid("Error in field 'chain' : more than one apply_label_transformer in a chain");
      return chained(inner(filter.chain?.filters, 'chain'));
    }
    case 'interleave': return interleaved(inner(filter.interleave?.filters, 'interleave'));
    case 'condition': return conditional(filter.condition ?? {}, depth, sinks);
    case 'passAllFilter': return wanted(value === true, 'pass_all_filter', (cells) => cells);
    case 'blockAllFilter': return wanted(value === true, 'block_all_filter', () => NOTHING);
    case 'rowKeyRegexFilter': {
      if (bytesOf(filter.rowKeyRegexFilter).length === 0) throw invalid("Error in field 'row_key_regex_filter' : argument must not be empty");
      const matches = regex(filter.rowKeyRegexFilter, 'row_key_regex_filter');
      return (cells, key) => (matches(key) ? cells : NOTHING);
    }
    case 'rowSampleFilter': {
      const share = Number(value);
      if (!(share > 0 && share < 1)) throw invalid("Error in field 'row_sample_filter' : must be between 0.0 and 1.0, both excluded");
      return (cells) => (Math.random() < share ? cells : NOTHING);
    }
    case 'familyNameRegexFilter': {
      const matches = perFamily(regex(Buffer.from(filter.familyNameRegexFilter ?? ''), 'family_name_regex_filter'));
      return only(matches);
    }
    case 'columnQualifierRegexFilter': {
      const matches = regex(filter.columnQualifierRegexFilter, 'column_qualifier_regex_filter');
      return only((cell) => matches(cell.qualifier));
    }
    case 'valueRegexFilter': {
      const matches = regex(filter.valueRegexFilter, 'value_regex_filter');
      return only((cell) => matches(cell.value));
    }
    case 'columnRangeFilter': {
      const range = filter.columnRangeFilter ?? {};
      const inside = within(range.startQualifierClosed, range.startQualifierOpen, range.endQualifierClosed, range.endQualifierOpen, 'column_range_filter');
      return only((cell) => cell.family.name === range.familyName && inside(cell.qualifier));
    }
    case 'valueRangeFilter': {
      const range = filter.valueRangeFilter ?? {};
      const inside = within(range.startValueClosed, range.startValueOpen, range.endValueClosed, range.endValueOpen, 'value_range_filter');
      return only((cell) => inside(cell.value));
    }
    case 'timestampRangeFilter': {
      const [from, to] = versionRange(filter.timestampRangeFilter);
      return only((cell) => cell.version >= from && cell.version < to);
    }
    case 'cellsPerRowLimitFilter': {
      const most = count(value, 1, 'cells_per_row_limit_filter');
      return (cells) => (cells.length <= most ? cells : cells.slice(0, most));
    }
    case 'cellsPerRowOffsetFilter': {
      const skipped = count(value, 0, 'cells_per_row_offset_filter');
      return (cells) => cells.slice(skipped);
    }
    case 'cellsPerColumnLimitFilter': return newest(count(value, 1, 'cells_per_column_limit_filter'));
    case 'stripValueTransformer': return wanted(value === true, 'strip_value_transformer', (cells) => cells.map((cell) => ({ ...cell, value: EMPTY })));
    case 'applyLabelTransformer': return labelled(String(value));
    case 'sink': {
      if (!sinks.allowed) throw invalid("Error in field 'sink' : cannot be used within a condition");
      sinks.used = true;
      return wanted(value === true, 'sink', (cells) => {
        sinks.cells.push(...cells);
        return NOTHING;
      });
    }
    case null: throw invalid("Error in field 'filter' : is empty");
    default: throw unimplemented(`The filter ${kind}`);
  }
}

const EMPTY = Buffer.alloc(0);

/** Whether a filter labels cells, itself or within. */
function labels({ applyLabelTransformer, chain, interleave, condition }: RowFilter): boolean {
  if (applyLabelTransformer !== null && applyLabelTransformer !== undefined) return true;
  const inside = [...(chain?.filters ?? []), ...(interleave?.filters ?? []), condition?.predicateFilter, condition?.trueFilter, condition?.falseFilter];
  return inside.some((one) => one !== null && one !== undefined && labels(one));
}

/** The one field that is set: a request that was decoded has no other. */
function caseOf(filter: RowFilter): [string | null, unknown] {
  for (const [name, value] of Object.entries(filter)) {
    if (value !== null && value !== undefined) return [name, value];
  }
  return [null, null];
}

function wanted(isTrue: boolean, field: string, filter: CellFilter): CellFilter {
  if (!isTrue) throw invalid(`Error in field '${field}' : must be true`);
  return filter;
}

function count(value: unknown, least: number, field: string): number {
  if (typeof value !== 'number' || value < least) throw invalid(`Error in field '${field}' : must be at least ${least}, but was ${String(value)}`);
  return value;
}

const chained = (filters: readonly CellFilter[]): CellFilter => (cells, key) => {
  let left = cells;
  for (const filter of filters) {
    if (left.length === 0) break;
    left = filter(left, key);
  }
  return left;
};

/** Every filter sees the same cells; what they give is merged in reading order, duplicates included. */
const interleaved = (filters: readonly CellFilter[]): CellFilter => (cells, key) =>
  filters.flatMap((filter) => filter(cells, key)).sort(compareCells);

function conditional({ predicateFilter, trueFilter, falseFilter }: google.bigtable.v2.RowFilter.ICondition, depth: number, sinks: Sinks): CellFilter {
  if (!predicateFilter) throw invalid("Error in field 'condition' : needs a predicate_filter");
  const [predicate, yes, no] = [predicateFilter, trueFilter, falseFilter].map((filter) => (filter ? compile(filter, depth + 1, { ...sinks, allowed: false }) : () => NOTHING));
  return (cells, key) => ((predicate?.(cells, key).length ?? 0) > 0 ? yes : no)?.(cells, key) ?? NOTHING;
}

const newest = (most: number): CellFilter => (cells) => {
  let rank = 0;
  return cells.filter((cell, index) => {
    const before = cells[index - 1];
    rank = before && sameColumn(before, cell) ? rank + 1 : 0;
    return rank < most;
  });
};

function labelled(label: string): CellFilter {
  if (!/^[a-z0-9-]{1,15}$/.test(label)) throw invalid(`Error in field 'apply_label_transformer' : must match [a-z0-9\\-]{1,15}, but was ${JSON.stringify(label.slice(0, 40))}`);
  return (cells) => cells.map((cell) => ({ ...cell, labels: [...(cell.labels ?? []), label] }));
}

type Bytes = Uint8Array | string | null | undefined;

/** Whether bytes lie within bounds of which each is absent, closed or open. */
function within(startClosed: Bytes, startOpen: Bytes, endClosed: Bytes, endOpen: Bytes, field: string): (bytes: Buffer) => boolean {
  const isSet = (bound: Bytes): bound is Uint8Array | string => bound !== null && bound !== undefined;
  const start = isSet(startOpen) ? { bytes: bytesOf(startOpen), least: 1 } : { bytes: bytesOf(startClosed), least: 0 };
  const end = isSet(endOpen) ? { bytes: bytesOf(endOpen), most: -1 } : isSet(endClosed) ? { bytes: bytesOf(endClosed), most: 0 } : null;
  // An open end that is empty is none, as an absent one.
  const last = end && (end.bytes.length > 0 || end.most === 0) ? end : null;
  if (last && Buffer.compare(start.bytes, last.bytes) > 0) throw invalid(`Error in field '${field}' : the start lies behind the end`);
  return (bytes) => Buffer.compare(bytes, start.bytes) >= start.least && (last === null || Buffer.compare(bytes, last.bytes) <= last.most);
}

function regex(pattern: Bytes, field: string): (bytes: Uint8Array) => boolean {
  try {
    return compileByteRegex(bytesOf(pattern));
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw invalid(`Error in field '${field}' : ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A family's answer is kept: its name is matched once a request. */
function perFamily(matches: (bytes: Uint8Array) => boolean): (cell: Cell) => boolean {
  const known = new Map<string, boolean>();
  return ({ family: { name } }) => {
    let answer = known.get(name);
    if (answer === undefined) known.set(name, (answer = matches(Buffer.from(name))));
    return answer;
  };
}
