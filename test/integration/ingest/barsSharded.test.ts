/** Bars of an index whose ticks lie in shards since an hour ago, in the embedded store and in Google's emulator: those of the same ticks in one range. */
import { expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { createConditional } from '../../../electron/bigtable/conditional.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import { createCurrentLayouts } from '../../../electron/bigtable/layout/current.ts';
import { layoutReader } from '../../../electron/bigtable/layout/layoutReader.ts';
import { layoutWriter } from '../../../electron/bigtable/layout/layoutWriter.ts';
import { formatSchedule } from '../../../electron/bigtable/layout/schedule.ts';
import type { StoreAddress, WriteRow } from '../../../electron/bigtable/reader.ts';
import { createWriter } from '../../../electron/bigtable/writer.ts';
import { createBarLeases } from '../../../electron/ingest/bars/lease.ts';
import { makeBars, type Maker } from '../../../electron/ingest/bars/makeBars.ts';
import { sleep } from '../../../electron/ingest/sleep.ts';
import { infoFor } from '../../../shared/indices.ts';
import { indexIdOf, metaKey, tickKey } from '../../../shared/rowKey.ts';
import { HOUR, micros, parseTime, SECOND } from '../../../shared/time.ts';
import { SERVERS } from '../embedded/servers.ts';

const [HOT, PLAIN] = [indexIdOf('HOT'), indexIdOf('PLAIN')];
const START = parseTime('2024-03-06T15:00:00Z');
const SHARDED = micros(START + HOUR);
const NOW = micros(START + 2n * HOUR);
const ticks = Array.from({ length: 600 }, (_, n) => ({ time: micros(START + BigInt(n) * 12n * SECOND), sequence: n % 2, price: String(5000 + ((n * 37) % 91)), volume: String((n % 7) + 1) }));
const rowOf = (id: typeof HOT, { time, sequence, price, volume }: (typeof ticks)[number]): WriteRow =>
  ({ key: tickKey(id, time, sequence), cells: [{ family: 'h', qualifier: 'p', value: price }, { family: 'h', qualifier: 'v', value: volume }] });

test.for(SERVERS)('$name', { timeout: 60_000 }, async ({ start }, context) => {
  const server = await start();
  if ('skipped' in server) return context.skip(server.skipped);
  const address: StoreAddress = { kind: 'emulator', project: 'p', instance: 'i', table: 'sharded', appProfile: null, endpoint: server.address };
  expect(await ensureTable(address)).toMatchObject({ ok: true });
  const [plain, conditional] = [connect(address), createConditional(address)];
  const elapsed = (): number => performance.now();
  const current = createCurrentLayouts(plain, elapsed);
  const [reader, writer] = [layoutReader(plain, current, elapsed), layoutWriter(createWriter(address), current)];
  const leases = createBarLeases({ reader, conditional, token: 'test', machineMillis: () => Date.now() });
  const maker: Maker = {
    reader, writer, retentionDays: 90, leases, sleep, patienceMs: 5000, machineMillis: () => Date.now(), signal: new AbortController().signal,
    clock: { kind: 'test', now: () => NOW, elapsed, speed: () => 1, note: () => null },
  };
  const write = async (rows: readonly WriteRow[]): Promise<void> => expect((await writer.write(rows, BigInt(Date.now()) * 1000n)).failed).toEqual([]);
  const keys = async (range: { start: string; end: string }): Promise<string[]> => (await plain.read({ ranges: [range], deadlineMs: 20_000 })).rows.map(({ key }) => key);
  const bars = async (id: string): Promise<unknown[]> => {
    const read = await reader.read({ ranges: [{ start: `${id}@`, end: `${id}A` }], deadlineMs: 20_000 });
    return read.rows.map(({ key, cells }) => [key.slice(id.length), ...[...cells].map(([name, { value }]) => `${name}=${value.toString()}`).toSorted()]);
  };
  try {
    await write([{ key: metaKey('index', HOT), cells: [{ family: 'm', qualifier: 'shards', value: formatSchedule([{ from: SHARDED, shards: 3 }]) }] }]);
    current.expire();
    await write(ticks.flatMap((tick) => [rowOf(HOT, tick), rowOf(PLAIN, tick)]));
    const places = await keys({ start: 'HOT', end: 'HOU' });
    expect([places.filter((key) => key.startsWith('HOT#')).length, ['00', '01', '02'].map((shard) => places.some((key) => key.startsWith(`HOT~${shard}#`)))]).toEqual([300, [true, true, true]]);

    const made = async (): Promise<void> => {
      for (const id of [HOT, PLAIN]) {
        expect(await leases.hold(id)).toMatchObject({ ok: true, value: { kind: 'held' } });
        expect(await makeBars(maker, infoFor(id), { from: null, to: null })).toMatchObject({ ok: true, value: { ticks: ticks.length } });
      }
      expect(await bars('HOT')).toEqual(await bars('PLAIN'));
    };
    await made();
    expect(await bars('HOT')).toHaveLength(120 + 24 + 2 + 1);
    // a correction, in its shard, shows in every bar over it
    const before = await bars('HOT');
    const busy = { ...ticks[555]!, price: '9999' };
    await write([rowOf(HOT, busy), rowOf(PLAIN, busy)]);
    await made();
    const after = await bars('HOT');
    expect(after.filter((bar, at) => JSON.stringify(bar) !== JSON.stringify(before[at]))).toHaveLength(4);
  } finally {
    await leases.release();
    await Promise.all([reader.close(), writer.close(), conditional.close()]);
    await server.stop();
  }
});
