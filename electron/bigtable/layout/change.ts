/** Changes of where an index's rows lie: planned against what the registry says, then written on the condition that it still says so. */
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import { type IndexId, keyAfter, metaKey } from '../../../shared/rowKey.ts';
import { type EpochMicros, formatIso, micros, SECOND } from '../../../shared/time.ts';
import type { Conditional, Condition } from '../conditional.ts';
import type { Reader } from '../reader.ts';
import type { Formerly, Layouts } from './layouts.ts';
import { formatSchedule, MAX_CHANGES, MAX_SHARDS, parseSchedule, type Schedule } from './schedule.ts';

/** Two refreshes of the registry: after them every reader and writer knows, or has stopped. */
export const LEAD = 60n * SECOND;
const DEFAULT_LEAD = 90n * SECOND;
const TRIES = 5;
const DEADLINE_MS = 10_000;

const bad = (what: string, next: string): Result<never, Problem> => failed(problem('BAD_INPUT', what, next));

/** The schedule with `shards` appended from `at` on (null: a minute and a half ahead); null where it says so already. */
export function planShards(current: Schedule, shards: number, at: EpochMicros | null, now: EpochMicros): Result<Schedule | null> {
  if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS) return bad(`not a number of shards: ${shards}`, `give 1 to ${MAX_SHARDS}; 1 goes back to a single key range`);
  const last = current.at(-1);
  if ((last?.shards ?? 1) === shards) return ok(null);
  if (current.length >= MAX_CHANGES) return bad(`this index has changed its shards ${MAX_CHANGES} times`, 'keep what it has');
  const soon = now + DEFAULT_LEAD;
  const whole = soon + (SECOND - (soon % SECOND));
  const from = at ?? micros(last !== undefined && last.from >= whole ? last.from + SECOND : whole);
  if (from < now + LEAD) return bad(`${formatIso(from)} is not 60 s ahead`, 'give a later --at: every reader and writer must have read the registry twice before it takes effect');
  if (last !== undefined && from <= last.from) return bad(`a change to ${last.shards} shards takes effect at ${formatIso(last.from)}`, 'give an --at after that');
  return ok([...current, { from, shards }]);
}

/** `id` was `old` before `until`; null where the registry says so already. Fails where that would make a circle, or contradict another name. */
export function planRename(layouts: Layouts, id: IndexId, { id: old, until }: Formerly, now: EpochMicros): Result<Formerly | null> {
  const known = layouts.byId.get(id)?.formerly ?? null;
  if (known !== null && known.id === old && known.until === until) return ok(null);
  if (id === old) return bad(`${id} is its own name`, 'give the old name, then the new one');
  if (known !== null && known.id !== old) return bad(`${id} was ${known.id} before ${formatIso(known.until)}`, `take that back first: frontrow rename ${known.id} ${id} --undo`);
  const other = [...layouts.byId.values()].find((one) => one.id !== id && one.formerly?.id === old);
  if (other) return bad(`${old} is the old name of ${other.id}`, `take that back first: frontrow rename ${old} ${other.id} --undo`);
  const names = new Set<IndexId>();
  for (let older = layouts.byId.get(old)?.formerly; older && !names.has(older.id); older = layouts.byId.get(older.id)?.formerly) {
    names.add(older.id);
    if (older.id === id) return bad(`${old} was ${id} before ${formatIso(older.until)}`, `take that back first: frontrow rename ${id} ${old} --undo`);
  }
  if (until > now && until < now + LEAD) return bad(`${formatIso(until)} is in less than 60 s`, 'give a time that has passed, or a later one: every reader and writer must have read the registry twice before it');
  return ok({ id: old, until });
}

export const formatFormerly = (formerly: Formerly | null): string => (formerly === null ? '' : `${formerly.id} ${formerly.until}`);

export interface Registry {
  /** Of the table's own keys. */
  readonly reader: Reader;
  readonly conditional: Pick<Conditional, 'check'>;
  /** The machine's clock, milliseconds: version times. */
  readonly machineMillis: () => number;
}

/** Appends to the schedule of an index. The value: what was there, and what is there now (the same where nothing had to change). */
export async function changeShards(registry: Registry, id: IndexId, shards: number, at: EpochMicros | null, now: () => EpochMicros): Promise<Result<{ readonly before: Schedule; readonly after: Schedule }>> {
  let found: { before: Schedule; after: Schedule } | null = null;
  const changed = await changeColumn(registry, id, 'shards', (text) => {
    const before = parseSchedule(text);
    if (!before) return failed(problem('BAD_DATA', `registry row "!index#${id}", column m:shards is no schedule: ${JSON.stringify(text.slice(0, 60))}`, 'correct that column: MICROS:N by rising time, separated by blanks'));
    const planned = planShards(before, shards, at, now());
    if (!planned.ok) return planned;
    found = { before, after: planned.value ?? before };
    return ok(formatSchedule(found.after));
  });
  if (!changed.ok) return changed;
  return found === null ? failed(problem('INTERNAL', 'no plan was made', 'report this as a bug')) : ok(found);
}

/** Writes the former name of `id`; null takes it back. */
export const changeFormerly = (registry: Registry, id: IndexId, formerly: Formerly | null, expected: Formerly | null): Promise<Result<null>> =>
  changeColumn(registry, id, 'formerly', (text) => (text === formatFormerly(expected) ? ok(formatFormerly(formerly)) : bad(`the former name of ${id} was changed meanwhile`, 'look at it with `frontrow shard`, then try again')));

/** Reads one column, and writes what `plan` makes of it only where nobody else has written it meanwhile; else plans anew. */
async function changeColumn({ reader, conditional, machineMillis }: Registry, id: IndexId, qualifier: string, plan: (text: string) => Result<string>): Promise<Result<null>> {
  const key = metaKey('index', id);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const read = await reader.read({ ranges: [{ start: key, end: keyAfter(key) }], limit: 1, deadlineMs: DEADLINE_MS, families: ['m'] });
    if (!read.ok) return failed(read.error);
    const cell = read.rows[0]?.cells.get(`m:${qualifier}`);
    const text = cell?.value.toString('latin1') ?? '';
    const wanted = plan(text);
    if (!wanted.ok) return wanted;
    if (wanted.value === text) return ok(null);
    const stored = cell === undefined ? 0n : cell.version + 1000n;
    const machine = BigInt(Math.floor(machineMillis())) * 1000n;
    const change = { kind: 'set', cells: [{ family: 'm', qualifier, value: wanted.value }], version: machine > stored ? machine : stored } as const;
    const column = { family: 'm', qualifier } as const;
    // An empty text and no cell are the same to us: both have no value of one character or more.
    const condition: Condition = text === '' ? { ...column, from: '\0' } : { ...column, from: text, to: text };
    const held = text === '' ? await conditional.check(key, condition, null, change) : await conditional.check(key, condition, change, null);
    if (!held.ok) return failed({ ...held.error, next: `${held.error.next}; whether it was written is not known: run it again, done twice it is done once` });
    if (held.value === (text !== '')) return ok(null);
  }
  return failed(problem('STORE_BUSY', `registry row "${key}" was changed by others ${TRIES} times meanwhile`, 'try again', true));
}

