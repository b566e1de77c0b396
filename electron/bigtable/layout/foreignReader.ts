/** A foreign table through the Reader contract: canonical ranges in, canonical rows out, so that poller, charts and commands need not know. */
import { type IndexId, isIndexId, type KeyRange } from '../../../shared/rowKey.ts';
import { type Problem, problem } from '../../../shared/result.ts';
import { MAX_RANGES, type Reader, type ReadOutcome, type ReadRequest, type Row } from '../reader.ts';
import { createForeignIds } from './foreignIds.ts';
import { foreignLane } from './foreignLane.ts';
import type { ForeignLayout } from './foreignLayout.ts';
import { physicalId } from './foreignId.ts';
import { saltsOf } from './foreignKey.ts';
import { CANONICAL_FAMILY } from './foreignRow.ts';
import { createScan } from './foreignScan.ts';
import { type Lane, mergeLanes } from './merge.ts';

export interface ForeignOptions {
  /** Where a search for the newest row begins, microseconds. Absent: the machine's clock. */
  readonly now?: () => bigint;
  /** Milliseconds of a steady clock. */
  readonly elapsed?: () => number;
  /** A row that the layout does not explain, the first time that it is met. */
  readonly unreadable?: (key: string, why: Problem) => void;
}

const MAX_UNREADABLE = 10_000;

/**
 * Ticks of the table as `ID#RTS#SEQ` with cells `h:p` and so on (kept for ever: our retention does not hold there). Bars, shards and
 * metadata do not exist in it. Limits count canonical rows.
 */
export function foreignReader(reader: Reader, layout: ForeignLayout, { now = () => BigInt(Date.now()) * 1000n, elapsed = () => performance.now(), unreadable }: ForeignOptions = {}): Reader {
  const told = new Set<string>();
  const tell = (key: string, why: Problem): void => {
    if (told.has(key) || told.size >= MAX_UNREADABLE) return;
    told.add(key);
    unreadable?.(key, why);
  };
  const scan = createScan(reader, layout, now);
  const ids = createForeignIds(reader, layout, elapsed, tell);
  const salts = saltsOf(layout);
  // A name is a pattern to the server, in which a dot stands for any character: then more comes than is needed.
  const families = [...new Set(Object.values(layout.fields).flatMap(({ family, value }) => (value.type === 'version' ? [] : [family])))];

  interface Target {
    readonly id: IndexId;
    readonly range: KeyRange;
  }

  function lanesOf({ id, range }: Target, signal: AbortSignal | undefined): Lane[] {
    const physical = layout.ids ? layout.ids.get(id) : physicalId(id);
    if (physical === undefined || physical === null) return [];
    return salts.flatMap((salt) => foreignLane({ layout, scan, id, physical, salt, range, families, signal, stranger: (key) => ids.met(key), unreadable: tell }) ?? []);
  }

  async function read(request: ReadRequest): Promise<ReadOutcome> {
    const started = performance.now();
    const { ranges, limit = 0, deadlineMs, signal } = request;
    const spent = (): number => performance.now() - started;
    const refuse = (error: Problem, rows: readonly Row[] = [], scannedTo: string | null = null): ReadOutcome => ({ ok: false, error: ours(error), rows, scannedTo, elapsedMs: spent() });
    const wrong = refusal(request);
    if (wrong) return refuse(wrong);
    if (request.families && !request.families.includes(CANONICAL_FAMILY)) return { ok: true, rows: [], elapsedMs: spent() };
    if (ranges.some((range) => kindOf(range) === 'many')) {
      const trouble = await ids.refresh(deadlineMs, signal);
      if (trouble) return refuse(trouble);
    }
    const targets = ranges.flatMap((range) => targetsOf(range, ids.known));
    if (limit === 0) {
      const outcome = await mergeLanes(targets.flatMap((target) => lanesOf(target, signal)), { limit, deadlineMs: Math.max(1, deadlineMs - spent()) });
      return outcome.ok ? { ...outcome, elapsedMs: spent() } : refuse(outcome.error, outcome.rows, outcome.scannedTo);
    }
    // One after the other: the first indices may fill the limit, and then the others are not read.
    const rows: Row[] = [];
    let scannedTo: string | null = null;
    for (const target of targets) {
      const outcome = await mergeLanes(lanesOf(target, signal), { limit: limit - rows.length, deadlineMs: Math.max(1, deadlineMs - spent()) });
      for (const row of outcome.rows) rows.push(row);
      if (!outcome.ok) return refuse(outcome.error, rows, outcome.scannedTo ?? scannedTo);
      if (rows.length >= limit) break;
      scannedTo = target.range.end;
    }
    return { ok: true, rows, elapsedMs: spent() };
  }

  return { read, renew: () => reader.renew(), close: () => reader.close() };
}

/** What who would write is told: the table is another writer's. */
export const readOnly = ({ name }: ForeignLayout): Problem =>
  problem('BAD_INPUT', `the table has the foreign layout ${JSON.stringify(name)}, which Frontrow only reads`, 'write to a table of its own: leave the layout out and name another with --table');

/** What to do about a missing family differs from a table of ours. */
const ours = (error: Problem): Problem => (error.code === 'FAMILY_MISSING' ? { ...error, next: 'correct the families in the layout file' } : error);

const ID = /^([A-Z0-9^._-]{1,24})([#@~])/;

/** `one`: ticks of one index; `none`: bars, shards or metadata of one; `many`: anything else. */
function kindOf({ start, end }: KeyRange): 'one' | 'none' | 'many' {
  if (start.startsWith('!')) return end <= '"' ? 'none' : 'many';
  const [, id = '', separator = ''] = ID.exec(start) ?? [];
  if (id === '' || end > `${id}${String.fromCharCode(separator.charCodeAt(0) + 1)}`) return 'many';
  return separator === '#' ? 'one' : 'none';
}

function targetsOf(range: KeyRange, known: ReadonlyMap<IndexId, string>): { readonly id: IndexId; readonly range: KeyRange }[] {
  const kind = kindOf(range);
  if (kind === 'none') return [];
  if (kind === 'one') {
    const id = ID.exec(range.start)?.[1] ?? '';
    return isIndexId(id) ? [{ id, range }] : [];
  }
  return [...known.keys()].flatMap((id) => {
    const start = range.start > `${id}#` ? range.start : `${id}#`;
    const end = range.end < `${id}$` ? range.end : `${id}$`;
    return start < end ? [{ id, range: { start, end } }] : [];
  });
}

/** Programming errors, as the reader beneath tells them. */
function refusal({ ranges, limit = 0, deadlineMs, reversed }: ReadRequest): Problem | undefined {
  const bad = (what: string): Problem => problem('BAD_INPUT', what, 'correct the request');
  if (ranges.length === 0 || ranges.length > MAX_RANGES) return bad(`a read takes 1 to ${MAX_RANGES} ranges, not ${ranges.length}`);
  if (!Number.isInteger(limit) || limit < 0) return bad(`not a limit: ${limit}`);
  if (!(deadlineMs > 0)) return bad(`not a deadline: ${deadlineMs} ms`);
  if (reversed === true) return bad('a foreign table is read newest first');
  const wrong = ranges.find(({ start, end }) => start === '' || start >= end);
  return wrong && bad(`not a range of keys: [${JSON.stringify(wrong.start)}, ${JSON.stringify(wrong.end)})`);
}
