/** Rows of a foreign table to canonical rows and back: one row an event, or with a bucket one row for many. */
import { type IndexId, MAX_SEQUENCE, tickKey } from '../../../shared/rowKey.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import { floorDiv, floorMod, MAX_MICROS, micros, MIN_MICROS } from '../../../shared/time.ts';
import { columnOf } from '../column.ts';
import type { Cell, Row } from '../reader.ts';
import { bucketStart, type ForeignKey, writeKey } from './foreignKey.ts';
import { FIELDS, type FieldName, type ForeignField, type ForeignLayout, NANOS } from './foreignLayout.ts';
import { readNumber, writeNumber } from './foreignNumber.ts';
import { jsonDocument, readValue, writeValue } from './foreignValue.ts';

/** Family of the canonical cells: kept for ever, since our retention says nothing about a table of others. */
export const CANONICAL_FAMILY = 'h';
const COLUMN: Readonly<Record<FieldName, string>> = { price: 'p', volume: 'v', bid: 'b', ask: 'a', ingest: 'i', source: 's' };
/** Sequences of one nanosecond: there it is a part of the canonical sequence, after the remainder. */
export const NANO_SEQUENCES = 1000n;

/** Whether rows of one instant are in canonical order (higher sequence first) when read newest first. */
export const keepsOrder = ({ time, sequence }: ForeignLayout): boolean => sequence === null || (time.base === null) === (sequence.base === null);

/**
 * The canonical rows of one row, newest first. `id` is the id on screen; `key` of this row, as read. Fails where the time or the sequence
 * is none of ours; a value that is no number comes as it is, for the decoder to refuse.
 */
export function canonicalRows(layout: ForeignLayout, id: IndexId, key: ForeignKey, row: Row): Result<Row[]> {
  if (!layout.bucket) {
    const cells = new Map(FIELDS.flatMap((name) => {
      const field = layout.fields[name];
      const cell = field && row.cells.get(columnOf(field.family, field.qualifier));
      return field && cell ? [[name, cell] as const] : [];
    }));
    const made = rowAt(layout, id, key.time * NANOS[layout.time.unit], key.sequence, cells);
    return made === null ? failed(outside(row.key)) : ok([made]);
  }
  const { bucket } = layout;
  if (key.time !== bucketStart(key.time, bucket.length)) return failed(problem('BAD_DATA', `row ${quoted(row.key)} does not begin where a bucket does`, 'correct bucket.seconds of the layout file'));
  const offsets = new Map<bigint, Map<FieldName, Cell>>();
  const most = (bucket.length * NANOS[layout.time.unit]) / NANOS[bucket.unit];
  const [families, names] = [new Set<string>(), FIELDS.filter((name) => layout.fields[name])];
  for (const name of names) families.add(layout.fields[name]?.family ?? '');
  for (const [column, cell] of row.cells) {
    const at = column.indexOf(':');
    if (!families.has(column.slice(0, at))) continue;
    for (const name of names) {
      const field = layout.fields[name];
      const offset = field && field.family === column.slice(0, at) ? offsetOf(layout, field, column.slice(at + 1)) : undefined;
      if (offset === undefined) continue;
      if (offset >= most) return failed(problem('BAD_DATA', `row ${quoted(row.key)} has a column ${quoted(column)} beyond its own length of time`, 'correct bucket.unit or bucket.seconds of the layout file'));
      const cells = offsets.get(offset) ?? new Map<FieldName, Cell>();
      offsets.set(offset, cells.set(name, cell));
    }
  }
  const start = key.time * NANOS[layout.time.unit];
  const sorted = [...offsets].sort(([a], [b]) => (a < b ? 1 : -1));
  const rows = sorted.map(([offset, cells]) => rowAt(layout, id, start + offset * NANOS[bucket.unit], 0n, cells));
  return rows.includes(null) ? failed(outside(row.key)) : ok(rows.flatMap((made) => made ?? []));
}

