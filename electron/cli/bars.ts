/** `frontrow bars`: makes bars from ticks where they are missing or wrong, and with `--follow` keeps them as the ticks are. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { MADE_RESOLUTIONS } from '../../shared/bars.ts';
import { infoFor } from '../../shared/indices.ts';
import type { IndexInfo } from '../../shared/quote.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { type IndexId, isIndexId } from '../../shared/rowKey.ts';
import { type EpochMicros, formatIso, parseTime } from '../../shared/time.ts';
import { ensureTable, tickRetentionDays } from '../bigtable/admin.ts';
import { createConditional } from '../bigtable/conditional.ts';
import type { Reader } from '../bigtable/reader.ts';
import { readRegistry } from '../bigtable/registry.ts';
import type { Parsed } from '../config/options.ts';
import { ownDatesPath, useOwnDates } from '../config/ownDates.ts';
import type { Settings } from '../config/settings.ts';
import { deskClock } from '../desk/deskClock.ts';
import type { OpenStore } from '../desk/openStore.ts';
import { createCatalog } from '../feed/catalog.ts';
import { followBars } from '../ingest/bars/follow.ts';
import { type BarLeases, createBarLeases } from '../ingest/bars/lease.ts';
import { makeBars, type Maker, type Run, takenBy } from '../ingest/bars/makeBars.ts';
import { sleep } from '../ingest/sleep.ts';
import type { Command, Streams } from './command.ts';
import { errorLine } from './exit.ts';
import { withStore } from './withStore.ts';

const text = { type: 'string' } as const;
const LANES = 4;
/** A crashed maker's lease is over by then; one that is alive has renewed it. */
const LEASE_PATIENCE = 18_000;
const LIST_DEADLINE = 10_000;
const MANY_ROUNDS = 25;

export const bars: Command = {
  summary: 'make bars from ticks, and keep making them',
  usage: 'bars [ID...] [--from T] [--to T] [--follow] [--json]',
  options: { from: text, to: text, follow: { type: 'boolean' } },
  positionals: { min: 0, max: 5000 },
  async run(parsed, streams, signal) {
    const asked = request(parsed);
    if (!asked.ok) return asked;
    const { ids, from, to, follow } = asked.value;
    return withStore(parsed, async (store, settings) => {
      if (follow && store.address.kind === 'embedded') {
        const ensured = await ensureTable(store.address);
        if (!ensured.ok) return ensured;
      }
      const conditional = createConditional(store.address);
      const leases = createBarLeases({ reader: store.reader, conditional, token: `${hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-')}:${process.pid}:${randomUUID().slice(0, 8)}`, machineMillis: () => Date.now() });
      const unreadable = new Map<string, Problem>();
      try {
        const maker = await makerFor(store, settings, { leases, streams, signal, unreadable });
        const listed = listing(store.reader, ids ?? settings.indices);
        const list: typeof listed = async () => {
          if (follow) await useOwnDates(ownDatesPath(settings)); // a date may have been corrected since the last round
          return listed();
        };
        const report = (run: Run): Promise<void> => print(run, follow, parsed.values['json'] === true, streams);
        const done = follow
          ? await followBars({
            maker, list, from, onRun: report, onCatchUp: progress(streams),
            onTrouble: (trouble) => { streams.err(trouble ? `frontrow: ${trouble.code}: ${trouble.what}; trying again` : 'all is well again'); },
          })
          : await once(maker, leases, list, { from, to }, report, streams);
        if (streams.terminal) process.stderr.write('\r\u001B[K');
        const [first] = unreadable.values();
        if (first) streams.err(errorLine({ ...first, what: `rows left out: ${unreadable.size}, the first: ${first.what}` }).trimEnd());
        return done.ok ? ok(0) : done;
      } finally {
        await leases.release();
        await conditional.close();
      }
    }, { mustExist: !follow });
  },
};

interface Request {
  readonly ids: readonly IndexId[] | null;
  readonly from: EpochMicros | null;
  readonly to: EpochMicros | null;
  readonly follow: boolean;
}

