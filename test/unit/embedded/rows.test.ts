/** Keys, cells, mutations and collection of rows: the pure parts of the store. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cell, compareCells, type Family, MAX_VERSION, packCells, unpackCells } from '../../../electron/embedded/cells.ts';
import { createChunkWriter } from '../../../electron/embedded/chunks.ts';
import { compileFilter, narrowingOf } from '../../../electron/embedded/filter.ts';
import { type GcRule, keptCells } from '../../../electron/embedded/gc.ts';
import { gcMessage, gcRuleOf } from '../../../electron/embedded/gcMessage.ts';
import { mutated, type Mutation, versionOf, withCells } from '../../../electron/embedded/mutate.ts';
import { data } from '../../../electron/embedded/protos.ts';
import { END, prefixRange, rangesOf } from '../../../electron/embedded/rowSet.ts';

const Q: Family = { id: 1, name: 'q', gc: null };
const H: Family = { id: 200, name: 'h', gc: null };
const byName = new Map([['q', Q], ['h', H]]);
const byId = new Map([[1, Q], [200, H]]);
const bytes = fc.uint8Array({ maxLength: 6 }).map((array) => Buffer.from(array));
const cell: fc.Arbitrary<Cell> = fc.record({ family: fc.constantFrom(Q, H), qualifier: bytes, version: fc.oneof(fc.nat(5), fc.integer({ min: 0, max: MAX_VERSION })), value: bytes });
const row = fc.array(cell, { maxLength: 12 }).map((cells) => withCells([], cells));
const of = (value: string, version: number, qualifier = 'p', family = Q): Cell => ({ family, qualifier: Buffer.from(qualifier), version, value: Buffer.from(value) });
const values = (cells: readonly Cell[]): string[] => cells.map(({ value }) => value.toString());

describe('row sets', () => {
  const key = fc.uint8Array({ maxLength: 3, max: 3 }).map((array) => Buffer.from(array));
  const bound = fc.option(key, { nil: null });
  const range = fc.record({ startKeyClosed: bound, startKeyOpen: bound, endKeyClosed: bound, endKeyOpen: bound })
    .map(({ startKeyClosed, startKeyOpen, endKeyClosed, endKeyOpen }) => ({ startKeyClosed, startKeyOpen: startKeyClosed ? null : startKeyOpen, endKeyClosed, endKeyOpen: endKeyClosed ? null : endKeyOpen }));
  const holds = (probe: Buffer, { startKeyClosed: sc, startKeyOpen: so, endKeyClosed: ec, endKeyOpen: eo }: { [Name in 'startKeyClosed' | 'startKeyOpen' | 'endKeyClosed' | 'endKeyOpen']: Buffer | null }): boolean =>
    (!sc?.length || Buffer.compare(probe, sc) >= 0) && (!so?.length || Buffer.compare(probe, so) > 0) && (!ec?.length || Buffer.compare(probe, ec) <= 0) && (!eo?.length || Buffer.compare(probe, eo) < 0);

  test('hold exactly the keys asked for, sorted, never twice', () => {
    fc.assert(fc.property(fc.array(range, { maxLength: 4 }), fc.array(key.filter((k) => k.length > 0), { maxLength: 4 }), key.filter((k) => k.length > 0), (ranges, keys, probe) => {
      let merged: ReturnType<typeof rangesOf>;
      try {
        merged = rangesOf(keys, ranges);
      } catch {
        return ranges.some(({ startKeyClosed: sc, startKeyOpen: so, endKeyClosed: ec, endKeyOpen: eo }) => Buffer.compare(sc ?? so ?? Buffer.alloc(0), ec ?? eo ?? END) > 0);
      }
      const wanted = (keys.length === 0 && ranges.length === 0) || keys.some((k) => k.equals(probe)) || ranges.some((one) => holds(probe, one));
      const found = merged.filter(({ start, end }) => Buffer.compare(probe, start) >= 0 && Buffer.compare(probe, end) < 0).length;
      return found === (wanted ? 1 : 0) && merged.every(({ start }, i) => i === 0 || Buffer.compare(merged[i - 1]?.end ?? END, start) < 0);
    }), { numRuns: 2000 });
  });

  test('a prefix is the range up to the next prefix, past bytes of 255', () => {
    expect(prefixRange(Buffer.from('SPX#'))).toEqual({ start: Buffer.from('SPX#'), end: Buffer.from('SPX$') });
    expect(prefixRange(Buffer.from([1, 255, 255])).end).toEqual(Buffer.from([2]));
    expect(prefixRange(Buffer.from([255])).end).toEqual(END);
  });
});

test('a packed row comes back as it was; of a dropped family nothing does', () => {
  fc.assert(fc.property(row, (cells) => {
    expect(unpackCells(packCells(cells), byId)).toEqual(cells);
    expect(unpackCells(packCells(cells), new Map([[1, Q]]))).toEqual(cells.filter(({ family }) => family === Q));
  }));
});

test('what is written as chunks is what protobuf reads', () => {
  fc.assert(fc.property(row.filter((cells) => cells.length > 0), bytes, (cells, key) => {
    const writer = createChunkWriter();
    writer.row(key, cells);
    let [family, qualifier] = ['', Buffer.alloc(0)];
    const chunks = writer.take().flatMap((message) => data.ReadRowsResponse.decode(message).chunks ?? []);
    const read = chunks.map((chunk) => {
      if (chunk.familyName) family = chunk.familyName.value ?? '';
      if (chunk.qualifier) qualifier = Buffer.from(chunk.qualifier.value as Uint8Array);
      return { family: byName.get(family), qualifier, version: versionOf(BigInt(String(chunk.timestampMicros))), value: Buffer.from(chunk.value as Uint8Array) };
    });
    expect(read).toEqual(cells);
    expect(chunks.map(({ commitRow }) => commitRow === true)).toEqual(cells.map((_, i) => i === cells.length - 1));
    expect(Buffer.from(chunks[0]?.rowKey as Uint8Array).equals(key)).toBe(true);
  }));
});

test('a stored row goes out as its cells would, without what the rules collect', () => {
  const rule = fc.constantFrom<GcRule | null>(null, { kind: 'versions', count: 1 }, { kind: 'age', micros: 4000 }, { kind: 'union', rules: [{ kind: 'age', micros: 5000 }, { kind: 'versions', count: 2 }] });
  const long = fc.oneof({ weight: 5, arbitrary: bytes }, { weight: 1, arbitrary: fc.integer({ min: 40, max: 130 }).map((size) => Buffer.alloc(size, 'x')) });
  const stored = fc.array(fc.record({ family: fc.constantFrom(Q, H), qualifier: long, version: fc.oneof({ weight: 20, arbitrary: fc.nat(9) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: MAX_VERSION }) }), value: long }), { maxLength: 8 }).map((cells) => withCells([], cells));
  fc.assert(fc.property(fc.array(fc.tuple(long, stored), { maxLength: 4 }), rule, rule, fc.boolean(), (rows, q, h, dropped) => {
    const families = new Map<number, Family>([[1, { ...Q, gc: q }], ...(dropped ? [] : [[200, { ...H, gc: h }] as const])]);
    const [direct, general] = [createChunkWriter(), createChunkWriter()];
    for (const [key, cells] of rows) {
      const kept = keptCells(unpackCells(packCells(cells), families), 10);
      const sent = direct.packed(key, packCells(cells), families, 10);
      if (sent < 0) direct.row(key, kept);
      else expect(sent).toBe(kept.length);
      if (kept.length > 0) general.row(key, kept);
    }
    expect(Buffer.concat(direct.take()).toString('hex')).toBe(Buffer.concat(general.take()).toString('hex'));
  }), { numRuns: 3000 });
});

describe('mutations', () => {
  const set = (value: string, timestampMicros: number, familyName = 'q'): Mutation => ({ setCell: { familyName, columnQualifier: Buffer.from('p'), timestampMicros, value: Buffer.from(value) } });

  test('any order of cells gives the same row, in reading order', () => {
    fc.assert(fc.property(fc.uniqueArray(cell, { comparator: (a, b) => compareCells(a, b) === 0, maxLength: 8 }), (cells) => {
      const forwards = withCells([], cells);
      expect(withCells([], cells.toReversed())).toEqual(forwards);
      expect(forwards.toSorted(compareCells)).toEqual(forwards);
    }));
  });

  test('apply in their order: the last of one version wins, a deletion takes what came before it', () => {
    const column: Mutation = { deleteFromColumn: { familyName: 'q', columnQualifier: Buffer.from('p'), timeRange: { startTimestampMicros: 2000, endTimestampMicros: 4000 } } };
    expect(values(mutated([], [set('a', 1000), set('b', 1000), set('c', 2000)], byName, 9))).toEqual(['c', 'b']);
    expect(values(mutated([of('1', 1), of('2', 2), of('3', 3), of('4', 4)].toReversed(), [column], byName, 9))).toEqual(['4', '1']);
    expect(values(mutated([of('1', 1)], [set('2', 2000), { deleteFromRow: {} }, set('3', 3000, 'h')], byName, 9))).toEqual(['3']);
    expect(values(mutated([of('1', 1), of('2', 1, 'p', H)], [{ deleteFromFamily: { familyName: 'q' } }], byName, 9))).toEqual(['2']);
    expect(mutated([], [set('now', -1)], byName, 1234)[0]?.version).toBe(1234);
  });

  test.each<[string, Mutation[], number]>([
    ['none', [], 3], ['an empty one', [{}], 3], ['a version finer than 1 ms', [set('a', 1001)], 3], ['a negative version', [set('a', -1000)], 3],
    ['an unknown family', [set('a', 0, 'zz')], 5], ['an aggregate', [{ addToCell: {} }], 12],
    ['a range that runs backwards', [{ deleteFromColumn: { familyName: 'q', timeRange: { startTimestampMicros: 2000, endTimestampMicros: 1000 } } }], 3],
  ])('refused: %s', (_, mutations, code) => {
    expect(() => mutated([], mutations, byName, 9)).toThrow(expect.objectContaining({ code }) as Error);
  });
});

describe('garbage collection', () => {
  const kept = (rule: GcRule, ages: number[]): number[] => {
    const family: Family = { id: 1, name: 'q', gc: rule };
    return keptCells(ages.map((age) => ({ ...of('x', 1_000_000 - age), family })), 1_000_000).map(({ version }) => 1_000_000 - version);
  };
  const age: GcRule = { kind: 'age', micros: 50_000 }, versions: GcRule = { kind: 'versions', count: 2 };

  test('by age, by versions, by either, by both', () => {
    expect(kept(age, [0, 10, 50, 51])).toEqual([0, 10, 50]);
    expect(kept(versions, [0, 10, 50, 51])).toEqual([0, 10]);
    expect(kept({ kind: 'union', rules: [age, versions] }, [0, 60, 70])).toEqual([0]);
    expect(kept({ kind: 'intersection', rules: [age, versions] }, [0, 10, 20, 60])).toEqual([0, 10, 20]);
    expect(kept({ kind: 'intersection', rules: [] }, [0, 60])).toEqual([0, 60]);
  });

  test('rules go through the protocol and back', () => {
    const rule: GcRule = { kind: 'union', rules: [{ kind: 'intersection', rules: [age, versions] }, { kind: 'age', micros: 7_776_000_000_000 }] };
    expect(gcRuleOf(gcMessage(rule))).toEqual(rule);
    expect(gcRuleOf(null)).toBeNull();
    expect(() => gcRuleOf({ maxNumVersions: 0 })).toThrow(expect.objectContaining({ code: 3 }) as Error);
    expect(() => gcRuleOf({ maxAge: { seconds: 0, nanos: 999_999 } })).toThrow(expect.objectContaining({ code: 3 }) as Error);
  });
});

describe('filters', () => {
  const cells = [of('a', 3), of('b', 2), of('c', 1, 'r'), of('d', 1, 'p', H)];
  const run = (filter: Parameters<typeof compileFilter>[0]): string[] => values(compileFilter(filter)(cells, Buffer.from('SPX#1')));

  test('limits count cells in reading order', () => {
    expect(run({ cellsPerColumnLimitFilter: 1 })).toEqual(['a', 'c', 'd']);
    expect(run({ cellsPerRowLimitFilter: 3 })).toEqual(['a', 'b', 'c']);
    expect(run({ cellsPerRowOffsetFilter: 3 })).toEqual(['d']);
    expect(run({ chain: { filters: [{ cellsPerRowOffsetFilter: 1 }, { cellsPerColumnLimitFilter: 1 }] } })).toEqual(['b', 'c', 'd']);
  });

  test('an interleave keeps duplicates, each with its labels', () => {
    const twice = compileFilter({ interleave: { filters: [{ applyLabelTransformer: 'one' }, { valueRegexFilter: Buffer.from('[ad]') }] } })(cells, Buffer.from('k'));
    expect(twice.map(({ value, labels }) => `${value.toString()}${labels?.join() ?? ''}`)).toEqual(['aone', 'a', 'bone', 'cone', 'done', 'd']);
  });

  test("what reaches a sink is in the output, past what follows: the protocol's own example", () => {
    const [A, B]: Family[] = [{ id: 1, name: 'A', gc: null }, { id: 2, name: 'B', gc: null }];
    const row = [of('w', 1, 'A', A), of('x', 2, 'B', A), of('z', 4, 'B', A), of('y', 3, 'A', B)].sort(compareCells);
    const found = compileFilter({ chain: { filters: [
      { familyNameRegexFilter: 'A' }, { interleave: { filters: [{ passAllFilter: true }, { chain: { filters: [{ applyLabelTransformer: 'foo' }, { sink: true }] } }] } }, { columnQualifierRegexFilter: Buffer.from('B') },
    ] } });
    const text = (): string[] => found(row, Buffer.from('k')).map(({ family, qualifier, version, value, labels }) => `${family?.name}:${qualifier.toString()},${version},${value.toString()}${labels?.join() ?? ''}`);
    expect(text()).toEqual(['A:A,1,wfoo', 'A:B,4,z', 'A:B,4,zfoo', 'A:B,2,x', 'A:B,2,xfoo']);
    expect(text()).toHaveLength(5); // nothing is kept from one row to the next
    expect(run({ chain: { filters: [{ sink: true }, { blockAllFilter: true }] } })).toEqual(['a', 'b', 'c', 'd']);
  });

  test('ranges with open and closed bounds', () => {
    expect(run({ valueRangeFilter: { startValueOpen: Buffer.from('a'), endValueClosed: Buffer.from('c') } })).toEqual(['b', 'c']);
    expect(run({ columnRangeFilter: { familyName: 'q', startQualifierOpen: Buffer.from('p') } })).toEqual(['c']);
    expect(run({ timestampRangeFilter: { startTimestampMicros: 2000, endTimestampMicros: 3000 } })).toEqual(['b']);
  });

  test.each<[string, Parameters<typeof compileFilter>[0], number]>([
    ['empty', {}, 3], ['a chain of one', { chain: { filters: [{ passAllFilter: true }] } }, 3], ['a limit of 0', { cellsPerColumnLimitFilter: 0 }, 3],
    ['a finer time', { timestampRangeFilter: { startTimestampMicros: 1 } }, 3], ['a bad pattern', { rowKeyRegexFilter: Buffer.from('(') }, 3], ['a bad label', { applyLabelTransformer: 'A' }, 3],
    ['a key pattern that is empty', { rowKeyRegexFilter: Buffer.alloc(0) }, 3], ['a sink within a condition', { condition: { predicateFilter: { sink: true } } }, 3], ['a sink that is false', { sink: false }, 3],
    ['a chain that labels twice', { chain: { filters: [{ interleave: { filters: [{ passAllFilter: true }, { applyLabelTransformer: 'a' }] } }, { applyLabelTransformer: 'b' }] } }, 3],
  ])('refused: %s', (_, filter, code) => {
    expect(() => compileFilter(filter)).toThrow(expect.objectContaining({ code }) as Error);
  });
});

test('a narrowing filter leaves out of a stored row what it leaves out of its cells', () => {
  const R: Family = { id: 3, name: 'r', gc: { kind: 'versions', count: 2 } };
  const families = new Map([[1, Q], [3, R], [200, H]]);
  const part = fc.oneof(fc.constantFrom('q', 'q|h', 'r', '.*', 'none').map((familyNameRegexFilter) => ({ familyNameRegexFilter })), fc.integer({ min: 1, max: 3 }).map((cellsPerColumnLimitFilter) => ({ cellsPerColumnLimitFilter })));
  const narrow = fc.oneof(part, fc.array(part, { minLength: 2, maxLength: 3 }).map((filters) => ({ chain: { filters } })));
  const short = fc.array(fc.record({ family: fc.constantFrom(Q, R, H), qualifier: fc.constantFrom('a', 'b').map((name) => Buffer.from(name)), version: fc.nat({ max: 9 }), value: bytes }), { maxLength: 12 }).map((cells) => withCells([], cells));
  fc.assert(fc.property(short, narrow, (cells, given) => {
    const narrowing = narrowingOf(given);
    const wanted = createChunkWriter();
    const left = compileFilter(given)(keptCells(cells, 100), Buffer.from('k'));
    if (left.length > 0) wanted.row(Buffer.from('k'), left);
    const writer = createChunkWriter();
    const kept = new Map([...families].filter(([, { name }]) => narrowing?.family(name) === true));
    expect(writer.packed(Buffer.from('k'), packCells(cells), kept, 100, narrowing?.perColumn)).toBe(left.length);
    expect(Buffer.concat(writer.take())).toEqual(Buffer.concat(wanted.take()));
  }));
  for (const other of [{ cellsPerRowLimitFilter: 1 }, { chain: { filters: [{ familyNameRegexFilter: 'q' }, { stripValueTransformer: true }] } }]) expect(narrowingOf(other)).toBeNull();
});
