import { describe, expect, test } from 'vitest';
import { createCurrentLayouts, MAX_AGE_MS } from '../../../../electron/bigtable/layout/current.ts';
import { layoutReader } from '../../../../electron/bigtable/layout/layoutReader.ts';
import { layoutWriter } from '../../../../electron/bigtable/layout/layoutWriter.ts';
import { shardOf } from '../../../../electron/bigtable/layout/schedule.ts';
import type { ReadOutcome, Row, WriteRow } from '../../../../electron/bigtable/reader.ts';
import type { ClosableWriter } from '../../../../electron/bigtable/writer.ts';
import { problem } from '../../../../shared/result.ts';
import { barKey, indexIdOf, metaRange, tickKey } from '../../../../shared/rowKey.ts';
import { micros } from '../../../../shared/time.ts';
import { DOWN, rowAt, tableReader } from './table.ts';

const SPX = indexIdOf('SPX');
const registryRow = (columns: Record<string, string>, id = 'SPX'): Row => ({ key: `!index#${id}`, cells: new Map(Object.entries(columns).map(([name, value]) => [`m:${name}`, { value: Buffer.from(value), version: 0n }])) });
const sharded = registryRow({ shards: '100:4' });
const key = (time: bigint, sequence = 0, id = SPX): string => tickKey(id, micros(time), sequence);
const inShard = (canonical: string, shards = 4): string => canonical.replace('#', `~0${shardOf(canonical, shards)}#`);

/** A table, a clock, and what is laid over them. */
function stand(rows: Row[]) {
  const state = { rows, now: 0, down: false as boolean | 'TABLE_MISSING' };
  const plain = tableReader(() => state.rows, () => (state.down === false ? Number.POSITIVE_INFINITY : 0));
  const read = plain.read.bind(plain);
  const answered = {
    ...plain,
    read: async (request: Parameters<typeof read>[0]): Promise<ReadOutcome> => {
      const outcome = await read(request);
      return !outcome.ok && typeof state.down === 'string' ? { ...outcome, error: problem(state.down, 'there is no table', 'create it') } : outcome;
    },
  };
  const elapsed = (): number => state.now;
  const current = createCurrentLayouts(answered, elapsed);
  const written: WriteRow[] = [];
  const plainWriter: ClosableWriter = {
    write(given) {
      const bad = given.filter((row) => row.cells[0]?.value === 'bad');
      written.push(...given);
      return Promise.resolve({ written: given.length - bad.length, failed: bad.map((row) => ({ key: row.key, error: DOWN })) });
    },
    close: () => Promise.resolve(),
  };
  const registryReads = (): number => plain.asked.filter(({ ranges }) => ranges[0]?.start === '!index#').length;
  return { state, current, reader: layoutReader(answered, current, elapsed), writer: layoutWriter(plainWriter, current), written, registryReads, asked: plain.asked };
}

const latest = { ranges: [{ start: 'SPX#', end: 'SPX$' }], limit: 1, deadlineMs: 1000 };
const settled = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

describe('how fresh the registry is', () => {
  test('a change is seen within its age, by one read of the registry however many ask', async () => {
    const { state, reader, registryReads } = stand([rowAt(inShard(key(200n))), rowAt(key(50n))]);
    expect(await reader.read(latest)).toMatchObject({ ok: true, rows: [{ key: key(50n) }] });
    state.rows.push(sharded);
    state.now = MAX_AGE_MS;
    const answers = await Promise.all([reader.read(latest), reader.read(latest), reader.read(latest)]);
    for (const answer of answers) expect(answer).toMatchObject({ ok: true, rows: [{ key: key(200n) }] });
    expect(registryReads()).toBe(2);
  });

  test('before its age it is read beside the reads, which do not wait', async () => {
    const { state, reader, registryReads } = stand([sharded, rowAt(inShard(key(200n)))]);
    await reader.read(latest);
    state.now = 41_000;
    for (let at = 0; at < 5; at += 1) await reader.read(latest);
    await settled();
    expect(registryReads()).toBe(2);
    state.now = 80_000;
    await reader.read(latest);
    expect(registryReads()).toBe(2);
  });

  test('what others read of the registry counts', async () => {
    const { state, reader, registryReads } = stand([sharded, rowAt(inShard(key(200n)))]);
    for (state.now = 0; state.now < 300_000; state.now += 10_000) {
      if (state.now % 30_000 === 0) await reader.read({ ranges: [metaRange('index')], limit: 10_001, deadlineMs: 1000, families: ['m'] });
      expect(await reader.read(latest)).toMatchObject({ ok: true, rows: [{ key: key(200n) }] });
    }
    expect(registryReads()).toBe(10);
  });

  test('a store that is down fails the read and is asked again; a new connection knows nothing', async () => {
    const { state, reader, registryReads } = stand([sharded, rowAt(inShard(key(200n)))]);
    state.down = true;
    expect(await reader.read(latest)).toMatchObject({ ok: false, rows: [], scannedTo: null });
    state.down = false;
    expect(await reader.read(latest)).toMatchObject({ ok: true, rows: [{ key: key(200n) }] });
    reader.renew();
    await reader.read(latest);
    expect(registryReads()).toBe(3);
  });

  test('a table that is not there yet has no shards', async () => {
    const { state, current, reader } = stand([]);
    state.down = 'TABLE_MISSING';
    expect(await reader.read(latest)).toMatchObject({ ok: false, error: { code: 'TABLE_MISSING' } });
    expect(await current.fresh(1000)).toMatchObject({ ok: true });
    expect(current.now()).toBeNull();
  });
});

