/** Each rule of `schema check`: what makes it speak, and a table that it has nothing to say of. */
import { describe, expect, test } from 'vitest';
import type { ForeignLayout } from '../../../electron/bigtable/layout/foreignLayout.ts';
import type { Row } from '../../../electron/bigtable/reader.ts';
import { checkTable, hasViolation } from '../../../electron/schema/check.ts';
import { rangesOf, type TableFacts } from '../../../electron/schema/facts.ts';
import { nextBeginning } from '../../../electron/schema/sample.ts';
import { layoutOf } from '../../fixtures/foreignTables.ts';

const NOW = 1_700_000_000_000_000n;
const row = (key: string, columns: Readonly<Record<string, number>> = { 'd:p': 3 }): Row => ({ key, cells: new Map(Object.entries(columns).map(([column, size]) => [column, { value: Buffer.alloc(size), version: 0n }])) });
const many = (key: (at: number) => string): Row[] => Array.from({ length: 30 }, (_, at) => row(key(at)));
const quiet: TableFacts = { families: [{ name: 'd', collected: true }], ranges: [{ end: '', bytes: 1000 }], tables: 3 };
const layout = (change: object = {}): ForeignLayout => layoutOf({ key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'ms', direction: 'reverse', base: '9999999999999', encoding: 'decimal', width: 13 }, fields: { price: { family: 'd', qualifier: 'p', type: 'text' } }, ...change });
const reverse = many((at) => `SPX#${9_999_999_999_999 - 1_600_000_000_000 - at}`);

interface Case {
  readonly rows?: readonly Row[];
  readonly facts?: Partial<TableFacts>;
  readonly layout?: ForeignLayout;
}
const check = ({ rows = reverse, facts = {}, layout: given }: Case) => checkTable({ sample: { rows, complete: true, requests: 1 }, facts: { ...quiet, ...facts }, layout: given ?? null, canonical: false, now: NOW });

test('a table that follows the guidance has no findings', () => expect(check({ layout: layout() })).toEqual([]));

describe('rules', () => {
  test.each<[string, 'violation' | 'warning' | 'note', Case]>([
    ['time-first', 'violation', { rows: many((at) => `${1_600_000_000_000 + at}#SPX`) }],
    ['time-first', 'violation', { rows: many((at) => `2023-11-${String(at + 1).padStart(2, '0')}#SPX`) }],
    ['sequential-ids', 'violation', { rows: many((at) => String(1000 + at)) }],
    ['hashed-key', 'violation', { rows: many((at) => `${'0123456789abcdef'.repeat(2)}#${at}`) }],
    ['key-length', 'violation', { rows: [row('x'.repeat(4097))] }],
    ['key-length', 'warning', { rows: [row('x'.repeat(101))] }],
    ['binary-key', 'warning', { rows: many((at) => `SPX#\0\0${at}`) }],
    ['salted-key', 'warning', { layout: layout({ key: { separator: '#', parts: ['salt', 'index', 'time'] }, salt: { count: 8, encoding: 'decimal', width: 1 } }) }],
    ['oldest-first', 'note', { layout: layout({ time: { unit: 'ms', direction: 'forward', encoding: 'decimal', width: 13 } }) }],
    ['other-keys', 'warning', { rows: [...reverse, row('zzz')], layout: layout() }],
    ['future-time', 'warning', { rows: many((at) => `SPX#${9_999_999_999_999 - 1_700_000_100_000 - at}`), layout: layout() }],
    ['cell-size', 'violation', { rows: [row('SPX#1', { 'd:p': 10 * 1024 * 1024 + 1 })] }],
    ['cell-size', 'warning', { rows: [row('SPX#1', { 'd:p': 1024 * 1024 + 1 })] }],
    ['row-size', 'warning', { rows: [row('SPX#1', { 'd:p': 700_000, 'd:q': 700_000 })] }],
    ['qualifier-size', 'violation', { rows: [row('SPX#1', { [`d:${'x'.repeat(16_385)}`]: 1 })] }],
    ['wide-row', 'warning', { rows: [row('SPX#1', Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`d:c${at}`, 1])))] }],
    ['time-in-qualifier', 'note', { layout: layout({ bucket: { seconds: 3600, unit: 'ms', encoding: 'text' } }) }],
    ['time-in-qualifier', 'warning', { rows: [row('SPX', Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`d:${1_600_000_000_000 + at}`, 1])))] }],
    ['binary-floats', 'note', { layout: layout({ fields: { price: { family: 'd', qualifier: 'p', type: 'float64' } } }) }],
    ['family-count', 'violation', { facts: { families: Array.from({ length: 101 }, (_, at) => ({ name: `f${at}`, collected: true })) } }],
    ['family-name', 'note', { facts: { families: [{ name: 'a_family_of_long_name', collected: true }] } }],
    ['no-collection', 'warning', { facts: { families: [{ name: 'd', collected: false }] } }],
    ['table-count', 'violation', { facts: { tables: 1001 } }],
    ['table-count', 'warning', { facts: { tables: 101 } }],
    ['uneven-ranges', 'warning', { facts: { ranges: [10, 10, 900, 10].map((mb, at) => ({ end: String(at), bytes: mb * 1024 * 1024 })) } }],
  ])('%s, a %s', (rule, level, given) => {
    const found = check(given).find((finding) => finding.rule === rule);
    expect(found).toMatchObject({ level, source: expect.stringMatching(/^https:\/\/cloud\.google\.com\/bigtable\//) });
    expect(hasViolation(check(given)) || level !== 'violation').toBe(true);
  });
});

// a store takes its samples of a small table by chance (Google's emulator: one row in a hundred)
test('the ranges of a small table say nothing of its heat', () => {
  expect(check({ facts: { ranges: [10, 10, 900, 10].map((kb, at) => ({ end: String(at), bytes: kb * 1024 })) } }).map(({ rule }) => rule)).not.toContain('uneven-ranges');
});

test('sizes of key ranges are the differences of their offsets', () => {
  expect(rangesOf([{ key: Buffer.from('b'), offset: '100' }, { key: 'm', offset: 350 }, { key: '', offset: 400 }])).toEqual([{ end: 'b', bytes: 100 }, { end: 'm', bytes: 250 }, { end: '', bytes: 50 }]);
});

test.each([['SPX#9223', 'SPX#9223372036854775807', 'SPX$'], ['a', '00#SPX#9223372036854775807', '00#SPX$'], ['x', 'SPX#\u0001\u0002\u0003', 'SPX$'], ['plain', 'plain', 'plain\0'], ['u-1', 'u-2', 'u.']])('after %s to %s comes %s', (first, last, next) => {
  expect(nextBeginning(first, last)).toBe(next);
});
