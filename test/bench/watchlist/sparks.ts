/** The product's trend cells alone, all in sight at once, drawn as its rows draw them. */
import '../../../renderer/watchlist/watchlist.css';
import { cellPaint } from '../../../renderer/watchlist/cellPaint.ts';
import { columnOf } from '../../../renderer/watchlist/columns.ts';
import type { Make } from './contender.ts';
import { lineOf } from './frontrow.tsx';

export const frontrowSparks: Make = (place, indices, quotes) => {
  place.style.cssText += 'display: flex; flex-wrap: wrap; align-content: start';
  const cells = new Map(indices.map(({ id }) => {
    const cell = document.createElement('span');
    cell.style.cssText = 'display: block; width: 46px; height: 18px; contain: strict';
    place.append(cell);
    return [id, cellPaint(cell, columnOf('trend'))];
  }));
  const row = (quote: (typeof quotes)[number]) => ({ id: quote.index, quote, info: undefined, reference: undefined });
  for (const quote of quotes) cells.get(quote.index)?.points?.(lineOf(quote.index, 40).prices.map(Number), row(quote));
  return {
    push(changed) {
      for (const quote of changed) cells.get(quote.index)?.second?.(row(quote));
    },
    destroy: () => place.replaceChildren(),
  };
};
