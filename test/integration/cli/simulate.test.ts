/** `simulate` in processes of its own: what it says it did is what the table holds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../electron/bigtable/connect.ts';
import { decodeTick } from '../../../electron/bigtable/decode.ts';
import type { Reader, Row } from '../../../electron/bigtable/reader.ts';
import { type Store, startStore } from '../../../electron/embedded/startStore.ts';
import type { Tick } from '../../../shared/quote.ts';
import { metaRange } from '../../../shared/rowKey.ts';
import { type Ended, running } from './commandLine.ts';

const NOW = '2024-06-03T14:00:00Z';
let home: string;
let store: Store;
let reader: Reader;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'frontrow-simulate-'));
  const started = await startStore({ data: null, port: 0 });
  if (!started.ok) throw new Error(started.error.what);
  store = started.value;
  reader = connect({ kind: 'embedded', project: 'frontrow', instance: 'frontrow', table: 'quotes', appProfile: null, endpoint: store.address });
});
afterAll(async () => {
  await reader.close();
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

const start = (...words: string[]): ReturnType<typeof running> => running(['simulate', '--emulator', store.address, '--json', ...words], home);
const simulate = (...words: string[]): Promise<Ended> => start(...words).ended;
interface Summary { written: number; duplicates: number; late: number; corrected: number; quarantined: number; collisions: number; events: number; stopped: boolean; perSlot: { slot: number; written: number }[] }
const summaryOf = ({ stdout }: Ended): Summary => (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { summary: Summary }).summary;
async function ticks(): Promise<Tick[]> {
  const read = await reader.read({ ranges: [{ start: 'SIM', end: 'SIN' }], deadlineMs: 20_000 });
  return read.rows.map((row) => { const tick = decodeTick(row); return tick.ok ? tick.value : expect.fail(tick.error.what); });
}
const leases = async (): Promise<string[]> => (await reader.read({ ranges: [metaRange('writer')], deadlineMs: 5000 })).rows.map((row: Row) => row.cells.get('m:l')?.value.toString() ?? '');

test('the counts are exact, and the same seed and start give the same events again', async () => {
  const shape = ['--indices', '7', '--rate', '400', '--skew', 'zipf:1', '--late', '.1', '--duplicate', '0.1', '--collisions', '0.1', '--writers', '3', '--seed', '11', '--duration', '1.5s', '--now', NOW];
  const first = await simulate(...shape);
  expect(first).toMatchObject({ code: 0, stderr: 'simulating 7 indices at 400 events a second, slots 1, 2, 3\n' });
  const summary = summaryOf(first);
  expect(summary).toMatchObject({ events: 600, stopped: false, corrected: 0, quarantined: 0, written: 600 - summary.duplicates });
  const table = await ticks();
  expect(table).toHaveLength(summary.written);
  for (const { slot, written } of summary.perSlot) expect([slot, table.filter(({ sequence }) => Math.floor(sequence / 100_000) === slot).length]).toEqual([slot, written]);
  // even instants from the start on are on time, odd ones late
  expect(summary.late).toBe(table.filter(({ time }) => time % 2n !== 0n).length);
  expect(summary.late).toBeGreaterThan(20);
  const instants = new Set(table.map(({ index, time }) => `${index} ${time}`));
  expect(summary.collisions).toBe(table.length - instants.size);
  expect(summary.collisions).toBeGreaterThan(20);
  expect(await leases()).toEqual(['free simulate-11-0', 'free simulate-11-1', 'free simulate-11-2']);

  const again = summaryOf(await simulate(...shape));
  expect(again).toMatchObject({ events: 600, written: 0, duplicates: 600, late: 0, corrected: 0, collisions: summary.collisions });
  expect(await ticks()).toEqual(table);
}, 60_000);

test('Ctrl-C ends it whole: summary, exit 0, slots given back', async () => {
  const before = (await ticks()).length;
  const { child, ended } = start('--indices', '3', '--rate', '200', '--seed', '12', '--latest');
  while ((await ticks()).length === before) await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await leases()).filter((text) => text.startsWith('held simulate-12-0 '))).toHaveLength(1);
  child.kill('SIGINT');
  const done = await ended;
  expect(done.code).toBe(0);
  expect(summaryOf(done).written).toBe((await ticks()).length - before);
  expect((await leases()).every((text) => text.startsWith('free '))).toBe(true);
  const latest = (await reader.read({ ranges: [metaRange('latest')], deadlineMs: 5000 })).rows;
  const newest = new Map((await ticks()).toReversed().map(({ index, key }) => [index as string, key]));
  for (const { key, cells } of latest) expect(cells.get('m:k')?.value.toString()).toBe(newest.get(key.slice('!latest#'.length)));
  expect(latest.length).toBeGreaterThan(0);
}, 60_000);
