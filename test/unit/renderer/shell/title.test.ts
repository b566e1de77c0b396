import { expect, test } from 'vitest';
import { titleOf } from '../../../../renderer/shell/title.ts';
import type { IndexView, QuoteView } from '../../../../shared/channels.ts';

const quote = { index: 'SPX', price: '3074.62', changePercent: '-0.7', state: 'live' } as QuoteView;
const info = { decimals: 2 } as IndexView;

test('a price stands in the title only while it may be trusted', () => {
  expect(titleOf(quote, info, false)).toBe('SPX 3,074.62 −0.70% · Frontrow');
  expect(titleOf(quote, info, true)).toBe('SPX 3,074.62 −0.70% · REPLAY · Frontrow');
  for (const state of ['stalled', 'disconnected', 'closed'] as const) expect(titleOf({ ...quote, state }, info, false)).toBe(`SPX ${state} · Frontrow`);
  expect(titleOf(undefined, undefined, false)).toBe('Frontrow');
});
