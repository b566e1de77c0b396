import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveCursor } from '../../../../renderer/watchlist/cursor.ts';
import { rangePercent } from '../../../../renderer/watchlist/DayRange.tsx';
import { sparkPath } from '../../../../renderer/watchlist/Sparkline.tsx';
import { visibleRows } from '../../../../renderer/watchlist/useWindowed.ts';
import type { ListItem } from '../../../../renderer/store/arrangement.ts';

const items: readonly ListItem[] = [
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

test('a sparkline stays in its box, also when flat', () => {
  expect(sparkPath([1])).toBe('');
  expect(sparkPath([5, 5, 5], 46, 18)).toBe('M1.0 9.0L23.0 9.0L45.0 9.0');
  fc.assert(fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 60 }), (points) => {
    const numbers = sparkPath(points, 46, 18).match(/[\d.]+/g)!.map(Number);
    expect(Math.max(...numbers.filter((_, at) => at % 2 === 0))).toBeLessThanOrEqual(45);
    expect(Math.max(...numbers.filter((_, at) => at % 2 === 1))).toBeLessThanOrEqual(17);
  }));
});
