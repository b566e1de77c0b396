import { describe, expect, test } from 'vitest';
import { changeShards, LEAD, planRename, planShards } from '../../../../electron/bigtable/layout/change.ts';
import { layoutsOf } from '../../../../electron/bigtable/layout/layouts.ts';
import type { Row } from '../../../../electron/bigtable/reader.ts';
import { ok } from '../../../../shared/result.ts';
import { type IndexId, indexIdOf } from '../../../../shared/rowKey.ts';
import { micros, SECOND } from '../../../../shared/time.ts';
import { tableReader } from './table.ts';

const now = micros(1_573_050_000_250_000n);
const [SPX, FB, META, OTHER] = ['SPX', 'FB', 'META', 'OTHER'].map(indexIdOf) as [IndexId, IndexId, IndexId, IndexId];
const row = (id: string, columns: Record<string, string>, version = 0n): Row => ({ key: `!index#${id}`, cells: new Map(Object.entries(columns).map(([name, value]) => [`m:${name}`, { value: Buffer.from(value), version }])) });

describe('planning shards', () => {
  test('takes effect two refreshes ahead or later, at a whole second, after what was planned before', () => {
    const first = planShards([], 4, null, now);
    expect(first).toEqual(ok([{ from: 1_573_050_091_000_000n, shards: 4 }]));
    const schedule = (first.ok && first.value) || [];
    expect(planShards(schedule, 1, null, now)).toEqual(ok([...schedule, { from: 1_573_050_092_000_000n, shards: 1 }]));
    expect(planShards(schedule, 4, null, now)).toEqual(ok(null));
    expect(planShards([], 1, null, now)).toEqual(ok(null));
    expect(planShards([], 4, micros(now + LEAD), now)).toEqual(ok([{ from: now + LEAD, shards: 4 }]));
  });

  test.each([
    ['too soon', [], 4, now + LEAD - 1n, 'is not 60 s ahead'],
    ['in the past', [], 4, now - 86_400n * SECOND, 'is not 60 s ahead'],
    ['before another change', [{ from: micros(now + 200n * SECOND), shards: 2 }], 4, now + 100n * SECOND, 'a change to 2 shards takes effect at'],
    ['none', [], 0, null, 'not a number of shards: 0'],
    ['too many', [], 101, null, 'not a number of shards: 101'],
    ['too often', Array.from({ length: 64 }, (_, at) => ({ from: micros(BigInt(at)), shards: 2 + (at % 2) })), 9, null, 'changed its shards 64 times'],
  ])('%s is refused', (_, schedule, shards, at, what) => {
    expect(planShards(schedule, shards, at === null ? null : micros(at), now)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: expect.stringContaining(what) as unknown } });
  });
});

describe('planning a new name', () => {
  const until = micros(1_500_000_000_000_000n);
  const known = layoutsOf([row('META', { formerly: `FB ${until}` })]);

  test('what is known already changes nothing; another date does', () => {
    expect(planRename(known, META, { id: FB, until }, now)).toEqual(ok(null));
    expect(planRename(known, META, { id: FB, until: micros(until + 1n) }, now)).toEqual(ok({ id: FB, until: until + 1n }));
    expect(planRename(known, OTHER, { id: META, until: micros(now + LEAD) }, now)).toEqual(ok({ id: META, until: now + LEAD }));
  });

  test.each([
    ['itself', SPX, SPX, until, 'is its own name'],
    ['a second old name', META, SPX, until, 'META was FB before'],
    ['an old name that another has', OTHER, FB, until, 'FB is the old name of META'],
    ['a circle', FB, META, until, 'META was FB before'],
    ['a moment that not all can know', OTHER, SPX, micros(now + 30n * SECOND), 'in less than 60 s'],
  ])('%s is refused', (_, id, old, at, what) => {
    expect(planRename(known, id, { id: old, until: at }, now)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: expect.stringContaining(what) as unknown } });
  });
});

describe('writing it', () => {
  test('on the condition that the column is as it was read, newer than what it replaces; another writer between is planned anew', async () => {
    const stored = [row('SPX', { shards: '100:2' }, 5_000_000_000_000_000n)];
    const checks: { condition: unknown; change: unknown }[] = [];
    const conditional = {
      check(_: string, condition: unknown, change: unknown) {
        checks.push({ condition, change });
        // the first time somebody else was faster
        if (checks.length === 1) stored[0] = row('SPX', { shards: '100:2 200:3' }, 6_000_000_000_000_000n);
        return Promise.resolve(ok(checks.length > 1));
      },
    };
    const changed = await changeShards({ reader: tableReader(() => stored), conditional, machineMillis: () => 1 }, SPX, 8, null, () => now);
    expect(changed).toMatchObject({ ok: true, value: { before: [{ shards: 2 }, { shards: 3 }], after: [{ shards: 2 }, { shards: 3 }, { from: 1_573_050_091_000_000n, shards: 8 }] } });
    expect(checks).toEqual([
      { condition: { family: 'm', qualifier: 'shards', from: '100:2', to: '100:2' }, change: { kind: 'set', cells: [{ family: 'm', qualifier: 'shards', value: '100:2 1573050091000000:8' }], version: 5_000_000_000_001_000n } },
      { condition: { family: 'm', qualifier: 'shards', from: '100:2 200:3', to: '100:2 200:3' }, change: { kind: 'set', cells: [{ family: 'm', qualifier: 'shards', value: '100:2 200:3 1573050091000000:8' }], version: 6_000_000_000_001_000n } },
    ]);
  });

  test('a column that is no schedule is not overwritten', async () => {
    const conditional = { check: () => Promise.reject(new Error('not asked')) };
    expect(await changeShards({ reader: tableReader(() => [row('SPX', { shards: 'four' })]), conditional, machineMillis: () => 1 }, SPX, 8, null, () => now)).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
  });
});
