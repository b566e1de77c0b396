/** Tables that others designed, of every kind, in both stores: what the poller, `history` and a chart read of them, exactly. */
import { afterAll, describe, expect, test } from 'vitest';
import { connect } from '../../../electron/bigtable/connect.ts';
import type { LayoutFile } from '../../../electron/bigtable/layout/foreignFile.ts';
import { foreignReader } from '../../../electron/bigtable/layout/foreignReader.ts';
import { type ForeignTick, writeTick } from '../../../electron/bigtable/layout/foreignRow.ts';
import { readRegistry } from '../../../electron/bigtable/registry.ts';
import { startStore } from '../../../electron/embedded/startStore.ts';
import { createFeed } from '../../../electron/feed/feed.ts';
import { latestOnce } from '../../../electron/feed/latestOnce.ts';
import { createHistory } from '../../../electron/history/history.ts';
import type { Clock } from '../../../shared/clock.ts';
import { infoFor } from '../../../shared/indices.ts';
import { indexIdOf } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';
import { startEmulator } from '../../emulator/emulator.ts';
import { layoutOf } from '../../fixtures/foreignTables.ts';
import { fillTable } from '../../fixtures/foreignStore.ts';

const text = { family: 'd', qualifier: 'last', type: 'text' } as const;
const forward = { direction: 'forward', encoding: 'decimal' } as const;
const kinds: Readonly<Record<string, LayoutFile>> = {
  'ascending milliseconds': { key: { separator: '#', parts: ['index', 'time'] }, time: { ...forward, unit: 'ms', width: 13 }, fields: { price: text } },
  'ascending seconds with sequence': { key: { separator: ':', parts: [{ text: 'tick' }, 'index', 'time', 'sequence'] }, time: { ...forward, unit: 's', width: 10 }, sequence: { ...forward, width: 4 }, fields: { price: text } },
  'milliseconds below 9999999999999': { key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'ms', direction: 'reverse', base: '9999999999999', encoding: 'decimal', width: 13 }, fields: { price: text } },
  'microseconds below 2^53-1': { key: { separator: '|', parts: ['index', 'time'] }, time: { unit: 'us', direction: 'reverse', base: '2^53-1', encoding: 'decimal', width: 16 }, fields: { price: text } },
  'hex keys': { key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'us', direction: 'reverse', base: '2^63-1', encoding: 'hex' }, fields: { price: text } },
  'binary keys of nanoseconds, ascending': { key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'ns', direction: 'forward', encoding: 'binary' }, fields: { price: text } },
  'salted keys': { key: { separator: '#', parts: ['salt', 'index', 'time'] }, salt: { count: 8, encoding: 'decimal', width: 2 }, time: { unit: 'us', direction: 'reverse', base: '2^63-1', encoding: 'decimal', width: 19 }, fields: { price: text } },
  'salted ascending keys': { key: { separator: '#', parts: ['index', 'salt', 'time'] }, salt: { count: 4, encoding: 'hex', width: 1 }, time: { ...forward, unit: 'ms', width: 13 }, fields: { price: text } },
  'hourly buckets': { key: { separator: '#', parts: ['index', 'time'] }, time: { ...forward, unit: 's', width: 10 }, bucket: { seconds: 3600, unit: 'ms', encoding: 'text' }, fields: { price: { ...text, qualifier: '' }, volume: { family: 'v', qualifier: '', type: 'text' } } },
  'hourly buckets, newest first': { key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'ms', direction: 'reverse', base: '9999999999999', encoding: 'decimal', width: 13 }, bucket: { seconds: 3600, unit: 'us', encoding: 'decimal', width: 10 }, fields: { price: { ...text, qualifier: 'p' } } },
  'doubles': { key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'us', direction: 'reverse', base: '2^63-1', encoding: 'decimal', width: 19 }, fields: { price: { family: 'd', qualifier: 'px', type: 'float64' }, ingest: { family: 'd', type: 'version' } } },
  'scaled integers': { key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'us', direction: 'reverse', base: '2^63-1', encoding: 'decimal', width: 19 }, fields: { price: { family: 'd', qualifier: 'px', type: 'int64', scale: 4 }, volume: { family: 'd', qualifier: 'n', type: 'int64', scale: 0 } } },
  'JSON cells': { key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'us', direction: 'reverse', base: '2^63-1', encoding: 'decimal', width: 19 }, fields: { price: { family: 'd', qualifier: 'tick', type: 'json', pointer: '/quote/last' }, volume: { family: 'd', qualifier: 'tick', type: 'json', pointer: '/size' } } },
};

const emulator = await startEmulator();
const started = await startStore({ data: null, port: 0 });
if (!started.ok) throw new Error(started.error.what);
afterAll(async () => {
  await started.value.close();
  if (!('skipped' in emulator)) await emulator.stop();
});
const stores = [['embedded', started.value.address], ...('skipped' in emulator ? [] : [['emulator', emulator.address]])] as [string, string][];
if ('skipped' in emulator) test(`Google's emulator: skipped, ${emulator.skipped}`, ({ skip }) => skip());

