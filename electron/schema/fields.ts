/** Which column is which field, and how its values are written. Pure. */
import { parseDecimal } from '../../shared/decimal.ts';
import type { LayoutFile } from '../bigtable/layout/foreignFile.ts';
import { FIELDS, type FieldName, type Unit } from '../bigtable/layout/foreignLayout.ts';
import { parseJson, pointerText } from '../bigtable/layout/foreignValue.ts';

/** With its values of the sample; in a bucket, the columns of one beginning together. */
export interface Column {
  readonly family: string;
  readonly qualifier: string;
  readonly values: readonly Buffer[];
}

type Field = LayoutFile['fields']['price'];
/** `null` stands for what the file's reader must fill in. */
export type Draft = Omit<Field, 'scale'> & { readonly scale?: number | null };

export interface Fields {
  readonly fields: Readonly<Partial<Record<FieldName, Draft>>>;
  readonly evidence: readonly string[];
  readonly questions: readonly string[];
}

const NAMES: Readonly<Record<FieldName, RegExp>> = {
  price: /^(?:p|px|price|last|last_?price|trade_?price|close|c|value|val|mid|rate)$/i,
  volume: /^(?:v|vol|volume|size|qty|quantity)$/i,
  bid: /^(?:b|bid|bid_?price)$/i,
  ask: /^(?:a|ask|offer|ask_?price)$/i,
  ingest: /^(?:i|in|ingest|ingested|ingest_?time|received|recv|arrival)$/i,
  source: /^(?:s|src|source|venue|provider)$/i,
};
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

interface Numeric {
  readonly name: string;
  readonly shown: string;
  readonly draft: Draft;
  readonly values: readonly string[];
}

export function fieldsOf(columns: readonly Column[]): Fields {
  const evidence: string[] = [];
  const questions: string[] = [];
  const fields: Partial<Record<FieldName, Draft>> = {};
  const numeric = columns.flatMap(numericsOf);
  const named = (field: FieldName): Numeric[] => numeric.filter(({ name }) => NAMES[field].test(name));
  const others = numeric.filter(({ name }) => !FIELDS.some((field) => field !== 'price' && NAMES[field].test(name)));
  const prices = named('price').length > 0 ? named('price') : others.length === 1 ? others : [];
  const [price] = prices;
  if (!price || prices.length > 1) {
    questions.push(prices.length > 1 ? `which is the price: ${prices.map(({ shown }) => shown).join(', ')}?` : `no column is told to be the price by its name${numeric.length > 0 ? `: ${numeric.map(({ shown }) => shown).slice(0, 10).join(', ')}` : ', and none holds numbers'}`);
    return { fields, evidence, questions };
  }
  fields.price = price.draft;
  evidence.push(`${price.shown} holds the price as ${price.draft.type}: ${named('price').length > 0 ? 'by its name' : 'the only numbers'}, for example ${price.values[0] ?? ''}`);
  if (price.draft.type === 'int64') questions.push(`fields.price.scale: ${price.shown} holds whole numbers like ${price.values[0] ?? ''}: how many of their digits are decimals?`);
  for (const field of ['volume', 'bid', 'ask', 'ingest'] as const) {
    const [found, second] = named(field);
    if (!found || second) continue;
    if (found.draft.type === 'int64' && field !== 'ingest') {
      evidence.push(`${found.shown} looks like ${field}, in whole numbers of unknown scale: left out`);
      continue;
    }
    const unit = field === 'ingest' ? unitOf(found.values) : undefined;
    if (field === 'ingest' && (unit === undefined || found.draft.type === 'float64')) continue;
    fields[field] = { ...found.draft, ...(unit === undefined ? {} : { unit }), ...(field === 'ingest' && found.draft.type === 'int64' ? { scale: 0 } : {}) };
    evidence.push(`${found.shown} holds ${field}, by its name`);
  }
  const source = columns.find(({ qualifier, values }) => NAMES.source.test(plainName(qualifier)) && values.every((value) => value.length <= 64 && /^[ -~]+$/.test(value.toString('latin1')) && !NUMBER.test(value.toString('latin1'))));
  if (source) fields.source = { family: source.family, qualifier: textOf(source.qualifier), type: 'text' };
  return { fields, evidence, questions };
}

/** Bytes to the file's text. */
export const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
const plainName = (qualifier: string): string => qualifier.replaceAll(/^[^A-Za-z]+|[^A-Za-z]+$/g, '');

function numericsOf({ family, qualifier, values }: Column): Numeric[] {
  const [name, shown] = [plainName(qualifier), JSON.stringify(`${family}:${qualifier}`)];
  const column = { family, qualifier: textOf(qualifier) };
  if (values.length === 0) return [];
  const texts = values.map((value) => value.toString('latin1'));
  if (texts.every((text) => text.length <= 64 && NUMBER.test(text))) return [{ name, shown, draft: { ...column, type: 'text' }, values: texts }];
  if (values.every((value) => value.length === 8)) {
    const doubles = values.map((value) => value.readDoubleBE(0));
    if (doubles.every((value) => value === 0 || (Math.abs(value) > 1e-9 && Math.abs(value) < 1e15)) && doubles.some((value) => value !== 0)) return [{ name, shown, draft: { ...column, type: 'float64' }, values: doubles.map(String) }];
    const integers = values.map((value) => value.readBigInt64BE(0));
    if (integers.every((value) => value > -(2n ** 60n) && value < 2n ** 60n) && integers.some((value) => value !== 0n)) return [{ name, shown, draft: { ...column, type: 'int64', scale: null }, values: integers.map(String) }];
  }
  const documents = values.map(parseJson);
  if (!documents.every((document) => typeof document === 'object' && document !== null)) return [];
  const leaves = new Map<string, { readonly path: readonly string[]; readonly values: string[] }>();
  for (const document of documents) for (const [path, value] of leavesOf(document, [])) {
    const leaf = leaves.get(pointerText(path)) ?? { path, values: [] };
    leaf.values.push(value);
    leaves.set(pointerText(path), leaf);
  }
  return [...leaves].filter(([, leaf]) => leaf.values.every((value) => NUMBER.test(value))).map(([pointer, leaf]) => ({
    name: plainName(leaf.path.at(-1) ?? ''), shown: `${shown} at ${pointer}`, draft: { ...column, type: 'json' as const, pointer }, values: leaf.values,
  }));
}

function leavesOf(node: unknown, path: readonly string[]): [readonly string[], string][] {
  if (typeof node === 'string') return [[path, node]];
  if (typeof node !== 'object' || node === null || path.length >= 8) return [];
  return Object.entries(node).slice(0, 64).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** The one unit in which all are instants of 1985 to 2100. */
function unitOf(values: readonly string[]): Unit | undefined {
  const scales = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 } as const;
  return (Object.keys(scales) as Unit[]).find((unit) => values.every((value) => parseDecimal(value) !== undefined && Number(value) / scales[unit] > 473_385_600 && Number(value) / scales[unit] < 4_102_444_800));
}
