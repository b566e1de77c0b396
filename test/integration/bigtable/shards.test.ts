/** An index that gets shards, and loses them, while it is written and read: the embedded store and Google's emulator. */
import { describe, expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { createConditional } from '../../../electron/bigtable/conditional.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import { keyRangeEnds } from '../../../electron/bigtable/keyRanges.ts';
import { changeFormerly, changeShards } from '../../../electron/bigtable/layout/change.ts';
import { createCurrentLayouts } from '../../../electron/bigtable/layout/current.ts';
import { layoutReader } from '../../../electron/bigtable/layout/layoutReader.ts';
import { layoutWriter } from '../../../electron/bigtable/layout/layoutWriter.ts';
import type { Reader, StoreAddress } from '../../../electron/bigtable/reader.ts';
import { readRegistry, registryRow } from '../../../electron/bigtable/registry.ts';
import { type ClosableWriter, createWriter } from '../../../electron/bigtable/writer.ts';
import { createFeed, type FeedConfig } from '../../../electron/feed/feed.ts';
import { latestOnce } from '../../../electron/feed/latestOnce.ts';
import { createHistory } from '../../../electron/history/history.ts';
import type { TickView } from '../../../shared/channels.ts';
import type { Clock } from '../../../shared/clock.ts';
import { infoFor } from '../../../shared/indices.ts';
import { type IndexId, indexIdOf, metaKey, tickKey } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros } from '../../../shared/time.ts';
import { bothStores } from '../bothStores.ts';

const stores = await bothStores();

const [SPX, NDX, OLD, NEW] = ['SPX', 'NDX', 'OLD', 'NEW'].map(indexIdOf) as [IndexId, IndexId, IndexId, IndexId];
/** Half a minute a second: the minute that a change is announced ahead takes two. */
const SPEED = 30;
const DAWN = 1_573_050_000_000_000n;
const since = performance.now();
const elapsed = (): number => (performance.now() - since) * SPEED;
const now = (): EpochMicros => micros(DAWN + BigInt(Math.floor(elapsed() * 1000)));
const clock: Clock = { kind: 'replay', now, elapsed: () => performance.now(), speed: () => SPEED, note: () => null };
const config: FeedConfig = { indices: ['SPX', 'NDX'], strategy: 'scan', intervalMs: 100, retentionDays: 90, storeKind: 'embedded', storeName: 'test' };
const pause = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms); });
const version = (): bigint => BigInt(Date.now()) * 1000n;
const addressOf = (endpoint: string, table: string): StoreAddress => ({ kind: 'embedded', project: 'test', instance: 'frontrow', table, appProfile: null, endpoint });

/** A process of its own: it knows of the registry what it has read itself. */
function processOn(address: StoreAddress): { readonly plain: Reader; readonly reader: Reader; readonly writer: ClosableWriter; close(): Promise<void> } {
  const plain = connect(address);
  const current = createCurrentLayouts(plain, elapsed);
  const [reader, writer] = [layoutReader(plain, current, elapsed), layoutWriter(createWriter(address), current)];
  return { plain, reader, writer, close: async () => void (await Promise.all([reader.close(), writer.close()])) };
}

const identity = ({ eventMicros, sequence }: Pick<TickView, 'eventMicros' | 'sequence'>): string => `${eventMicros} ${sequence}`;
const identities = (ticks: readonly Pick<TickView, 'eventMicros' | 'sequence'>[]): string[] => ticks.map(identity).sort();

/** A desk with its own registry, that charts both indices; every tick that it was told of, as often as it was. */
function desk(address: StoreAddress, strategy: FeedConfig['strategy']) {
  const own = processOn(address);
  const feed = createFeed({ reader: own.reader, clock, config: { ...config, strategy }, registry: readRegistry });
  const told: Record<string, TickView[]> = { SPX: [], NDX: [] };
  const removed: string[] = [];
  feed.watch(Symbol('chart'), ['SPX', 'NDX']);
  feed.on((events) => {
    for (const event of events) {
      if (event.channel !== 'ticks') continue;
      told[event.data.index]?.push(...event.data.ticks);
      removed.push(...event.data.removed.map(identity));
    }
  });
  feed.start();
  return { feed, told, removed, close: async () => { await feed.close(); await own.close(); } };
}

