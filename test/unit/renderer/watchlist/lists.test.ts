import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COLUMN_IDS, columnOf, fitColumns, percentFrom, type RowValues } from '../../../../renderer/watchlist/columns.ts';
import { copyOne, copyTable } from '../../../../renderer/watchlist/copyTable.ts';
import { parseLists } from '../../../../renderer/watchlist/keptLists.ts';
import { listItems, memberIds } from '../../../../renderer/watchlist/listItems.ts';
import { addIndices, createList, currentList, deleteList, editList, type Lists, moveColumn, moveIndex, NO_LISTS, pairIndex, removeIndex, renameList, sortBy, toggleColumn } from '../../../../renderer/watchlist/lists.ts';
import { sortIds } from '../../../../renderer/watchlist/sortRows.ts';
import { createWatchlists } from '../../../../renderer/watchlist/watchlists.ts';
import { yearRange } from '../../../../renderer/watchlist/yearRange.ts';
import type { FeedState, IndexView, QuoteView, ReferenceView } from '../../../../shared/channels.ts';
import { compare, decimal } from '../../../../shared/decimal.ts';
import { REGIONS } from '../../../../shared/quote.ts';
import { quoteView } from '../../../fixtures/fakeDesk.ts';

const info = (id: string, more: Partial<IndexView> = {}): IndexView => ({ id, name: id, mic: null, zone: 'UTC', region: 'Europe', currency: null, decimals: 2, delayMs: 0, label: null, ...more });
const row = (id: string, quote: Partial<QuoteView> = {}, more: Partial<RowValues> = {}): RowValues => ({ id, quote: { ...quoteView(id, '100'), ...quote }, info: info(id), reference: undefined, ...more });
const id = fc.stringMatching(/^[A-Z]{1,4}$/);
const price = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(99)).map(([whole, part]) => decimal(`${whole}.${String(part).padStart(2, '0')}`));

describe('edits', () => {
  const mine = createList(NO_LISTS, 'Mine', ['SPX', 'DAX', 'NKY'], 'a1');
  test('make, name, fill and delete lists; the list of all stays', () => {
    expect(currentList(mine)).toMatchObject({ name: 'Mine', ids: ['SPX', 'DAX', 'NKY'], all: false });
    expect(currentList(createList(mine, 'Mine', [], 'a2')).name).toBe('Mine 2');
    expect(currentList(renameList(mine, '  Asia ')).name).toBe('Asia');
    expect(currentList(renameList(mine, 'All')).name).toBe('All 2');
    expect(currentList(addIndices(mine, ['UKX', 'SPX'])).ids).toEqual(['SPX', 'DAX', 'NKY', 'UKX']);
    expect(addIndices(mine, ['SPX'])).toBe(mine);
    expect(currentList(removeIndex(mine, 'DAX')).ids).toEqual(['SPX', 'NKY']);
    expect(deleteList(mine).lists).toEqual(NO_LISTS.lists);
    expect(deleteList(NO_LISTS)).toBe(NO_LISTS);
    expect(removeIndex(NO_LISTS, 'SPX')).toBe(NO_LISTS);
  });
  test('a move keeps all and ends a sort', () =>
    fc.assert(fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 20 }), fc.nat(), fc.nat(), (ids, a, b) => {
      const sorted = editList(mine, { ids, sort: { by: 'last', down: true } });
      const [moved, target] = [ids[a % ids.length]!, b % (ids.length + 1) === ids.length ? null : ids[b % (ids.length + 1)]!];
      const next = currentList(moveIndex(sorted, ids, moved, target));
      expect(next.ids.toSorted()).toEqual(ids.toSorted());
      if (moved === target) return;
      expect(next.sort).toBeNull();
      expect(target === null ? next.ids.at(-1) : next.ids[next.ids.indexOf(target) - 1]).toBe(moved);
    })));
  test('in the list of all, what was moved comes first and nothing is lost', () => {
    const all = moveIndex(NO_LISTS, ['A', 'B', 'C'], 'C', 'A');
    expect(memberIds(currentList(all), ['A', 'B', 'C', 'D'].map((one) => info(one)))).toEqual(['C', 'A', 'B', 'D']);
  });
  test('columns: shown, hidden, moved, never none; a head sorts, turns, and gives up', () => {
    const one = editList(mine, { columns: ['last'] });
    expect(toggleColumn(one, 'last')).toBe(one);
    const two = toggleColumn(one, 'year');
    expect(currentList(moveColumn(two, 'year', -1)).columns).toEqual(['year', 'last']);
    expect(moveColumn(two, 'year', 1)).toBe(two);
    const sorts = [1, 2, 3].reduce<Lists[]>((made) => [...made, sortBy(made.at(-1)!, 'last', true)], [two]).map((lists) => currentList(lists).sort);
    expect(sorts).toEqual([null, { by: 'last', down: true }, { by: 'last', down: false }, null]);
  });
});

