/** `frontrow schema explain`: the ranges, rows, bytes and requests that each question reads in this table, by executing it. */
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { type IndexId, isIndexId } from '../../shared/rowKey.ts';
import { DAY, type EpochMicros, micros, parseTime } from '../../shared/time.ts';
import { createCurrentLayouts } from '../bigtable/layout/current.ts';
import { foreignReader } from '../bigtable/layout/foreignReader.ts';
import { quoted } from '../bigtable/layout/foreignRow.ts';
import { layoutReader } from '../bigtable/layout/layoutReader.ts';
import type { Reader } from '../bigtable/reader.ts';
import { deskClock, elapsed } from '../desk/deskClock.ts';
import type { OpenStore } from '../desk/openStore.ts';
import { createCatalog } from '../feed/catalog.ts';
import { explain, type Explained, newestTime } from '../schema/explain.ts';
import { meteredReader } from '../schema/meter.ts';
import type { SchemaAction } from './schema.ts';
import { withStore } from './withStore.ts';

const DEADLINE_MS = 20_000;
const SHOWN_REQUESTS = 5;
const SHOWN_RANGES = 3;

export const schemaExplain: SchemaAction = async (parsed, [id], streams, signal) => {
  if (id !== undefined && !isIndexId(id)) return failed(problem('BAD_INPUT', `not an index id: ${JSON.stringify(id.slice(0, 40))}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -'));
  const [from, to] = [timeOf(parsed.values['from'], '--from'), timeOf(parsed.values['to'], '--to')];
  if (!from.ok) return from;
  if (!to.ok) return to;
  return withStore(parsed, async (store, settings) => {
    const meter = meteredReader(store.physical);
    const clock = deskClock(settings.testNow);
    const reader = canonicalOver(meter.reader, store, () => clock.now());
    const catalog = createCatalog({ reader, config: { indices: settings.indices } });
    const found = await catalog.refresh(elapsed(), DEADLINE_MS, signal);
    if (found.error) return failed(found.error);
    const indices = catalog.list().map((info) => info.id);
    const index = id ?? indices[0];
    if (index === undefined) return failed(problem('NOT_FOUND', `no index has rows in table ${store.address.table}`, 'name the table with --table, its layout with --layout'));
    const span = await spanOf(reader, index, from.value, to.value, signal);
    if (!span.ok) return span;
    const explained = await explain({ reader, take: () => meter.take(), index, indices, ...span.value, signal });
    if (!explained.ok) return explained;
    const json = parsed.values['json'] === true;
    if (!json) await streams.out('      requests  ranges    rows       bytes    ticks        ms');
    for (const each of explained.value) await streams.out(json ? JSON.stringify(jsonOf(each)) : textOf(each));
    return ok(0);
  }, { mustExist: true });
};

function canonicalOver(physical: Reader, store: OpenStore, now: () => bigint): Reader {
  return store.layout ? foreignReader(physical, store.layout, { now, elapsed }) : layoutReader(physical, createCurrentLayouts(physical, elapsed), elapsed);
}

/** The day up to the newest tick, unless told. */
async function spanOf(reader: Reader, index: IndexId, from: EpochMicros | null, to: EpochMicros | null, signal: AbortSignal): Promise<Result<{ from: EpochMicros; to: EpochMicros }, Problem>> {
  const newest = to === null ? await newestTime(reader, index, signal) : ok(to);
  if (!newest.ok) return newest;
  if (newest.value === null) return failed(problem('NOT_FOUND', `no rows of ${index}`, 'check the id'));
  const start = from ?? micros(newest.value - DAY);
  return start > newest.value ? failed(problem('BAD_INPUT', '--from is after --to', 'swap them')) : ok({ from: start, to: newest.value });
}

function timeOf(given: string | boolean | undefined, name: string): Result<EpochMicros | null, Problem> {
  if (typeof given !== 'string') return ok(null);
  try {
    return ok(parseTime(given));
  } catch (error) {
    return failed(problem('BAD_INPUT', `${name}: ${error instanceof Error ? error.message : 'not a time'}`, 'give ISO 8601 with Z'));
  }
}

const jsonOf = ({ question, asks, ticks, cut, cost }: Explained): object => ({
  question, asks, requests: cost.requests, ranges: cost.ranges, rows: cost.rows, bytes: cost.bytes, ticks, cut, elapsedMs: Math.round(cost.elapsedMs * 100) / 100,
  plan: cost.plan.slice(0, SHOWN_REQUESTS).map((request) => ({ ranges: request.ranges.slice(0, SHOWN_RANGES).map(({ start, end }) => ({ start: plain(start), end: plain(end) })), limit: request.limit ?? 0, reversed: request.reversed === true })),
});

function textOf({ question, asks, ticks, cut, cost }: Explained): string {
  const figures = [[cost.requests, 10], [cost.ranges, 8], [cost.rows, 8], [cost.bytes, 12], [ticks, 9]].map(([value = 0, width = 0]) => String(value).padStart(width)).join('');
  const [first] = cost.plan;
  const [range] = first?.ranges ?? [];
  const plan = first && range ? `\n    ${cost.requests > 1 ? 'the first of them: ' : ''}[${quoted(range.start)}, ${quoted(range.end)})${(first.limit ?? 0) > 0 ? `, limit ${first.limit}` : ''}${first.reversed === true ? ', backwards' : ''}` : '';
  return `${question}  ${figures}${cost.elapsedMs.toFixed(1).padStart(10)}  ${asks}${cut ? ' (cut at its bound: all of it costs more)' : ''}${plan}`;
}

/** Bytes of a key as text that no terminal minds. */
const plain = (key: string): string => quoted(key).slice(1, -1);
