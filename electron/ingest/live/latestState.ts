/**
 * `!latest#ID` in family `m`, for other consumers: the newest tick of an index in one row that never goes back, whatever the order of its
 * writers. The dashboard never reads it. `m:x` orders: the tick's key (newest first as bytes), then its version, newest first.
 */
import type { Tick } from '../../../shared/quote.ts';
import { failed, ok, type Result } from '../../../shared/result.ts';
import { type IndexId, metaKey, tickKey, ticksUpTo } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros, SECOND } from '../../../shared/time.ts';
import type { Change, Conditional } from '../../bigtable/conditional.ts';
import { decodeTick } from '../../bigtable/decode.ts';
import type { Reader } from '../../bigtable/reader.ts';
import type { TickIdentity } from './liveTick.ts';

export type LatestTick = Pick<Tick, 'index' | 'time' | 'sequence' | 'price' | 'ingest' | 'source'>;

const NEWEST = 2n ** 63n - 1n;
const ORDER = { family: 'm', qualifier: 'x' } as const;
const DEADLINE = 10_000;
const SOME = 50;

const orderOf = ({ index, time, sequence }: TickIdentity, version: bigint): string => `${tickKey(index, time, sequence)} ${(NEWEST - version).toString().padStart(19, '0')}`;

function rowOf(tick: LatestTick, version: bigint): NonNullable<Change> {
  const columns = { x: orderOf(tick, version), k: tickKey(tick.index, tick.time, tick.sequence), p: tick.price, i: tick.ingest?.toString() ?? '', s: tick.source ?? '' };
  return { kind: 'replace', version, cells: Object.entries(columns).map(([qualifier, value]) => ({ family: 'm', qualifier, value })) };
}

/** After the tick itself is written: replaces an older tick, or an older version of the same. True where it did. Safe to repeat. */
export async function advanceLatest(conditional: Conditional, tick: LatestTick, version: bigint): Promise<Result<boolean>> {
  // stored at or before ours as bytes: newer, or the same
  const done = await conditional.check(metaKey('latest', tick.index), { ...ORDER, to: orderOf(tick, version) }, null, rowOf(tick, version));
  return done.ok ? ok(!done.value) : done;
}

/** After a tick was deleted: where it was the latest, the newest that is left takes its place. */
export async function repairLatest(reader: Reader, conditional: Conditional, deleted: TickIdentity, now: EpochMicros): Promise<Result<null>> {
  const key = tickKey(deleted.index, deleted.time, deleted.sequence);
  const left = await newestTick(reader, deleted.index, now);
  if (!left.ok) return left;
  const change: Change = left.value ? rowOf(left.value.tick, left.value.version) : { kind: 'delete' };
  const done = await conditional.check(metaKey('latest', deleted.index), { ...ORDER, from: `${key} `, to: `${key}!` }, change, null);
  if (!done.ok) return done;
  if (!done.value) return ok(null);
  // One that came in between gave way to the deleted tick, and is there since before our change.
  const again = await newestTick(reader, deleted.index, now);
  if (!again.ok || !again.value) return again.ok ? ok(null) : again;
  const advanced = await advanceLatest(conditional, again.value.tick, again.value.version);
  return advanced.ok ? ok(null) : advanced;
}

/** The newest readable tick that is not ahead of its time. */
async function newestTick(reader: Reader, index: IndexId, now: EpochMicros): Promise<Result<{ tick: Tick; version: bigint } | null>> {
  const read = await reader.read({ ranges: [ticksUpTo(index, micros(now + 5n * SECOND))], limit: SOME, deadlineMs: DEADLINE, families: ['q', 'h'] });
  if (!read.ok) return failed(read.error);
  for (const row of read.rows) {
    const tick = decodeTick(row);
    if (!tick.ok) continue;
    const version = row.cells.get(`${tick.value.family}:p`)?.version ?? 0n;
    return ok({ tick: tick.value, version });
  }
  return ok(null);
}