describe('where rows are written', () => {
  const rowOf = (at: string, value = '1'): WriteRow => ({ key: at, cells: [{ family: 'q', qualifier: 'p', value }] });

  test('by the event: the shard of its time, the old name before its date, everything else as it is', async () => {
    const meta = indexIdOf('META');
    const { writer, written } = stand([sharded, registryRow({ formerly: 'SPX 150' }, 'META')]);
    const given = [key(99n), key(100n), key(100n, 7), 'SPX#9223372036854775000', barKey(SPX, '1m', micros(200n)), key(200n, 0, meta), key(120n, 3, meta), key(20n, 0, meta), barKey(meta, '1d', micros(0n)), '!index#SPX', key(500n, 0, indexIdOf('NDX'))];
    expect(await writer.write(given.map((at) => rowOf(at)), 0n)).toEqual({ written: given.length, failed: [] });
    expect(written.map((row) => row.key)).toEqual([
      key(99n), inShard(key(100n)), inShard(key(100n, 7)), 'SPX#9223372036854775000', barKey(SPX, '1m', micros(200n)),
      key(200n, 0, meta), inShard(key(120n, 3)), key(20n), barKey(SPX, '1d', micros(0n)), '!index#SPX', key(500n, 0, indexIdOf('NDX')),
    ]);
  });

  test('a row that fails is named by its canonical key', async () => {
    const { writer } = stand([sharded]);
    expect(await writer.write([rowOf(key(100n)), rowOf(key(101n), 'bad'), rowOf(key(5n), 'bad')], 0n)).toMatchObject({ written: 1, failed: [{ key: key(101n), error: DOWN }, { key: key(5n) }] });
  });

  test('a deletion goes to every place where a read would find the row, and counts once', async () => {
    const { writer, written } = stand([sharded]);
    const gone: WriteRow = { key: key(100n), cells: [], removed: [{ family: 'q', qualifier: 'p' }] };
    expect(await writer.write([gone], 0n)).toEqual({ written: 1, failed: [] });
    expect(written.map((row) => row.key)).toEqual([key(100n), ...[0, 1, 2, 3].map((shard) => key(100n).replace('#', `~0${shard}#`))]);
    expect(written.every(({ removed }) => removed === gone.removed)).toBe(true);
  });

  test('nothing without a fresh registry, and it says so', async () => {
    const { state, writer, written } = stand([sharded]);
    await writer.write([rowOf(key(100n))], 0n);
    state.now = MAX_AGE_MS - 1;
    state.down = true;
    expect(await writer.write([rowOf(key(101n))], 0n)).toMatchObject({ written: 1 });
    state.now = MAX_AGE_MS;
    const outcome = await writer.write([rowOf(key(102n)), rowOf(key(103n))], 0n);
    expect(outcome).toMatchObject({ written: 0, failed: [{ key: key(102n), error: { code: 'STORE_UNREACHABLE', retryable: true } }, { key: key(103n) }] });
    expect(outcome.failed[0]?.error.what).toContain('nothing is written without a registry of the last 50 s');
    expect(written).toHaveLength(2);
    state.down = false;
    expect(await writer.write([rowOf(key(102n))], 0n)).toMatchObject({ written: 1, failed: [] });
  });

  test('an index whose schedule can not be read: its rows are refused, found in every shard, and its neighbours go on', async () => {
    const { writer, written, reader } = stand([registryRow({ shards: 'four' }), rowAt(`SPX~77${key(200n).slice(3)}`)]);
    const outcome = await writer.write([rowOf(key(1n)), rowOf(key(1n, 0, indexIdOf('NDX')))], 0n);
    expect(outcome).toMatchObject({ written: 1, failed: [{ key: key(1n), error: { code: 'BAD_DATA', what: expect.stringContaining('!index#SPX') as unknown } }] });
    expect(written.map((row) => row.key)).toEqual([key(1n, 0, indexIdOf('NDX'))]);
    expect(await reader.read(latest)).toMatchObject({ ok: true, rows: [{ key: key(200n) }] });
  });

  test('a table without shards gets the same batch', async () => {
    const { writer, written } = stand([registryRow({ name: 'S&P 500' })]);
    const batch = [rowOf(key(1n))];
    await writer.write(batch, 0n);
    expect(written[0]).toBe(batch[0]);
  });
});
