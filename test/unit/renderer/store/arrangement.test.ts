import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrange } from '../../../../renderer/store/arrangement.ts';
import type { FeedState, IndexView } from '../../../../shared/channels.ts';
import { REGIONS } from '../../../../shared/quote.ts';

const STATES: readonly FeedState[] = ['live', 'quiet', 'stalled', 'closed', 'disconnected', 'nodata'];
const view = (id: string, region: IndexView['region']): IndexView => ({ id, name: id, mic: null, zone: 'UTC', region, currency: null, decimals: 2, delayMs: 0, label: null });
const board = fc.uniqueArray(fc.record({ id: fc.stringMatching(/^[A-Z]{1,5}$/), region: fc.constantFrom(...REGIONS), state: fc.constantFrom(...STATES) }), { selector: (row) => row.id, maxLength: 40 });

test('every index is listed exactly once and counted exactly once', () =>
  fc.assert(fc.property(board, (rows) => {
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    const { items, counts, total } = arrange(rows.map(({ id, region }) => view(id, region)), (id) => states.get(id));
    const listed = items.flatMap((item) => (item.kind === 'index' ? [item.id] : []));
    expect(listed.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(total);
    for (const state of STATES) expect(counts[state]).toBe(rows.filter((row) => row.state === state).length);
  })));

test('trouble comes first, by name, unless everything is disconnected', () =>
  fc.assert(fc.property(board, (rows) => {
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    const { items, trouble, allDisconnected } = arrange(rows.map(({ id, region }) => view(id, region)), (id) => states.get(id));
    expect(trouble).toEqual(rows.filter(({ state }) => state === 'stalled' || state === 'disconnected').map(({ id }) => id).toSorted());
    expect(allDisconnected).toBe(rows.length > 0 && rows.every(({ state }) => state === 'disconnected'));
    if (trouble.length > 0 && !allDisconnected) {
      expect(items[0]).toMatchObject({ kind: 'group', title: 'Trouble' });
      expect(items.slice(1, trouble.length + 1).map((item) => item.key)).toEqual(trouble);
    }
  })));

test('a region whose rows are all closed says so; an index without a word counts as without data', () => {
  const { items, counts } = arrange([view('NKY', 'Asia Pacific'), view('SPX', 'Americas')], (id) => (id === 'NKY' ? 'closed' : undefined));
  expect(items.flatMap((item) => (item.kind === 'group' ? [item.title] : []))).toEqual(['Americas', 'Asia Pacific · closed']);
  expect(counts.nodata).toBe(1);
});
