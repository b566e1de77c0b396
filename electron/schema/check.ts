/**
 * Bigtable's guidance, held against a sample of a table. A violation is what the guidance tells not to do; a warning is what costs or may
 * cost; a note is worth knowing. Each has its source. Pure.
 */
import type { ForeignLayout } from '../bigtable/layout/foreignLayout.ts';
import { readKey } from '../bigtable/layout/foreignKey.ts';
import type { Row } from '../bigtable/reader.ts';
import type { TableFacts } from './facts.ts';
import { EARLIEST_NANOS } from './detect.ts';
import { readingsOf, tailsOf } from './keyShapes.ts';
import type { Sample } from './sample.ts';

export interface Finding {
  readonly rule: string;
  readonly level: 'violation' | 'warning' | 'note';
  /** What was seen, with its figure. */
  readonly what: string;
  readonly next: string;
  readonly source: string;
}

const KEYS = 'https://cloud.google.com/bigtable/docs/schema-design#row-keys';
const AVOID = 'https://cloud.google.com/bigtable/docs/schema-design#row-keys-avoid';
const DESIGN = 'https://cloud.google.com/bigtable/docs/schema-design';
const TIME_SERIES = 'https://cloud.google.com/bigtable/docs/schema-design-time-series';
const LIMITS = 'https://cloud.google.com/bigtable/quotas#limits';
const COLLECTION = 'https://cloud.google.com/bigtable/docs/garbage-collection';
const REVERSE = 'https://cloud.google.com/bigtable/docs/reads#reverse-scan';
const HOTSPOTS = 'https://cloud.google.com/bigtable/docs/keyvis-overview';

const [KB, MB] = [1024, 1024 * 1024];
/** Ranges are told only of tables that have several, of some size. */
const FEWEST_RANGES = 4;
const HOT_SHARE = 3;
/** Below this, in bytes, a table fits one server whatever its ranges hold, and a store samples it by chance. */
const LEAST_BYTES = 64 * 1024 * 1024;

export interface Checked {
  readonly sample: Sample;
  readonly facts: TableFacts;
  /** Null: our own layout, or unknown. */
  readonly layout: ForeignLayout | null;
  readonly canonical: boolean;
  /** Microseconds. */
  readonly now: bigint;
}

export function checkTable(checked: Checked): Finding[] {
  return [...keyFindings(checked), ...sizeFindings(checked.sample.rows), ...shapeFindings(checked), ...factFindings(checked.facts)];
}

export const hasViolation = (findings: readonly Finding[]): boolean => findings.some(({ level }) => level === 'violation');

function keyFindings({ sample: { rows }, layout, canonical, now }: Checked): Finding[] {
  const keys = rows.map(({ key }) => key);
  const findings: Finding[] = [];
  if (keys.length === 0) return findings;
  const longest = Math.max(...keys.map((key) => key.length));
  if (longest > 4 * KB) findings.push({ rule: 'key-length', level: 'violation', what: `a key has ${longest} bytes, more than 4 KB`, next: 'shorten keys: they are stored with every cell', source: LIMITS });
  else if (longest > 100) findings.push({ rule: 'key-length', level: 'warning', what: `the longest key has ${longest} bytes; 10 to 100 are ideal`, next: 'shorten keys where that is easy', source: KEYS });
  if (!canonical && layout === null && startsWithTime(keys, now)) {
    findings.push({ rule: 'time-first', level: 'violation', what: `keys begin with the time, for example ${shown(keys[0] ?? '')}: every writer writes to the same end of the table, and one index can't be read alone`, next: 'put the index first: ID#time', source: AVOID });
  }
  if (!canonical && layout === null && mostly(keys, (key) => /^\d{1,20}$/.test(key) || /^[a-z]+[-_]?\d+$/i.test(key)) && risingNumbers(keys)) {
    findings.push({ rule: 'sequential-ids', level: 'violation', what: `keys are rising numbers, for example ${shown(keys[0] ?? '')}: new rows all go to one place`, next: 'begin keys with what is asked for, or reverse the digits', source: AVOID });
  }
  if (mostly(keys, (key) => /^(?:[0-9a-f]{32,64}|[0-9A-F]{32,64}|[0-9a-f]{8}-[0-9a-f]{4}-)/.test(key))) {
    findings.push({ rule: 'hashed-key', level: 'violation', what: `keys begin with a hash, for example ${shown(keys[0] ?? '')}: rows that are read together lie apart`, next: 'use the value itself; spread hot ids alone', source: AVOID });
  }
  if (mostly(keys, (key) => /[\0-\x1f\x7f-\xff]/.test(key))) findings.push({ rule: 'binary-key', level: 'warning', what: 'keys hold bytes that are no text: tools and logs can\'t show them', next: 'prefer readable keys', source: KEYS });
  if (layout?.salt) findings.push({ rule: 'salted-key', level: 'warning', what: `every read of one index costs ${layout.salt.count} reads, since its rows lie behind ${layout.salt.count} salts`, next: 'salt only what was measured to be hot', source: AVOID });
  if (layout && layout.time.base === null) findings.push({ rule: 'oldest-first', level: 'note', what: 'an index\'s newest row is its last: "latest" needs a reverse scan, which costs more than a scan forward and which not every client and emulator has', next: 'subtract the time from a large number where the newest rows are what is asked for', source: REVERSE });
  if (layout) findings.push(...strangers(rows, layout));
  const future = layout ? keys.filter((key) => isFuture(layout, key, now)).length : 0;
  if (future > 0) findings.push({ rule: 'future-time', level: 'warning', what: `${future} of ${keys.length} rows seen are from the future: they stay "latest" until their time comes`, next: 'correct the writer\'s clock or unit, or the layout file', source: TIME_SERIES });
  return findings;
}

