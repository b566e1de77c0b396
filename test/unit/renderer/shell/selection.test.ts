import { expect, test } from 'vitest';
import { firstChoice } from '../../../../renderer/shell/selection.ts';
import { arrange } from '../../../../renderer/store/arrangement.ts';
import type { IndexView, QuoteView } from '../../../../shared/channels.ts';

const view = (id: string): IndexView => ({ id, name: id, mic: null, zone: 'UTC', region: 'Other', currency: null, decimals: 2, delayMs: 0, label: null });
const board = arrange(['A', 'B', 'C'].map(view), () => 'closed');
const quotes: Record<string, Partial<QuoteView>> = { A: { state: 'nodata', price: null }, B: { state: 'closed', price: '1' }, C: { state: 'live', price: '2' } };
const quoteOf = (id: string) => quotes[id] as QuoteView | undefined;

const known = (id: string) => ({ ...view(id), mic: 'XNYS' });

test('what is wanted while it is listed, else one that trades, a priced one, the first', () => {
  expect(firstChoice(board, ['B', 'C'], quoteOf, known)).toBe('B');
  expect(firstChoice(board, ['GONE', null], quoteOf, known)).toBe('C');
  expect(firstChoice(board, [], (id) => (id === 'C' ? undefined : quoteOf(id)), known)).toBe('B');
  expect(firstChoice(board, [], () => undefined, known)).toBe('A');
  expect(firstChoice(arrange([], () => undefined), ['A'], quoteOf, known)).toBeNull();
});

test('one that no exchange calendar knows is no first choice', () => {
  expect(firstChoice(board, [], quoteOf, view)).toBe('B');
  const both: typeof quoteOf = () => ({ state: 'live', price: '1' }) as QuoteView;
  expect(firstChoice(board, [], both, (id) => (id === 'A' ? view(id) : known(id)))).toBe('B');
});
