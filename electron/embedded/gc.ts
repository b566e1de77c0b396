/** Garbage-collection rules of a family, applied to the versions of one column. */
import type { Cell } from './cells.ts';

export type GcRule =
  | { readonly kind: 'age'; readonly micros: number }
  | { readonly kind: 'versions'; readonly count: number }
  | { readonly kind: 'union' | 'intersection'; readonly rules: readonly GcRule[] };

/** Whether the rule deletes the cell that is number `rank` (0 is the newest) of its column. `now` in ms. */
export function collects(rule: GcRule, version: number, rank: number, now: number): boolean {
  switch (rule.kind) {
    case 'age': return version * 1000 < now * 1000 - rule.micros;
    case 'versions': return rank >= rule.count;
    case 'union': return rule.rules.some((inner) => collects(inner, version, rank, now));
    case 'intersection': return rule.rules.length > 0 && rule.rules.every((inner) => collects(inner, version, rank, now));
  }
}

/** The cells of one row (in reading order) that their families' rules keep at `now` (ms). The same array when all stay. */
export function keptCells(cells: readonly Cell[], now: number): readonly Cell[] {
  let kept: Cell[] | null = null;
  let rank = 0;
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i] as Cell;
    const before = cells[i - 1];
    rank = before && before.family === cell.family && before.qualifier.equals(cell.qualifier) ? rank + 1 : 0;
    const gone = cell.family.gc !== null && collects(cell.family.gc, cell.version, rank, now);
    if (gone) kept ??= cells.slice(0, i);
    else kept?.push(cell);
  }
  return kept ?? cells;
}
