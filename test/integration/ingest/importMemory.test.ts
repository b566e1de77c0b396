/** A file far larger than the memory that its reader may have, in a process of its own; and a reading that is stopped. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFile } from '../../../electron/ingest/import/importFile.ts';
import { indexIdOf } from '../../../shared/rowKey.ts';

const ROWS = 250_000;
let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'frontrow-memory-'));
  file = join(folder, 'large.csv');
  // no order in it: sorting may not hold it either
  const lines = Array.from({ length: ROWS }, (_, i) => `${1_710_163_800 + ((i * 7919) % ROWS)},${5000 + (i % 997)}.25,${i % 9}`);
  writeFileSync(file, `time,price,volume\n${lines.join('\n')}\n`);
});
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

// its rows as objects are over 60 MB
test('read and sorted within a heap of 40 MB', async () => {
  const script = `
    const { importFile } = await import(${JSON.stringify(join(import.meta.dirname, '../../../electron/ingest/import/importFile.ts'))});
    const read = await importFile(${JSON.stringify(file)}, { format: 'auto', index: 'SPX', zone: null, period: null, order: null, decimal: null, stamp: 'start', day: null });
    let [count, last, sorted] = [0, 0n, true];
    for (const { time } of read.value.spool.rows()) { sorted &&= time >= last; last = time; count += 1; }
    read.value.spool.close();
    console.log(JSON.stringify({ count, sorted }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=40', '--input-type=module', '-e', script], { timeout: 100_000 });
  expect(JSON.parse(stdout)).toEqual({ count: ROWS, sorted: true });
}, 110_000);

test('tells how far it is, twice, and stops when asked', async () => {
  const stop = new AbortController();
  const told: number[] = [];
  const read = await importFile(file, { format: 'auto', index: indexIdOf('SPX'), zone: null, period: null, order: null, decimal: null, stamp: 'start', day: null }, { signal: stop.signal, onRead: (records) => {
    told.push(records);
    if (told.filter((count) => count === 0).length === 2 && records > 0) stop.abort();
  } });
  expect(read).toMatchObject({ ok: false, error: { code: 'CANCELLED', next: 'run it again' } });
  const steps = told.slice(1, 4).map((count, i) => count - (told[i] ?? 0));
  expect([told[0], steps.every((step) => step >= 20_000)]).toEqual([0, true]);
  expect(told).toContain(ROWS + 1);
}, 60_000);
