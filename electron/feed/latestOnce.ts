/** The newest price of indices, read once: for the command line. The same reads, decisions and base as on the desk. */
import type { Clock } from '../../shared/clock.ts';
import type { QuoteView } from '../../shared/channels.ts';
import { infoFor } from '../../shared/indices.ts';
import type { IndexInfo } from '../../shared/quote.ts';
import { failed, ok, type Problem, type Result } from '../../shared/result.ts';
import { type IndexId, isIndexId } from '../../shared/rowKey.ts';
import type { Reader } from '../bigtable/reader.ts';
import { readDailyBars } from './bases.ts';
import { createCatalog, MAX_INDICES } from './catalog.ts';
import { createEntry, type Entry } from './entry.ts';
import type { FeedConfig, FeedOptions } from './feedConfig.ts';
import { horizonAt } from './horizon.ts';
import { type ReadContext, scanNewest } from './reads.ts';
import { deadlineOf } from './schedule.ts';
import { absorbFuture, absorbTop } from './absorb.ts';
import { viewOf } from './view.ts';

const READS_IN_FLIGHT = 16;
const CATALOG_ROUNDS = 25; // of 200 steps each: 5,000 ids

export interface LatestOptions {
  readonly reader: Reader;
  readonly clock: Clock;
  /** Null: the registry, and ids found by skipping through the keys. */
  readonly ids: readonly string[] | null;
  readonly config: Pick<FeedConfig, 'intervalMs' | 'retentionDays' | 'storeKind'>;
  readonly registry?: FeedOptions['registry'];
}

export interface Latest {
  /** In the order asked for, else in key order. Those without a row are in `missing` instead. */
  readonly quotes: QuoteView[];
  readonly missing: string[];
  /** Of the missing: those that have rows, none of which can be decoded, each with one such key. */
  readonly unreadable: readonly { readonly id: string; readonly key: string }[];
  /** What was left out and why, or null. */
  readonly note: string | null;
}

export async function latestOnce(options: LatestOptions): Promise<Result<Latest>> {
  const { reader, clock, config } = options;
  const deadlineMs = deadlineOf(config.intervalMs);
  const { signal } = new AbortController();
  const listed = await listIndices(options, deadlineMs, signal);
  if (!listed.ok) return listed;
  const { infos, note } = listed.value;
  const entries = infos.map((info) => createEntry(info, clock.now()));
  const read: ReadContext = { reader, deadlineMs, signal, meter: () => {} };
  const trouble = await scanAll(entries, read, clock, config.retentionDays);
  if (trouble) return failed(trouble);
  const present = entries.filter((entry) => entry.track.latest !== null || entry.track.future !== null);
  if (present.length > 0) {
    const bars = await readDailyBars(reader, present.map((entry) => entry.info.id), clock.now(), deadlineMs, true);
    if (bars.error) return failed(bars.error);
    for (const entry of present) entry.bars = bars.bars.get(entry.info.id) ?? [];
  }
  const context = { clock, pace: clock.speed(), pollMs: config.intervalMs, failedCycles: 0, cycleFailure: null, skewMs: null };
  return ok({
    quotes: present.map((entry) => viewOf(entry, context, clock.now(), clock.elapsed())),
    missing: entries.filter((entry) => !present.includes(entry)).map((entry) => entry.info.id),
    unreadable: entries.filter((entry) => !present.includes(entry)).flatMap(({ info, track }) => [...track.undecodable].slice(0, 1).map((key) => ({ id: info.id, key }))),
    note,
  });
}

async function scanAll(entries: readonly Entry[], read: ReadContext, clock: Clock, retentionDays: number): Promise<Problem | null> {
  let next = 0;
  let trouble: Problem | null = null;
  const worker = async (): Promise<void> => {
    for (let entry = entries[next]; entry !== undefined && trouble === null; entry = entries[next]) {
      next += 1;
      const now = clock.now();
      const outcome = await scanNewest(read, { id: entry.info.id, now, retentionDays, fromHorizon: false, older: true });
      if (!outcome.ok) trouble = outcome.error;
      else {
        if (outcome.future) absorbFuture(entry.track, [outcome.future], true);
        absorbTop(entry.track, outcome.coverage, horizonAt(now), 0n);
        entry.everRead = true;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(READS_IN_FLIGHT, entries.length) }, worker));
  return trouble;
}

/** The indices of `ids` in that order, or, where it is null, all that the registry or the keys name, in key order; `note`: why there may be more. */
export async function listIndices(options: Pick<LatestOptions, 'reader' | 'ids' | 'registry'>, deadlineMs: number, signal: AbortSignal): Promise<Result<{ infos: IndexInfo[]; note: string | null }>> {
  const { reader, ids, registry } = options;
  if (ids !== null) {
    const wanted = [...new Set(ids)].filter(isIndexId);
    // The registry says which exchange and zone an id has; without it the built-in table does.
    const known = registry ? await registry(reader, deadlineMs) : ok([]);
    if (!known.ok) return known;
    const byId = new Map<IndexId, IndexInfo>(known.value.map((info) => [info.id, info]));
    return ok({ infos: wanted.map((id) => byId.get(id) ?? infoFor(id)), note: null });
  }
  const catalog = createCatalog({ reader, config: { indices: null }, ...(registry ? { registry } : {}) });
  // Each round reads the registry at most once; discovery goes on where it stopped.
  for (let round = 0; round < CATALOG_ROUNDS; round += 1) {
    const answer = await catalog.refresh(round * 10_000, deadlineMs, signal);
    if (answer.error) return failed(answer.error);
    if (!catalog.more) break;
  }
  return ok({ infos: [...catalog.list()], note: catalog.more ? `looking for ids stopped at its bounds (at most ${MAX_INDICES} ids): name the ones you want` : null });
}
