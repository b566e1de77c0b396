/** Whether rows hold many events, each in a column that ends in its offset. Pure. */
import { floorMod } from '../../shared/time.ts';
import { columnOf } from '../bigtable/column.ts';
import type { LayoutFile } from '../bigtable/layout/foreignFile.ts';
import { NANOS, type NumberFormat, type Unit } from '../bigtable/layout/foreignLayout.ts';
import type { Row } from '../bigtable/reader.ts';
import type { Column } from './fields.ts';
import { formatOf } from './keyShapes.ts';

const SECONDS = [60, 300, 900, 1800, 3600, 21_600, 43_200, 86_400] as const;
const FEWEST_ROWS = 3;
/** Fewer numbers without a letter may be hex ones all the same. */
const FEWEST_OFFSETS = 20;
/** No table has so many fields that are numbered from 0. */
const MANY_OFFSETS = 300;
const FEWEST_OF_GRID = 4;
/** Offsets that reach less far than this into their row tell nothing of their unit. */
const REACH = 2n;

export interface Buckets {
  readonly bucket: LayoutFile['bucket'] | null;
  readonly columns: readonly Column[];
  readonly evidence: readonly string[];
  readonly questions: readonly string[];
}

/** `nanos`: the time in each row's key. */
export function bucketsOf(rows: readonly Row[], nanos: readonly bigint[]): Buckets {
  const plain: Buckets = { bucket: null, columns: plainColumns(rows), evidence: [], questions: [] };
  const split = rows.map((row) => [...row.cells].map(([column, cell]) => ({ ...splitColumn(column), value: cell.value })));
  const all = split.flat();
  const numbers = all.map(({ number }) => number);
  if (all.length === 0 || numbers.includes('')) return plain;
  const distinct = new Set(numbers);
  const named = new Set(plain.columns.map(({ family, qualifier }) => columnOf(family, qualifier)));
  const bare = all.every(({ prefix }) => prefix === '' || /[^A-Za-z0-9]$/.test(prefix));
  // The same few columns in every row are fields, whatever their names end in; but not numbers that divide a bucket evenly.
  const fields: Buckets = bare ? { ...plain, questions: ['columns are named by numbers, and too few rows were seen to tell whether these are offsets in time'] } : plain;
  const same = split.every((cells) => cells.length === named.size);
  if (distinct.size === 1) return fields;
  const format: NumberFormat | null = formatOf(numbers, 1);
  const unpadded = numbers.every((text) => /^(?:0|[1-9]\d*)$/.test(text));
  if (!unpadded && format === null) return same ? fields : { ...plain, questions: ['columns are named by numbers of several widths: are these offsets?'] };
  const hex = format?.encoding === 'hex';
  const values = [...distinct].map((text) => BigInt(hex ? `0x${text}` : text)).sort((a, b) => (a < b ? -1 : 1));
  const most = values.at(-1) ?? 0n;
  const candidates = SECONDS.filter((seconds) => nanos.every((at) => floorMod(at, BigInt(seconds) * NANOS.s) === 0n)).flatMap((seconds) =>
    (Object.keys(NANOS) as Unit[]).flatMap((unit) => {
      const length = (BigInt(seconds) * NANOS.s) / NANOS[unit];
      return (same ? isGrid(values, length, bare) : most < length && most * REACH >= length) ? [{ seconds, unit }] : [];
    }));
  const [only] = candidates;
  if (same && !only) return fields;
  const groups = Map.groupBy(all, ({ family, prefix }) => columnOf(family, prefix));
  const columns = [...groups.values()].map((cells): Column => ({ family: cells[0]?.family ?? '', qualifier: cells[0]?.prefix ?? '', values: cells.map(({ value }) => value) }));
  if (!only || candidates.length > 1 || new Set(nanos).size < FEWEST_ROWS || (!same && distinct.size < FEWEST_OFFSETS)) {
    return { bucket: null, columns, evidence: [], questions: [`columns are named by numbers up to ${most}, which look like offsets in time, but ${candidates.length > 1 ? `may be ${candidates.map(({ seconds, unit }) => `${unit} of ${seconds} s`).join(' or ')}` : 'too little was seen to tell their unit'}`] };
  }
  const padded = unpadded && (format === null || most.toString().length < (format.width || 0) || distinct.size > 0 && numbers.some((text) => text.length !== format.width)) ? null : format;
  const encoding = unpadded && padded === null ? { encoding: 'text' as const } : format && !(unpadded && format.encoding === 'decimal') ? { encoding: format.encoding, width: format.width, ...(format.upper ? { case: 'upper' as const } : {}) } : { encoding: 'text' as const };
  return {
    bucket: { ...only, ...encoding }, columns, questions: [],
    evidence: [`${all.length} columns named by numbers up to ${most} in ${rows.length} rows whose times are whole multiples of ${only.seconds} s${same ? ', the same numbers in every row, evenly spaced' : ''}: offsets in ${only.unit}`],
  };
}

/**
 * Whether rising numbers are offsets at which something is written in every bucket of this length: evenly spaced, on multiples of their step. A
 * few must fill the bucket and stand alone or behind a sign: levels of a book are numbered too.
 */
function isGrid(values: readonly bigint[], length: bigint, bare: boolean): boolean {
  const [first = 0n, second = 0n] = values;
  const step = second - first;
  if (step <= 0n || length % step !== 0n || first % step !== 0n || (values.at(-1) ?? 0n) >= length || !values.every((value, at) => value === first + BigInt(at) * step)) return false;
  const whole = BigInt(values.length) * step === length;
  if (step === 1n) return whole && values.length >= (bare ? FEWEST_OFFSETS : MANY_OFFSETS);
  return values.length >= FEWEST_OFFSETS ? whole || (values.at(-1) ?? 0n) * REACH >= length : whole && bare && values.length >= FEWEST_OF_GRID;
}

function plainColumns(rows: readonly Row[]): Column[] {
  const columns = new Map<string, { family: string; qualifier: string; values: Buffer[] }>();
  for (const { cells } of rows) for (const [column, { value }] of cells) {
    const at = column.indexOf(':');
    const known = columns.get(column) ?? { family: column.slice(0, at), qualifier: column.slice(at + 1), values: [] };
    known.values.push(value);
    columns.set(column, known);
  }
  return [...columns.values()];
}

/** The number at the end of a qualifier; hex digits only where a sign stands before them, since names have letters too. */
function splitColumn(column: string): { family: string; prefix: string; number: string } {
  const at = column.indexOf(':');
  const [family, qualifier] = [column.slice(0, at), column.slice(at + 1)];
  const [, prefix = '', number = ''] = /^(|.*[^0-9A-Za-z])([0-9a-f]{4,16}|[0-9A-F]{4,16})$/s.exec(qualifier) ?? /^(.*?)(\d+)$/s.exec(qualifier) ?? [];
  return { family, prefix, number };
}
