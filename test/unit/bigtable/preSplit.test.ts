import { expect, test } from 'vitest';
import { splitKeys } from '../../../electron/bigtable/preSplit.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';

const ids = (...names: string[]) => names.map(indexIdOf);

test('a cut before each index, in key order, each once', () => {
  const keys = splitKeys(ids('SPX', 'DAX', '^GSPC', 'SPX'));
  expect(keys).toEqual(['DAX#', 'SPX#', '^GSPC#']);
  expect(keys[1]! < tickKey(indexIdOf('SPX'), micros(253_402_300_799_999_999n))).toBe(true);
  expect(splitKeys([])).toEqual([]);
});

test('of very many, a hundred evenly spread', () => {
  const keys = splitKeys(Array.from({ length: 5000 }, (_, n) => indexIdOf(`I${String(n).padStart(4, '0')}`)));
  expect(keys).toHaveLength(100);
  expect(keys.slice(0, 2)).toEqual(['I0000#', 'I0050#']);
});
