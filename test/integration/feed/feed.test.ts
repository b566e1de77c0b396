/** The feed over the real client and stores: the embedded one, and Google's emulator where it can be had. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import type { Reader, StoreAddress } from '../../../electron/bigtable/reader.ts';
import { readRegistry } from '../../../electron/bigtable/registry.ts';
import { type ClosableWriter, createWriter } from '../../../electron/bigtable/writer.ts';
import { startStore } from '../../../electron/embedded/startStore.ts';
import { createFeed, type Feed, type FeedConfig } from '../../../electron/feed/feed.ts';
import { latestOnce } from '../../../electron/feed/latestOnce.ts';
import type { QuoteView } from '../../../shared/channels.ts';
import type { Clock } from '../../../shared/clock.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { type EpochMicros, fromMillis } from '../../../shared/time.ts';
import { bothStores } from '../bothStores.ts';

const clock: Clock = { kind: 'wall', now: () => fromMillis(Date.now()), elapsed: () => performance.now(), speed: () => 1, note: () => null };
const config: FeedConfig = { indices: null, strategy: 'auto', intervalMs: 250, retentionDays: 90, storeKind: 'embedded', storeName: 'test' };
const addressOf = (endpoint: string): StoreAddress => ({ kind: 'embedded', project: 'test', instance: 'frontrow', table: 'quotes', appProfile: null, endpoint });
const stores = await bothStores();

async function until<T>(what: () => T | undefined | false, limitMs = 15_000): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = what();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${String(what)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.each(stores)('%s', (name, endpoint) => {
  const address = addressOf(endpoint);
  let reader: Reader;
  let writer: ClosableWriter;
  let feed: Feed;
  const version = (): bigint => BigInt(Date.now()) * 1000n;
  const write = async (id: string, price: string, time: EpochMicros = clock.now()): Promise<string> => {
    const key = tickKey(indexIdOf(id), time);
    const outcome = await writer.write([{ key, cells: [{ family: 'q', qualifier: 'p', value: price }] }], version());
    expect(outcome.failed).toEqual([]);
    return key;
  };
  const shown = (id: string): QuoteView | undefined => feed.snapshot().find((quote) => quote.index === id);

  beforeAll(async () => {
    const ensured = await ensureTable(address);
    if (!ensured.ok) throw new Error(ensured.error.what);
    reader = connect(address);
    writer = createWriter(address);
    feed = createFeed({ reader, clock, config, registry: readRegistry });
    feed.start();
  });
  afterAll(async () => {
    await feed.close();
    await reader.close();
    await writer.close();
  });

  test(`${name}: an index that nobody registered appears, exactly as written, and follows its writer`, async () => {
    const key = await write('ZZZ', '5104.7600');
    await until(() => shown('ZZZ')?.price === '5104.76');
    expect(shown('ZZZ')).toMatchObject({ key });
    await write('ZZZ', '5105');
    await until(() => shown('ZZZ')?.price === '5105');
    const once = await latestOnce({ reader, clock, ids: ['ZZZ', 'NONE'], config, registry: readRegistry });
    expect(once).toMatchObject({ ok: true, value: { quotes: [{ index: 'ZZZ', price: '5105' }], missing: ['NONE'] } });
    expect(await latestOnce({ reader, clock, ids: null, config, registry: readRegistry })).toMatchObject({ ok: true, value: { quotes: [{ index: 'ZZZ' }], note: null } });
  });

  test(`${name}: corrected rows show with 2 and with 30 indices, a future row never`, async () => {
    for (let round = 0; round < 2; round += 1) {
      const ids = Array.from({ length: round === 0 ? 2 : 30 }, (_, i) => `C${round}-${i}`);
      const keys = await Promise.all(ids.map(async (id) => write(id, '7')));
      await until(() => ids.every((id) => shown(id)?.price === '7'));
      await write(ids[0] ?? '', '99', fromMillis(Date.now() + 3_600_000));
      await writer.write(keys.map((key) => ({ key, cells: [{ family: 'q' as const, qualifier: 'p', value: '8' }] })), version() + 1000n);
      await until(() => ids.every((id) => shown(id)?.price === '8' && shown(id)?.flags.includes('corrected')));
      await until(() => shown(ids[0] ?? '')?.flags.includes('future'));
      expect(shown(ids[0] ?? '')?.price).toBe('8');
    }
    expect(feed.health()).toMatchObject({ link: 'live', errors: 0 });
  }, 60_000);
});

test('the store ends and comes back at the same address: broken, then live with what was written meanwhile, no restart', async () => {
  const first = await startStore({ data: null, port: 0 });
  if (!first.ok) throw new Error(first.error.what);
  const { address } = first.value;
  const port = Number(address.split(':').at(-1));
  const target = addressOf(address);
  await ensureTable(target);
  const reader = connect(target);
  const feed = createFeed({ reader, clock, config: { ...config, indices: ['ABC'] } });
  const fill = async (price: string): Promise<void> => {
    const writer = createWriter(target);
    await writer.write([{ key: tickKey(indexIdOf('ABC'), clock.now()), cells: [{ family: 'q', qualifier: 'p', value: price }] }], BigInt(Date.now()) * 1000n);
    await writer.close();
  };
  await fill('1');
  feed.start();
  await until(() => feed.snapshot()[0]?.price === '1');
  await first.value.close();
  await until(() => feed.snapshot()[0]?.state === 'disconnected' && feed.health().link === 'broken');
  expect(feed.snapshot()[0]).toMatchObject({ price: '1', reason: 'store' });
  const second = await startStore({ data: null, port });
  if (!second.ok) throw new Error(second.error.what);
  await ensureTable(target);
  await fill('2');
  await until(() => feed.snapshot()[0]?.price === '2' && feed.health().link === 'live');
  await feed.close();
  await reader.close();
  await second.value.close();
});
