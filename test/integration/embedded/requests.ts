/** Generated requests over few keys, columns and versions, so that they meet; both sane ones and ones that must be refused. */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import fc from 'fast-check';

export type Filter = google.bigtable.v2.IRowFilter;
export type Mutation = google.bigtable.v2.IMutation;
export type Write =
  | { readonly kind: 'mutate'; readonly key: string; readonly mutations: Mutation[] }
  | { readonly kind: 'many'; readonly entries: { readonly key: string; readonly mutations: Mutation[] }[] }
  | { readonly kind: 'check'; readonly key: string; readonly predicate: Filter | null; readonly yes: Mutation[]; readonly no: Mutation[] }
  | { readonly kind: 'modify'; readonly key: string; readonly rules: google.bigtable.v2.IReadModifyWriteRule[] };

export const FAMILIES = ['f', 'g', 'h'] as const;
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

const key = fc.constantFrom('a', 'a\0', 'ab', 'abc', 'b', 'b#1', 'b#2', 'b\xff', 'c\n', '\xff\xff');
const family = fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...FAMILIES) }, { weight: 1, arbitrary: fc.constant('none') });
const qualifier = fc.constantFrom('', 'p', 'q', 'pq', '\xe9', '\n').map(bytes);
const value = fc.oneof(fc.constantFrom('', '1', '10', 'x\ny', '\0\0\0\0\0\0\0\x07').map(bytes), fc.uint8Array({ maxLength: 9 }).map((array) => Buffer.from(array)));
// Either side of any clock: the server's own time lies between, so that the order of versions is the same on every server.
const sane = fc.constantFrom(0, 1000, 2000, 3000, 4_000_000_000_000_000, 4_000_000_000_001_000, 253_402_300_800_000_000);
const micros = fc.oneof({ weight: 40, arbitrary: sane }, { weight: 1, arbitrary: fc.constantFrom<number | string>(1, 1500, -2, -1000, '9223372036854775000') });
const timeRange = fc.record({ startTimestampMicros: micros, endTimestampMicros: micros });

const deletion: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ familyName: family, columnQualifier: qualifier, timeRange: fc.option(timeRange, { nil: null, freq: 2 }) }).map((deleteFromColumn) => ({ deleteFromColumn })),
  fc.record({ familyName: family }).map((deleteFromFamily) => ({ deleteFromFamily })),
  fc.constant({ deleteFromRow: {} }),
);
const setCell = fc.record({ familyName: family, columnQualifier: qualifier, timestampMicros: fc.oneof({ weight: 8, arbitrary: micros }, { weight: 1, arbitrary: fc.constant(-1) }), value }).map((cell): Mutation => ({ setCell: cell }));
const column = (one: { familyName?: string | null; columnQualifier?: Uint8Array | string | null }): string => `${one.familyName}:${Buffer.from(one.columnQualifier as Uint8Array).toString('latin1')}`;
// One cell of server time per column and request: two might fall on one millisecond, or not.
const once = (mutations: Mutation[]): Mutation[] => {
  const seen = new Set<string>();
  return mutations.filter(({ setCell: cell }) => {
    if (Number(cell?.timestampMicros) !== -1 || !cell) return true;
    const again = seen.has(column(cell));
    seen.add(column(cell));
    return !again;
  });
};
const mutations: fc.Arbitrary<Mutation[]> = fc.array(fc.oneof({ weight: 4, arbitrary: setCell }, { weight: 1, arbitrary: deletion }), { minLength: 1, maxLength: 6 }).map(once);
const someMutations: fc.Arbitrary<Mutation[]> = fc.oneof({ weight: 20, arbitrary: mutations }, { weight: 1, arbitrary: fc.constant<Mutation[]>([]) });

const pattern = fc.constantFrom('', 'a', 'a.*', '.*', '.', '\\C*', 'b#[12]', '[^p]', 'p|q', 'p?q', '(?i)P', '(?s).*', '\\d+', '[[:alpha:]]+', 'a{2,3}', '(a|ab)(c|bcd)?', '\\x{e9}', '\\xff*', '^p$', 'b\\b.*', '(', 'a**', '\\8', '[z-a]', '\\Qb#\\E.');
const bound = (name: string): fc.Arbitrary<Record<string, Buffer>> =>
  fc.oneof(fc.constant({}), value.map((at) => ({ [`start${name}Closed`]: at })), value.map((at) => ({ [`start${name}Open`]: at })));
const bounds = (name: string): fc.Arbitrary<Record<string, Buffer>> => fc.tuple(bound(name), bound(name)).map(([start, end]) =>
  ({ ...start, ...Object.fromEntries(Object.entries(end).map(([field, at]) => [field.replace('start', 'end'), at])) }));
