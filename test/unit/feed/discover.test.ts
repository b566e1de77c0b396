import fc from 'fast-check';
import { expect, test } from 'vitest';
import { complement, discover, passOver, subtract } from '../../../electron/feed/discover.ts';
import { barKey, indexIdOf, metaKey, tickKey } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';
import { memoryTable } from './memoryTable.ts';

const id = fc.stringMatching(/^[A-Z0-9^._-]{1,4}$/);
const within = (ranges: readonly { start: string; end: string }[], key: string): boolean => ranges.some((range) => key >= range.start && key < range.end);

test('the complement holds exactly the keys of other ids', () =>
  fc.assert(fc.property(fc.uniqueArray(id, { maxLength: 8 }), id, fc.constantFrom('#1', '@1m#1', '~00#1'), (known, other, rest) => {
    expect(within(complement(known), other + rest)).toBe(!known.includes(other));
  })));

test('metadata is never asked for', () => {
  expect(within(complement([]), metaKey('index', 'SPX'))).toBe(false);
});

test('what is subtracted is gone and nothing else', () => {
  const bounds = fc.uniqueArray(fc.stringMatching(/^[a-f]{1,2}$/), { minLength: 4, maxLength: 10 }).map((keys) => {
    const sorted = keys.toSorted();
    return Array.from({ length: sorted.length >> 1 }, (_, i) => ({ start: sorted[2 * i]!, end: sorted[2 * i + 1]! }));
  });
  fc.assert(fc.property(bounds, bounds, fc.stringMatching(/^[a-f]{1,2}$/), (ranges, holes, key) => {
    expect(within(subtract(ranges, holes), key)).toBe(within(ranges, key) && !within(holes, key));
  }));
});

test('every id with ticks is found, whatever lies between', async () => {
  await fc.assert(fc.asyncProperty(fc.uniqueArray(id, { maxLength: 10 }), fc.uniqueArray(id, { maxLength: 5 }), fc.array(fc.constantFrom('A B', '0:x', 'ZZ', 'Q#nonsense', 'A@9x#1', 'vehicle#1'), { maxLength: 4 }), async (ids, barsOnly, junk) => {
    const table = memoryTable();
    for (const name of ids) for (let n = 0; n < 3; n += 1) table.put(tickKey(indexIdOf(name), micros(BigInt(n))), { 'q:p': '1' });
    for (const name of [...ids, ...barsOnly]) table.put(barKey(indexIdOf(name), '1m', micros(0n)), { 'b:c': '1' });
    for (const key of junk) table.put(key, { 'q:p': '1' });
    table.put(metaKey('index', 'SPX'), { 'm:name': 'x' });
    const known = ids.slice(0, 2);
    const found = await discover(table.reader, complement(known), 100, 1000);
    expect(found.more).toBe(false);
    expect([...found.ids].sort()).toEqual(ids.slice(2).filter((name) => !(name === 'Q' && junk.includes('Q#nonsense') && table.keys().find((key) => key.startsWith('Q#')) === 'Q#nonsense')).sort());
    // A second look, with what was found, is one request and finds nothing.
    const again = await discover(table.reader, complement([...known, ...found.ids], found.junk), 100, 1000);
    expect(again).toMatchObject({ ids: [], junk: [], requests: 1 });
  }));
});

test('steps are bounded and said so', async () => {
  const table = memoryTable();
  for (let n = 0; n < 30; n += 1) table.put(tickKey(indexIdOf(`X${n}`), micros(0n)), { 'q:p': '1' });
  const found = await discover(table.reader, complement([]), 10, 1000);
  expect(found).toMatchObject({ more: true, requests: 10 });
  expect(found.ids).toHaveLength(10);
});

test('sleepers that printed are told by the same request, and their old rows are no news', async () => {
  await fc.assert(fc.asyncProperty(fc.uniqueArray(id, { maxLength: 6 }), fc.uniqueArray(id, { maxLength: 4 }), fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), async (known, fresh, printed) => {
    const table = memoryTable();
    const at = (name: string, time: bigint): string => tickKey(indexIdOf(name), micros(time));
    for (const name of known) table.put(at(name, 5n), { 'q:p': '1' });
    for (const [n, name] of known.entries()) if (printed[n]) table.put(at(name, 9n), { 'q:p': '2' });
    const unknown = fresh.filter((name) => !known.includes(name));
    for (const name of unknown) table.put(at(name, 1n), { 'q:p': '3' });
    const sleepers = known.map((name) => ({ id: indexIdOf(name), range: { start: `${name}#`, end: at(name, 5n) } }));
    const found = await discover(table.reader, complement(known), 100, 1000, undefined, sleepers);
    const awake = known.filter((_, n) => printed[n]);
    expect([...found.awake].sort()).toEqual([...awake].sort());
    expect([...found.ids].sort()).toEqual([...unknown].sort());
    expect(found.junk).toEqual([]);
    expect(found.requests).toBe(1 + awake.length + unknown.length);
  }));
});

test('a strange key is passed over with its kind', () => {
  expect(passOver('ABC@1m#1')).toEqual({ start: 'ABC@', end: 'ABCA' });
  expect(passOver('ABC')).toEqual({ start: 'ABC', end: 'ABC\0' });
});
