/** The live writer: deletions, shards, and what it does in trouble, in the embedded store through the real clients. */
import { describe, expect, test } from 'vitest';
import { createCurrentLayouts } from '../../../electron/bigtable/layout/current.ts';
import { layoutReader } from '../../../electron/bigtable/layout/layoutReader.ts';
import { layoutWriter } from '../../../electron/bigtable/layout/layoutWriter.ts';
import type { Writer } from '../../../electron/bigtable/reader.ts';
import { type Deletions, deleteTicks } from '../../../electron/ingest/live/deletions.ts';
import type { Lease } from '../../../electron/ingest/live/lease.ts';
import { sleep } from '../../../electron/ingest/sleep.ts';
import { failed, problem } from '../../../shared/result.ts';
import { keyAfter, metaKey, tickKey, tickRange } from '../../../shared/rowKey.ts';
import { fromMillis, micros } from '../../../shared/time.ts';
import { unlucky } from './liveTable.ts';
import { done, liveWrites, newIndex, T0, tick } from './liveWrites.ts';

const held = liveWrites();
const { prints, write } = held;

describe('deletions', () => {
  test('a busted trade goes, whoever wrote it, in the order given; `!latest` falls back', async () => {
    const id = newIndex();
    await write([tick(id, 0n, '4')], 2, { keep: true });
    const writer = held.table.live(1, { latest: true });
    const latest = async (): Promise<string | undefined> => {
      await writer.flush();
      const key = metaKey('latest', id);
      return (await held.table.reader.read({ ranges: [{ start: key, end: keyAfter(key) }], deadlineMs: 5000 })).rows[0]?.cells.get('m:p')?.value.toString();
    };
    const busted = { index: id, time: micros(T0 + 2n), sequence: 100_000 };
    await writer.write([tick(id, 1n, '5'), tick(id, 2n, '6')]);
    expect(await latest()).toBe('6');
    await writer.remove(busted);
    await writer.remove(busted);
    expect(await latest()).toBe('5');
    await writer.remove({ ...busted, time: micros(T0), sequence: 200_000 });
    expect(await latest()).toBe('5');
    await writer.remove({ ...busted, time: micros(T0 + 1n) });
    expect(await latest()).toBe(undefined);
    expect(await prints(id)).toEqual([]);
    // given again after its deletion it is there again
    await writer.write([tick(id, 2n, '6')]);
    expect(await latest()).toBe('6');
    expect(await done(writer)).toMatchObject({ written: 3, deleted: 3, absent: 1, duplicates: 0 });
  });
});

test('a list of deletions: looked at first, done once, absent the second time; stopped by what the store says', async () => {
  const id = newIndex();
  await write([tick(id, 0n, '5'), tick(id, 1n, '6'), tick(id, 2n, '7')], 1, { latest: true });
  const named = (at: bigint, sequence = 100_000) => ({ index: id, time: micros(T0 + at), sequence });
  const absent: number[] = [];
  const job: Deletions = {
    identities: [named(1n), named(2n), named(2n), named(2n, 3)], reader: held.table.reader, conditional: held.table.conditional, writer: null, now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), elapsed: () => performance.now(),
    sleep: () => sleep(1), onAbsent: ({ sequence }) => absent.push(sequence), onProblem: () => {}, signal: new AbortController().signal,
  };
  expect(await deleteTicks(job)).toEqual({ ok: true, value: { deleted: 2, absent: 1 } });
  expect(await prints(id)).toHaveLength(3);
  const refusing: Writer = { write: (rows) => Promise.resolve({ written: 0, failed: rows.map(({ key }) => ({ key, error: problem('CREDENTIALS_REFUSED', 'no', 'ask') })) }) };
  expect(await deleteTicks({ ...job, writer: refusing })).toMatchObject({ ok: false, error: { code: 'CREDENTIALS_REFUSED' } });
  expect(await deleteTicks({ ...job, writer: unlucky(held.table.writer, ['refused', 'unheard']) })).toEqual({ ok: true, value: { deleted: 2, absent: 1 } });
  expect(await prints(id)).toEqual(['0 100000 5 - 0']);
  const key = metaKey('latest', id);
  expect((await held.table.reader.read({ ranges: [{ start: key, end: keyAfter(key) }], deadlineMs: 5000 })).rows[0]?.cells.get('m:p')?.value.toString()).toBe('5');
  expect(await deleteTicks({ ...job, writer: held.table.writer })).toEqual({ ok: true, value: { deleted: 0, absent: 3 } });
  expect(absent).toContain(3);
});

