/** What CheckAndMutateRow carries, against the embedded store and Google's emulator: slots of writers, and `!latest` that never goes back. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import { type Conditional, createConditional } from '../../../electron/bigtable/conditional.ts';
import type { Reader, StoreAddress } from '../../../electron/bigtable/reader.ts';
import { type ClosableWriter, createWriter } from '../../../electron/bigtable/writer.ts';
import { startStore } from '../../../electron/embedded/startStore.ts';
import { advanceLatest, type LatestTick, repairLatest } from '../../../electron/ingest/live/latestState.ts';
import { type LeaseOptions, type Lease, takeLease } from '../../../electron/ingest/live/lease.ts';
import { sleep } from '../../../electron/ingest/sleep.ts';
import { decimal } from '../../../shared/decimal.ts';
import { failed, problem } from '../../../shared/result.ts';
import { indexIdOf, keyAfter, metaKey, tickKey } from '../../../shared/rowKey.ts';
import { fromMillis, micros } from '../../../shared/time.ts';
import { startEmulator } from '../../emulator/emulator.ts';

const WRITERS = 8;
const emulator = await startEmulator();
afterAll(() => ('skipped' in emulator ? undefined : emulator.stop()));
const version = BigInt(Date.now()) * 1000n;
const T0 = BigInt(Date.now() - 60_000) * 1000n;

describe.each([
  { name: 'embedded store', kind: 'embedded' as const, skipped: '' },
  { name: 'emulator', kind: 'emulator' as const, skipped: 'skipped' in emulator ? emulator.skipped : '' },
])('$name $skipped', ({ kind, skipped }) => {
  describe.skipIf(skipped !== '')('one row at a time', () => {
    let address: StoreAddress;
    let reader: Reader;
    let writer: ClosableWriter;
    let conditionals: Conditional[];
    let stop = async (): Promise<void> => {};

    beforeAll(async () => {
      let endpoint = 'address' in emulator ? emulator.address : '';
      if (kind === 'embedded') {
        const store = await startStore({ data: null, port: 0 });
        if (!store.ok) throw new Error(store.error.what);
        endpoint = store.value.address;
        stop = () => store.value.close();
      }
      address = { kind, project: 'p', instance: 'i', table: 'conditional', appProfile: null, endpoint };
      expect(await ensureTable(address)).toMatchObject({ ok: true });
      [reader, writer, conditionals] = [connect(address), createWriter(address), Array.from({ length: WRITERS }, () => createConditional(address))];
    });
    afterAll(async () => {
      await Promise.all([reader.close(), writer.close(), ...conditionals.map((one) => one.close())]);
      await stop();
    });
    async function cells(key: string): Promise<Record<string, string>> {
      const read = await reader.read({ ranges: [{ start: key, end: keyAfter(key) }], deadlineMs: 10_000 });
      return Object.fromEntries([...(read.rows[0]?.cells ?? [])].map(([column, { value }]) => [column, value.toString()]));
    }
    const replace = (value: string, at = version) => ({ kind: 'replace', version: at, cells: [{ family: 'm', qualifier: 'a', value }] }) as const;
    const any = { family: 'm', qualifier: 'a' } as const;

    test('a row changes only where its newest cell says so', async () => {
      const [one] = conditionals;
      const key = '!test#1';
      expect(await one!.check(key, any, null, replace('5'))).toEqual({ ok: true, value: false });
      expect(await one!.check(key, any, null, replace('6'))).toEqual({ ok: true, value: true });
      expect(await cells(key)).toEqual({ 'm:a': '5' });
      expect(await one!.check(key, { ...any, from: '6' }, replace('7'), null)).toEqual({ ok: true, value: false });
      expect(await one!.check(key, { ...any, from: '5', to: '5' }, replace('7', version - 5_000_000n), null)).toEqual({ ok: true, value: true });
      expect(await cells(key)).toEqual({ 'm:a': '7' });
      expect(await one!.check(key, { ...any, to: '6' }, { kind: 'delete' }, null)).toEqual({ ok: true, value: false });
      expect(await one!.check(key, { ...any, to: '7' }, { kind: 'delete' }, null)).toEqual({ ok: true, value: true });
      expect(await cells(key)).toEqual({});
    });

    test('an older version that fits does not count', async () => {
      const key = '!test#2';
      await writer.write([{ key, cells: [{ ...any, value: '1' }] }], version);
      await writer.write([{ key, cells: [{ ...any, value: '2' }] }], version + 1000n);
      expect(await conditionals[0]!.check(key, { ...any, to: '1' }, replace('9'), null)).toEqual({ ok: true, value: false });
    });

    test('wrong requests are refused, and a missing table is told', async () => {
      const [one] = conditionals;
      expect(await one!.check('', any, null, replace('1'))).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
      expect(await one!.check('k', any, null, replace('1', 1n))).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
      expect(await one!.check('k', any, null, null)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
      const other = createConditional({ ...address, table: 'nowhere' });
      expect(await other.check('k', any, null, replace('1'))).toMatchObject({ ok: false, error: { code: 'TABLE_MISSING' } });
      await other.close();
      expect(await other.check('k', any, null, replace('1'))).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    });

    const id = indexIdOf('LATEST');
    const event = (at: number, sequence = 0, price = String(at + 1)): LatestTick => ({ index: id, time: micros(T0 + BigInt(at)), sequence, price: decimal(price), ingest: micros(T0), source: 'test' });
    const latest = async (): Promise<string | undefined> => (await cells(metaKey('latest', id)))['m:k'];

    test('8 writers with shuffled events: the latest never goes back, and ends as the newest', async () => {
      const events = Array.from({ length: 240 }, (_, i) => event(Math.floor(i / 3), i % 3));
      const shuffled = fc.sample(fc.shuffledSubarray(events, { minLength: events.length }), { numRuns: 1, seed: 7 })[0] ?? [];
      const lanes = conditionals.map((conditional, lane) => async () => {
        for (const one of shuffled.filter((_, i) => i % WRITERS === lane)) expect(await advanceLatest(conditional, one, version)).toMatchObject({ ok: true });
      });
      const run = { done: false };
      const seen: string[] = [];
      const watching = (async () => {
        while (!run.done) seen.push((await latest()) ?? '~');
      })();
      await Promise.all(lanes.map((lane) => lane()));
      run.done = true;
      await watching;
      // newest first as bytes: what is read later is never greater
      expect(seen).toEqual(seen.toSorted().reverse());
      expect(new Set(seen).size).toBeGreaterThan(1);
      expect(await latest()).toBe(tickKey(id, micros(T0 + 79n), 2));
    });

    test('a correction replaces its own tick and no newer one; repeated, nothing changes', async () => {
      const [one] = conditionals;
      const price = async () => (await cells(metaKey('latest', id)))['m:p'];
      expect(await advanceLatest(one!, event(100, 0, '5'), version)).toEqual({ ok: true, value: true });
      expect(await advanceLatest(one!, event(100, 0, '6'), version + 1000n)).toEqual({ ok: true, value: true });
      expect(await advanceLatest(one!, event(100, 0, '5'), version)).toEqual({ ok: true, value: false });
      expect(await advanceLatest(one!, event(99, 0, '7'), version + 5000n)).toEqual({ ok: true, value: false });
      expect(await advanceLatest(one!, event(100, 0, '6'), version + 1000n)).toEqual({ ok: true, value: false });
      expect(await price()).toBe('6');
    });

    test('a deleted tick gives way to the newest that is left, whatever is deleted else', async () => {
      const [one] = conditionals;
      const bust = event(200);
      const row = (tick: LatestTick) => ({ key: tickKey(tick.index, tick.time, tick.sequence), cells: [{ family: 'q' as const, qualifier: 'p', value: tick.price }] });
      await writer.write([row(event(150)), row(event(151))], version);
      await advanceLatest(one!, bust, version);
      const now = fromMillis(Date.now());
      expect(await repairLatest(reader, one!, event(150), now)).toEqual({ ok: true, value: null });
      expect(await latest()).toBe(row(bust).key);
      expect(await repairLatest(reader, one!, bust, now)).toEqual({ ok: true, value: null });
      expect(await latest()).toBe(row(event(151)).key);
      // one comes in while we look, and gives way to the tick that is being deleted
      await advanceLatest(one!, bust, version);
      let reads = 0;
      const slow: Reader = { ...reader, read: async (request) => {
        const answer = await reader.read(request);
        if (++reads === 1) {
          await writer.write([row(event(160))], version);
          expect(await advanceLatest(one!, event(160), version)).toEqual({ ok: true, value: false });
        }
        return answer;
      } };
      await repairLatest(slow, one!, bust, now);
      expect(await latest()).toBe(row(event(160)).key);
    });

    const runs = new Map<string, Lease>();
    let tokens = 0;
    const options = (name: string, more: Partial<LeaseOptions> = {}): LeaseOptions => ({
      reader, conditional: conditionals[(tokens += 1) % WRITERS]!, name, token: `t${tokens}`, elapsed: () => performance.now(), machineMillis: () => Date.now(), sleep,
      leaseMs: 1000, writeMs: 200, patienceMs: 10_000, ...more,
    });
    const taken = async (name: string, more: Partial<LeaseOptions> = {}): Promise<Lease> => {
      const lease = await takeLease(options(name, more));
      if (!lease.ok) throw new Error(lease.error.what);
      runs.set(name, lease.value);
      return lease.value;
    };

    test('8 writers at once never share a slot; a ninth gets the last, a tenth is told', async () => {
      const eight = await Promise.all(Array.from({ length: WRITERS }, (_, i) => taken(`w${i}`)));
      expect(new Set(eight.map(({ slot }) => slot)).size).toBe(WRITERS);
      const ninth = await taken('w8');
      expect(new Set([...eight, ninth].map(({ slot }) => slot))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
      expect(await takeLease(options('w9', { patienceMs: 300 }))).toMatchObject({ ok: false, error: { code: 'STORE_BUSY', what: 'all 9 writer slots are held' } });
      expect(await takeLease(options('two words'))).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    });

    test('given back, a slot stays its writer\'s first choice', async () => {
      const [third, fifth] = [runs.get('w3')!, runs.get('w5')!];
      await Promise.all([third.release(), fifth.release()]);
      expect(await third.standing()).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
      expect((await taken('w5')).slot).toBe(fifth.slot);
      expect((await taken('w3')).slot).toBe(third.slot);
    });

    test('left without a word, it goes to its own name when the lease is over, and the one that left learns it', async () => {
      await Promise.all([...runs.values()].map((lease) => lease.release()));
      // a process that stands still: it neither renews nor gives back
      let frozen = false;
      const thaw: (() => void)[] = [];
      const freezing = async (ms: number, signal?: AbortSignal): Promise<void> => {
        await sleep(ms, signal);
        if (frozen) await new Promise<void>((resolve) => thaw.push(resolve));
      };
      let wall = 0;
      const old = await taken('again', { sleep: freezing, machineMillis: () => Date.now() + wall });
      expect(await old.standing()).toEqual({ ok: true, value: null });
      frozen = true;
      const begun = performance.now();
      const heir = await taken('again');
      expect(heir.slot).toBe(old.slot);
      expect(performance.now() - begun).toBeGreaterThan(900);
      // too late to write, whatever the elapsed clock says after a machine's sleep: it must ask first
      wall = 3_600_000;
      const asked = old.standing();
      frozen = false;
      for (const one of thaw) one();
      expect(await asked).toMatchObject({ ok: false, error: { code: 'CANCELLED', what: expect.stringMatching(/^the writer again lost its slot \d to again/) } });
      await old.release();
      expect(await heir.standing()).toEqual({ ok: true, value: null });
      await heir.release();
      expect(await cells(metaKey('writer', String(heir.slot)))).toEqual({ 'm:l': 'free again' });
    });

    test('an answer that never came does not cost the slot', async () => {
      const [real] = conditionals;
      let lose = 2;
      const deaf: Conditional = { ...real!, check: async (...request) => {
        const done = await real!.check(...request);
        return lose-- > 0 ? failed(problem('STORE_TIMEOUT', 'no answer', 'wait', true)) : done;
      } };
      const told: (string | null)[] = [];
      const lease = await taken('deaf', { conditional: deaf, onProblem: (trouble) => told.push(trouble?.code ?? null) });
      while (told.length < 2) await sleep(20);
      expect(told).toEqual(['STORE_TIMEOUT', null]);
      await sleep(400);
      expect(await lease.standing()).toEqual({ ok: true, value: null });
      await lease.release();
    });
  });
});
