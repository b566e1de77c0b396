/** The same reads, writes and set-up against the embedded store and Google's emulator. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { applyTable, ensureTable, planTable } from '../../../electron/bigtable/admin.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import { decodeTick } from '../../../electron/bigtable/decode.ts';
import type { Reader, StoreAddress, WriteRow } from '../../../electron/bigtable/reader.ts';
import { type ClosableWriter, createWriter } from '../../../electron/bigtable/writer.ts';
import { startStore } from '../../../electron/embedded/startStore.ts';
import { indexIdOf, keyAfter, tickKey, tickRange, ticksBetween, ticksNewerThan } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';
import { startEmulator } from '../../emulator/emulator.ts';

interface Running {
  readonly address: string;
  stop(): Promise<void>;
}

async function startEmbedded(): Promise<Running> {
  const store = await startStore({ data: null, port: 0 });
  if (!store.ok) throw new Error(store.error.what);
  return { address: store.value.address, stop: () => store.value.close() };
}

const SPX = indexIdOf('SPX');
const SPX500 = indexIdOf('SPX500');
// in the emulator a cell past the age of its rule is hidden at once
const version = BigInt(Date.now()) * 1000n;
const time = (second: number) => micros(1_573_050_600_000_000n + BigInt(second) * 1_000_000n);
const tick = (second: number, sequence = 0, id = SPX): WriteRow => ({ key: tickKey(id, time(second), sequence), cells: [{ family: 'q', qualifier: 'p', value: `3077.${second}` }, { family: 'q', qualifier: 'i', value: String(time(second)) }] });

const emulator = await startEmulator();
afterAll(() => ('skipped' in emulator ? undefined : emulator.stop()));

describe.each([
  { name: 'embedded store', start: startEmbedded, kind: 'embedded' as const, skipped: '' },
  { name: 'emulator', start: () => Promise.resolve(emulator as Running), kind: 'emulator' as const, skipped: 'skipped' in emulator ? emulator.skipped : '' },
])('$name $skipped', ({ start, kind, skipped }) => {
  describe.skipIf(skipped !== '')('reads, writes, set-up', () => {
    let store: Running;
    let address: StoreAddress;
    let reader: Reader;
    let writer: ClosableWriter;

    beforeAll(async () => {
      store = await start();
      address = { kind, project: 'p', instance: 'i', table: 'quotes', appProfile: null, endpoint: store.address };
      reader = connect(address);
      writer = createWriter(address);
    });
    afterAll(async () => {
      await reader.close();
      await writer.close();
      if (kind === 'embedded') await store.stop();
    });
    const keys = async (request: Omit<Parameters<Reader['read']>[0], 'deadlineMs'>) => {
      const outcome = await reader.read({ ...request, deadlineMs: 10_000 });
      expect(outcome).toMatchObject({ ok: true });
      return outcome.rows.map(({ key }) => key);
    };

    test('a table that is not there is TABLE_MISSING for reader and writer', async () => {
      expect(await reader.read({ ranges: [tickRange(SPX)], deadlineMs: 5000 })).toMatchObject({ ok: false, error: { code: 'TABLE_MISSING', retryable: false, next: expect.stringContaining('frontrow init') } });
      expect(await writer.write([tick(1)], version)).toMatchObject({ written: 0, failed: [{ key: tick(1).key, error: { code: 'TABLE_MISSING' } }] });
    });

    test('the table is planned, made, kept, and never shortened unasked', async () => {
      const plan = await planTable(address);
      expect(plan).toMatchObject({ ok: true, value: { exists: false, families: ['q', 'h', 'b', 'v', 'm'].map((family) => ({ family, action: 'create', current: null, shortens: false })) } });
      expect(plan.ok && plan.value.families[0]?.wanted).toBe('deletes cells older than 90 days, and all but the newest version');
      expect(plan.ok && plan.value.families[1]?.wanted).toBe('deletes all but the newest version');

      expect(await ensureTable(address)).toMatchObject({ ok: true });
      const again = await ensureTable(address);
      expect(again.ok && again.value.families.map(({ action }) => action)).toEqual(['keep', 'keep', 'keep', 'keep', 'keep']);

      const shorter = await planTable(address, 30);
      expect(shorter).toMatchObject({ ok: true, value: { families: [{ action: 'change', shortens: true }, { action: 'keep' }, { action: 'keep' }, { action: 'keep' }, { action: 'keep' }] } });
      if (!shorter.ok) return;
      expect(await applyTable(address, shorter.value)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', next: expect.stringContaining('--yes') } });
      expect(await ensureTable(address, 30)).toMatchObject({ ok: true, value: { families: [{ family: 'q', action: 'keep', wanted: expect.stringContaining('90 days') }, {}, {}, {}, {}] } });
      expect(await planTable(address, 90)).toMatchObject({ ok: true, value: { families: [{ action: 'keep' }, {}, {}, {}, {}] } });

      expect(await applyTable(address, shorter.value, true)).toMatchObject({ ok: true });
      expect(await planTable(address, 30)).toMatchObject({ ok: true, value: { families: [{ action: 'keep' }, {}, {}, {}, {}] } });
      expect(await ensureTable(address, 90)).toMatchObject({ ok: true, value: { families: [{ action: 'change' }, {}, {}, {}, {}] } });
    });

    test('ticks come back exactly, newest first, and never another index\'s', async () => {
      const rows = [tick(1), tick(2, 1), tick(2, 2), tick(3), tick(9, 0, SPX500)];
      expect(await writer.write(rows, version)).toEqual({ written: 5, failed: [] });
      const [one, twoFirst, twoSecond, three] = rows.map(({ key }) => key);
      expect(await keys({ ranges: [tickRange(SPX)] })).toEqual([three, twoSecond, twoFirst, one]);
      expect(await keys({ ranges: [tickRange(SPX)], limit: 1 })).toEqual([three]);
      expect(await keys({ ranges: [ticksBetween(SPX, time(2), time(2))] })).toEqual([twoSecond, twoFirst]);
      expect(await keys({ ranges: [{ start: keyAfter(twoSecond ?? ''), end: tickRange(SPX).end }] })).toEqual([twoFirst, one]);
      expect(await keys({ ranges: [ticksNewerThan(SPX, three ?? '')] })).toEqual([]);
      expect(await keys({ ranges: [ticksNewerThan(SPX500, `${SPX500}$`), ticksNewerThan(SPX, twoSecond ?? '')] })).toEqual([three, rows[4]?.key]);
      const outcome = await reader.read({ ranges: [tickRange(SPX)], limit: 1, deadlineMs: 5000 });
      const [row] = outcome.rows;
      expect(row && decodeTick(row)).toMatchObject({ ok: true, value: { index: 'SPX', time: time(3), price: '3077.3', ingest: time(3), family: 'q' } });
      expect(row?.cells.get('q:p')?.version).toBe(version);
    });

    test('only the asked-for families come', async () => {
      const row = { ...tick(50), cells: [...tick(50).cells, { family: 'h' as const, qualifier: 'p', value: '1' }] };
      await writer.write([row], version);
      const read = async (families: readonly ('q' | 'h' | 'b')[]) => (await reader.read({ ranges: [{ start: row.key, end: keyAfter(row.key) }], deadlineMs: 5000, families })).rows.flatMap(({ cells }) => [...cells.keys()].toSorted());
      expect(await read(['h'])).toEqual(['h:p']);
      expect(await read(['q', 'h'])).toEqual(['h:p', 'q:i', 'q:p']);
      expect(await read(['b'])).toEqual([]);
      expect(await read([])).toEqual(['h:p', 'q:i', 'q:p']);
    });

    test('a retry changes nothing, a later version corrects, an earlier one cannot undo it', async () => {
      const row = tick(60);
      const price = async () => (await reader.read({ ranges: [{ start: row.key, end: keyAfter(row.key) }], deadlineMs: 5000 })).rows.map(({ cells }) => cells.get('q:p')?.value.toString());
      const corrected = { ...row, cells: [{ family: 'q' as const, qualifier: 'p', value: '1.5' }] };
      await writer.write([row], version);
      await writer.write([row], version);
      expect(await price()).toEqual(['3077.60']);
      await writer.write([corrected], version + 1000n);
      await writer.write([row], version);
      expect(await price()).toEqual(['1.5']);
    });

    test('many rows go in calls of a thousand; those that fail are named, the rest is there', async () => {
      const id = indexIdOf('BULK');
      const rows = Array.from({ length: 2500 }, (_, index) => tick(index, 0, id));
      const bad = [3, 1200, 2499];
      for (const index of bad) rows[index] = { key: rows[index]?.key ?? '', cells: [{ family: 'z' as 'q', qualifier: 'p', value: '1' }] };
      const outcome = await writer.write(rows, version);
      expect(outcome.written).toBe(2497);
      expect(outcome.failed.map(({ key }) => key).toSorted()).toEqual(bad.map((index) => rows[index]?.key ?? '').toSorted());
      for (const { error } of outcome.failed) expect(error.code).toBe('FAMILY_MISSING');
      expect(await keys({ ranges: [tickRange(id)] })).toHaveLength(2497);
    });

    test.each<[string, WriteRow[], bigint]>([
      ['a version that is not whole milliseconds', [tick(1)], 1n],
      ['a version that the server would set', [tick(1)], -1000n],
      ['a row without a key', [{ ...tick(1), key: '' }], version],
      ['a row without cells', [{ ...tick(1), cells: [] }], version],
    ])('%s is refused before anything is sent', async (_, rows, given) => {
      expect(await writer.write(rows, given)).toMatchObject({ written: 0, failed: [{ error: { code: 'BAD_INPUT' } }] });
    });

    test('a proxy of the environment is not asked for a store on this machine', async () => {
      for (const name of ['grpc_proxy', 'https_proxy', 'http_proxy']) vi.stubEnv(name, 'http://127.0.0.1:1');
      const [fresh, other] = [connect(address), createWriter(address, { deadlineMs: 5000 })];
      expect(await fresh.read({ ranges: [tickRange(SPX)], deadlineMs: 5000 })).toMatchObject({ ok: true });
      expect(await other.write([tick(1)], version)).toMatchObject({ written: 1 });
      expect(await planTable(address)).toMatchObject({ ok: true });
      vi.unstubAllEnvs();
      await fresh.close();
      await other.close();
    });

    test('nothing to write is done at once', async () => {
      expect(await writer.write([], version)).toEqual({ written: 0, failed: [] });
    });
  });
});

test('a store that is down is STORE_UNREACHABLE for writer and set-up, in time', async () => {
  const address: StoreAddress = { kind: 'embedded', project: 'p', instance: 'i', table: 't', appProfile: null, endpoint: '127.0.0.1:1' };
  const writer = createWriter(address, { deadlineMs: 2000 });
  expect(await writer.write([tick(1)], version)).toMatchObject({ written: 0, failed: [{ error: { code: 'STORE_UNREACHABLE', retryable: true } }] });
  await writer.close();
  expect(await planTable(address)).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
  expect(await ensureTable(address)).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
  expect(await planTable(address, 0)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
});
