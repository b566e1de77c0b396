/** `frontrow shard`: how many key ranges an index is written to, from which event time on; and whether that is called for, measured. */
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { type IndexId, isIndexId, keyAfter, metaKey } from '../../shared/rowKey.ts';
import { type EpochMicros, formatIso, fromMillis, parseTime } from '../../shared/time.ts';
import { createConditional } from '../bigtable/conditional.ts';
import { changeShards } from '../bigtable/layout/change.ts';
import { layoutsOf } from '../bigtable/layout/layouts.ts';
import { type Schedule, shardsAt } from '../bigtable/layout/schedule.ts';
import type { Settings } from '../config/settings.ts';
import { deskClock } from '../desk/deskClock.ts';
import type { OpenStore } from '../desk/openStore.ts';
import type { Command, Streams } from './command.ts';
import { measure } from './shardMeasure.ts';
import { withOwnTable } from './withOwnTable.ts';

const text = { type: 'string' } as const;

export const shard: Command = {
  summary: 'split a hot index over several key ranges, or measure which are hot',
  usage: 'shard ID N [--at TIME] [--json] | shard ID [--json] | shard --measure [ID...] [--window SECONDS] [--json]   (N 1 to 100; 1 goes back)',
  options: { at: text, measure: { type: 'boolean' }, window: text },
  positionals: { min: 0, max: 5000 },
  async run(parsed, streams, signal) {
    const json = parsed.values['json'] === true;
    if (parsed.values['measure'] === true) return measure(parsed, streams, signal);
    const [id = '', count, extra] = parsed.positionals;
    if (id === '' || extra !== undefined) return failed(problem('BAD_INPUT', 'shard takes an index and a number of shards', `use ${shard.usage}`));
    if (!isIndexId(id)) return failed(problem('BAD_INPUT', `not an index id: ${JSON.stringify(id.slice(0, 40))}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -'));
    if (count === undefined) return withOwnTable(parsed, (store, settings) => show(store, id, nowOf(store, settings), streams, json));
    if (!/^\d{1,3}$/.test(count)) return failed(problem('BAD_INPUT', `not a number of shards: ${JSON.stringify(count.slice(0, 20))}`, 'give 1 to 100'));
    const at = instantOf(parsed.values['at']);
    if (!at.ok) return at;
    return withOwnTable(parsed, (store, settings) => change(store, id, Number(count), at.value, nowOf(store, settings), streams, json));
  },
};

/** Writers elsewhere go by the world's clock, whatever this one is told; a store on this machine is ours. */
export function nowOf(store: OpenStore, { testNow }: Settings): () => EpochMicros {
  if (store.address.kind === 'bigtable') return () => fromMillis(Date.now());
  const clock = deskClock(testNow);
  return () => clock.now();
}

export function instantOf(given: string | boolean | undefined): Result<EpochMicros | null, Problem> {
  if (typeof given !== 'string') return ok(null);
  try {
    return ok(parseTime(given));
  } catch (error) {
    return failed(problem('BAD_INPUT', `--at: ${error instanceof Error ? error.message : 'not a time'}`, 'give ISO 8601 with Z'));
  }
}

async function change(store: OpenStore, id: IndexId, count: number, at: EpochMicros | null, now: () => EpochMicros, streams: Streams, json: boolean): Promise<Result<number, Problem>> {
  const conditional = createConditional(store.address);
  try {
    const changed = await changeShards({ reader: store.physical, conditional, machineMillis: () => Date.now() }, id, count, at, now);
    if (!changed.ok) return changed;
    const { before, after } = changed.value;
    await tell(id, after, now(), streams, json);
    if (json) return ok(0);
    if (before === after) await streams.out(`${id}: nothing to change`);
    else await streams.out('every reader and writer reads the registry at least once a minute before that; a writer that can not stops and says so');
    return ok(0);
  } finally {
    await conditional.close();
  }
}

async function show(store: OpenStore, id: IndexId, now: () => EpochMicros, streams: Streams, json: boolean): Promise<Result<number, Problem>> {
  const key = metaKey('index', id);
  const read = await store.physical.read({ ranges: [{ start: key, end: keyAfter(key) }], limit: 1, deadlineMs: 10_000, families: ['m'] });
  if (!read.ok) return failed(read.error);
  const layout = layoutsOf(read.rows).byId.get(id);
  if (layout?.schedule === null) return failed(problem('BAD_DATA', `registry row "${key}", column m:shards is no schedule`, 'correct that column: MICROS:N by rising time, separated by blanks'));
  await tell(id, layout?.schedule ?? [], now(), streams, json);
  if (!json && layout?.formerly) await streams.out(`${id}: was ${layout.formerly.id} before ${formatIso(layout.formerly.until)}`);
  return ok(0);
}

async function tell(id: IndexId, schedule: Schedule, now: EpochMicros, streams: Streams, json: boolean): Promise<void> {
  const changes = schedule.map(({ from, shards }) => ({ effectiveTime: formatIso(from), effectiveMicros: String(from), shards }));
  if (json) {
    await streams.out(JSON.stringify({ index: id, shardsNow: shardsAt(schedule, now), changes }));
    return;
  }
  if (changes.length === 0) await streams.out(`${id}: one key range, never sharded`);
  for (const [at, { effectiveTime, shards }] of changes.entries()) {
    const pending = (schedule[at]?.from ?? now) > now;
    await streams.out(`${id}: ${shards === 1 ? 'one key range' : `${shards} shards`} for events from ${effectiveTime} on${pending ? ' (to come)' : ''}`);
  }
}
