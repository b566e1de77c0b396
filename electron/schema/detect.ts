/**
 * The layout of a table, proposed from a sample of its rows. Every reading of the keys that makes all of them instants of 1985 to now is
 * considered: one is left, or the proposal says what it can't tell. Pure.
 */
import { formatIso, micros } from '../../shared/time.ts';
import { decodeKey } from '../../shared/rowKey.ts';
import { decodeTick } from '../bigtable/decode.ts';
import { type LayoutFile, NAMED_BASES, parseLayout } from '../bigtable/layout/foreignFile.ts';
import { screenId } from '../bigtable/layout/foreignId.ts';
import { readKey } from '../bigtable/layout/foreignKey.ts';
import type { ForeignLayout } from '../bigtable/layout/foreignLayout.ts';
import { largest } from '../bigtable/layout/foreignNumber.ts';
import { canonicalRows } from '../bigtable/layout/foreignRow.ts';
import { bucketsOf } from './buckets.ts';
import { fieldsOf, textOf } from './fields.ts';
import { headOf } from './heads.ts';
import { readingsOf, type Tail, tailsOf, type TimeReading } from './keyShapes.ts';
import type { Sample } from './sample.ts';

export interface Proposal {
  /** `canonical`: our own layout, no file needed. `unsure`: answer the questions first. */
  readonly confidence: 'canonical' | 'sure' | 'likely' | 'unsure';
  /** Null where not even a draft can be given. In a draft `null` stands for what is to be filled in: it does not load before. */
  readonly file: Readonly<Record<string, unknown>> | null;
  readonly evidence: readonly string[];
  /** What the sample does not tell. */
  readonly questions: readonly string[];
}

const SURE_ROWS = 20;
export const EARLIEST_NANOS = 473_385_600n * 1_000_000_000n; // 1985
const DAY_NANOS = 86_400_000_000_000n;

/** `now` in microseconds. */
export function proposeLayout({ rows, complete }: Sample, now: bigint): Proposal {
  const keys = rows.map(({ key }) => key);
  const unsure = (...questions: string[]): Proposal => ({ confidence: 'unsure', file: null, evidence: [`${keys.length} rows seen`], questions });
  if (keys.length === 0) return unsure('the table has no rows');
  const ours = rows.filter(isOurs).length;
  if (ours === keys.length) return { confidence: 'canonical', file: null, evidence: [`all ${ours} rows seen are of our own layout`], questions: [] };
  const readings = tailsOf(keys).flatMap((tail) => readingsOf(tail.times, tail.time, EARLIEST_NANOS, now * 1000n + 2n * DAY_NANOS).map((reading) => ({ tail, reading })));
  const strays = readings.length === 0 ? straysOf(rows) : [];
  if (strays.length > 0) {
    const proposal = proposeLayout({ rows: rows.filter((row) => !strays.includes(row)), complete, requests: 0 }, now);
    return { ...proposal, confidence: 'unsure', questions: [`${strays.length} of ${rows.length} rows have keys of another shape, the first ${shown(strays[0]?.key ?? '')}: with this layout they are not read; is that meant?`, ...proposal.questions] };
  }
  if (readings.length === 0) return unsure(timeFirst(keys, now) ?? `no end of the keys can be read as a time since 1985 in s, ms, us or ns, forward or below a known base; for example ${shown(keys[0] ?? '')}`);
  const [only] = readings;
  if (!only || readings.length > 1) return unsure(`keys can be read in ${readings.length} ways: ${readings.slice(0, 4).map(({ tail, reading }) => `${describe(tail, reading)} (the first is ${isoOf(reading.nanos[0])})`).join('; ')}`);
  return build(only.tail, only.reading, rows, complete);
}

/** Keys alone don't tell: reverse seconds below 2^63-1 have 19 digits too. */
const isOurs = (row: Sample['rows'][number]): boolean => decodeKey(row.key) !== undefined && [...row.cells.keys()].every((column) => /^[qhbvm]:/.test(column));

function build(tail: Tail, reading: TimeReading, rows: Sample['rows'], complete: boolean): Proposal {
  const head = headOf(tail.heads, tail.separator, complete);
  const numbered = sequenceOf(tail);
  const buckets = bucketsOf(rows, reading.nanos);
  const fields = fieldsOf(buckets.columns);
  const sorted = reading.nanos.toSorted((a, b) => (a < b ? -1 : 1));
  const evidence = [
    `${rows.length} rows seen${complete ? ', of every beginning of keys' : ''}`,
    `${describe(tail, reading)}: then all times lie between ${isoOf(sorted[0])} and ${isoOf(sorted.at(-1))}; no other unit, direction or known base gives times between 1985 and now`,
    ...(reading.base === null ? [] : [`base ${baseText(reading.base)} is assumed because it is common: another one close to it would move all times by the difference`]),
    ...head.evidence, ...numbered.evidence, ...buckets.evidence, ...fields.evidence,
  ];
  const file = {
    $comment: 'Proposed by `frontrow schema detect`. docs/layouts.md describes it.',
    key: { separator: textOf(tail.separator), parts: [...head.before.map(partText), 'index', ...head.after.map(partText), 'time', ...(tail.sequence ? ['sequence'] : [])] },
    time: { unit: reading.unit, ...(reading.base === null ? { direction: 'forward' } : { direction: 'reverse', base: baseText(reading.base) }), ...formatText(tail.time) },
    ...(numbered.sequence ? { sequence: numbered.sequence } : {}), ...(head.salt ? { salt: head.salt } : {}), ...(buckets.bucket ? { bucket: buckets.bucket } : {}), fields: fields.fields,
  };
  const questions = [...head.questions, ...numbered.questions, ...buckets.questions, ...fields.questions];
  if (questions.length > 0) return { confidence: 'unsure', file: fields.fields.price ? file : null, evidence, questions };
  const parsed = parseLayout('(proposed)', JSON.stringify(file));
  if (!parsed.ok) return { confidence: 'unsure', file, evidence, questions: [parsed.error.what] };
  const unread = rows.flatMap((row) => unreadable(parsed.value, row) ?? []);
  if (unread.length > 0) return { confidence: 'unsure', file, evidence, questions: [`${unread.length} of ${rows.length} rows can't be read so; the first: ${unread[0] ?? ''}`] };
  return { confidence: rows.length >= SURE_ROWS ? 'sure' : 'likely', file, evidence, questions: [] };
}

