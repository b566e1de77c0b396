/** Times at their edges, as readers see them: every question answers with exactly the ticks of its span, in one order, on the embedded store and Google's emulator. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import { gather, type PageContext, tickPages } from '../../../electron/bigtable/pages.ts';
import type { Reader, StoreAddress, WriteRow } from '../../../electron/bigtable/reader.ts';
import { readRegistry } from '../../../electron/bigtable/registry.ts';
import { type ClosableWriter, createWriter } from '../../../electron/bigtable/writer.ts';
import { latestOnce } from '../../../electron/feed/latestOnce.ts';
import { createHistory } from '../../../electron/history/history.ts';
import { printedPages } from '../../../electron/history/printed.ts';
import { windowTicks } from '../../../electron/history/window.ts';
import { makeBars } from '../../../electron/ingest/bars/makeBars.ts';
import { sleep } from '../../../electron/ingest/sleep.ts';
import { infoFor } from '../../../shared/indices.ts';
import type { Tick } from '../../../shared/quote.ts';
import { barKey, type IndexId, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { DAY, type EpochMicros, fromNanos, micros, MIN_MICROS, MINUTE, parseTime, SECOND } from '../../../shared/time.ts';
import { bothStores } from '../bothStores.ts';
import { type Print, wantedBars } from '../../unit/ingest/bars/wanted.ts';

const NOW = parseTime('2024-11-03T06:30:00Z'); // 01:30 in New York for the second time that night
const [A, B] = [indexIdOf('EDGE'), indexIdOf('EDGE.B')]; // one a prefix of the other
const stores = await bothStores();

const EDGES: readonly (readonly [string, bigint])[] = [
  ['a minute', parseTime('2024-11-02T15:00:00Z')], ['a day', parseTime('2024-11-03T00:00:00Z')], ['a day in New York', parseTime('2024-11-03T04:00:00Z')], ['a year', parseTime('2024-01-01T00:00:00Z')],
  ['clocks forward', parseTime('2024-03-10T07:00:00Z')], ['01:30 the first time', parseTime('2024-11-03T05:30:00Z')], ['clocks back', parseTime('2024-11-03T06:00:00Z')], ['01:30 again, and now', NOW],
  ['a leap day', parseTime('2024-02-29T00:00:00Z')], ['24 hours ago', NOW - DAY], ['1970', 0n], ['before 1970', parseTime('1928-01-03T15:00:00Z')], ['the first microsecond that there is', MIN_MICROS + 1n],
];
const SEQUENCES = [0, 1, 100_000, 999_999];
let price = 0n;
const printsOf = (): Print[] => EDGES.flatMap(([, edge]) => [-1n, 0n, 1n].flatMap((step) => SEQUENCES.slice(0, step === 0n ? 4 : 1).map((sequence): Print => ({ time: edge + step, sequence, price: (price += 1n), volume: null, family: 'h' }))));
const newest = (prints: readonly Print[]): Print[] => prints.toSorted((a, b) => (a.time === b.time ? b.sequence - a.sequence : a.time < b.time ? 1 : -1));
const said = (all: readonly (Print | Tick)[]): string[] => all.map(({ time, sequence, price: text }) => `${time} ${sequence} ${text}`);

describe.each(stores)('%s', (_name, endpoint) => {
  const address: StoreAddress = { kind: 'embedded', project: 'p', instance: 'i', table: 'torture', appProfile: null, endpoint };
  const data = new Map<IndexId, Print[]>([[A, printsOf()], [B, printsOf()]]);
  let reader: Reader;
  let writer: ClosableWriter;
  const at = (now: EpochMicros): PageContext => ({ reader, retentionDays: 90, clock: { kind: 'test', now: () => now, elapsed: () => performance.now(), speed: () => 1, note: () => null } });
  const within = (index: IndexId, from: bigint, to: bigint): Print[] => newest(data.get(index) ?? []).filter(({ time }) => time >= from && time <= to);
  const ticks = async (index: IndexId, from: bigint, to: bigint, more: { limit?: number; order?: 'newest' | 'oldest' } = {}): Promise<string[]> => {
    const read = await gather(tickPages(at(NOW), { index, from: micros(from), to: micros(to), ...more }));
    if (!read.ok) throw new Error(read.error.what);
    return said(read.value);
  };

  beforeAll(async () => {
    const made = await ensureTable(address);
    if (!made.ok) throw new Error(made.error.what);
    [reader, writer] = [connect(address), createWriter(address)];
    const rows = [...data].flatMap(([index, prints]) => prints.map(({ time, sequence, price: p }): WriteRow => ({ key: tickKey(index, micros(time), sequence), cells: [{ family: 'h', qualifier: 'p', value: String(p) }] })));
    expect((await writer.write(rows, BigInt(Date.now()) * 1000n)).failed).toEqual([]);
  });
  afterAll(async () => {
    await reader.close();
    await writer.close();
  });

  test.each(EDGES)('%s: a span holds both of its ends with all their sequences, and nothing beside them', async (_edge, edge) => {
    for (const [from, to] of [[edge, edge], [edge - 1n, edge], [edge, edge + 1n], [edge - 1n, edge - 1n], [edge + 1n, edge + MINUTE]] as const) expect(await ticks(A, from, to)).toEqual(said(within(A, from, to)));
    expect(await ticks(A, edge - 1n, edge + 1n, { order: 'oldest' })).toEqual(said(within(A, edge - 1n, edge + 1n).toReversed()));
    expect(await ticks(A, edge - 1n, edge + 1n, { limit: 3 })).toEqual(said(within(A, edge - 1n, edge + 1n).slice(0, 3)));
  });

  test('the latest, the latest 20, the last 24 hours, and everything', async () => {
    const once = await latestOnce({ reader, clock: at(NOW).clock, ids: [A], config: { intervalMs: 1000, retentionDays: 90, storeKind: 'embedded' }, registry: readRegistry });
    const [top] = within(A, NOW - DAY, NOW + 5n * SECOND);
    expect(once.ok && once.value.quotes[0]).toMatchObject({ index: A, eventMicros: String(top?.time), sequence: 0, price: String(top?.price) });
    const tape = await createHistory({ ...at(NOW), info: () => infoFor(A) }).tape({ index: A, limit: 20 });
    expect(tape.ok && tape.value.map((tick) => `${tick.eventMicros} ${tick.sequence} ${tick.price}`)).toEqual(said(within(A, MIN_MICROS, NOW + 5n * SECOND).slice(0, 20)));
    expect(await ticks(A, NOW - DAY, NOW)).toEqual(said(within(A, NOW - DAY, NOW)));
    expect(await ticks(A, MIN_MICROS, NOW + DAY)).toEqual(said(within(A, MIN_MICROS, NOW + DAY)));
    expect(await ticks(A, MIN_MICROS, NOW + DAY, { order: 'oldest' })).toEqual(said(within(A, MIN_MICROS, NOW + DAY).toReversed()));
  });

  test('a window merges indices over the edges; an export is the same rows', async () => {
    const [from, to] = [micros(NOW - DAY), micros(NOW)];
    const merged: string[] = [];
    for await (const page of windowTicks(at(NOW), { indices: [A, B], from, to, signal: new AbortController().signal })) {
      if (!page.ok) throw new Error(page.error.what);
      merged.push(...page.value.map((tick) => `${tick.time} ${tick.index} ${tick.sequence} ${tick.price}`));
    }
    const times = merged.map((line) => BigInt(line.split(' ')[0] ?? ''));
    expect(times.every((time, i) => i === 0 || time <= (times[i - 1] ?? 0n))).toBe(true);
    expect(merged.toSorted()).toEqual([A, B].flatMap((index) => within(index, from, to).map((p) => `${p.time} ${index} ${p.sequence} ${p.price}`)).toSorted());
    for (const order of ['newest', 'oldest'] as const) {
      const lines: string[] = [];
      for await (const page of printedPages(at(NOW), { index: A, from: MIN_MICROS, to: NOW, limit: 0, order, signal: new AbortController().signal }, 'tick', 'csv')) {
        if (!page.ok) throw new Error(page.error.what);
        lines.push(...page.value.text.split('\n'));
      }
      const want = within(A, MIN_MICROS, NOW);
      expect(lines.map((line) => line.split(',').slice(0, 3).join(' '))).toEqual(said(order === 'newest' ? want : want.toReversed()));
    }
  });

  test('bars begin and end where their minutes, hours and days do', async () => {
    const later = micros(NOW + DAY);
    const maker = { ...at(later), writer, leases: null, signal: new AbortController().signal, sleep, machineMillis: () => Date.now(), patienceMs: 5000 };
    expect(await makeBars(maker, infoFor(A), { from: null, to: null })).toMatchObject({ ok: true, value: { ticks: data.get(A)?.length } });
    const want = [...wantedBars(A, data.get(A) ?? [], () => null)];
    for (const resolution of ['1m', '5m', '1h'] as const) {
      const read = await reader.read({ ranges: [{ start: `${A}@${resolution}#`, end: `${A}@${resolution}$` }], families: ['b'], deadlineMs: 10_000 });
      const found = read.rows.map(({ key, cells }) => [key, Object.fromEntries([...cells].map(([name, { value }]) => [name, value.toString()]))]);
      expect(found).toEqual(want.filter(([key]) => key.startsWith(`${A}@${resolution}#`)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }
    expect(want.some(([key]) => key === barKey(A, '1m', micros(-60_000_000n)))).toBe(true); // the minute that ends with 1970
  });

  test('nanoseconds of one microsecond floor to it, before 1970 too; both events stay, with what is below', async () => {
    const id = indexIdOf('NANOS');
    const pairs = [[1_730_615_400_123_456_001n, 1_730_615_400_123_456_999n], [-1n, -999n], [-1_325_235_600_000_000_001n, -1_325_235_600_000_000_500n]] as const;
    const rows = pairs.flatMap((pair) => pair.toSorted((a, b) => (a < b ? -1 : 1)).map((nanos, sequence): WriteRow => {
      const { time, remainder } = fromNanos(nanos);
      return { key: tickKey(id, time, sequence), cells: [{ family: 'h', qualifier: 'p', value: '5' }, { family: 'h', qualifier: 'n', value: String(remainder) }] };
    }));
    expect(new Set(rows.map(({ key }) => key)).size).toBe(6);
    expect((await writer.write(rows, BigInt(Date.now()) * 1000n)).failed).toEqual([]);
    const read = await gather(tickPages(at(NOW), { index: id, from: MIN_MICROS, to: micros(NOW + SECOND) }));
    expect(read.ok && read.value.map(({ time, nanos }) => time * 1000n + BigInt(nanos ?? 0))).toEqual(pairs.flat().toSorted((a, b) => (a < b ? 1 : -1)));
  });

  test('what is left after garbage collection is what retention says by event time, whatever the store has collected', async () => {
    const id = indexIdOf('OLD');
    const bound = NOW - 90n * DAY;
    const times = [bound - DAY, bound - 1n, bound, bound + 1n, NOW];
    const rows = times.flatMap((time): WriteRow[] => (['q', 'h'] as const).map((family, sequence) => ({ key: tickKey(id, micros(time), sequence), cells: [{ family, qualifier: 'p', value: '5' }] })));
    expect((await writer.write(rows, BigInt(Date.now()) * 1000n)).failed).toEqual([]);
    const read = await gather(tickPages(at(NOW), { index: id, from: MIN_MICROS, to: NOW }));
    expect(read.ok && read.value.map(({ time, family }) => `${(time - bound).toString()} ${family}`)).toEqual([`${90n * DAY} h`, `${90n * DAY} q`, '1 h', '1 q', '0 h', '0 q', '-1 h', `-${DAY} h`]);
    const lines: string[] = [];
    for await (const page of printedPages(at(NOW), { index: id, from: MIN_MICROS, to: NOW, limit: 0, order: 'oldest', signal: new AbortController().signal }, 'tick', 'json')) if (page.ok) lines.push(...page.value.text.split('\n'));
    expect(lines).toHaveLength(8);
  });
});
