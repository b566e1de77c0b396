/** `ingest` in processes of its own: the same rows whatever happened on the way. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { formatIso, micros } from '../../../shared/time.ts';
import { type Ended, frontrow, spawnFrontrow } from './commandLine.ts';

const ROWS = 18_000;
let home: string;
let file: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'frontrow-ingest-'));
  file = join(home, 'ticks.csv');
  // three ticks to a second, two of them equal
  writeFileSync(file, `time,price,volume\n${Array.from({ length: ROWS }, (_, i) => `${1_710_163_800 + Math.floor(i / 3)},${5000 + (i % 3 === 2 ? 1 : 0)}.25,${Math.floor(i / 3) % 9}`).join('\n')}\n`);
});
afterAll(() => { rmSync(home, { recursive: true, force: true }); });

async function run(...words: string[]): Promise<{ code: Ended['code']; out: string[]; err: string }> {
  const { code, stdout, stderr } = await frontrow(words, home);
  return { code, out: stdout.trim().split('\n').filter((line) => line !== ''), err: stderr };
}
const ingest = (data: string, ...more: string[]): Promise<Awaited<ReturnType<typeof run>>> => run('ingest', file, '--index', 'SPX', '--keep', '--json', '--data', join(home, data), ...more);
const events = async (data: string): Promise<string[]> => (await run('history', 'SPX', '--from', '2024-03-11T00:00:00Z', '--to', '2024-03-12T00:00:00Z', '--resolution', 'tick', '--json', '--limit', '100000', '--data', join(home, data))).out
  .map((line) => JSON.parse(line) as Record<string, unknown>).map(({ eventMicros, sequence, price, volume }) => `${String(eventMicros)} ${String(sequence)} ${String(price)} ${String(volume)}`);
const summary = (out: readonly string[]): unknown => (JSON.parse(out.at(-1) ?? '{}') as { summary?: unknown }).summary;

test('killed half way and run again: the same rows as once', async () => {
  const once = await ingest('once');
  expect(once.code).toBe(0);
  expect(once.out).toHaveLength(1);
  expect(summary(once.out)).toMatchObject({ file: 'ticks.csv', format: 'generic', zone: 'UTC', read: ROWS + 1, written: ROWS, duplicate: 0, corrected: 0, late: 0, rejected: [] });
  expect(summary((await ingest('once')).out)).toMatchObject({ written: 0, duplicate: ROWS });

  const child = spawnFrontrow(['ingest', file, '--index', 'SPX', '--keep', '--data', join(home, 'killed')], home);
  const ended = new Promise((resolve) => child.once('close', resolve));
  let some = 0;
  // killed as soon as another process sees rows of it
  while (some === 0 && child.exitCode === null) some = (await run('history', 'SPX', '--from', '2024-03-11T00:00:00Z', '--to', '2024-03-12T00:00:00Z', '--resolution', 'tick', '--json', '--limit', '1', '--data', join(home, 'killed'))).out.length;
  child.kill('SIGKILL');
  await ended;
  const again = await ingest('killed');
  expect(again.code).toBe(0);
  const { written, duplicate } = summary(again.out) as { written: number; duplicate: number };
  expect(duplicate).toBeGreaterThan(0);
  expect(written + duplicate).toBe(ROWS);
  expect(await events('killed')).toEqual(await events('once'));
}, 150_000);

test('a refused file leaves the table as it was, and ends with 2', async () => {
  const refused = await run('ingest', join(import.meta.dirname, '../../fixtures/formats/14_investing_dmy.csv'), '--index', 'UKX', '--data', join(home, 'once'), '--json');
  expect(refused).toMatchObject({ code: 2, out: [] });
  expect(refused.err).toMatch(/^frontrow: BAD_INPUT: .*--date-order dmy or mdy\n$/);
});
test('a store that is not there ends with 4', async () => {
  expect(await run('ingest', file, '--index', 'SPX', '--keep', '--emulator', '127.0.0.1:1')).toMatchObject({ code: 4, out: [] });
});

test('busted trades go by identity, however it is written, and come back with their file', async () => {
  const list = join(home, 'busted.txt');
  const [key, spaced, json] = [0n, 1n, 2n].map((second) => 1_710_163_800_000_000n + second * 1_000_000n);
  writeFileSync(list, `// after the exchange's notice\n${tickKey(indexIdOf('SPX'), micros(key!), 1)}\r\n\nSPX ${formatIso(micros(spaced!))} 0\n${JSON.stringify({ index: 'SPX', eventMicros: String(json), sequence: 2 })}\nSPX,${json},777\n`);
  const remove = (): ReturnType<typeof run> => run('ingest', '--delete', list, '--json', '--data', join(home, 'once'));
  const removed = await remove();
  expect(removed.err).toMatch(/^busted.txt: no tick SPX 2024-03-11T\S+Z 777\n$/);
  expect(summary(removed.out)).toEqual({ file: 'busted.txt', listed: 4, deleted: 3, absent: 1 });
  expect(summary((await ingest('once')).out)).toMatchObject({ written: 3, duplicate: ROWS - 3 });
  const told = await run('ingest', '--delete', list, '--data', join(home, 'once'));
  expect(told.out).toEqual(['busted.txt: 3 ticks deleted, 1 not there; importing their file again brings them back: keep this list, and give it again after that']);
  writeFileSync(list, `SPX ${key} 0\nSPX yesterday 0\n`);
  expect(await remove()).toMatchObject({ code: 2, err: expect.stringMatching(/line 2: not a time: yesterday.*nothing was deleted/) });
}, 90_000);