test('a sharded index: the same counts, the same ticks, deletions too, whatever shard they lie in', async () => {
  const id = newIndex();
  const version = BigInt(Date.now()) * 1000n;
  await held.table.writer.write([{ key: metaKey('index', id), cells: [{ family: 'm', qualifier: 'name', value: 'x' }, { family: 'm', qualifier: 'shards', value: `${T0 + 5n}:4` }] }], version);
  const elapsed = (): number => performance.now();
  const current = createCurrentLayouts(held.table.reader, elapsed);
  const reader = layoutReader(held.table.reader, current, elapsed);
  const { close: _close, ...writer } = layoutWriter({ ...held.table.writer, close: () => Promise.resolve() }, current);
  const all = Array.from({ length: 20 }, (_, i) => tick(id, BigInt(i), '5'));
  await write(all, 1, { reader, writer });
  const again = held.table.live(1, { reader, writer, latest: true });
  await again.write([...all, tick(id, 3n, '6'), tick(id, 19n, '6'), tick(id, 12n, '5', null)]);
  for (const at of [0n, 19n, 7n, 19n]) await again.remove({ index: id, time: micros(T0 + at), sequence: 100_000 });
  expect(await done(again)).toMatchObject({ written: 1, duplicates: 20, corrected: 2, late: 1, deleted: 3, absent: 1 });
  const read = await reader.read({ ranges: [tickRange(id)], deadlineMs: 5000 });
  expect(read.rows.map(({ key }) => key)).toEqual([18, 17, 16, 15, 14, 13, 12, 12, 11, 10, 9, 8, 6, 5, 4, 3, 2, 1].map((at, i) => tickKey(id, micros(T0 + BigInt(at)), i === 6 ? 100_001 : 100_000)));
  expect((await prints(id)).length).toBeLessThan(10); // the others lie in shards
  const key = metaKey('latest', id);
  expect((await held.table.reader.read({ ranges: [{ start: key, end: keyAfter(key) }], deadlineMs: 5000 })).rows[0]?.cells.get('m:k')?.value.toString()).toBe(tickKey(id, micros(T0 + 18n), 100_000));
});

describe('trouble', () => {
  test('a full queue makes its source wait', async () => {
    const id = newIndex();
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => { open = resolve; });
    const writer = held.table.live(1, { queueBound: 10, writer: { write: async (rows, version) => { await gate; return held.table.writer.write(rows, version); } } });
    let taken = 0;
    const source = (async () => { for (let i = 0; i < 6000; i += 1, taken += 1) await writer.write([tick(id, BigInt(i), '5')]); })();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(taken).toBeLessThan(4 * 1000 + 20);
    open();
    await source;
    expect(await done(writer)).toMatchObject({ written: 6000, late: 0 });
    expect(await prints(id)).toHaveLength(6000);
  });

  test('waiting for a lease has an end too', async () => {
    const lease: Lease = { slot: 3, stands: () => false, release: () => Promise.resolve(), standing: (signal) => new Promise((resolve) => {
      const end = (): void => resolve(failed(problem('STORE_TIMEOUT', 'not renewed', 'wait', true)));
      if (signal?.aborted === true) end();
      signal?.addEventListener('abort', end, { once: true });
    }) };
    const patient = held.table.live(3, { lease, patienceMs: 1e9, sleep });
    await patient.write([tick(newIndex(), 0n, '5')]);
    const closed = patient.close();
    await sleep(20);
    patient.abandon();
    expect(await closed).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    const hasty = held.table.live(3, { lease, patienceMs: 30 });
    await hasty.write([tick(newIndex(), 0n, '5')]);
    expect(await hasty.close()).toMatchObject({ ok: false, error: { code: 'STORE_TIMEOUT' } });
  });

  test('a store that stays away ends the writer, and so does a lost lease; nothing is taken in silence', async () => {
    const id = newIndex();
    const told: (string | null)[] = [];
    const gone: Writer = { write: (rows) => Promise.resolve({ written: 0, failed: rows.map(({ key }) => ({ key, error: problem('STORE_UNREACHABLE', 'gone', 'wait', true) })) }) };
    const writer = held.table.live(1, { writer: gone, patienceMs: 50, onProblem: (trouble) => told.push(trouble?.code ?? null) });
    await writer.write([tick(id, 0n, '5')]);
    expect(await writer.flush()).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
    expect(await writer.write([tick(id, 1n, '5')])).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
    expect(await writer.close()).toMatchObject({ ok: false });
    expect(told).toEqual(['STORE_UNREACHABLE']);

    let lost = false;
    const lease = { slot: 3, stands: () => !lost, standing: () => Promise.resolve(lost ? failed(problem('CANCELLED', 'lost', 'start again')) : { ok: true as const, value: null }), release: () => Promise.resolve() };
    const other = held.table.live(3, { lease });
    await other.write([tick(id, 0n, '5')]);
    await other.flush();
    lost = true;
    await other.write([tick(id, 1n, '5')]);
    expect(await other.flush()).toMatchObject({ ok: false, error: { what: 'lost' } });
    expect(await prints(id)).toEqual(['0 300000 5 - 0']);
  });
});
