/** Reads before writing: what the table holds at the instants that a batch touches. */
import { failed, ok, problem, type Problem, type Result } from '../../../shared/result.ts';
import { decodeKey, type IndexId, keyAfter, tickKey, tickRange, ticksUpTo } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros, SECOND } from '../../../shared/time.ts';
import { decodeTick } from '../../bigtable/decode.ts';
import type { Reader, ReadRequest, Row } from '../../bigtable/reader.ts';
import type { Held, Known } from './known.ts';
import { type LiveTick, valuesOf } from './liveTick.ts';
import { SLOT_SIZE } from './slot.ts';
import type { Watermarks } from './watermarks.ts';

const RANGES = 100;
const IN_FLIGHT = 8;
const DEADLINE = 20_000;
const AHEAD = 5n * SECOND;

export interface ReadBefore {
  readonly reader: Reader;
  readonly known: Known;
  readonly watermarks: Watermarks;
  readonly slot: number;
  readonly now: () => EpochMicros;
}

/** Afterwards `known` has every instant of `ticks`. Fails with the store's first problem, and may then be asked again. */
export async function readBefore(ticks: readonly Pick<LiveTick, 'index' | 'time'>[], context: ReadBefore): Promise<Result<null>> {
  const { known } = context;
  const fresh = [...new Set(ticks.flatMap(({ index }) => (known.knows(index) ? [] : [index])))];
  const started = await each(fresh, (index) => newestOf(index, context));
  if (started) return failed(started);
  const missing = new Map<string, { readonly index: IndexId; readonly time: EpochMicros }>();
  for (const { index, time } of ticks) {
    if (!known.instant(index, time)) missing.set(tickKey(index, time, context.slot * SLOT_SIZE), { index, time });
  }
  // in key order, as the service wants its ranges
  const keys = [...missing.keys()].toSorted();
  const parts = Array.from({ length: Math.ceil(keys.length / RANGES) }, (_, nth) => keys.slice(nth * RANGES, (nth + 1) * RANGES).flatMap((key) => missing.get(key) ?? []));
  const read = await each(parts, (part) => instantsOf(part, context));
  return read ? failed(read) : ok(null);
}

/** A few at a time; the first problem ends it. */
async function each<T>(list: readonly T[], work: (one: T) => Promise<Problem | null>): Promise<Problem | null> {
  let next = 0;
  let trouble: Problem | null = null;
  const lane = async (): Promise<void> => {
    while (next < list.length && trouble === null) {
      const one = list[next++];
      if (one !== undefined) trouble ??= await work(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, list.length) }, lane));
  return trouble;
}

async function newestOf(index: IndexId, { reader, known, watermarks, now }: ReadBefore): Promise<Problem | null> {
  const ask = (range: ReadRequest['ranges'][number]) => reader.read({ ranges: [range], limit: 1, deadlineMs: DEADLINE, families: ['q', 'h'] });
  const read = await ask(tickRange(index));
  if (!read.ok) return read.error;
  const newest = timeOf(read.rows[0]);
  if (newest === undefined) return foreign(read.rows[0]);
  let mark = newest;
  const bound = micros(now() + AHEAD);
  if (newest !== null && newest > bound) {
    // another's row from the future: everything honest would be late behind it
    const below = await ask(ticksUpTo(index, bound));
    if (!below.ok) return below.error;
    mark = timeOf(below.rows[0]) ?? null;
  }
  watermarks.start(index, mark);
  known.newest(index, newest);
  return null;
}

/** Null for no row, undefined for one that is no tick. */
function timeOf(row: Row | undefined): EpochMicros | null | undefined {
  if (!row) return null;
  const key = decodeKey(row.key);
  return key?.kind === 'tick' ? key.time : undefined;
}

const foreign = (row: Row | undefined): Problem =>
  problem('BAD_DATA', `row key ${JSON.stringify((row?.key ?? '').slice(0, 80))} is not the key of a tick`, 'check that the table has the canonical layout');

async function instantsOf(part: readonly { readonly index: IndexId; readonly time: EpochMicros }[], { reader, known, slot }: ReadBefore): Promise<Problem | null> {
  const ranges = part.map(({ index, time }) => ({
    start: tickKey(index, time, slot * SLOT_SIZE + SLOT_SIZE - 1), end: keyAfter(tickKey(index, time, slot * SLOT_SIZE)),
  }));
  const read = await reader.read({ ranges, deadlineMs: DEADLINE, families: ['q', 'h'] });
  if (!read.ok) return read.error;
  const events = new Map(part.map(({ index, time }) => [`${index} ${time}`, new Map<number, Held>()]));
  for (const row of read.rows) {
    const key = decodeKey(row.key);
    if (key?.kind !== 'tick') return foreign(row);
    events.get(`${key.index} ${key.time}`)?.set((key.sequence ?? 0) % SLOT_SIZE, heldBy(row));
  }
  for (const { index, time } of part) known.found(index, time, events.get(`${index} ${time}`) ?? new Map<number, Held>());
  return null;
}

/** A row that can not be read is like no other: the next tick of its identity corrects it. */
function heldBy(row: Row): Held {
  const tick = decodeTick(row);
  let version = 0n;
  for (const cell of row.cells.values()) if (cell.version > version) version = cell.version;
  return { values: tick.ok ? valuesOf(tick.value) : '', version, kept: row.cells.has('h:p') };
}
