/** Ticks that were exported and are imported again: the same rows, whatever they hold, in CSV and JSON, once and again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import type { Reader, StoreAddress, WriteRow } from '../../../electron/bigtable/reader.ts';
import { type ClosableWriter, createWriter } from '../../../electron/bigtable/writer.ts';
import { type Store, startStore } from '../../../electron/embedded/startStore.ts';
import { exportFile } from '../../../electron/history/exportFile.ts';
import { type Format, printedPages } from '../../../electron/history/printed.ts';
import { importFile } from '../../../electron/ingest/import/importFile.ts';
import { writeRows, type Written } from '../../../electron/ingest/import/writeRows.ts';
import { problem } from '../../../shared/result.ts';
import { type IndexId, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type EpochMicros, fromMillis, micros } from '../../../shared/time.ts';

const NOW = fromMillis(Date.parse('2024-03-12T00:00:00Z'));
const SPAN = { from: micros(-1_000_000_000_000_000n), to: NOW };
const T0 = 1_710_163_800_000_000n;
const folder = mkdtempSync(join(tmpdir(), 'frontrow-again-'));
let store: Store;
let reader: Reader;
let writer: ClosableWriter;

beforeAll(async () => {
  const started = await startStore({ data: null, port: 0 });
  if (!started.ok) throw new Error(started.error.what);
  store = started.value;
  const address: StoreAddress = { kind: 'embedded', project: 'frontrow', instance: 'frontrow', table: 'again', appProfile: null, endpoint: store.address };
  expect(await ensureTable(address)).toMatchObject({ ok: true });
  [reader, writer] = [connect(address), createWriter(address)];
});
afterAll(async () => {
  await reader.close();
  await writer.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

let ids = 0;
const newIndex = (): IndexId => indexIdOf(`^X${(ids += 1)}`);
const clock: Clock = { kind: 'test', now: () => NOW, elapsed: () => performance.now(), speed: () => 1, note: () => null };

interface Print { readonly time: EpochMicros; readonly sequence: number; readonly price: string; readonly volume: string | null; readonly source: string | null; readonly ingest: bigint | null }
const prints = fc.uniqueArray(fc.record<Print>({
  time: fc.oneof(fc.constantFrom(0n, 1n, 7n).map((n) => micros(T0 + n)), fc.constantFrom(-1n, 0n, 5_000_000n, 40_000_000_000_000n).map(micros)),
  sequence: fc.oneof(fc.nat(3), fc.constantFrom(100_000, 100_001, 999_999)), price: fc.constantFrom('5', '-37.63', '5111.9600001', '0'), volume: fc.constantFrom(null, '0', '12.5'),
  source: fc.oneof(fc.constantFrom(null, 'histdata', 'a,"b"', 'a;b;c;d;e;f;g', 'x\ny', ' blank ', 'NaN'), fc.string({ minLength: 1, maxLength: 15, unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed() && Buffer.byteLength(text) <= 64)), ingest: fc.constantFrom(null, 1n, T0 + 3n),
}), { minLength: 1, maxLength: 12, selector: ({ time, sequence }) => `${time} ${sequence}` });

const rowOf = (index: IndexId, { time, sequence, price, volume, source, ingest }: Print): WriteRow => ({
  key: tickKey(index, time, sequence),
  cells: ([['p', price], ['v', volume], ['s', source], ['i', ingest === null ? null : String(ingest)]] as const).flatMap(([qualifier, value]) => (value === null ? [] : [{ family: 'h', qualifier, value } as const])),
});
const put = async (rows: readonly WriteRow[]): Promise<void> => { expect((await writer.write(rows, BigInt(Date.now()) * 1000n)).failed).toEqual([]); };
const pages = (index: IndexId, format: Format, order: 'newest' | 'oldest') => printedPages({ reader, clock, retentionDays: 90 }, { index, ...SPAN, limit: 0, order, signal: AbortSignal.timeout(60_000) }, 'tick', format);

async function exported(index: IndexId, format: Format, order: 'newest' | 'oldest'): Promise<string> {
  const path = join(folder, `${index.slice(1)}-${order}.${format}`);
  expect(await exportFile(path, pages(index, format, order), format, { empty: problem('NOT_FOUND', 'none', 'none') })).toMatchObject({ ok: true });
  return path;
}
async function imported(path: string, index: IndexId | null): Promise<Written & { readonly format: string; readonly rejects: readonly string[] }> {
  const read = await importFile(path, { format: 'auto', index, zone: null, period: null, order: null, decimal: null, stamp: 'start', day: null }, { straight: true });
  if (!read.ok) throw new Error(`${read.error.what}; ${read.error.next}`);
  const { spool, format, rows } = read.value;
  const conflicts: string[] = [];
  try {
    const done = await writeRows({ rows: rows(), source: format, keep: true, officialCloses: false, reader, writer, now: () => NOW, machineMillis: () => Date.now(), onFuture: () => {}, onConflict: ({ line }, reason) => { conflicts.push(`${line} ${reason}`); } });
    if (!done.ok) throw new Error(done.error.what);
    return { ...done.value, format, rejects: [...conflicts, ...[...spool.rejects()].map(({ reason }) => reason)] };
  } finally {
    spool.close();
  }
}
async function text(index: IndexId): Promise<string> {
  let all = '';
  for await (const page of pages(index, 'csv', 'newest')) all += page.ok ? page.value.text : expect.fail(page.error.what);
  return all;
}

test('an export that is imported gives the identical rows, and again adds nothing', () =>
  fc.assert(fc.asyncProperty(prints, fc.constantFrom<Format>('csv', 'json'), fc.constantFrom('newest', 'oldest'), async (all, format, order) => {
    const [from, to] = [newIndex(), newIndex()];
    await put(all.map((one) => rowOf(from, one)));
    const path = await exported(from, format, order);
    const count = { corrected: 0, future: 0, format: 'frontrow', rejects: [] };
    expect(await imported(path, to)).toEqual({ written: all.length, duplicate: 0, ...count });
    expect(await text(to)).toBe(await text(from));
    expect(await imported(path, to)).toEqual({ written: 0, duplicate: all.length, ...count });
    expect(await imported(path, from)).toEqual({ written: 0, duplicate: all.length, ...count });
  }), { numRuns: 40 }), 60_000);

test('a tick that was corrected after the export stays, and is told', async () => {
  const index = newIndex();
  const print: Print = { time: micros(T0), sequence: 100_000, price: '5', volume: null, source: 'live', ingest: null };
  await put([rowOf(index, print)]);
  const path = await exported(index, 'csv', 'newest');
  await put([rowOf(index, { ...print, price: '6' })]);
  expect(await imported(path, index)).toMatchObject({ written: 0, duplicate: 0, rejects: [expect.stringMatching(/^2 another tick has its identity \(price 6, volume none, source "live"\) and is kept: `frontrow ingest --delete`/)] });
  expect(await text(index)).toMatch(/,6,,live,$/);
});

test('lines of `window --json` name their indices, as they are written', async () => {
  const [index, path] = [newIndex(), join(folder, 'window.jsonl')];
  writeFileSync(path, `${[0, 1].map((sequence) => JSON.stringify({ index, eventMicros: String(T0), sequence, price: '5', volume: null, source: 'a', ingestMicros: null })).join('\n')}\n{"cost":{"requests":1,"rows":2,"bytes":3}}\n`);
  expect(await imported(path, null)).toMatchObject({ written: 2, rejects: [expect.stringMatching(/not an index id|not microseconds/)] });
  expect(await text(index)).toBe(`${T0},1,5,,a,\n${T0},0,5,,a,`);
});

test('what is wrong in an export is told by line, and an export of bars is refused', async () => {
  const [index, path] = [newIndex(), join(folder, 'wrong.csv')];
  writeFileSync(path, `eventMicros,sequence,price,volume,source,ingestMicros\n${T0},0,5,,a,\n${T0},0,5,,a,\n${T0},0,6,,a,\n${T0},1000000,5,,a,\n1.5,0,5,,a,\n${T0},1,5,,${'x'.repeat(65)},\n${T0},2,5,,a,now\n`);
  const { rejects, ...counts } = await imported(path, index);
  expect(counts).toMatchObject({ written: 1, duplicate: 1 });
  expect(rejects.map((reason) => reason.slice(0, 30))).toEqual(['4 another tick has its identity', 'not a sequence of 0 to 999999:', 'not microseconds since 1970: "', 'a source of more than 64 bytes', 'not microseconds since 1970: "'].map((reason) => reason.slice(0, 30)));
  writeFileSync(path, `eventMicros,resolution,open,high,low,close,volume,ticks,kind\n${T0},1m,1,2,1,2,,,own\n`);
  await expect(imported(path, index)).rejects.toThrow(/an export of bars.*--resolution tick/);
});
