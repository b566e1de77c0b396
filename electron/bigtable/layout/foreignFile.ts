/** The layout file: JSON, strict, with limits; every error names its field. docs/layouts.md tells what each means. */
import { z } from 'zod';
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import { type IndexId, isIndexId } from '../../../shared/rowKey.ts';
import { type ForeignField, type ForeignLayout, type KeyNumber, type KeyPart, NANOS, type NumberFormat, type Unit, UNITS, type ValueType } from './foreignLayout.ts';
import { largest } from './foreignNumber.ts';
import { pointerTokens } from './foreignValue.ts';
import { NANO_SEQUENCES } from './foreignRow.ts';

const MAX_BYTES = 1_000_000;
const MAX_IDS = 5_000;
export const NAMED_BASES: Readonly<Record<string, bigint>> = { '2^63-1': 2n ** 63n - 1n, '2^53-1': 2n ** 53n - 1n };

/** Text in the file is UTF-8; in a layout it is bytes. */
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const text = (most: number) => z.string().refine((given) => Buffer.byteLength(given) <= most, `at most ${most} bytes`).transform(bytesOf);

const number = {
  encoding: z.enum(['decimal', 'hex', 'binary']),
  width: z.int().min(1).max(20).optional(),
  case: z.enum(['lower', 'upper']).optional(),
};
const turnedNumber = { ...number, direction: z.enum(['reverse', 'forward']), base: z.string().refine((given) => baseOf(given) !== undefined, '"2^63-1", "2^53-1" or 1 to 20 decimal digits').optional() };
const family = z.string().regex(/^[_a-zA-Z0-9][-_.a-zA-Z0-9]{0,63}$/, 'a column family is 1 to 64 of a-z A-Z 0-9 _ - .');
const Field = z.strictObject({
  family,
  qualifier: text(1024).default(''),
  type: z.enum(['text', 'float64', 'int64', 'json', 'version']),
  scale: z.int().min(0).max(18).optional(),
  pointer: z.string().max(1000).optional(),
  unit: z.enum(UNITS).optional(),
});

const LayoutFile = z.strictObject({
  /** For people and editors; not used. */
  $comment: z.string().max(10_000).optional(),
  name: z.string().min(1).max(200).optional(),
  key: z.strictObject({
    separator: text(8),
    parts: z.array(z.union([z.enum(['salt', 'index', 'time', 'sequence']), z.strictObject({ text: text(200) })], 'salt, index, time, sequence or {"text": "..."}')).min(2).max(12),
  }),
  time: z.strictObject({ ...turnedNumber, unit: z.enum(UNITS) }),
  sequence: z.strictObject(turnedNumber).optional(),
  salt: z.strictObject({ ...number, count: z.int().min(2).max(100) }).optional(),
  bucket: z.strictObject({
    seconds: z.int().min(1).max(366 * 86_400),
    unit: z.enum(UNITS),
    encoding: z.enum(['text', 'decimal', 'hex', 'binary']),
    width: z.int().min(1).max(20).optional(),
    case: z.enum(['lower', 'upper']).optional(),
  }).optional(),
  fields: z.strictObject({ price: Field, volume: Field.optional(), bid: Field.optional(), ask: Field.optional(), ingest: Field.optional(), source: Field.optional() }),
  ids: z.record(z.string(), text(1000)).optional(),
});
export type LayoutFile = z.input<typeof LayoutFile>;
type Parsed = z.infer<typeof LayoutFile>;

function baseOf(given: string): bigint | undefined {
  return NAMED_BASES[given] ?? (/^\d{1,20}$/.test(given) ? BigInt(given) : undefined);
}

/** A wrong field, by its path. */
class Wrong extends Error {
  readonly path: string;
  constructor(path: string, what: string) {
    super(what);
    this.path = path;
  }
}

