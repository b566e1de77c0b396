/** Several sorted streams of canonical rows to the one answer that a plain read over a canonical table would give. */
import { type Problem, problem } from '../../../shared/result.ts';
import type { ReadOutcome, Row } from '../reader.ts';

const LANES_IN_FLIGHT = 16;
/** Reads up to here ask every lane for the whole limit: one round, however the rows are spread. */
const SMALL_LIMIT = 100;
const SLACK = 32;

/** A stream of rows in canonical key order, read page by page. */
export interface Lane {
  /** Its next rows, about `most` of them (0: all). Never rejects; not called again after an error or its end. */
  page(most: number, deadlineMs: number): Promise<LanePage>;
  /** Whether this is where the row with that canonical key belongs: decides between two rows of one identity. */
  owns?(key: string): boolean;
}

export interface LanePage {
  readonly rows: readonly Row[];
  /** Every row of the lane before this canonical key has been given, '' none; null: all of them, it has ended. */
  readonly knownTo: string | null;
  readonly error: Problem | null;
}

interface LaneState {
  readonly lane: Lane;
  rows: readonly Row[];
  knownTo: string | null;
  error: Problem | null;
}

/**
 * The first `limit` rows of all lanes (0: all) in key order, a key that several have once. A row is given only when every lane is known
 * beyond it, so that a failed answer is the beginning of the whole one: `scannedTo` is as far as all of them came.
 */
export async function mergeLanes(lanes: readonly Lane[], { limit, deadlineMs }: { readonly limit: number; readonly deadlineMs: number }): Promise<ReadOutcome> {
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const states = lanes.map((lane): LaneState => ({ lane, rows: [], knownTo: '', error: null }));
  const rows: Row[] = [];
  for (let round = 0; ; round += 1) {
    const open = states.filter(({ knownTo }) => knownTo !== null);
    const knownTo = leastOf(open);
    if (round > 0) for (const row of takeBefore(states, knownTo)) rows.push(row);
    if (limit > 0 && rows.length >= limit) {
      rows.length = limit;
      return { ok: true, rows, elapsedMs: elapsed() };
    }
    if (knownTo === null) return { ok: true, rows, elapsedMs: elapsed() };
    // Only those that hold the answer up: what the others have given may be enough already.
    const behind = open.filter((state) => state.knownTo === knownTo);
    const left = deadlineMs - elapsed();
    const error = behind.find((state) => state.error !== null)?.error ?? (left <= 0 ? late(deadlineMs) : null);
    if (error !== null) return { ok: false, error, rows, scannedTo: knownTo === '' ? null : knownTo, elapsedMs: elapsed() };
    await readPages(behind, mostOf(limit, rows.length, round === 0 ? lanes.length : 1), () => deadlineMs - elapsed());
  }
}

/** Shards of one index hold about the same share of any span; the first round asks for that, the next for all that is missing. */
function mostOf(limit: number, have: number, share: number): number {
  if (limit === 0) return 0;
  const missing = limit - have;
  return missing <= SMALL_LIMIT ? missing : Math.min(missing, Math.ceil(missing / share) + SLACK);
}

async function readPages(states: readonly LaneState[], most: number, left: () => number): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let state = states[next]; state !== undefined; state = states[next]) {
      next += 1;
      const page = await state.lane.page(most, Math.max(1, left()));
      state.rows = state.rows.length === 0 ? page.rows : [...state.rows, ...page.rows];
      state.knownTo = page.knownTo;
      state.error = page.error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES_IN_FLIGHT, states.length) }, worker));
}

/** How far all of them are known; null: to their ends. */
function leastOf(states: readonly LaneState[]): string | null {
  let least: string | null = null;
  for (const { knownTo } of states) if (knownTo !== null && (least === null || knownTo < least)) least = knownTo;
  return least;
}

/** Takes the rows before `end` (null: all) out of all lanes, in key order, each key once. */
function takeBefore(states: readonly LaneState[], end: string | null): Row[] {
  const taken: { readonly lane: Lane; readonly rows: readonly Row[] }[] = [];
  for (const state of states) {
    const count = end === null ? state.rows.length : countBefore(state.rows, end);
    if (count === 0) continue;
    taken.push({ lane: state.lane, rows: count === state.rows.length ? state.rows : state.rows.slice(0, count) });
    state.rows = count === state.rows.length ? [] : state.rows.slice(count);
  }
  const [first] = taken;
  if (first === undefined) return [];
  if (taken.length === 1) return [...first.rows];
  // Sorting sees the runs: it merges them.
  const sorted = taken.flatMap(({ rows }) => rows).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const once: Row[] = [];
  for (const row of sorted) {
    const last = once.at(-1);
    if (last?.key !== row.key) once.push(row);
    else if (taken.some(({ lane, rows }) => lane.owns?.(row.key) === true && rows.includes(row))) once[once.length - 1] = row;
  }
  return once;
}

function countBefore(rows: readonly Row[], end: string): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.key ?? end) < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

const late = (deadlineMs: number): Problem => problem('STORE_TIMEOUT', `the parts of a read did not all come within ${Math.round(deadlineMs)} ms`, 'check the store and the network to it', true);