function offsetOf({ bucket }: ForeignLayout, field: ForeignField, qualifier: string): bigint | undefined {
  if (!bucket || !qualifier.startsWith(field.qualifier)) return undefined;
  const text = qualifier.slice(field.qualifier.length);
  if (bucket.format) return readNumber(text, bucket.format);
  return /^(?:0|[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined;
}

/** Null for a time outside years 0001..9999 or a sequence over 999999. */
function rowAt(layout: ForeignLayout, id: IndexId, nanos: bigint, sequence: bigint, cells: ReadonlyMap<FieldName, Cell>): Row | null {
  const [time, remainder] = [floorDiv(nanos, 1000n), floorMod(nanos, 1000n)];
  const fine = isFine(layout);
  const canonical = fine && layout.sequence ? remainder * NANO_SEQUENCES + sequence : fine ? remainder : sequence;
  if (time < MIN_MICROS || time > MAX_MICROS || canonical > BigInt(MAX_SEQUENCE)) return null;
  const out = new Map<string, Cell>();
  const price = cells.get('price');
  for (const [name, { value, version }] of cells) {
    const field = layout.fields[name];
    const text = field && readField(name, field, field.value.type === 'version' ? (price?.version ?? version) : null, value);
    if (text !== undefined && text !== null) out.set(`${CANONICAL_FAMILY}:${COLUMN[name]}`, { value: text, version });
  }
  if (layout.fields.ingest?.value.type === 'version' && price) out.set(`${CANONICAL_FAMILY}:i`, { value: Buffer.from(String(price.version)), version: price.version });
  if (fine) out.set(`${CANONICAL_FAMILY}:n`, { value: Buffer.from(String(remainder)), version: price?.version ?? 0n });
  return { key: tickKey(id, micros(time), Number(canonical)), cells: out };
}

/** Whether several instants of the layout fall into one microsecond. */
export const isFine = ({ time, bucket }: ForeignLayout): boolean => (bucket?.unit ?? time.unit) === 'ns';

function readField(name: FieldName, field: ForeignField, version: bigint | null, value: Buffer): Buffer | null {
  if (version !== null) return null;
  const text = readValue(value, field.value);
  if (text === null) return null;
  // A source is text of any language; bytes as they are.
  if (name === 'source' && field.value.type === 'text') return value;
  if (name !== 'ingest') return Buffer.from(text, 'utf8');
  return Buffer.from(/^-?\d{1,19}$/.test(text) ? String(floorDiv(BigInt(text) * NANOS[field.unit], 1000n)) : text, 'utf8');
}

/** One event of a foreign table. `nanos` is its time in nanoseconds; fields as decimal text, `ingest` in microseconds, `source` as text. */
export interface ForeignTick {
  readonly id: string;
  readonly nanos: bigint;
  readonly sequence: bigint;
  readonly salt: number;
  readonly fields: Readonly<Partial<Record<FieldName, string>>>;
}

export interface ForeignCell {
  readonly key: string;
  readonly family: string;
  readonly qualifier: string;
  readonly value: Buffer;
}

/** The cells that a writer of that layout would write. Throws RangeError where the layout can't hold the event exactly. */
export function writeTick(layout: ForeignLayout, tick: ForeignTick): ForeignCell[] {
  const { bucket, time } = layout;
  const nanos = NANOS[time.unit];
  const start = bucket ? bucketStart(floorDiv(tick.nanos, nanos), bucket.length) : floorDiv(tick.nanos, nanos);
  const unit = bucket ? NANOS[bucket.unit] : nanos;
  if (floorMod(tick.nanos, unit) !== 0n) throw new RangeError(`${tick.nanos} ns is no whole ${bucket?.unit ?? time.unit}`);
  const offset = (tick.nanos - start * nanos) / unit;
  const suffix = bucket ? (bucket.format ? writeNumber(offset, bucket.format) : String(offset)) : '';
  const key = writeKey(layout, { id: tick.id, time: start, sequence: tick.sequence, salt: tick.salt });
  const columns = new Map<string, { readonly field: ForeignField; readonly values: [readonly string[], string][] }>();
  for (const name of FIELDS) {
    const [field, text] = [layout.fields[name], tick.fields[name]];
    if (!field || text === undefined || field.value.type === 'version') continue;
    const column = columns.get(`${field.family}:${field.qualifier}`) ?? { field, values: [] };
    column.values.push([field.value.type === 'json' ? field.value.pointer : [], name === 'ingest' ? String((BigInt(text) * 1000n) / NANOS[field.unit]) : text]);
    columns.set(`${field.family}:${field.qualifier}`, column);
  }
  return [...columns.values()].map(({ field, values }) => ({
    key, family: field.family, qualifier: field.qualifier + suffix,
    value: field.value.type === 'json' ? jsonDocument(values) : writeValue(values[0]?.[1] ?? '', field.value),
  }));
}

const outside = (key: string): Problem => problem('BAD_DATA', `row ${quoted(key)} has a time outside the years 0001..9999 or a sequence over ${MAX_SEQUENCE}`, 'check the layout file, or remove the row');

/** Foreign bytes in a message: escaped and cut. */
export const quoted = (text: string): string => JSON.stringify((text.length > 80 ? `${text.slice(0, 80)}…` : text).replaceAll(/[\u007f-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`));