function request({ positionals, values }: Parsed): Result<Request> {
  const bad = (what: string, next: string): Result<never> => failed(problem('BAD_INPUT', what, next));
  const ids = [...new Set(positionals)].filter(isIndexId);
  const wrong = positionals.find((id) => !isIndexId(id));
  if (wrong !== undefined) return bad(`not an index id: ${JSON.stringify(wrong.slice(0, 40))}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -');
  const follow = values['follow'] === true;
  try {
    const [from, to] = [values['from'], values['to']].map((time) => (typeof time === 'string' ? parseTime(time) : null));
    if (follow && to != null) return bad('--follow has no end, and --to is one', 'give one of them');
    if (from != null && to != null && from > to) return bad('--from is after --to', 'swap them');
    return ok({ ids: ids.length > 0 ? ids : null, from: from ?? null, to: to ?? null, follow });
  } catch (error) {
    return bad(error instanceof Error ? error.message : String(error), 'give ISO 8601 with Z');
  }
}

async function makerFor(store: OpenStore, settings: Settings, { leases, streams, signal, unreadable }: { leases: BarLeases; streams: Streams; signal: AbortSignal; unreadable: Map<string, Problem> }): Promise<Maker> {
  // Where the table keeps ticks for a shorter time than the settings say, some may be gone that look as if they were never there.
  const kept = await tickRetentionDays(store.address);
  const retentionDays = kept.ok && kept.value !== null ? Math.min(kept.value, settings.retentionDays) : settings.retentionDays;
  return {
    reader: store.reader, writer: await store.writer(), clock: deskClock(settings.testNow), retentionDays, leases, signal, sleep,
    machineMillis: () => Date.now(), patienceMs: 30_000,
    skipped: (_index, key, why) => void (unreadable.size < 10_000 && unreadable.set(key, why)),
    onProblem: (trouble) => { if (trouble) streams.err(`frontrow: ${trouble.code}: ${trouble.what}; writing again until it works`); },
  };
}

/** The asked-for indices as the registry describes them; else all of the registry, and ids found by skipping through the keys. */
function listing(reader: Reader, ids: readonly string[] | null): () => Promise<Result<readonly IndexInfo[]>> {
  const catalog = createCatalog({ reader, config: { indices: null }, registry: readRegistry });
  const started = performance.now();
  return async () => {
    if (ids !== null) {
      const known = await readRegistry(reader, LIST_DEADLINE);
      if (!known.ok) return known;
      const byId = new Map<IndexId, IndexInfo>(known.value.map((info) => [info.id, info]));
      return ok(ids.filter(isIndexId).map((id) => byId.get(id) ?? infoFor(id)));
    }
    for (let round = 0; round < MANY_ROUNDS; round += 1) {
      const answer = await catalog.refresh(performance.now() - started + round * 10_000, LIST_DEADLINE, new AbortController().signal);
      if (answer.error) return failed(answer.error);
      if (!catalog.more) break;
    }
    return ok([...catalog.list()]);
  };
}

async function once(maker: Maker, leases: BarLeases, list: () => Promise<Result<readonly IndexInfo[]>>, span: { from: EpochMicros | null; to: EpochMicros | null }, report: (run: Run) => Promise<void>, streams: Streams): Promise<Result<null>> {
  const infos = await list();
  if (!infos.ok) return infos;
  const missing: string[] = [];
  let [next, found] = [0, 0];
  const troubles: Problem[] = [];
  const lane = async (): Promise<void> => {
    for (let info = infos.value[next++]; info !== undefined && !maker.signal.aborted; info = infos.value[next++]) {
      const held = await waitForLease(maker, leases, info, streams);
      const made = held.ok ? await makeBars(maker, info, span, progress(streams)) : held;
      if (!made.ok) {
        troubles.push(made.error);
        // Another index may be free; a store that is gone is gone for all.
        if (made.error.code !== 'STORE_BUSY') return;
      } else if (made.value.ticks === 0) missing.push(info.id);
      else {
        found += 1;
        await report(made.value);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, infos.value.length) }, lane));
  if (maker.signal.aborted) return failed(problem('CANCELLED', 'making bars was stopped', 'run it again: what is made stays'));
  const [first, ...rest] = troubles;
  for (const trouble of rest) streams.err(errorLine(trouble).trimEnd());
  if (first) return failed(first);
  if (found === 0) return failed(problem('NOT_FOUND', missing.length === 0 ? 'no index has ticks' : `no ticks of ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ', ...' : ''} in that range`, 'check the ids and the range'));
  for (const id of missing) streams.err(errorLine(problem('NOT_FOUND', `no ticks of ${id}`, 'check the id')).trimEnd());
  return ok(null);
}

async function waitForLease(maker: Maker, leases: BarLeases, info: IndexInfo, streams: Streams): Promise<Result<null>> {
  const begun = maker.clock.elapsed();
  for (let told = false; ; told = true) {
    const held = await leases.hold(info.id);
    if (!held.ok) return held;
    if (held.value.kind === 'held') return ok(null);
    if (maker.signal.aborted || maker.clock.elapsed() - begun > LEASE_PATIENCE) return failed(takenBy(info, held.value.by));
    if (!told) streams.err(`${info.id}: its bars are made by ${held.value.by}; waiting for it to end`);
    await maker.sleep(1000, maker.signal);
  }
}

function progress(streams: Streams): (run: Run, reached: EpochMicros) => void {
  return (run, reached) => {
    if (streams.terminal && run.ticks > 0) process.stderr.write(`\r${run.index}: ${run.ticks} ticks, back to ${formatIso(reached).slice(0, 16)}Z\u001B[K`);
  };
}

/** While following, only what changed. */
async function print({ index, ticks, outside, tallies }: Run, changesOnly: boolean, json: boolean, streams: Streams): Promise<void> {
  if (streams.terminal) process.stderr.write('\r\u001B[K');
  const shown = MADE_RESOLUTIONS.filter((resolution) => !changesOnly || tallies[resolution].made + tallies[resolution].changed + tallies[resolution].erased > 0);
  if (json) {
    for (const resolution of shown) await streams.out(JSON.stringify({ index, resolution, ...tallies[resolution], ticks, outOfSession: outside }));
    return;
  }
  const told = shown.map((resolution) => {
    const { bars: all, made, changed, erased, frozen } = tallies[resolution];
    const parts = [`${made} made`, ...(changed > 0 ? [`${changed} changed`] : []), ...(erased > 0 ? [`${erased} erased`] : []), ...(frozen > 0 ? [`${frozen} frozen`] : [])];
    return `${resolution} ${all} (${parts.join(', ')})`;
  });
  await streams.out(`${index.padEnd(8)} ${ticks} ticks${outside > 0 ? ` (${outside} in no session)` : ''}: ${told.join('; ')}`);
}