describe.concurrent.each(stores)('%s', (name, endpoint) => {
  test(`${name}: one index, four shards, one key range again: writer, pollers and histories have every tick once`, async () => {
    const address = addressOf(endpoint, 'quotes');
    expect(await ensureTable(address)).toMatchObject({ ok: true });
    const [source, operator] = [processOn(address), processOn(address)];
    const conditional = createConditional(address);
    const registry = { reader: operator.plain, conditional, machineMillis: () => Date.now() };
    await source.writer.write([registryRow(infoFor(SPX)), registryRow(infoFor(NDX))], version());
    // loads what a change of the registry needs: it has seconds for that, here a second
    await conditional.check(metaKey('index', 'NONE'), { family: 'm', qualifier: 'x' }, { kind: 'delete' }, null);
    const desks = (['scan', 'delta'] as const).map((strategy) => desk(address, strategy));
    await pause(300);

    const written: Record<string, { readonly eventMicros: string; readonly sequence: number }[]> = { SPX: [], NDX: [] };
    const market = { price: 5000, open: true };
    const writer = (async () => {
      for (let sequence = 0; market.open; sequence = (sequence + 1) % 3) {
        market.price += 1;
        const time = now();
        const rows = [SPX, NDX].flatMap((id) => [0, 1].map((n) => ({ id, sequence: sequence * 2 + n, key: tickKey(id, time, sequence * 2 + n) })));
        let outcome = await source.writer.write(rows.map(({ key }) => ({ key, cells: [{ family: 'q', qualifier: 'p', value: String(market.price) }] })), version());
        // a writer that does not know where to is told so, and tries again
        while (outcome.failed.length > 0) {
          await pause(20);
          outcome = await source.writer.write(rows.map(({ key }) => ({ key, cells: [{ family: 'q', qualifier: 'p', value: String(market.price) }] })), version());
        }
        for (const row of rows) written[row.id]?.push({ eventMicros: String(time), sequence: row.sequence });
        await pause(15);
      }
    })();

    const effective: EpochMicros[] = [];
    for (const shards of [4, 1]) {
      await pause(300);
      const changed = await changeShards(registry, SPX, shards, null, now);
      if (!changed.ok) throw new Error(changed.error.what);
      const from = changed.value.after.at(-1)?.from ?? now();
      effective.push(from);
      while (now() < from + 10_000_000n) await pause(50);
    }
    market.open = false;
    await writer;
    const all = written['SPX']?.length ?? 0;
    for (let waited = 0; waited < 20_000 && desks.some(({ told }) => Object.values(told).some((ticks) => ticks.length < all)); waited += 100) await pause(100);
    await pause(300);

    const [begin, last] = [micros(DAWN), now()];
    for (const { feed, told, removed } of desks) {
      for (const id of ['SPX', 'NDX']) expect(identities(told[id] ?? [])).toEqual(identities(written[id] ?? []));
      expect(removed).toEqual([]);
      expect(feed.snapshot().map((quote) => [quote.index, quote.price])).toEqual([['NDX', String(market.price)], ['SPX', String(market.price)]]);
      expect(feed.health()).toMatchObject({ link: 'live', errors: 0 });
    }
    const past = createHistory({ reader: operator.reader, clock, retentionDays: 90, info: () => infoFor(SPX) });
    for (const order of ['newest', 'oldest'] as const) {
      const ticks: TickView[] = [];
      for await (const page of past.ticks({ index: SPX, from: begin, to: last, order })) {
        if (!page.ok) throw new Error(page.error.what);
        ticks.push(...page.value.map((tick) => ({ ...tick, eventMicros: String(tick.time), ingestMicros: null })));
      }
      expect(identities(ticks)).toEqual(identities(written['SPX'] ?? []));
      const times = ticks.map((tick) => Number(tick.eventMicros));
      expect(times).toEqual(times.toSorted((a, b) => (order === 'newest' ? b - a : a - b)));
    }
    const tape = await past.tape({ index: 'SPX', limit: 20 });
    expect(tape.ok && identities(tape.value)).toEqual(identities((written['SPX'] ?? []).slice(-20)));
    expect(await latestOnce({ reader: operator.reader, clock, ids: null, config, registry: readRegistry })).toMatchObject({ ok: true, value: { quotes: [{ index: 'NDX', price: String(market.price) }, { index: 'SPX', price: String(market.price) }], missing: [] } });

    // as they lie: all shards are used, between the two changes alone, and no event lies twice
    const raw = await operator.plain.read({ ranges: [{ start: 'SPX#', end: 'SPX$' }, { start: 'SPX~', end: 'SPX\u007f' }], deadlineMs: 10_000 });
    const keys = raw.rows.map(({ key }) => key);
    expect(keys).toHaveLength(all);
    expect(new Set(keys.filter((key) => key.includes('~')).map((key) => key.slice(0, 7)))).toEqual(new Set(['SPX~00#', 'SPX~01#', 'SPX~02#', 'SPX~03#']));
    const [four, one] = effective.map((from) => tickKey(SPX, from).slice(4, 23)) as [string, string];
    for (const key of keys) {
      const rts = key.slice(key.indexOf('#') + 1, key.indexOf('#') + 20);
      expect([key, key.includes('~')]).toEqual([key, rts <= four && rts > one]);
    }

    // a correction finds its event, whichever way that was written
    const corrected = [written['SPX']?.[0], written['SPX']?.find(({ eventMicros }) => BigInt(eventMicros) >= (effective[0] ?? 0n)), written['SPX']?.at(-1)].flatMap((tick) => tick ?? []);
    for (const tick of corrected) await source.writer.write([{ key: tickKey(SPX, micros(BigInt(tick.eventMicros)), tick.sequence), cells: [{ family: 'q', qualifier: 'p', value: '1' }] }], version() + 1000n);
    const again = await operator.reader.read({ ranges: [{ start: 'SPX#', end: 'SPX$' }], deadlineMs: 10_000 });
    expect(again.rows).toHaveLength(all);
    expect(again.rows.filter((row) => row.cells.get('q:p')?.value.toString() === '1')).toHaveLength(3);

    expect(await keyRangeEnds(address)).toMatchObject({ ok: true });
    await Promise.all([...desks.map((one_) => one_.close()), source.close(), operator.close(), conditional.close()]);
  }, 60_000);

  test(`${name}: of many who change the shards at once each change stays or is refused, none is lost`, async () => {
    const address = addressOf(endpoint, 'changes');
    expect(await ensureTable(address)).toMatchObject({ ok: true });
    const own = processOn(address);
    const conditional = createConditional(address);
    const registry = { reader: own.plain, conditional, machineMillis: () => Date.now() };
    const base = now() + 3_600_000_000n;
    const counts = [2, 3, 4, 5, 6, 7];
    const changes = await Promise.all(counts.map((shards) => changeShards(registry, SPX, shards, micros(base + BigInt(shards) * 1_000_000n), now)));
    const done = changes.flatMap((change, at) => (change.ok ? [counts[at]] : []));
    for (const change of changes) if (!change.ok) expect(['BAD_INPUT', 'STORE_BUSY']).toContain(change.error.code);
    await own.writer.write([registryRow(infoFor(SPX))], version());
    const row = await own.plain.read({ ranges: [{ start: '!index#SPX', end: '!index#SPX\0' }], deadlineMs: 10_000 });
    expect(row.rows[0]?.cells.get('m:shards')?.value.toString()).toBe(done.map((shards) => `${base + BigInt(shards ?? 0) * 1_000_000n}:${shards}`).join(' '));
    expect(done.length).toBeGreaterThan(0);
    await Promise.all([own.close(), conditional.close()]);
  });

  test(`${name}: a renamed index is one: read, listed and written under its new name`, async () => {
    const address = addressOf(endpoint, 'names');
    expect(await ensureTable(address)).toMatchObject({ ok: true });
    const before = processOn(address);
    const date = micros(DAWN - 60_000_000n);
    const tick = (id: IndexId, ago: bigint, value: string) => ({ key: tickKey(id, micros(date - ago)), cells: [{ family: 'q', qualifier: 'p', value } as const] });
    await before.writer.write([registryRow(infoFor(OLD)), tick(OLD, 2n, '1'), tick(OLD, 1n, '2'), tick(NEW, -1n, '3')], version());
    const conditional = createConditional(address);
    const registry = { reader: before.plain, conditional, machineMillis: () => Date.now() };
    expect(await changeFormerly(registry, NEW, { id: OLD, until: date }, null)).toMatchObject({ ok: true });
    expect(await changeFormerly(registry, NEW, { id: NDX, until: date }, null)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    const own = processOn(address);
    await own.writer.write([tick(NEW, 3n, '0'), tick(NEW, -2n, '4')], version());
    const past = createHistory({ reader: own.reader, clock, retentionDays: 90, info: () => infoFor(NEW) });
    const tape = await past.tape({ index: 'NEW', limit: 20 });
    expect(tape.ok && tape.value.map(({ price }) => String(price))).toEqual(['4', '3', '2', '1', '0']);
    expect(await latestOnce({ reader: own.reader, clock, ids: null, config, registry: readRegistry })).toMatchObject({ ok: true, value: { quotes: [{ index: 'NEW', price: '4' }] } });
    const raw = await own.plain.read({ ranges: [{ start: 'OLD#', end: 'OLD$' }], deadlineMs: 10_000 });
    expect(raw.rows).toHaveLength(3);
    await Promise.all([own.close(), before.close(), conditional.close()]);
  });
});
