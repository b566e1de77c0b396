import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dropTarget, moveCursor, stepTarget } from '../../../../renderer/watchlist/cursor.ts';
import { rangePercent } from '../../../../renderer/watchlist/rangePercent.ts';
import { createSpark, sparkPath } from '../../../../renderer/watchlist/sparkPath.ts';
import { visibleRows } from '../../../../renderer/watchlist/useWindowed.ts';
import type { ShownItem } from '../../../../renderer/watchlist/listItems.ts';

const items: readonly ShownItem[] = [
  { kind: 'group', key: 'g1', title: 'Trouble', trouble: true, closed: false }, { kind: 'index', key: 'A', id: 'A' },
  { kind: 'group', key: 'g2', title: 'Europe', trouble: false, closed: false }, { kind: 'index', key: 'B', id: 'B' }, { kind: 'index', key: 'C', id: 'C' },
];

test('the cursor steps over titles and stops at the ends', () => {
  expect(moveCursor(items, 'A', 'ArrowDown', 10)).toBe('B');
  expect(moveCursor(items, 'A', 'ArrowUp', 10)).toBe('A');
  expect(moveCursor(items, 'C', 'ArrowDown', 10)).toBe('C');
  expect(moveCursor(items, null, 'ArrowDown', 10)).toBe('A');
  expect(moveCursor(items, 'A', 'End', 10)).toBe('C');
  expect(moveCursor(items, 'C', 'PageUp', 1)).toBe('B');
  expect(moveCursor(items, 'A', 'x', 10)).toBeUndefined();
  expect(moveCursor([], null, 'End', 10)).toBeUndefined();
});

test('every pixel in sight belongs to a row that exists', () =>
  fc.assert(fc.property(fc.nat(20_000), fc.integer({ min: 1, max: 2000 }), fc.nat(600), (scroll, height, count) => {
    const { first, end } = visibleRows(scroll, height, 28, count);
    const inSight = Math.max(0, Math.min(count, Math.ceil((scroll + height) / 28)) - Math.floor(scroll / 28));
    expect(first).toBeGreaterThanOrEqual(0);
    expect(end).toBeLessThanOrEqual(count);
    if (inSight > 0) {
      expect(first).toBeLessThanOrEqual(Math.floor(scroll / 28));
      expect(end).toBeGreaterThanOrEqual(Math.min(count, Math.ceil((scroll + height) / 28)));
    }
    expect(end - first).toBeLessThanOrEqual(Math.ceil(height / 28) + 10);
  })));

test('the mark stays on the bar; no bar without a range', () => {
  expect(rangePercent('15', '10', '20')).toBe(50);
  expect(rangePercent('25', '10', '20')).toBe(100);
  expect(rangePercent('10', '10', '10')).toBeUndefined();
});

test('a row moves by one within its group, and to the gap where it was dropped', () => {
  const order = ['C', 'B', 'A'];
  const shown: readonly ShownItem[] = [...items.slice(0, 4), { kind: 'companion', key: 'B>E', id: 'E', of: 'B' }, ...items.slice(4)];
  expect(stepTarget(shown, order, 'C', -1)).toBe('B');
  expect(stepTarget(shown, order, 'B', 1)).toBe('A'); // after C: before what follows it
  expect(stepTarget(shown, order, 'B', -1)).toBeUndefined();
  expect(stepTarget(shown, order, 'C', 1)).toBeUndefined();
  expect(dropTarget(shown, order, 'A', 3)).toBe('B');
  expect(dropTarget(shown, order, 'C', 4)).toBe('A'); // between B and its companion: after B
  expect(dropTarget(shown, ['B', 'C'], 'B', 6)).toBeNull();
  expect(dropTarget(shown, order, 'A', 0)).toBeUndefined();
});

test('a sparkline stays in its box, also when flat; its tail alone moves while its scale holds', () => {
  const numbersOf = (path: string): number[] => path.match(/[\d.]+/g)?.map(Number) ?? [];
  const inBox = (numbers: readonly number[]): void => {
    for (const [at, value] of numbers.entries()) {
      expect(value).toBeGreaterThanOrEqual(1);
      expect(value).toBeLessThanOrEqual(at % 2 === 0 ? 45 : 17);
    }
  };
  expect(sparkPath([1])).toBe('');
  expect(sparkPath([5, 5, 5])).toBe('M1 9L23 9L45 9');
  fc.assert(fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 60 }), fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 9 }), (points, prices) => {
    inBox(numbersOf(sparkPath(points)));
    const spark = createSpark();
    let [before, low, high] = ['', Math.min(...points), Math.max(...points)];
    for (const price of prices) {
      const { body, tail } = spark(points, price);
      inBox(numbersOf(body));
      inBox(numbersOf(tail));
      expect(numbersOf(tail).slice(0, 2)).toEqual(numbersOf(body).slice(-2));
      if (before !== '' && price >= low && price <= high) expect(body).toBe(before);
      [before, low, high] = [body, Math.min(low, price), Math.max(high, price)];
    }
  }));
});