describe('kept lists', () => {
  test('come back as they were', () => {
    const lists = pairIndex(sortBy(createList(NO_LISTS, 'Mine ✓', ['SPX', '^GSPC'], 'a1'), 'fromYear', true), 'SPX', 'ES');
    expect(parseLists(JSON.stringify(lists))).toEqual(lists);
  });
  test('whatever is stored, there is a list of all and a current one', () =>
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string(), fc.record({ lists: fc.array(fc.record({ id: fc.constantFrom('all', 'a', 'A', 1), name: fc.oneof(fc.string(), fc.integer()), ids: fc.anything(), columns: fc.anything(), sort: fc.anything() })), current: fc.string(), pairs: fc.anything() }).map((value) => JSON.stringify(value) ?? 'x')), (text) => {
      const lists = parseLists(text);
      expect(lists.lists.filter((list) => list.all)).toHaveLength(1);
      expect(lists.lists.some((list) => list.id === lists.current)).toBe(true);
      expect(parseLists(JSON.stringify(lists))).toEqual(lists);
    })));
  test('a broken value costs only itself', () => {
    const text = JSON.stringify({ lists: [{ id: 'a', name: 'Mine', ids: ['SPX', 'no id', 7], columns: ['last', 'nonsense'], sort: { by: 'nonsense' }, group: 'x' }, { name: 'no id' }], density: 'huge', pairs: { SPX: 'ES', bad: 1 } });
    const lists = parseLists(text);
    expect(lists.lists.map(({ name }) => name)).toEqual(['All', 'Mine']);
    expect(lists.lists[1]).toMatchObject({ ids: ['SPX'], columns: ['last'], sort: null, group: 'region' });
    expect(lists).toMatchObject({ density: 'normal', pairs: { SPX: 'ES' } });
  });
  test('are kept at every change, and changes can be taken back one by one', () => {
    const stored = new Map<string, string>();
    const storage = { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => void stored.set(key, value) };
    const lists = createWatchlists(storage);
    lists.edit((all) => createList(all, 'Mine', ['SPX'], 'a1'), 'Made a list');
    lists.edit(deleteList, 'Deleted Mine');
    expect(createWatchlists(storage).lists.get().lists).toHaveLength(1);
    lists.undo();
    expect(currentList(createWatchlists(storage).lists.get()).name).toBe('Mine');
    expect(lists.undoable.get()).toBe('Made a list');
    lists.undo();
    expect([lists.lists.get(), lists.undoable.get()]).toEqual([NO_LISTS, null]);
    const full = createWatchlists({ getItem: () => { throw new Error('no'); }, setItem: () => { throw new Error('full'); } });
    expect(full.edit((all) => createList(all, 'Mine', [], 'a1'))).toBe(true);
  });
});

describe('what is shown', () => {
  const states: readonly FeedState[] = ['live', 'quiet', 'stalled', 'closed', 'disconnected', 'nodata'];
  const board = fc.uniqueArray(fc.record({ id, region: fc.constantFrom(...REGIONS), state: fc.constantFrom(...states), price: fc.option(price) }), { selector: (one) => one.id, maxLength: 30 });
  test('every member once, trouble on top by name where it is pinned, whatever groups and sort', () =>
    fc.assert(fc.property(board, fc.constantFrom('region', 'state', 'none'), fc.boolean(), fc.option(fc.constantFrom('last', 'index', 'state', 'age')), fc.boolean(), (rows, group, pinTrouble, by, down) => {
      const of = new Map(rows.map((one) => [one.id, row(one.id, { state: one.state, price: one.price }, { info: info(one.id, { region: one.region }) })]));
      const list = { ...NO_LISTS.lists[0]!, group, pinTrouble, sort: by === null ? null : { by, down } } as const;
      const items = listItems({ list, pairs: {}, indices: rows.map((one) => info(one.id, { region: one.region })), rowOf: (one) => of.get(one)!, allDisconnected: false });
      const shown = items.flatMap((item) => (item.kind === 'index' ? [item.id] : []));
      expect(shown.toSorted()).toEqual(rows.map((one) => one.id).toSorted());
      expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
      const trouble = rows.filter(({ state }) => state === 'stalled' || state === 'disconnected').map((one) => one.id).toSorted();
      if (pinTrouble) expect(shown.slice(0, trouble.length)).toEqual(trouble);
      expect(items.some((item) => item.kind === 'group' && item.title === 'Trouble')).toBe(pinTrouble && trouble.length > 0);
    })));
  test('a sort is exact where doubles are not, without a value last', () =>
    fc.assert(fc.property(fc.array(fc.option(price), { maxLength: 20 }), fc.boolean(), (prices, down) => {
      const rows = new Map(prices.map((one, at) => [`I${at}`, row(`I${at}`, { price: one })]));
      const sorted = sortIds([...rows.keys()], { by: 'last', down }, (one) => rows.get(one)!).map((one) => rows.get(one)!.quote!.price);
      const known = sorted.filter((one) => one !== null);
      expect(sorted.slice(0, known.length)).toEqual(known);
      for (let at = 1; at < known.length; at += 1) expect(compare(decimal(known[at - 1]!), decimal(known[at]!)) * (down ? -1 : 1)).toBeLessThanOrEqual(0);
    })));
  test('a closed index has its companion below it while it is closed: the user\'s, else the registry\'s', () => {
    const indices = [info('SPX', { companion: 'ES' }), info('ES'), info('DAX')];
    const shown = (spx: FeedState, pairs: Lists['pairs']): string[] =>
      listItems({ list: { ...NO_LISTS.lists[0]!, group: 'none' }, pairs, indices, rowOf: (one) => row(one, { state: one === 'SPX' ? spx : 'live' }, { info: indices.find((each) => each.id === one) }), allDisconnected: false }).map(({ key }) => key);
    expect(shown('closed', {})).toEqual(['SPX', 'SPX>ES', 'ES', 'DAX']);
    expect(shown('live', {})).toEqual(['SPX', 'ES', 'DAX']);
    expect(shown('closed', { SPX: 'DAX' })).toEqual(['SPX', 'SPX>DAX', 'ES', 'DAX']);
    expect(shown('closed', { SPX: '' })).toEqual(['SPX', 'ES', 'DAX']);
    expect(shown('closed', { SPX: 'GONE' })).toEqual(['SPX', 'ES', 'DAX']);
  });
});