const NOW = 1_700_003_000_000_000n;
const clock: Clock = { kind: 'test', now: () => micros(NOW), elapsed: () => performance.now(), speed: () => 1, note: () => null };
/** 400 seconds apart by 10, 8 hours before, and of three ids, one of which needs escaping. */
const SECONDS = [...Array.from({ length: 40 }, (_, at) => 1_700_002_990 - at * 10), 1_699_974_000, 1_600_000_000];
const price = (id: string, at: number): string => `${id.length * 1000 + at}.${at % 7}`.replace(/\.0$/, '');

function eventsOf(layout: ReturnType<typeof layoutOf>): ForeignTick[] {
  return ['SPX', 'NKY', 'dax_mid'].flatMap((id) => SECONDS.map((second, at) => ({
    id, nanos: BigInt(second) * 1_000_000_000n, sequence: 0n, salt: at % (layout.salt?.count ?? 1),
    fields: { price: price(id, at), ...(layout.fields.volume ? { volume: String(at) } : {}) },
  })));
}

describe.each(stores)('%s', (store, endpoint) => {
  test.each(Object.keys(kinds))(`%s (${store})`, async (kind) => {
    const layout = layoutOf(kinds[kind]!);
    const events = eventsOf(layout);
    const address = await fillTable(endpoint, `f${Object.keys(kinds).indexOf(kind)}`, events.flatMap((event) => writeTick(layout, event)), NOW);
    const told: string[] = [];
    const reader = foreignReader(connect(address), layout, { now: () => NOW, unreadable: (key) => told.push(key) });
    try {
      const latest = await latestOnce({ reader, clock, ids: null, config: { intervalMs: 1000, retentionDays: 90, storeKind: 'emulator' }, registry: readRegistry });
      if (!latest.ok) throw new Error(latest.error.what);
      expect(latest.value.quotes.map(({ index, price: shown, eventMicros, ageMs }) => [index, shown, eventMicros, ageMs])).toEqual(
        ['NKY', 'SPX', '^_DAX__MID'].map((id) => [id, price(id.startsWith('^') ? 'dax_mid' : id, 0), '1700002990000000', 10_000]),
      );

      const history = createHistory({ reader, clock, retentionDays: 90, info: (id) => infoFor(indexIdOf(id)) });
      for (const order of ['newest', 'oldest'] as const) {
        const ticks = [];
        for await (const page of history.ticks({ index: indexIdOf('SPX'), from: micros(0n), to: micros(NOW), order })) {
          if (!page.ok) throw new Error(page.error.what);
          ticks.push(...page.value);
        }
        const wanted = SECONDS.map((second, at) => [`${second}000000`, price('SPX', at), layout.fields.volume ? String(at) : null, layout.fields.ingest ? NOW : null]);
        expect(ticks.map((tick) => [String(tick.time), tick.price, tick.volume, tick.ingest])).toEqual(order === 'newest' ? wanted : wanted.toReversed());
      }
      const chart = await history.history({ index: 'SPX', fromMicros: '1700002600000000', toMicros: String(NOW), pixels: 600, resolution: 'auto' });
      if (!chart.ok) throw new Error(chart.error.what);
      const inside = SECONDS.flatMap((second, at) => (second >= 1_700_002_600 ? [[`${second}000000`, price('SPX', at)]] : [])).toReversed();
      expect(chart.value.times.map((time, at) => [time, chart.value.prices[at]])).toEqual(inside);
      expect(chart.value).toMatchObject({ resolution: 'tick', kind: 'tick' });
      expect(told).toEqual([]);
    } finally {
      await reader.close();
    }
  });

  test(`${store}: the desk's feed follows an ascending table`, async () => {
    const layout = layoutOf(kinds['ascending milliseconds']!);
    const wall: Clock = { kind: 'wall', now: () => micros(BigInt(Date.now()) * 1000n), elapsed: () => performance.now(), speed: () => 1, note: () => null };
    const at = (offset: number, value: string): ForeignTick => ({ id: 'SPX', nanos: BigInt(Date.now() + offset) * 1_000_000n, sequence: 0n, salt: 0, fields: { price: value } });
    const version = BigInt(Date.now()) * 1000n;
    const address = await fillTable(endpoint, 'live', Array.from({ length: 300 }, (_, n) => writeTick(layout, at(-1000 - n * 100, `1.${n + 1}`))).flat(), version);
    const physical = connect(address);
    const feed = createFeed({ reader: foreignReader(physical, layout), clock: wall, config: { indices: null, strategy: 'scan', intervalMs: 200, retentionDays: 90, storeKind: 'emulator', storeName: 'test' }, registry: readRegistry });
    try {
      feed.start();
      await expect.poll(() => feed.snapshot()[0]?.price, { timeout: 15_000 }).toBe('1.1');
      const { openOfficial } = await import('../../../electron/bigtable/official.ts');
      const client = await openOfficial(address);
      await client.instance('frontrow').table('live').mutate(writeTick(layout, at(0, '2.5')).map((cell) => ({ rowKey: Buffer.from(cell.key), mutations: [{ setCell: { familyName: cell.family, columnQualifier: Buffer.from(cell.qualifier), timestampMicros: String(version), value: cell.value } }] })), { rawMutation: true });
      await client.close();
      await expect.poll(() => feed.snapshot()[0]?.price, { timeout: 15_000 }).toBe('2.5');
    } finally {
      await feed.close();
      await physical.close();
    }
  });
});
