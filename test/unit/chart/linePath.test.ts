import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLinePath } from '../../../renderer/chart/linePath.ts';

interface Piece {
  readonly points: { readonly x: number; readonly y: number }[];
}

/** Reads path text back: pieces of points. Fails on anything but moves, lines and the zero-length stroke. */
function read(text: string): Piece[] {
  expect(text).toMatch(/^(?:M-?[\d.]+,-?[\d.]+(?:h0)?|L-?[\d.]+,-?[\d.]+)*$/);
  const pieces: Piece[] = [];
  for (const [, kind, x, y] of text.matchAll(/([ML])(-?[\d.]+),(-?[\d.]+)/g)) {
    if (kind === 'M') pieces.push({ points: [] });
    pieces.at(-1)!.points.push({ x: Number(x), y: Number(y) });
  }
  return pieces;
}

const walk = fc.array(fc.record({ dx: fc.double({ min: 0, max: 3, noNaN: true }), y: fc.integer({ min: 0, max: 500 }), joined: fc.integer({ min: 0, max: 9 }).map((n) => n > 0) }), { minLength: 1, maxLength: 400 })
  .map((steps) => {
    let x = 10;
    return steps.map(({ dx, y, joined }, index) => ({ x: (x += dx), y, joined: index > 0 && joined }));
  });

/** The body's paths and the tail are one line: each begins with the last point of the one before it. */
const pieces = (line: ReturnType<typeof createLinePath>): Piece[] => [...line.body(), line.tail()].map(read).reduce((drawn, next) => {
  const [end, start] = [drawn.at(-1), next[0]];
  if (!end || !start) return [...drawn, ...next];
  expect(start.points[0]).toEqual(end.points.at(-1));
  return [...drawn.slice(0, -1), { points: [...end.points, ...start.points.slice(1)] }, ...next.slice(1)].filter(({ points }) => points.length > 0);
}, []);

test('at most two points per column and piece, every extreme survives, the newest point is the end', () => {
  fc.assert(fc.property(walk, (points) => {
    const line = createLinePath();
    for (const { x, y, joined } of points) line.add(x, y, joined);
    const drawn = pieces(line);
    expect(drawn.length).toBe(points.filter(({ joined }) => !joined).length);
    let index = 0;
    for (const piece of drawn) {
      const source: { x: number; y: number }[] = [];
      do source.push(points[index++]!);
      while (index < points.length && points[index]!.joined);
      const columns = new Map<number, number[]>();
      for (const { x, y } of source) columns.set(Math.floor(x), [...(columns.get(Math.floor(x)) ?? []), y]);
      const ys = piece.points.map(({ y }) => y);
      for (const values of columns.values()) {
        expect(ys).toContain(Math.min(...values));
        expect(ys).toContain(Math.max(...values));
      }
      expect(piece.points.length).toBeLessThanOrEqual(2 * columns.size + 1); // a piece also ends in its own last point
      for (const [before, after] of piece.points.slice(1).map((point, at) => [piece.points[at]!, point] as const)) expect(after.x).toBeGreaterThanOrEqual(before.x);
    }
    const [end, last] = [drawn.at(-1)!.points.at(-1)!, points.at(-1)!];
    expect(end.y).toBe(last.y);
    expect(end.x).toBeCloseTo(last.x, 0);
  }), { numRuns: 400 });
});

test('a lone point between two gaps is drawn', () => {
  const line = createLinePath();
  line.add(10, 5, false);
  line.add(20, 6, false);
  line.add(30, 7, false);
  expect(line.body().join('') + line.tail()).toBe('M10,5h0M20,6h0M30,7h0');
});

test('a long line is several paths that together are one piece', () => {
  const line = createLinePath();
  for (let x = 0; x < 1200; x++) line.add(x, x % 7, x > 0);
  expect(line.body().length).toBeGreaterThan(5);
  expect(line.body().flatMap(read).map(({ points }) => points.length).every((count) => count > 100)).toBe(true);
  expect(pieces(line)).toEqual([{ points: Array.from({ length: 1200 }, (_, x) => ({ x, y: x % 7 })) }]);
  line.add(1200, 3, true); // the first after it was shown may move a long tail
  const before = line.body();
  for (let x = 1201; x < 1240; x++) line.add(x, x % 7, true);
  expect(line.body()).toBe(before);
});
