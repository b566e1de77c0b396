/** `shard` and `rename` as processes of their own, on one store in memory. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Ended } from './commandLine.ts';
import { onMemoryStore } from './memoryStore.ts';

const NOW = '2024-03-04T15:00:00Z';
const { home, run } = onMemoryStore('shard', NOW);
const linesOf = ({ stdout }: Ended): unknown[] => stdout.trim().split('\n').map((line) => JSON.parse(line) as unknown);

beforeAll(async () => {
  const csv = ['time,price', ...Array.from({ length: 40 }, (_, at) => `2024-03-04T14:59:${String(at).padStart(2, '0')}Z,${5100 + at}`)].join('\n');
  writeFileSync(join(home, 'ticks.csv'), `${csv}\n`);
});

test('shards are announced, shown and taken back; what is wrong says so', async () => {
  const [made, again] = [await run('shard', 'SPX', '4', '--json'), await run('shard', 'SPX', '4', '--at', '2024-03-04T16:00:00Z', '--json')];
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(linesOf(made)).toMatchObject([{ index: 'SPX', shardsNow: 1, changes: [{ shards: 4 }] }]);
  expect(again.stdout).toBe(made.stdout);
  const back = await run('shard', 'SPX', '1', '--at', '2024-03-04T16:00:00Z');
  expect(back.stdout).toMatch(/^SPX: 4 shards for events from 2024-03-04T15:01:\d\d\.000000Z on \(to come\)\nSPX: one key range for events from 2024-03-04T16:00:00\.000000Z on \(to come\)\n/);
  expect(linesOf(await run('shard', 'SPX', '--json'))).toMatchObject([{ changes: [{ shards: 4 }, { shards: 1, effectiveTime: '2024-03-04T16:00:00.000000Z' }] }]);
  expect(await run('shard', 'SPX', '4', '--at', '2024-03-04T15:00:30Z')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is not 60 s ahead') as unknown });
  expect(await run('shard', 'spx', '4')).toMatchObject({ code: 2, stderr: expect.stringContaining('not an index id') as unknown });
  expect(await run('shard', 'SPX', 'four')).toMatchObject({ code: 2, stderr: expect.stringContaining('not a number of shards') as unknown });
});

test('load is measured per index, and history goes on under a new name', async () => {
  expect(await run('ingest', join(home, 'ticks.csv'), '--index', 'OLD', '--zone', 'UTC')).toMatchObject({ code: 0 });
  expect(linesOf(await run('shard', '--measure', 'OLD', '--window', '20', '--json'))).toMatchObject([{ index: 'OLD', ticks: 20, writesPerSecond: 1, share: 1, shards: 1, advised: false, suggestedShards: 1 }]);
  expect(await run('shard', '--measure', 'NONE', '--json')).toMatchObject({ code: 3 });
  expect(await run('rename', 'OLD', 'NEW')).toMatchObject({ code: 2, stderr: expect.stringContaining('--at') as unknown });
  expect(await run('rename', 'OLD', 'NEW', '--at', '2024-03-04T14:59:30Z')).toMatchObject({ code: 0, stdout: expect.stringContaining('NEW: events before 2024-03-04T14:59:30.000000Z are those written under OLD') as unknown });
  const past = await run('history', 'NEW', '--from', '2024-03-04T14:59:00Z', '--to', NOW, '--json');
  expect(linesOf(past)).toHaveLength(30);
  expect(linesOf(await run('latest', '--json'))).toMatchObject([{ index: 'NEW', price: '5129' }, { index: 'OLD', price: '5139' }]);
  expect(await run('rename', 'OLD', 'NEW', '--undo', '--json')).toMatchObject({ code: 0 });
  expect(await run('history', 'NEW', '--from', '2024-03-04T14:59:00Z', '--to', NOW)).toMatchObject({ code: 3 });
});
