import { protos } from '@google-cloud/bigtable';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCollector, packed } from '../../../electron/bigtable/collect.ts';
import { PlainRow } from '../../../electron/bigtable/plainRow.ts';
import type { Row } from '../../../electron/bigtable/reader.ts';

const { ReadRowsResponse } = protos.google.bigtable.v2;

interface Given {
  readonly key: string;
  readonly cells: readonly { readonly qualifier: string; readonly value: string; readonly version: number }[];
}

const chunksOf = ({ key, cells }: Given) => cells.map(({ qualifier, value, version }, at) => ({
  ...(at === 0 ? { rowKey: Buffer.from(key), familyName: { value: 'q' } } : {}), qualifier: { value: Buffer.from(qualifier) }, timestampMicros: String(version * 1000), value: Buffer.from(value),
  ...(at === cells.length - 1 ? { commitRow: true } : {}),
}));

/** Messages of at most `per` chunks. */
function messages(rows: readonly Given[], per: number): Buffer[] {
  const chunks = rows.flatMap(chunksOf);
  return Array.from({ length: Math.ceil(chunks.length / per) }, (_, at) => Buffer.from(ReadRowsResponse.encode(ReadRowsResponse.fromObject({ chunks: chunks.slice(at * per, (at + 1) * per) })).finish()));
}

function collect(sent: readonly Buffer[], known?: readonly Row[], passing = false): readonly Row[] {
  const collector = createCollector(false, known, passing);
  for (const bytes of sent) collector.take(bytes);
  collector.end();
  return collector.hand();
}

const meaning = (rows: readonly Row[]) => rows.map(({ key, cells }) => [key, [...cells].map(([column, { value, version }]) => [column, value.toString('latin1'), version])]);

const row = (key: string) => fc.record({
  key: fc.constant(key),
  cells: fc.uniqueArray(fc.record({ qualifier: fc.constantFrom('p', 'v', 'i'), value: fc.string({ maxLength: 3 }), version: fc.integer({ min: 0, max: 3 }) }), { minLength: 1, maxLength: 3, selector: ({ qualifier }) => qualifier }),
});
const KEYS = ['A#1', 'A#12', 'A#2', 'B#1', 'C#1', 'C#2'];
/** A table's rows in key order, each key with a row or without. */
const table = fc.tuple(...KEYS.map((key) => fc.option(row(key)))).map((rows) => rows.filter((each) => each !== null));

describe('rows that come again', () => {
  test('are the very rows that are known, and whatever changed is read: the same answer as without knowledge', () =>
    fc.assert(fc.property(table, table, fc.nat({ max: 5 }), fc.integer({ min: 1, max: 6 }), (before, after, same, per) => {
      const known = collect(messages(before, 100), []);
      const now = [...before.slice(0, same), ...after.filter(({ key }) => key > (before.slice(0, same).at(-1)?.key ?? ''))];
      const sent = messages(now, per);
      const seen = collect(sent, known);
      expect(meaning(seen)).toEqual(meaning(collect(sent)));
      // what came whole in one message and is as it was is known again
      if (per === 6) for (const [at, given] of before.slice(0, Math.min(same, 2)).entries()) expect(seen[at] === known.find(({ key }) => key === given.key)).toBe(true);
    }), { numRuns: 200 }));

  test('a known row out of order breaks the answer as any other', () => {
    const known = collect(messages([{ key: 'B', cells: [{ qualifier: 'p', value: '1', version: 1 }] }], 9), []);
    const sent = messages([{ key: 'C', cells: [{ qualifier: 'p', value: '1', version: 1 }] }, { key: 'B', cells: [{ qualifier: 'p', value: '1', version: 1 }] }], 9);
    expect(() => collect(sent, known)).toThrow(RangeError);
  });

  test('known bytes inside a row that is being read are not a row', () => {
    const known = collect(messages([{ key: 'B', cells: [{ qualifier: 'p', value: '1', version: 1 }] }], 9), []);
    const open = Buffer.from(ReadRowsResponse.encode(ReadRowsResponse.fromObject({ chunks: [{ rowKey: Buffer.from('A'), familyName: { value: 'q' }, qualifier: { value: Buffer.from('p') } }] })).finish());
    const again = messages([{ key: 'B', cells: [{ qualifier: 'p', value: '1', version: 1 }] }], 9);
    expect(() => collect([open, ...again], known)).toThrow('a new row before the last was committed');
  });

  test('packed, a row means the same and is recognised as well', () =>
    fc.assert(fc.property(table, (given) => {
      const sent = messages(given, 100);
      const rows = collect(sent, []);
      const kept = rows.map(packed);
      expect(meaning(kept)).toEqual(meaning(rows));
      expect(collect(sent, kept).every((each, at) => each === kept[at])).toBe(true);
    })));

  test('no row keeps its bytes where nobody asked', () => {
    const sent = messages([{ key: 'B', cells: [{ qualifier: 'p', value: '1', version: 1 }] }], 9);
    expect(collect(sent)[0]?.wire).toBeUndefined();
    expect(collect(sent, [])[0]?.wire).toBeDefined();
  });
});

describe('rows that pass', () => {
  test('say the same as rows that were read at once, whatever was cut where', () =>
    fc.assert(fc.property(table, fc.constantFrom(1, 2, 3, 6, 100), (rows, per) => {
      const sent = messages(rows, per);
      const passing = collect(sent, undefined, true);
      expect(meaning(passing)).toEqual(meaning(collect(sent)));
      for (const each of passing) expect(each instanceof PlainRow || per < 100).toBe(true);
    }), { numRuns: 300 }));

  test('fail as others do where bytes are changed, or mean the same', () =>
    fc.assert(fc.property(table.filter((rows) => rows.length > 0), fc.nat(), fc.nat({ max: 255 }), (rows, place, value) => {
      const [message = Buffer.alloc(0)] = messages(rows, 100);
      message[place % message.length] = value;
      const outcome = (passing: boolean): unknown => {
        try {
          return meaning(collect([message], undefined, passing));
        } catch (error) {
          if (error instanceof RangeError) return 'broken';
          throw error;
        }
      };
      expect(outcome(true)).toEqual(outcome(false));
    }), { numRuns: 1000 }));
});