function strangers(rows: readonly Row[], layout: ForeignLayout): Finding[] {
  const strange = rows.filter(({ key }) => !readKey(layout, key));
  const [first] = strange;
  return first ? [{ rule: 'other-keys', level: 'warning', what: `${strange.length} of ${rows.length} rows seen are not of the layout, the first ${shown(first.key)}: they are not read`, next: 'correct the layout file, or keep other data in a table of its own', source: DESIGN }] : [];
}

function isFuture(layout: ForeignLayout, key: string, now: bigint): boolean {
  const found = readKey(layout, key);
  const scale = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n }[layout.time.unit];
  return found !== undefined && found.time * scale > (now + 5_000_000n) * 1000n;
}

function startsWithTime(keys: readonly string[], now: bigint): boolean {
  // A second part, however short, makes the first one the end of a key that tails can be read of.
  const firsts = keys.map((key) => /^[0-9A-Fa-f]{9,20}(?![0-9A-Za-z])/.exec(key)?.[0]);
  if (firsts.includes(undefined)) return keys.every((key) => /^(?:19|20)\d\d-?[01]\d-?[0-3]\d/.test(key));
  return tailsOf(firsts.map((first) => `x#${first ?? ''}`)).some((tail) => readingsOf(tail.times, tail.time, EARLIEST_NANOS, now * 1000n + 172_800n * 1_000_000_000n).length > 0);
}

function risingNumbers(keys: readonly string[]): boolean {
  const numbers = keys.map((key) => Number(/\d+$/.exec(key)?.[0] ?? Number.NaN)).sort((a, b) => a - b);
  return numbers.length >= 10 && numbers.every((value, at) => at === 0 || value - (numbers[at - 1] ?? value) <= 2);
}

function sizeFindings(rows: readonly Row[]): Finding[] {
  const findings: Finding[] = [];
  let [cell, qualifier, row, columns] = [0, 0, 0, 0];
  for (const { cells } of rows) {
    let size = 0;
    for (const [column, { value }] of cells) {
      cell = Math.max(cell, value.length);
      qualifier = Math.max(qualifier, column.length - column.indexOf(':') - 1);
      size += value.length + column.length;
    }
    row = Math.max(row, size);
    columns = Math.max(columns, cells.size);
  }
  const limit = (rule: string, most: number, violation: number, warning: number, what: string, next: string): void => {
    if (most > violation) findings.push({ rule, level: 'violation', what: `${what} of ${bytes(most)}; at most ${bytes(violation)} is recommended`, next, source: LIMITS });
    else if (most > warning) findings.push({ rule, level: 'warning', what: `${what} of ${bytes(most)}; reads get slow before the limit of ${bytes(violation)}`, next, source: DESIGN });
  };
  limit('cell-size', cell, 10 * MB, MB, 'a cell', 'store large values elsewhere');
  limit('row-size', row, 100 * MB, MB, 'a row', 'use a row for each event, or shorter buckets');
  if (qualifier > 16 * KB) findings.push({ rule: 'qualifier-size', level: 'violation', what: `a column qualifier of ${bytes(qualifier)}, more than 16 KB`, next: 'shorten it: it is stored with every cell', source: LIMITS });
  if (columns > 10_000) findings.push({ rule: 'wide-row', level: 'warning', what: `a row has ${columns} columns: to read one of them, a reader without a filter reads all`, next: 'use shorter buckets', source: TIME_SERIES });
  return findings;
}

