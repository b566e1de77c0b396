/** `frontrow shard --measure`: writes a second and share of each index, the key range that takes them, and whether shards are advised. */
import { inLanes } from '../../shared/lanes.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { type IndexId, isIndexId, metaRange } from '../../shared/rowKey.ts';
import { formatIso } from '../../shared/time.ts';
import { keyRangeEnds } from '../bigtable/keyRanges.ts';
import { type IndexLayout, layoutsOf } from '../bigtable/layout/layouts.ts';
import { measureLoad, PLACE_LIMIT, type Share, sharesOf } from '../bigtable/layout/load.ts';
import { shardsAt } from '../bigtable/layout/schedule.ts';
import { readRegistry } from '../bigtable/registry.ts';
import type { Parsed } from '../config/options.ts';
import { deskClock } from '../desk/deskClock.ts';
import type { OpenStore } from '../desk/openStore.ts';
import { createCatalog } from '../feed/catalog.ts';
import type { Streams } from './command.ts';
import { withOwnTable } from './withOwnTable.ts';

const READS_IN_FLIGHT = 8;
const DEADLINE_MS = 20_000;
const CATALOG_ROUNDS = 25;
const WINDOW_SECONDS = 60;

export async function measure(parsed: Parsed, streams: Streams, signal: AbortSignal): Promise<Result<number, Problem>> {
  const given = parsed.positionals;
  const wrong = given.find((id) => !isIndexId(id));
  if (wrong !== undefined) return failed(problem('BAD_INPUT', `not an index id: ${JSON.stringify(wrong.slice(0, 40))}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -'));
  const window = parsed.values['window'] ?? String(WINDOW_SECONDS);
  if (typeof window !== 'string' || !/^\d{1,5}$/.test(window) || Number(window) < 1 || Number(window) > 86_400) return failed(problem('BAD_INPUT', '--window is not seconds of 1 to 86400', 'leave it out for 60'));
  return withOwnTable(parsed, async (store, settings) => {
    const clock = deskClock(settings.testNow);
    const ids = given.length > 0 ? ok([...new Set(given)].filter(isIndexId)) : await everyId(store, signal);
    if (!ids.ok) return ids;
    const [registry, splits, loads] = await Promise.all([
      store.physical.read({ ranges: [metaRange('index')], limit: 10_001, deadlineMs: DEADLINE_MS, families: ['m'] }),
      keyRangeEnds(store.address),
      inLanes(ids.value, READS_IN_FLIGHT, (id) => measureLoad(store.reader, id, Number(window), clock.now(), signal)),
    ]);
    if (!registry.ok) return failed(registry.error);
    if (!splits.ok) return splits;
    if (!loads.ok) return loads;
    const layouts = layoutsOf(registry.rows);
    const shares = sharesOf(loads.value, splits.value, layouts, (id) => shardsNow(layouts.byId.get(id), clock.now()));
    const json = parsed.values['json'] === true;
    for (const share of shares.toSorted((a, b) => b.load.writesPerSecond - a.load.writesPerSecond)) await streams.out(json ? JSON.stringify(contractOf(share)) : line(share));
    if (!json) await streams.out(`shards are advised above ${PLACE_LIMIT} writes/s in one place: half of what a node takes (14,000 rows of 1 KB) at a CPU of 60 %; key ranges: ${splits.value.length + 1}`);
    return shares.some(({ load }) => load.ticks > 0) ? ok(0) : failed(problem('NOT_FOUND', 'no ticks to measure', 'check the ids, or write some'));
  });
}

const shardsNow = (layout: IndexLayout | undefined, now: bigint): number => (layout?.schedule ? shardsAt(layout.schedule, now) : 1);

async function everyId(store: OpenStore, signal: AbortSignal): Promise<Result<IndexId[]>> {
  const catalog = createCatalog({ reader: store.reader, config: { indices: null }, registry: readRegistry });
  for (let round = 0; round < CATALOG_ROUNDS; round += 1) {
    const answer = await catalog.refresh(round * 10_000, DEADLINE_MS, signal);
    if (answer.error) return failed(answer.error);
    if (!catalog.more) break;
  }
  return ok(catalog.list().map(({ id }) => id));
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

const contractOf = ({ load, share, shards, range, rangeShare, suggested }: Share) => ({
  index: load.index, ticks: load.ticks, spanSeconds: round(load.spanSeconds, 6), newestMicros: load.newest === null ? null : String(load.newest), newestTime: load.newest === null ? null : formatIso(load.newest),
  writesPerSecond: round(load.writesPerSecond, 3), bytesPerSecond: Math.round(load.bytesPerSecond), share: round(share, 6), range, rangeShare: round(rangeShare, 6),
  shards, suggestedShards: suggested, advised: suggested > shards,
});

function line({ load, share, shards, rangeShare, suggested }: Share): string {
  const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
  const advice = suggested > shards ? `shards advised: frontrow shard ${load.index} ${suggested}` : load.ticks === 0 ? 'no ticks' : 'no shards needed';
  return [load.index.padEnd(12), `${load.writesPerSecond.toFixed(1)} writes/s`.padStart(18), percent(share).padStart(9), `its key range ${percent(rangeShare)}`.padStart(24), `${shards} now`.padStart(8), ` ${advice}`].join(' ');
}