// None below 0: they end the emulator.
const count = fc.oneof({ weight: 10, arbitrary: fc.integer({ min: 1, max: 3 }) }, { weight: 1, arbitrary: fc.constant(0) });
// Exactly one family: with several the emulator counts cells in the order of a Go map.
const ofOneFamily = (filter: Filter): fc.Arbitrary<Filter> => fc.constantFrom(...FAMILIES).map((name) => ({ chain: { filters: [{ familyNameRegexFilter: name }, filter] } }));

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.constant({ passAllFilter: true }), fc.constant({ blockAllFilter: true }),
  pattern.map((text) => ({ rowKeyRegexFilter: bytes(text) })),
  fc.oneof(fc.constantFrom('f', 'g|h', '[fg]', '.*', ''), pattern).map((text) => ({ familyNameRegexFilter: text })),
  pattern.map((text) => ({ columnQualifierRegexFilter: bytes(text) })),
  pattern.map((text) => ({ valueRegexFilter: bytes(text) })),
  fc.tuple(family, bounds('Qualifier')).map(([familyName, range]) => ({ columnRangeFilter: { familyName, ...range } })),
  bounds('Value').map((valueRangeFilter) => ({ valueRangeFilter })),
  timeRange.map((timestampRangeFilter) => ({ timestampRangeFilter })),
  count.chain((cellsPerRowLimitFilter) => ofOneFamily({ cellsPerRowLimitFilter })),
  fc.integer({ min: 0, max: 3 }).chain((cellsPerRowOffsetFilter) => ofOneFamily({ cellsPerRowOffsetFilter })),
  count.map((cellsPerColumnLimitFilter) => ({ cellsPerColumnLimitFilter })),
  fc.constant({ stripValueTransformer: true }),
  fc.constantFrom('one', 'two-2', 'Bad_label', '').map((applyLabelTransformer) => ({ applyLabelTransformer })),
  fc.constantFrom<Filter>({ sink: true }, { rowSampleFilter: 0 }, { rowSampleFilter: 1 }, { passAllFilter: false }, { blockAllFilter: false }, {}),
);

/** Filters up to three levels deep. */
export const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthSize: 'small' }, { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }).map((filters) => ({ chain: { filters } })) },
    { weight: 1, arbitrary: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }).map((filters) => ({ interleave: { filters } })) },
    { weight: 1, arbitrary: fc.record({ predicateFilter: tie('filter'), trueFilter: fc.option(tie('filter'), { nil: null }), falseFilter: fc.option(tie('filter'), { nil: null }) }).map((condition) => ({ condition })) },
  ),
})).filter;

const keyBound = key.map(bytes);
const rowRange = fc.tuple(
  fc.oneof(fc.constant({}), keyBound.map((startKeyClosed) => ({ startKeyClosed })), keyBound.map((startKeyOpen) => ({ startKeyOpen })), fc.constant({ startKeyClosed: bytes('') })),
  fc.oneof(fc.constant({}), keyBound.map((endKeyClosed) => ({ endKeyClosed })), keyBound.map((endKeyOpen) => ({ endKeyOpen })), fc.constant({ endKeyOpen: bytes('') })),
).map(([start, end]): google.bigtable.v2.IRowRange => ({ ...start, ...end }));

/** All but the table. */
export const read: fc.Arbitrary<google.bigtable.v2.IReadRowsRequest> = fc.record({
  rows: fc.option(fc.record({ rowKeys: fc.array(fc.oneof(key, fc.constant('missing')).map(bytes), { maxLength: 4 }), rowRanges: fc.array(rowRange, { maxLength: 3 }) }), { nil: null, freq: 3 }),
  rowsLimit: fc.oneof({ weight: 10, arbitrary: fc.constantFrom(0, 0, 1, 2, 5) }, { weight: 1, arbitrary: fc.constant(-1) }),
  filter: fc.option(filter, { nil: null, freq: 4 }),
});

const rule = fc.oneof(
  fc.record({ familyName: family, columnQualifier: qualifier, appendValue: value }),
  fc.record({ familyName: family, columnQualifier: qualifier, incrementAmount: fc.constantFrom(0, 1, -1, 1_000_000) }),
);
const rules = fc.uniqueArray(rule, { minLength: 1, maxLength: 3, selector: column });

export const write: fc.Arbitrary<Write> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mutate' as const), key, mutations: someMutations }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('many' as const), entries: fc.uniqueArray(fc.record({ key, mutations: someMutations }), { minLength: 1, maxLength: 5, selector: (entry) => entry.key }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('check' as const), key, predicate: fc.option(filter, { nil: null, freq: 4 }), yes: someMutations, no: someMutations }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('modify' as const), key, rules }) },
);
