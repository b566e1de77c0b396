/**
 * Where the embedded store answers otherwise than Google's emulator (the gcloud SDK's cbtemulator, and the older one that
 * Debian's Go sources make), each with its reason. The store follows the service's documentation (google/bigtable/v2/data.proto and bigtable.proto, as "data.proto"
 * and "bigtable.proto" below); a difference that none of these explains fails the differential test.
 */
import type { Filter } from './requests.ts';

/** One request that was answered in two ways. */
export interface Case {
  readonly kind: 'read' | 'mutate' | 'many' | 'check' | 'modify';
  readonly filter: Filter | null;
  /** 0 where all went well. For an entry of `many`, the entry's. */
  readonly ours: { readonly code: number; readonly details: string };
  readonly theirs: { readonly code: number; readonly details: string };
  /** Whether both servers agree once a read's row limit is left out, and ours is the beginning of that. */
  readonly agreesWithoutLimit: boolean;
}

export interface Difference {
  readonly name: string;
  readonly reason: string;
  readonly explains: (one: Case) => boolean;
}

const INVALID = 3, NOT_FOUND = 5, UNKNOWN = 2, INTERNAL = 13;

/** Every filter within, itself included. */
function parts(filter: Filter | null | undefined): Filter[] {
  if (!filter) return [];
  const { chain, interleave, condition } = filter;
  return [filter, ...[...(chain?.filters ?? []), ...(interleave?.filters ?? []), condition?.predicateFilter, condition?.trueFilter, condition?.falseFilter].flatMap(parts)];
}
const has = (filter: Filter | null | undefined, ...names: (keyof Filter)[]): boolean => parts(filter).some((part) => names.some((name) => part[name] !== undefined));
const COUNTS = ['cellsPerRowLimitFilter', 'cellsPerRowOffsetFilter', 'cellsPerColumnLimitFilter'] as const;
const CHANGES = ['stripValueTransformer', 'applyLabelTransformer'] as const;
const refused = ({ ours, theirs }: Case, text: RegExp): boolean => ours.code === INVALID && theirs.code === 0 && text.test(ours.details);

export const DIFFERENCES: readonly Difference[] = [
  {
    name: 'filters are checked before a row is read',
    reason: 'The emulator compiles a filter for each cell that reaches it, so that a wrong one passes where no cell does. The service refuses the request (data.proto: an invalid RE2 pattern, a share that is not between 0 and 1, a precision below a millisecond).',
    explains: (one) => refused(one, /_regex_filter' : (invalid regular expression|argument must not be empty)|'row_sample_filter'|Timestamp (granularity|out of range)/),
  },
  {
    name: 'filters that say nothing are refused',
    reason: 'The emulator passes every cell through an empty filter and reads pass_all_filter or block_all_filter = false as their opposite; data.proto knows them as "Matches all cells" and "Does not match any cells", with no meaning for false. Refused here; the service does not say.',
    explains: (one) => refused(one, /'filter' : is empty|: must be true/),
  },
  {
    name: 'counts and ranges of filters are checked',
    reason: 'The emulator takes a cell count of 0 (one below ends its process, so none is asked) and a range that ends before it starts; the service refuses them with INVALID_ARGUMENT.',
    explains: (one) => refused(one, /must be at least|the start lies behind the end|Invalid timestamp range/),
  },
  {
    name: 'rows_limit below 0 is refused',
    reason: 'The emulator reads it as no limit. bigtable.proto: "The default (zero) is to return all results"; nothing is said below it.',
    explains: (one) => refused(one, /'rows_limit'/),
  },
  {
    name: 'labels are checked whole',
    reason: 'The emulator looks for a valid label anywhere in the text; data.proto: values must match [a-z0-9\\-]+ and have at most 15 characters.',
    explains: (one) => refused(one, /'apply_label_transformer'/),
  },
  {
    name: 'a chain labels once',
    reason: 'The emulator replaces the first label by the second; data.proto: "a Chain may have no more than one sub-filter which contains an apply_label_transformer".',
    explains: (one) => refused(one, /apply_label_transformer in a chain/),
  },
  {
    name: 'the sink',
    reason: 'The emulator passes all cells on instead. data.proto: "Outputs all cells directly to the output of the read rather than to any parent filter"; not within a condition, nor in a conditional write.',
    explains: ({ filter }) => has(filter, 'sink'),
  },
  {
    name: 'rows without cells are no rows',
    reason: 'In the emulator a row whose cells a count took away, or that a failed ReadModifyWriteRow left empty, counts against rows_limit without being returned. bigtable.proto: "The read will stop after committing to N rows\' worth of results".',
    explains: ({ kind, agreesWithoutLimit }) => kind === 'read' && agreesWithoutLimit,
  },
  {
    name: 'a predicate is its output',
    reason: 'In the emulator a count within a predicate is true though no cell is left. data.proto: "depending on whether or not a predicate RowFilter outputs any cells from the input row".',
    explains: ({ filter }) => parts(filter).some(({ condition }) => has(condition?.predicateFilter, ...COUNTS, 'passAllFilter')),
  },
  {
    name: 'an open end that is empty',
    reason: 'The emulator finds nothing before it. The store reads it as no end, which is what an empty end of a row range means (data.proto: "If neither field is set, interpreted as the infinite"); the service does not say.',
    explains: ({ filter }) => parts(filter).some(({ columnRangeFilter, valueRangeFilter }) => columnRangeFilter?.endQualifierOpen?.length === 0 || valueRangeFilter?.endValueOpen?.length === 0),
  },
  {
    name: 'stripping keeps the label',
    reason: 'The emulator makes a new cell without it. data.proto: it "replaces every cell\'s value with the empty string", nothing else.',
    explains: ({ filter }) => has(filter, 'stripValueTransformer') && has(filter, 'applyLabelTransformer'),
  },
  {
    name: 'equal cells of an interleave',
    reason: 'data.proto: duplicates come "in an unspecified mutual order"; which of them a later count keeps differs where a label or a stripped value tells them apart.',
    explains: ({ filter }) => has(filter, 'interleave') && has(filter, ...COUNTS) && has(filter, ...CHANGES),
  },
  {
    name: 'codes of refused writes',
    reason: 'The emulator returns Go errors without a code: UNKNOWN, INTERNAL for an entry of MutateRows. The service answers NOT_FOUND for a family and INVALID_ARGUMENT for what is wrong.',
    explains: ({ kind, ours, theirs }) => kind !== 'read' && (ours.code === INVALID || ours.code === NOT_FOUND) && (theirs.code === UNKNOWN || theirs.code === INTERNAL),
  },
  {
    name: 'versions after the year 287,396',
    reason: 'The emulator takes every int64; the store keeps whole milliseconds in a double and refuses what that cannot hold.',
    explains: ({ kind, ours, theirs }) => kind !== 'read' && ours.code === INVALID && theirs.code === 0 && /^(Timestamp out of range|$)/.test(ours.details),
  },
  {
    name: 'deleting from a family that is not there',
    reason: 'The emulator ignores the mutation; the service answers NOT_FOUND as for every other mutation of that family.',
    explains: ({ kind, ours, theirs }) => kind !== 'read' && ours.code === NOT_FOUND && theirs.code === 0,
  },
  {
    name: 'a write without mutations',
    reason: 'The emulator accepts it. bigtable.proto: "Must contain at least one entry", for a conditional write "Must contain at least one entry if false_mutations is empty".',
    explains: (one) => one.kind !== 'read' && refused(one, /No mutations provided/),
  },
];