function shapeFindings({ sample: { rows }, layout }: Checked): Finding[] {
  const findings: Finding[] = [];
  if (layout?.bucket) {
    const most = Math.max(0, ...rows.map(({ cells }) => cells.size));
    findings.push({ rule: 'time-in-qualifier', level: 'note', what: `a row holds the events of a bucket (up to ${most} columns seen): the latest price reads all of its bucket`, next: 'good for history that is read whole, dear for the latest price: shorter buckets make it cheaper', source: TIME_SERIES });
  } else if (layout === null && rows.some(({ cells }) => [...cells.keys()].filter((column) => /:.*\d{9,}$/.test(column)).length > 20)) {
    findings.push({ rule: 'time-in-qualifier', level: 'warning', what: 'columns are named by times and grow without end in one row', next: 'put the time into the key', source: TIME_SERIES });
  }
  if (layout?.fields.price.value.type === 'float64') findings.push({ rule: 'binary-floats', level: 'note', what: 'prices are doubles: they show as the shortest decimal of that double, which may not be what the producer wrote', next: 'decimal text or scaled integers are exact', source: DESIGN });
  return findings;
}

function factFindings({ families, ranges, tables }: TableFacts): Finding[] {
  const findings: Finding[] = [];
  if (families.length > 100) findings.push({ rule: 'family-count', level: 'violation', what: `${families.length} column families, more than 100`, next: 'put columns that are read together into one family', source: DESIGN });
  const long = families.filter(({ name }) => name.length > 16);
  if (long.length > 0) findings.push({ rule: 'family-name', level: 'note', what: `the family ${JSON.stringify(long[0]?.name ?? '')} has ${long[0]?.name.length ?? 0} characters, which travel with every cell`, next: 'prefer short names', source: DESIGN });
  const kept = families.filter(({ collected }) => !collected).map(({ name }) => name);
  if (kept.length > 0) findings.push({ rule: 'no-collection', level: 'warning', what: `no garbage collection in ${kept.slice(0, 10).join(', ')}: every version of every cell is kept for ever`, next: 'set a rule, at least one version of each cell', source: COLLECTION });
  if (tables !== null && tables > 1_000) findings.push({ rule: 'table-count', level: 'violation', what: `${tables} tables in the instance, more than 1,000`, next: 'keep all indices in one table', source: LIMITS });
  else if (tables !== null && tables > 100) findings.push({ rule: 'table-count', level: 'warning', what: `${tables} tables in the instance`, next: 'many small tables spread load badly: keep all indices in one', source: DESIGN });
  const total = ranges.reduce((sum, range) => sum + range.bytes, 0);
  const largest = Math.max(0, ...ranges.map((range) => range.bytes));
  if (ranges.length >= FEWEST_RANGES && total >= LEAST_BYTES && largest * ranges.length > total * HOT_SHARE) {
    const hot = ranges.findIndex((range) => range.bytes === largest);
    findings.push({ rule: 'uneven-ranges', level: 'warning', what: `the key range from ${shown(ranges[hot - 1]?.end ?? '')} to ${shown(ranges[hot]?.end ?? '')} holds ${Math.round((100 * largest) / total)} % of the bytes of ${ranges.length} ranges`, next: 'measure its writes with Key Visualizer or `frontrow shard --measure`', source: HOTSPOTS });
  }
  return findings;
}

const mostly = (keys: readonly string[], is: (key: string) => boolean): boolean => keys.filter(is).length * 10 >= keys.length * 9;
const bytes = (size: number): string => (size >= MB ? `${(size / MB).toFixed(1)} MB` : size >= KB ? `${(size / KB).toFixed(1)} KB` : `${size} bytes`);
const shown = (key: string): string => JSON.stringify(key.slice(0, 80));