describe('columns', () => {
  test('those that fit are never wider than the list; range and points give way first, the last price never', () => {
    expect(fitColumns(NO_LISTS.lists[0]!.columns, 484).left).toEqual([]);
    expect(fitColumns(NO_LISTS.lists[0]!.columns, 289)).toMatchObject({ narrow: true, columns: [{ id: 'last' }, { id: 'percent' }, { id: 'age' }] });
    expect(fitColumns(['trend', 'last', 'percent', 'points', 'range', 'age'], 439).left.map(({ id: gone }) => gone)).toEqual([]);
    expect(fitColumns(['trend', 'last', 'percent', 'points', 'range', 'age'], 400).left.map(({ id: gone }) => gone)).toEqual(['range']);
    expect(fitColumns(['trend', 'last', 'percent', 'points', 'range', 'age'], 340).left.map(({ id: gone }) => gone)).toEqual(['range', 'points']);
    fc.assert(fc.property(fc.uniqueArray(fc.constantFrom(...COLUMN_IDS), { minLength: 1 }), fc.integer({ min: 200, max: 2000 }), (ids, width) => {
      const { columns, left, narrow } = fitColumns(ids, width);
      const sum = columns.reduce((total, column) => total + (narrow ? column.narrow + 4 : column.width + 5), 0);
      if (columns.length > 1) expect(sum + 14 + 56 + (narrow ? 20 : 27)).toBeLessThanOrEqual(width);
      expect(columns.length + left.length).toBe(ids.length);
      if (ids.includes('last')) expect(columns.some((column) => column.id === 'last')).toBe(true);
    }));
  });
  test('changes are exact, and none where a price is missing', () => {
    expect(percentFrom('3', row('A', { price: '4' }))).toBe('33.3333');
    expect(percentFrom('0', row('A', { price: '4' }))).toBeNull();
    expect(percentFrom(null, row('A'))).toBeNull();
    expect(columnOf('fromOpen').value(row('A', { price: '110', day: { open: '100', high: '1', low: '1' } }))).toBe('10');
  });
  test('52 weeks hold today and the last price, and are none where the past is short', () => {
    const past = (whole: boolean): ReferenceView => ({ index: 'A', hour: null, week: null, month: null, year: null, range: { low: '90', high: '110', from: '2023-01-01', whole } });
    expect(yearRange(row('A', { price: '120', day: { open: '1', high: '121', low: '95' } }, { reference: past(true) }))).toEqual({ low: '90', high: '121' });
    expect(yearRange(row('A', {}, { reference: past(false) }))).toBeNull();
  });
});

test('a copied table has plain decimals, whatever the locale, and nothing that breaks or runs', () => {
  const columns = (['trend', 'last', 'percent', 'age', 'source'] as const).map(columnOf);
  const rows = [row('SPX', { price: '3074.62', changePercent: '-0.4123', eventMicros: '1573050600123456', source: '=cmd()\tx' }, { info: info('SPX', { name: '<S&P>' }) }), row('DAX', { price: null, changePercent: null, eventMicros: null, source: null })];
  const { text, html } = copyTable(rows, columns);
  expect(text).toBe('index\tname\tLast price\tChange in percent\tAge\tSource\nSPX\t<S&P>\t3074.62\t-0.4123\t2019-11-06T14:30:00.123456Z\t\'=cmd() x\nDAX\tDAX\t\t\t\t\n');
  expect(html).toContain('<td x:num="3074.62" sdval="3074.62" sdnum="1033;">3074.62</td>');
  expect(html).toContain('<td>&lt;S&amp;P&gt;</td>');
  expect(copyOne(rows[0]!, columnOf('last')).text).toBe('3074.62');
});
