import { expect, test } from 'vitest';
import { pageKey } from '../../../../renderer/shell/pageKeys.ts';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) => pageKey({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

test('digits choose a range, Alt with arrows steps, letters stay free for the search', () => {
  expect(['1', '2', '3'].map((key) => press(key))).toEqual([0, 1, 2].map((at) => ({ kind: 'range', at })));
  expect(press('ArrowDown', { altKey: true })).toEqual({ kind: 'step', by: 1 });
  expect(press('?')).toEqual({ kind: 'help' });
  for (const key of ['4', '0', 'd', 'D', 'ArrowDown', ' ', 'Enter', '']) expect(press(key)).toBeUndefined();
  expect(press('1', { ctrlKey: true })).toBeUndefined();
  expect(press('1', { altKey: true })).toBeUndefined();
});
