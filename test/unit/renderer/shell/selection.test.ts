import { expect, test } from 'vitest';
import { firstChoice } from '../../../../renderer/shell/selection.ts';
import { arrange } from '../../../../renderer/store/arrangement.ts';
import type { IndexView, QuoteView } from '../../../../shared/channels.ts';

const view = (id: string): IndexView => ({ id, name: id, mic: null, zone: 'UTC', region: 'Other', currency: null, decimals: 2, delayMs: 0, label: null });
const board = arrange(['A', 'B', 'C'].map(view), () => 'closed');
const quotes: Record<string, Partial<QuoteView>> = { A: { state: 'nodata', price: null }, B: { state: 'closed', price: '1' }, C: { state: 'live', price: '2' } };
const quoteOf = (id: string) => quotes[id] as QuoteView | undefined;

test('what is wanted while it is listed, else a live one, a priced one, the first', () => {
  expect(firstChoice(board, ['B', 'C'], quoteOf)).toBe('B');
  expect(firstChoice(board, ['GONE', null], quoteOf)).toBe('C');
  expect(firstChoice(board, [], (id) => (id === 'C' ? undefined : quoteOf(id)))).toBe('B');
  expect(firstChoice(board, [], () => undefined)).toBe('A');
  expect(firstChoice(arrange([], () => undefined), ['A'], quoteOf)).toBeNull();
});
