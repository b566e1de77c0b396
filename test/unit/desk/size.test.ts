import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withinSize } from '../../../electron/desk/size.ts';

test('whatever JSON could carry within half the limit passes', () =>
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const bytes = JSON.stringify(value).length;
    expect(withinSize(value, bytes * 8 + 16)).toBe(true);
  })));

test('large, deep, cyclic and binary values do not', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  let deep: unknown = 0;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  for (const value of ['x'.repeat(65_537), Array.from({ length: 1e6 }, () => 0), cycle, deep, new Uint8Array(70_000), new ArrayBuffer(70_000), new Map(), new Set(), { ['k'.repeat(70_000)]: 1 }, Array(1e9)]) {
    expect(withinSize(value, 65_536)).toBe(false);
  }
});
