import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromDock, toDock } from '../../../../renderer/workspace/dockForm.ts';
import { type Layout, MOST_PANES, oneGroup, parseLayout, type Place, plainLayout, without } from '../../../../renderer/workspace/layout.ts';
import { KINDS, LINKS, type Pane } from '../../../../renderer/workspace/pane.ts';

const pane = (id: string, more: Partial<Pane> = {}): Pane => ({ id, kind: 'chart', link: null, index: 'SPX', settings: null, ...more });

/** Any layout that the desk can have: a tree of groups, levels alternating, every pane once. */
const layouts = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), link: fc.constantFrom(null, ...LINKS), index: fc.constantFrom(null, 'SPX', 'NKY'), settings: fc.jsonValue({ maxDepth: 2 }) }), { minLength: 1, maxLength: 10 }).chain((given) => {
  const panes = given.map((one, at) => ({ ...one, id: `pane${at}` }));
  const deal = (ids: readonly string[], depth: number): fc.Arbitrary<Place[]> =>
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: ids.length, maxLength: ids.length }).chain((cuts) => {
      const groups: string[][] = [];
      for (let at = 0; at < ids.length;) {
        const size = depth > 2 ? ids.length : (cuts[at] ?? 1);
        groups.push(ids.slice(at, at + size));
        at += size;
      }
      return fc.tuple(...groups.map((ids2) => {
        const tabs = fc.record({ tabs: fc.constant(ids2), shown: fc.constantFrom(...ids2), size: fc.integer({ min: 50, max: 2000 }) });
        return depth < 2 && ids2.length > 1 ? fc.oneof(tabs, deal(ids2, depth + 1).chain((parts) => fc.record({ parts: fc.constant(parts), size: fc.integer({ min: 50, max: 2000 }) }))) : tabs;
      })) as fc.Arbitrary<Place[]>;
    });
  const size = fc.integer({ min: 200, max: 3000 });
  return fc.record({ across: fc.boolean(), width: size, height: size, parts: deal(panes.map(({ id }) => id), 0), panes: fc.constant(Object.fromEntries(panes.map((one) => [one.id, one]))), active: fc.constantFrom(null, ...panes.map(({ id }) => id)) });
});

test('what is kept comes back the same', () => fc.assert(fc.property(layouts, (layout) => {
  expect(parseLayout(JSON.parse(JSON.stringify(layout)))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(layout)) as Layout });
}), { numRuns: 60 }));

test('the docking library\'s form and ours say the same', () => fc.assert(fc.property(layouts, (layout) => {
  expect(fromDock(toDock(layout), (id) => layout.panes[id], layout.active)).toEqual(layout);
}), { numRuns: 60 }));

test('without some panes: the others keep their places, none is left empty, nothing left is nothing', () => fc.assert(fc.property(layouts, fc.array(fc.nat({ max: 9 })), (layout, numbers) => {
  const gone = numbers.map((at) => `pane${at}`);
  const left = without(layout, gone);
  const remaining = Object.keys(layout.panes).filter((id) => !gone.includes(id));
  if (left === null) expect(remaining).toEqual([]);
  else {
    expect(parseLayout(left).ok).toBe(true);
    expect(Object.keys(left.panes)).toEqual(remaining);
  }
}), { numRuns: 60 }));

const good = plainLayout(pane('aaaa'), pane('bbbb', { kind: 'tape' }), pane('cccc', { kind: 'health' }), 900, 600);
test.each<[string, unknown]>([
  ['nothing', null], ['a list', []], ['no places', { panes: {} }],
  ['a pane without a place', { ...good, parts: [{ tabs: ['aaaa'], shown: 'aaaa', size: 5 }] }],
  ['a pane in two places', { ...good, parts: [...good.parts, { tabs: ['aaaa'], shown: 'aaaa', size: 5 }] }],
  ['a place of no pane', { ...good, parts: [...good.parts, { tabs: ['zzzz'], shown: 'zzzz', size: 5 }] }],
  ['an inherited name', { ...good, parts: [...good.parts, { tabs: ['toString'], shown: 'toString', size: 5 }] }],
  ['an empty place', { ...good, parts: [...good.parts, { tabs: [], shown: '', size: 5 }] }],
  ['an unknown kind', { ...good, panes: { ...good.panes, aaaa: { kind: 'terminal' } } }],
  ['a bad id', { ...good, panes: { ...good.panes, '<b>': pane('<b>') } }],
  ['too deep', { ...good, parts: [Array.from({ length: 20 }).reduce<unknown>((inner) => ({ parts: [inner], size: 5 }), good.parts[0])] }],
  ['too many', { ...oneGroup(Array.from({ length: MOST_PANES + 1 }, (_, at) => pane(`pane${at}`)), 'pane0') }],
])('%s is refused in words', (_name, value) => {
  const parsed = parseLayout(value);
  expect(parsed.ok).toBe(false);
  if (!parsed.ok) expect(parsed.error.what).toMatch(/^not a layout of panes: /);
});

test('what is merely odd is put right: sizes, an active pane that is not there, a foreign index, settings without end', () => {
  const parsed = parseLayout({ ...good, width: -5, active: 'zzzz', parts: good.parts.map((part) => ({ ...part, size: 1e12, shown: 'zzzz' })), panes: { ...good.panes, aaaa: { kind: 'chart', index: '<script>', link: 'Z', settings: 'x'.repeat(100_000) } } });
  expect(parsed).toMatchObject({ ok: true, value: { width: 300, active: null, panes: { aaaa: { index: null, link: null, settings: null } } } });
});
