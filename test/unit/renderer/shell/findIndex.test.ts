import { expect, test } from 'vitest';
import { findIndex, MAX_FOUND } from '../../../../renderer/shell/findIndex.ts';
import type { IndexView } from '../../../../shared/channels.ts';

const view = (id: string, name: string): IndexView => ({ id, name, mic: null, zone: 'UTC', region: 'Other', currency: null, decimals: 2, delayMs: 0, label: null });
const LIST = [view('SX5E', 'EURO STOXX 50'), view('SPX', 'S&P 500'), view('SPTSX', 'S&P/TSX Composite'), view('UKX', 'FTSE 100'), view('FTSEMIB', 'FTSE MIB')];
const ids = (typed: string): string[] => findIndex(LIST, typed).map(({ id }) => id);

test('id first, then words of the name', () => {
  expect(ids('sp')).toEqual(['SPTSX', 'SPX']);
  expect(ids('spx')).toEqual(['SPX']);
  expect(ids('ftse')).toEqual(['FTSEMIB', 'UKX']);
  expect(ids('stoxx')).toEqual(['SX5E']);
  expect(ids(' ')).toEqual([]);
  expect(ids('zzz')).toEqual([]);
});

test('bounded', () => expect(findIndex(Array.from({ length: 500 }, (_, at) => view(`A${at}`, '')), 'a')).toHaveLength(MAX_FOUND));
