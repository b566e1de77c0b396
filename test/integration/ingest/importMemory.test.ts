/** A file far larger than the memory that its reader may have, in a process of its own; and a reading that is stopped. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFile } from '../../../electron/ingest/import/importFile.ts';
import { indexIdOf } from '../../../shared/rowKey.ts';

const ROWS = 160_000;
let folder: string;
let [rising, mixed] = ['', ''];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'frontrow-memory-'));
  const write = (name: string, second: (i: number) => number): string => {
    const lines = Array.from({ length: ROWS }, (_, i) => `${1_710_163_800 + second(i)},${5000 + (i % 997)}.25,${i % 9}`);
    writeFileSync(join(folder, name), `time,price,volume\n${lines.join('\n')}\n`);
    return join(folder, name);
  };
  rising = write('rising.csv', (i) => i);
  // no order in it: sorting may not hold it either
  mixed = write('mixed.csv', (i) => (i * 7919) % ROWS);
});
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

/** The lines of `script`, in a process of its own whose heap has 24 MB: with all rows in it as objects it would run out. */
async function inSmallHeap(script: string): Promise<unknown> {
  const source = (name: string): string => JSON.stringify(join(import.meta.dirname, '../../../electron/ingest/import', name));
  const whole = `
    const [{ importFile }, { writeRows }] = [await import(${source('importFile.ts')}), await import(${source('writeRows.ts')})];
    const open = async (path, more) => (await importFile(path, { format: 'auto', index: 'SPX', zone: null, period: null, order: null, decimal: null, stamp: 'start', day: null }, more)).value;
    ${script}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=24', '--input-type=module', '-e', whole], { timeout: 100_000 });
  return JSON.parse(stdout);
}

test('read and sorted within a small heap', async () => {
  expect(await inSmallHeap(`
    const { spool } = await open(${JSON.stringify(mixed)});
    let [count, last, sorted] = [0, 0n, true];
    for (const { time } of spool.rows()) { sorted &&= time >= last; last = time; count += 1; }
    spool.close();
    console.log(JSON.stringify({ count, sorted }));`)).toEqual({ count: ROWS, sorted: true });
}, 110_000);

test('a file in order is written within it, and not stored on the way', async () => {
  expect(await inSmallHeap(`
    const { spool, rows } = await open(${JSON.stringify(rising)}, { straight: true });
    let [most, now] = [0, 0];
    const reader = { read: async () => ({ ok: true, rows: [], elapsedMs: 0 }) };
    const writer = { write: async (batch) => { most = Math.max(most, now += batch.length); await new Promise((resolve) => setTimeout(resolve, 1)); now -= batch.length; return { written: batch.length, failed: [] }; } };
    const done = await writeRows({ rows: rows(), source: 'x', keep: true, officialCloses: false, reader, writer, now: () => 2n ** 60n, machineMillis: () => Date.now(), onFuture() {} });
    console.log(JSON.stringify({ written: done.value.written, stored: [...spool.rows()].length, bounded: most <= 8000, several: most > 2000 }));`)).toEqual({ written: ROWS, stored: 0, bounded: true, several: true });
}, 110_000);

test('tells how far it is, twice, and stops when asked', async () => {
  const stop = new AbortController();
  const told: number[] = [];
  const read = await importFile(mixed, { format: 'auto', index: indexIdOf('SPX'), zone: null, period: null, order: null, decimal: null, stamp: 'start', day: null }, { signal: stop.signal, onRead: (records) => {
    told.push(records);
    if (told.filter((count) => count === 0).length === 2 && records > 0) stop.abort();
  } });
  expect(read).toMatchObject({ ok: false, error: { code: 'CANCELLED', next: 'run it again' } });
  const steps = told.slice(1, 4).map((count, i) => count - (told[i] ?? 0));
  expect([told[0], steps.every((step) => step >= 20_000)]).toEqual([0, true]);
  expect(told).toContain(ROWS + 1);
}, 60_000);
