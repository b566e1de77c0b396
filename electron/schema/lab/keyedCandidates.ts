/** The candidates of keyed.ts: what each puts before the time, and what people hope of it. */
import { hash } from 'node:crypto';
import { MINUTE } from '../../../shared/time.ts';
import { keyedLayout, type KeyedShape, type Lane } from './keyed.ts';
import type { MakeLayout } from './layout.ts';
import { tailOf } from './timeKey.ts';
import { bucketOf, type LabEvent, type Series } from './workload.ts';

const MAIN = 'main';
/** Lanes of a layout that spreads by the hash of an event. */
export const SALTS = 8;
export const BUCKET = 10n * MINUTE;
const LAST_BUCKET = 9_999_999n;

const oneLane = (prefixOf: (series: Series) => string): Pick<KeyedShape, 'laneOf' | 'lanes' | 'tables'> => {
  const lane = (series: Series): Lane => ({ table: MAIN, prefix: prefixOf(series) });
  return { tables: [MAIN], laneOf: ({ series }) => lane(series), lanes: (series) => [lane(series)] };
};

export const canonical: MakeLayout = (workload) => keyedLayout({
  name: 'canonical', title: 'Index, then reverse time', keys: 'ID#RTS#SEQ', direction: 'reverse', ...oneLane(({ text }) => `${text}#`),
  idea: 'An index’s rows lie side by side, newest first: the latest are a prefix scan that stops at once. A hot index is one range of keys; a window over many indices is a read each.',
}, workload);

export const ascending: MakeLayout = (workload) => keyedLayout({
  name: 'ascending', title: 'Index, then ascending time', keys: 'ID#TIME#SEQ', direction: 'forward', ...oneLane(({ text }) => `${text}#`),
  idea: 'Keys that people can read. The newest row is the last: it needs a scan backwards, or, from a server or client without those, a scan of the whole index.',
}, workload);

const ownTable = (name: string, title: string, keys: string, direction: KeyedShape['direction'], idea: string): MakeLayout => (workload) => {
  const tableOf = ({ text }: Series): string => text.split('@', 1)[0] ?? text;
  const lane = (series: Series): Lane => ({ table: tableOf(series), prefix: series.kind === 'tick' ? 't#' : 'b#' });
  return keyedLayout({ name, title, keys, direction, idea, tables: workload.ticks.map(tableOf), laneOf: ({ series }) => lane(series), lanes: (series) => [lane(series)] }, workload);
};

export const tablePerIndex = ownTable('table-per-index', 'A table per index, reverse time', 'table ID: t#RTS#SEQ', 'reverse',
  'Keys without the id, and access rights by index. The same rows are read; an instance holds at most 1,000 tables, and each wants its families, rules and backups.');
export const tablePerIndexAscending = ownTable('table-per-index-ascending', 'A table per index, ascending time', 'table ID: t#TIME#SEQ', 'forward',
  'As above, with the newest row last.');

export const regionFirst: MakeLayout = (workload) => keyedLayout({
  name: 'region-first', title: 'Region, then index, then reverse time', keys: 'REGION#ID#RTS#SEQ', direction: 'reverse', ...oneLane(({ region, text }) => `${region}#${text}#`),
  idea: 'A region’s indices are neighbours, yet their rows of one window are not: time comes after the id. Every reader must know the region of an index, and it must never change.',
}, workload);

export const hashOfId: MakeLayout = (workload) => {
  const prefixes = new Map<string, string>();
  const prefixOf = ({ text }: Series): string => {
    const known = prefixes.get(text) ?? `${hash('sha256', text.split('@', 1)[0] ?? text, 'hex').slice(0, 2)}#${text}#`;
    prefixes.set(text, known);
    return known;
  };
  return keyedLayout({
    name: 'hash-of-id', title: 'Hash of the id, then as canonical', keys: 'HH#ID#RTS#SEQ', direction: 'reverse', ...oneLane(prefixOf),
    idea: 'Spreads neighbours in the alphabet. One hot index stays in one range, and no prefix lists the ids in order any more.',
  }, workload);
};

export const hashOfEvent: MakeLayout = (workload) => {
  const lane = (salt: number, { text }: Series): Lane => ({ table: MAIN, prefix: `${salt}#${text}#` });
  const saltOf = ({ series, time, sequence }: Pick<LabEvent, 'series' | 'time' | 'sequence'>): number => Number.parseInt(hash('sha256', `${series.text}#${tailOf(time, sequence, 'reverse')}`, 'hex').slice(0, 8), 16) % SALTS;
  return keyedLayout({
    name: 'hash-of-event', title: 'Hash prefix on every key', keys: `S#ID#RTS#SEQ, S = hash of the event mod ${SALTS}`, direction: 'reverse', tables: [MAIN],
    laneOf: (event) => lane(saltOf(event), event.series), lanes: (series) => Array.from({ length: SALTS }, (_, salt) => lane(salt, series)),
    idea: `Even one hot index is written to ${SALTS} ranges. Every read of it asks all ${SALTS}.`,
  }, workload);
};

export const timeBucketFirst: MakeLayout = (workload) => {
  const [first, last] = [bucketOf(workload.barStart, BUCKET), bucketOf(workload.end, BUCKET)];
  const lane = (bucket: bigint, { text }: Series): Lane => ({ table: MAIN, prefix: `${String(LAST_BUCKET - bucket).padStart(7, '0')}#${text}#`, from: bucket * BUCKET, to: (bucket + 1n) * BUCKET });
  const oldest = (series: Series): bigint => (series.kind === 'bar' ? first : bucketOf(workload.start, BUCKET));
  return keyedLayout({
    name: 'time-bucket-first', title: 'Ten minutes, then index, then reverse time', keys: 'BUCKET#ID#RTS#SEQ', direction: 'reverse', tables: [MAIN], inTime: true,
    laneOf: ({ series, time }) => lane(bucketOf(time, BUCKET), series),
    lanes: (series) => Array.from({ length: Number(last - oldest(series)) + 1 }, (_, back) => lane(last - BigInt(back), series)),
    idea: 'Old buckets are dropped as one range. All writers write to the newest bucket; the latest of a quiet index is looked for bucket by bucket, without knowing when to give up.',
  }, workload);
};