function sequenceOf({ sequence, sequences }: Tail): { sequence: LayoutFile['sequence'] | null; evidence: string[]; questions: string[] } {
  if (!sequence) return { sequence: null, evidence: [], questions: [] };
  const most = largest(sequence);
  // '10' may be sixteen as long as no letter was met.
  if (sequence.encoding === 'decimal' && sequences.length < SURE_ROWS && sequences.some((value) => value > 9n && value < most - 9n)) {
    return { sequence: { direction: 'forward', ...formatText(sequence) }, evidence: [], questions: ['sequence.encoding: too few numbers after the time were seen to tell decimal from hex'] };
  }
  if (sequences.every((value) => value * 10n <= most)) return { sequence: { direction: 'forward', ...formatText(sequence) }, evidence: ['the number after the time is small: taken as a sequence, forward'], questions: [] };
  if (sequences.every((value) => (most - value) * 10n <= most)) return { sequence: { direction: 'reverse', base: String(most), ...formatText(sequence) }, evidence: [`the number after the time is close below ${most}: taken as a sequence, reverse`], questions: [] };
  return { sequence: { direction: 'forward', ...formatText(sequence) }, evidence: [], questions: ['sequence.direction: the numbers after the time are neither all small nor all close to their largest value'] };
}

/** Why a row of the sample is not read by the layout; null where it is. */
function unreadable(layout: ForeignLayout, row: Sample['rows'][number]): string | null {
  const key = readKey(layout, row.key);
  if (!key) return `key ${shown(row.key)}`;
  const id = screenId(key.id);
  if (id === null) return null; // to be named in `ids`; told by the reader
  const made = canonicalRows(layout, id, key, row);
  if (!made.ok) return made.error.what;
  if (made.value.length === 0) return `row ${shown(row.key)} has no events`;
  for (const one of made.value) {
    const tick = decodeTick(one);
    if (!tick.ok) return tick.error.what;
  }
  return null;
}

/** The few rows whose keys end otherwise than nearly all others do; none where there is no such majority. */
function straysOf(rows: Sample['rows']): Sample['rows'] {
  const shapeOf = ({ key }: Sample['rows'][number]): string => {
    const [, separator = '', number = '', rest = ''] = /([^0-9A-Za-z])([0-9A-Fa-f]{9,20})((?:[^0-9A-Za-z][0-9A-Fa-f]{1,12})?)$/.exec(key) ?? [];
    return number === '' ? '' : `${separator}${number.length}${rest.length}`;
  };
  const shapes = Map.groupBy(rows, shapeOf);
  const [largestShape] = [...shapes].filter(([shape]) => shape !== '').sort(([, a], [, b]) => b.length - a.length);
  if (!largestShape || largestShape[1].length * 5 < rows.length * 4 || largestShape[1].length === rows.length) return [];
  return rows.filter((row) => shapeOf(row) !== largestShape[0]);
}

/** Keys that begin with a time: which no layout file can describe. */
function timeFirst(keys: readonly string[], now: bigint): string | null {
  const [, separator = ''] = /^[0-9A-Fa-f]{9,20}([^0-9A-Za-z])/.exec(keys[0] ?? '') ?? [];
  if (separator === '') return null;
  const turned = keys.map((key) => key.split(separator).toReversed().join(separator));
  const reading = tailsOf(turned).flatMap((tail) => readingsOf(tail.times, tail.time, EARLIEST_NANOS, now * 1000n + 2n * DAY_NANOS));
  return reading.length > 0 ? 'keys begin with the time: all writers write to one place, and reading one index would read all of them; no layout file helps, only another key' : null;
}

const partText = (part: 'salt' | { readonly text: string }): 'salt' | { text: string } => (part === 'salt' ? part : { text: textOf(part.text) });
const formatText = ({ encoding, width, upper }: Tail['time']): { encoding: Tail['time']['encoding']; width: number; case?: 'upper' } => ({ encoding, width, ...(upper ? { case: 'upper' as const } : {}) });
const baseText = (base: bigint): string => Object.entries(NAMED_BASES).find(([, value]) => value === base)?.[0] ?? String(base);
const describe = ({ separator, time, sequence }: Tail, { unit, base }: TimeReading): string =>
  `${sequence ? 'time and sequence' : 'time'} after ${JSON.stringify(separator)}, ${time.encoding} of ${time.width}, in ${unit}, ${base === null ? 'forward' : `subtracted from ${baseText(base)}`}`;
const isoOf = (nanos: bigint | undefined): string => formatIso(micros((nanos ?? 0n) / 1000n));
const shown = (key: string): string => JSON.stringify(key.slice(0, 80));
