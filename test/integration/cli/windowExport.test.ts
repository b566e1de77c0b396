/** `window`, `export` and `retention` as processes of their own, on one store in memory. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createWriter } from '../../../electron/bigtable/writer.ts';
import { indexIdOf, metaKey, shardedTickKey, tickKey } from '../../../shared/rowKey.ts';
import { parseTime } from '../../../shared/time.ts';
import type { Ended } from './commandLine.ts';
import { onMemoryStore } from './memoryStore.ts';

const NOW = '2024-03-04T15:00:00Z';
const SPAN = ['--from', '2024-03-04T14:50:00Z', '--to', NOW];
const { home, address, run } = onMemoryStore('window', NOW);
const linesOf = ({ stdout }: Ended): Record<string, unknown>[] => stdout.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
const says = (text: string): string => expect.stringContaining(text) as string;

beforeAll(async () => {
  const writer = createWriter({ kind: 'emulator', project: 'frontrow', instance: 'frontrow', table: 'quotes', appProfile: null, endpoint: address() });
  const tick = (id: string, time: string, sequence: number, price: string) => ({
    key: tickKey(indexIdOf(id), parseTime(time), sequence),
    cells: [{ family: 'q', qualifier: 'p', value: price }, { family: 'q', qualifier: 'v', value: '3' }, { family: 'q', qualifier: 's', value: 'feed,"a"' }] as const,
  });
  const { failed } = await writer.write([
    ...['SPX', 'N225', 'DAX'].flatMap((id, n) => [tick(id, `2024-03-04T14:5${n}:00Z`, 0, `${n}00.50`), tick(id, '2024-03-04T14:59:00Z', 1, `${n}01.25`)]),
    { key: metaKey('index', 'SPLIT'), cells: [{ family: 'm', qualifier: 'shards', value: '1000:4' }] as const },
    { ...tick('SPLIT', '2024-03-04T14:40:00Z', 0, '7'), key: shardedTickKey(indexIdOf('SPLIT'), 2, parseTime('2024-03-04T14:40:00Z'), 0) },
    tick('SPX', '2024-02-01T10:00:00Z', 0, '1'), tick('SPX', '2024-02-01T10:00:01Z', 0, '2'),
  ], BigInt(Date.now()) * 1000n); // the store collects by its own clock
  expect(failed).toEqual([]);
  await writer.close();
}, 60_000);

test('a window is one list, newest first, and ends with its cost', async () => {
  const all = await run('window', ...SPAN, '--json');
  expect(all).toMatchObject({ code: 0 });
  const [ticks, [cost]] = [linesOf(all).slice(0, -1), linesOf(all).slice(-1)];
  expect(ticks.map(({ index, price }) => `${String(index)} ${String(price)}`).toSorted()).toEqual(['DAX 200.5', 'DAX 201.25', 'N225 100.5', 'N225 101.25', 'SPX 0.5', 'SPX 1.25']);
  const times = ticks.map(({ eventMicros }) => String(eventMicros));
  expect(times).toEqual(times.toSorted().reverse());
  expect(ticks[0]).toEqual({ index: expect.any(String) as string, eventMicros: '1709564340000000', sequence: 1, price: expect.any(String) as string, volume: '3', source: 'feed,"a"', ingestMicros: null });
  expect(cost).toEqual({ cost: { requests: expect.any(Number) as number, rows: expect.any(Number) as number, bytes: expect.any(Number) as number } });
  expect((cost?.['cost'] as { rows: number } | undefined)?.rows).toBeGreaterThanOrEqual(6);
});

test('the cost of an index in shards counts the requests that the store gets: the registry, its own keys and each of four shards', async () => {
  expect(linesOf(await run('window', 'SPLIT', ...SPAN))).toEqual([{ cost: { requests: 6, rows: 1, bytes: expect.any(Number) as number } }]);
});

test('a window of named indices tells those that were silent; what is wrong ends with its code', async () => {
  const named = await run('window', 'SPX', 'NONE', ...SPAN);
  expect(named).toMatchObject({ code: 0, stderr: says('NOT_FOUND: no ticks of NONE in that window') });
  expect(linesOf(named)).toHaveLength(3);
  expect(await run('window', '--from', '2024-03-01T00:00:00Z', '--to', '2024-03-01T01:00:00Z', 'SPX')).toMatchObject({ code: 3, stderr: says('no ticks in that window') });
  expect(await run('window', 'SPX', '--from', NOW, '--to', '2024-03-04T14:00:00Z')).toMatchObject({ code: 2, stdout: '', stderr: says('--from is after --to') });
  expect(await run('window', ...SPAN, '--region', 'Atlantis')).toMatchObject({ code: 2, stdout: '', stderr: says('unknown region') });
});

test('over 500 indices are read with --force only', async () => {
  const many = Array.from({ length: 501 }, (_, n) => `X${n}`);
  expect(await run('window', ...many, ...SPAN)).toMatchObject({ code: 2, stdout: '', stderr: says('501 indices are more than 500') });
  const forced = await run('window', 'SPX', ...many, ...SPAN, '--force');
  expect(forced.code).toBe(0);
  expect(linesOf(forced)).toHaveLength(3);
});

test('an export is the rows of history, in a file that is whole or not there', async () => {
  const [csv, json] = [join(home, 'spx.csv'), join(home, 'spx.json')];
  const done = await run('export', 'SPX', ...SPAN, '--format', 'csv', '-o', csv, '--json');
  const bytes = readFileSync(csv);
  expect(done).toMatchObject({ code: 0 });
  expect(linesOf(done)).toEqual([{ file: csv, format: 'csv', rows: 2, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }]);
  expect(bytes.toString()).toBe('eventMicros,sequence,price,volume,source,ingestMicros\n1709564340000000,1,1.25,3,"feed,""a""",\n1709563800000000,0,0.5,3,"feed,""a""",\n');
  expect((await run('history', 'SPX', ...SPAN, '--resolution', 'tick', '--csv')).stdout).toBe(bytes.toString());

  expect(await run('export', 'SPX', ...SPAN, '--format', 'json', '-o', json, '--order', 'oldest')).toMatchObject({ code: 0, stdout: says('2 rows') });
  expect((JSON.parse(readFileSync(json, 'utf8')) as { price: string }[]).map(({ price }) => price)).toEqual(['0.5', '1.25']);

  writeFileSync(json, 'old');
  expect(await run('export', 'NONE', ...SPAN, '--format', 'json', '-o', json)).toMatchObject({ code: 3, stdout: '' });
  expect(readFileSync(json, 'utf8')).toBe('old');
  expect(await run('export', 'SPX', ...SPAN, '--format', 'xml', '-o', json)).toMatchObject({ code: 2, stderr: says('neither csv nor json') });
  expect(await run('export', 'SPX', ...SPAN, '--format', 'csv')).toMatchObject({ code: 2, stderr: says('-o FILE') });
  expect(await run('export', 'SPX', ...SPAN, '--format', 'csv', '-o', join(home, 'none', 'x.csv'))).toMatchObject({ code: 2, stderr: says("can't be written") });
  expect(readdirSync(home).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a shorter retention says what goes, and without a yes nothing does', async () => {
  expect(await run('retention')).toMatchObject({ code: 2, stderr: says('retention needs --ticks') });
  expect(await run('retention', '--ticks', 'soon')).toMatchObject({ code: 2, stderr: says('is not a number of days') });
  const refused = await run('retention', '--ticks', '20d', '--json');
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: says('SPX: 2 ticks are older than 20 days') });
  expect(refused.stderr).toContain('repeat with --yes');
  const agreed = await run('retention', '--ticks', '20d', '--yes', '--json');
  expect(agreed).toMatchObject({ code: 0 });
  expect(linesOf(agreed)).toMatchObject([{ table: 'quotes', family: 'q', action: 'changed' }]);
  expect(linesOf(await run('retention', '--ticks', '20d', '--json'))).toMatchObject([{ action: 'kept' }]);
  // longer deletes nothing: no question
  expect(linesOf(await run('retention', '--ticks', '30d', '--json'))).toMatchObject([{ action: 'changed', before: linesOf(agreed)[0]?.['rule'] }]);
});