/** `where` names the file in errors. BAD_INPUT: which field and what it should be. */
export function parseLayout(where: string, given: string): Result<ForeignLayout, Problem> {
  const bad = (what: string): Result<never, Problem> => failed(problem('BAD_INPUT', `layout file ${where}: ${what}`, 'correct the file; docs/layouts.md describes it, `frontrow schema detect` proposes one'));
  if (given.length > MAX_BYTES) return bad('larger than 1 MB');
  let json: unknown;
  try {
    json = JSON.parse(given.replace(/^\uFEFF/, ''));
  } catch (error) {
    return bad(`not JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  const parsed = LayoutFile.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return bad(`${issue?.path.length ? `${issue.path.join('.')}: ` : ''}${issue?.message ?? 'not understood'}`);
  }
  try {
    return ok(layoutOf(parsed.data));
  } catch (error) {
    if (error instanceof Wrong) return bad(`${error.path}: ${error.message}`);
    throw error;
  }
}

function layoutOf(file: Parsed): ForeignLayout {
  checkParts(file);
  const time = { ...keyNumber('time', file.time), unit: file.time.unit };
  const sequence = file.sequence ? keyNumber('sequence', file.sequence) : null;
  const bucket = file.bucket ? bucketOf(file.bucket, time.unit) : null;
  if (bucket && sequence) throw new Wrong('sequence', 'a row of a bucket holds many events, and its key no sequence of one');
  if (time.unit === 'ns' && sequence && largest(sequence.format) >= NANO_SEQUENCES) throw new Wrong('sequence.width', `with nanoseconds a sequence has at most ${NANO_SEQUENCES - 1n}`);
  const salt = file.salt ? { count: file.salt.count, format: formatOf('salt', file.salt) } : null;
  if (salt && BigInt(salt.count - 1) > largest(salt.format)) throw new Wrong('salt.width', `too narrow for ${salt.count} salts`);
  return { name: file.name ?? 'foreign', separator: file.key.separator, parts: file.key.parts, time, sequence, salt, bucket, fields: fieldsOf(file, bucket !== null), ids: file.ids ? idsOf(file.ids) : null };
}

function checkParts({ key: { parts }, salt, sequence }: Parsed): void {
  const count = (part: KeyPart): number => parts.filter((one) => one === part).length;
  for (const part of ['index', 'time'] as const) if (count(part) !== 1) throw new Wrong('key.parts', `"${part}" once, not ${count(part)} times`);
  for (const [part, given] of [['salt', salt], ['sequence', sequence]] as const) {
    if (count(part) > 1) throw new Wrong('key.parts', `"${part}" once, not ${count(part)} times`);
    if ((count(part) === 1) !== (given !== undefined)) throw new Wrong(given ? 'key.parts' : part, given ? `"${part}" is described but has no place` : `"${part}" has a place but is not described`);
  }
  const [index, time] = [parts.indexOf('index'), parts.indexOf('time')];
  if (time < index) throw new Wrong('key.parts', '"index" before "time": where time comes first, reading one index would read all of them');
  if (parts.indexOf('salt') > time) throw new Wrong('key.parts', '"salt" before "time"');
  if (parts.slice(time + 1).some((part) => part !== 'sequence')) throw new Wrong('key.parts', 'nothing but "sequence" after "time"');
  if (count('sequence') === 1 && parts.indexOf('sequence') < time) throw new Wrong('key.parts', '"sequence" after "time"');
}

function formatOf(path: string, { encoding, width, case: letters }: { readonly encoding: NumberFormat['encoding']; readonly width?: number | undefined; readonly case?: 'lower' | 'upper' | undefined }): NumberFormat {
  const usual = encoding === 'hex' ? 16 : encoding === 'binary' ? 8 : undefined;
  const chosen = width ?? usual;
  if (chosen === undefined) throw new Wrong(`${path}.width`, 'how many digits: without a fixed width, byte order is not time order');
  if (usual !== undefined && chosen > usual) throw new Wrong(`${path}.width`, `at most ${usual}`);
  return { encoding, width: chosen, upper: letters === 'upper' };
}

function keyNumber(path: string, given: NonNullable<Parsed['sequence']>): KeyNumber {
  const format = formatOf(path, given);
  if (given.direction === 'forward') {
    if (given.base !== undefined) throw new Wrong(`${path}.base`, 'of reverse numbers only');
    return { format, base: null };
  }
  const base = given.base === undefined ? undefined : baseOf(given.base);
  if (base === undefined) throw new Wrong(`${path}.base`, 'which number the writer subtracts from: "2^63-1", "2^53-1" or digits');
  if (base > largest(format)) throw new Wrong(`${path}.base`, `${base} does not fit ${path}.width`);
  return { format, base };
}

function bucketOf(given: NonNullable<Parsed['bucket']>, unit: Unit): ForeignLayout['bucket'] {
  const nanos = BigInt(given.seconds) * NANOS.s;
  if (given.encoding === 'text' && given.width !== undefined) throw new Wrong('bucket.width', 'of a fixed encoding only');
  return { length: nanos / NANOS[unit], unit: given.unit, format: given.encoding === 'text' ? null : formatOf('bucket', { ...given, encoding: given.encoding }) };
}

function fieldsOf({ fields }: Parsed, bucket: boolean): ForeignLayout['fields'] {
  const made = Object.entries(fields).flatMap(([name, field]) => (field ? [[name, fieldOf(name, field)] as const] : []));
  const columns = new Map<string, string>();
  for (const [name, field] of made) {
    const column = `${field.family}:${field.qualifier}`;
    const before = columns.get(column);
    if (field.value.type !== 'version' && field.value.type !== 'json' && before !== undefined) throw new Wrong(`fields.${name}`, `has the column of fields.${before}`);
    if (field.value.type !== 'version') columns.set(column, name);
    if (!bucket && field.value.type !== 'version' && field.qualifier === '' && fields.price.qualifier !== '') throw new Wrong(`fields.${name}.qualifier`, 'which column');
  }
  return Object.fromEntries(made) as ForeignLayout['fields'];
}

function fieldOf(name: string, field: NonNullable<Parsed['fields']['volume']>): ForeignField {
  const path = `fields.${name}`;
  const { type, scale, pointer } = field;
  if (type !== 'int64' && scale !== undefined) throw new Wrong(`${path}.scale`, 'of int64 only');
  if (type !== 'json' && pointer !== undefined) throw new Wrong(`${path}.pointer`, 'of json only');
  if (name !== 'ingest' && field.unit !== undefined) throw new Wrong(`${path}.unit`, 'of ingest only');
  if (name !== 'ingest' && type === 'version') throw new Wrong(`${path}.type`, 'version is of ingest only');
  if (name === 'ingest' && type === 'float64') throw new Wrong(`${path}.type`, 'a time is a whole number: text, int64, json or version');
  if (name === 'source' && type !== 'text' && type !== 'json') throw new Wrong(`${path}.type`, 'a source is text or json');
  const { family: columns, qualifier, unit = 'us' } = field;
  return { family: columns, qualifier, unit, value: valueOf(path, type, scale, pointer) };
}

function valueOf(path: string, type: 'text' | 'float64' | 'int64' | 'json' | 'version', scale: number | undefined, pointer: string | undefined): ValueType {
  if (type === 'int64') {
    if (scale === undefined) throw new Wrong(`${path}.scale`, 'how many of the digits are decimals: 0 for none');
    return { type, scale };
  }
  if (type !== 'json') return { type };
  const tokens = pointer === undefined ? undefined : pointerTokens(pointer);
  if (!tokens || tokens.length > 16) throw new Wrong(`${path}.pointer`, 'a JSON pointer (RFC 6901) of at most 16 parts, for example /price');
  return { type, pointer: tokens };
}

function idsOf(given: Readonly<Record<string, string>>): ReadonlyMap<IndexId, string> {
  const entries = Object.entries(given);
  if (entries.length === 0 || entries.length > MAX_IDS) throw new Wrong('ids', `1 to ${MAX_IDS} of them`);
  const ids = new Map<IndexId, string>();
  const taken = new Set<string>();
  for (const [id, physical] of entries) {
    if (!isIndexId(id)) throw new Wrong(`ids.${id.slice(0, 40)}`, 'an id on screen is 1 to 24 of A-Z 0-9 ^ . _ -');
    if (physical === '') throw new Wrong(`ids.${id}`, 'an empty id');
    if (taken.has(physical)) throw new Wrong(`ids.${id}`, 'is the id of another one too');
    taken.add(physical);
    ids.set(id, physical);
  }
  return ids;
}
