/** A proposed layout reads every sampled row as it was meant, or the proposal says what it can't tell. Never a silent wrong guess. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTick } from '../../../electron/bigtable/decode.ts';
import { parseLayout, type LayoutFile } from '../../../electron/bigtable/layout/foreignFile.ts';
import { screenId } from '../../../electron/bigtable/layout/foreignId.ts';
import { readKey } from '../../../electron/bigtable/layout/foreignKey.ts';
import type { ForeignLayout } from '../../../electron/bigtable/layout/foreignLayout.ts';
import { canonicalRows, type ForeignTick } from '../../../electron/bigtable/layout/foreignRow.ts';
import type { Row } from '../../../electron/bigtable/reader.ts';
import { proposeLayout, type Proposal } from '../../../electron/schema/detect.ts';
import { sampleTable } from '../../../electron/schema/sample.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';
import { cellsOf, layoutFiles, layoutOf, memoryTable, rowsOf, ticksOf } from '../../fixtures/foreignTables.ts';

const NOW = 1_900_000_000_000_000n;

function meaning(layout: ForeignLayout, rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const key = readKey(layout, row.key);
    const made = key && canonicalRows(layout, screenId(key.id)!, key, row);
    if (!made?.ok) return [`unreadable ${row.key}`];
    return made.value.map((one) => {
      const tick = decodeTick(one);
      return `${one.key} ${tick.ok ? `${tick.value.price} ${tick.value.nanos}` : tick.error.what}`;
    });
  });
}

function accepted(proposal: Proposal): ForeignLayout | null {
  if (proposal.confidence === 'unsure') return null;
  const parsed = parseLayout('proposed', JSON.stringify(proposal.file));
  if (!parsed.ok) throw new Error(parsed.error.what);
  return parsed.value;
}

test('tables under random layouts are read right, or not at all', () => {
  const counts = { sure: 0, unsure: 0 };
  fc.assert(fc.property(layoutFiles.chain((file) => fc.tuple(fc.constant(file), ticksOf(layoutOf(file), ['SPX', 'spx', 'DAX_30', 'NKY'], 60), fc.boolean())), ([file, ticks, complete]) => {
    const layout = layoutOf(file);
    const rows = rowsOf(cellsOf(layout, ticks));
    const proposal = proposeLayout({ rows, complete, requests: 1 }, NOW);
    const found = accepted(proposal);
    counts[found ? 'sure' : 'unsure'] += 1;
    if (!found) expect(proposal.questions).not.toEqual([]);
    else expect(meaning(found, rows)).toEqual(meaning(layout, rows));
  }), { numRuns: 300 });
  expect(counts.sure).toBeGreaterThan(5);
});

const file = (change: Partial<LayoutFile> = {}): LayoutFile => ({
  key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'us', direction: 'reverse', base: '2^63-1', encoding: 'decimal', width: 19 }, fields: { price: { family: 'd', qualifier: 'last', type: 'text' } }, ...change,
});
const forward = (unit: 's' | 'ms' | 'us' | 'ns', width: number): LayoutFile['time'] => ({ unit, direction: 'forward', encoding: 'decimal', width });

/** 8 hours of four indices, one tick in 97 seconds. */
const steady = (layout: ForeignLayout): ForeignTick[] => ['SPX', 'NKY', 'DAX', 'eurusd'].flatMap((id) => Array.from({ length: 300 }, (_, at) => ({
  id, nanos: BigInt(1_700_000_000 + at * 97) * 1_000_000_000n + (layout.bucket?.unit === 's' || layout.time.unit === 's' ? 0n : 317_000_000n), sequence: 0n, salt: (at * 7) % (layout.salt?.count ?? 1),
  fields: { price: `${4000 + at}.25` },
})));

describe('what is found in a table of some size', () => {
  test.each<[string, LayoutFile]>([
    ['ours but for the columns', file()],
    ['ascending milliseconds', file({ time: forward('ms', 13) })],
    ['ascending seconds', file({ key: { separator: ':', parts: ['index', 'time'] }, time: forward('s', 10) })],
    ['nanoseconds', file({ time: forward('ns', 19) })],
    ['milliseconds below 9999999999999', file({ time: { unit: 'ms', direction: 'reverse', base: '9999999999999', encoding: 'decimal', width: 13 } })],
    ['2^53-1', file({ time: { unit: 'us', direction: 'reverse', base: '2^53-1', encoding: 'decimal', width: 16 } })],
    ['hex', file({ time: { unit: 'us', direction: 'reverse', base: '2^63-1', encoding: 'hex' } })],
    ['binary', file({ time: { unit: 'ns', direction: 'forward', encoding: 'binary' } })],
    ['salted', file({ key: { separator: '#', parts: ['salt', 'index', 'time'] }, salt: { count: 8, encoding: 'decimal', width: 2 } })],
    ['salted behind the index', file({ key: { separator: '#', parts: ['index', 'salt', 'time'] }, salt: { count: 4, encoding: 'decimal', width: 1 } })],
    ['fixed text', file({ key: { separator: '|', parts: [{ text: 'tick' }, 'index', 'time', 'sequence'] }, sequence: { direction: 'reverse', base: '9999', encoding: 'decimal', width: 4 } })],
    ['hourly buckets', file({ time: forward('s', 10), bucket: { seconds: 3600, unit: 'ms', encoding: 'text' }, fields: { price: { family: 'd', qualifier: '', type: 'text' } } })],
    ['doubles', file({ fields: { price: { family: 'd', qualifier: 'price', type: 'float64' } } })],
    ['JSON', file({ fields: { price: { family: 'd', qualifier: 'doc', type: 'json', pointer: '/quote/price' } } })],
  ])('%s', async (_, given) => {
    const layout = layoutOf(given);
    const table = memoryTable(rowsOf(cellsOf(layout, steady(layout))));
    const sample = await sampleTable(table, []);
    if (!sample.ok) throw new Error(sample.error.what);
    expect(sample.value).toMatchObject({ complete: true });
    expect(table.requests.length).toBeLessThan(80);
    const proposal = proposeLayout(sample.value, NOW);
    expect(proposal.questions).toEqual([]);
    expect(proposal.confidence).toBe(sample.value.rows.length >= 20 ? 'sure' : 'likely');
    const { key, time, salt, bucket, sequence, fields } = accepted(proposal)! as unknown as Record<string, unknown>;
    const { name: _name, ...wanted } = layout;
    expect({ key, time, salt, bucket, sequence, fields }).toEqual({ key: undefined, time: wanted.time, salt: wanted.salt, bucket: wanted.bucket, sequence: wanted.sequence, fields: wanted.fields });
    expect(proposal.evidence.join('\n')).toContain('rows seen');
  });
});

const proposed = (rows: readonly Row[]): Proposal => proposeLayout({ rows, complete: true, requests: 1 }, NOW);
const row = (key: string, columns: Readonly<Record<string, string>> = { 'd:last': '1.5' }): Row => ({ key, cells: new Map(Object.entries(columns).map(([column, value]) => [column, { value: Buffer.from(value), version: 0n }])) });

describe('what can not be told is asked', () => {
  test.each<[string, readonly Row[], RegExp]>([
    ['no rows', [], /no rows/],
    ['scale of integers', rowsOf(cellsOf(layoutOf(file({ fields: { price: { family: 'd', qualifier: 'price', type: 'int64', scale: 2 } } })), steady(layoutOf(file())))), /fields\.price\.scale/],
    ['two prices', Array.from({ length: 30 }, (_, at) => row(`SPX#${1_700_000_000_000 + at}`, { 'd:last': '1', 'd:close': '2' })), /which is the price/],
    ['nameless numbers', Array.from({ length: 30 }, (_, at) => row(`SPX#${1_700_000_000_000 + at}`, { 'd:x1': '1', 'd:x2': '2' })), /price by its name|to be the price/],
    ['an unknown base', Array.from({ length: 30 }, (_, at) => row(`SPX#${77_777_777_777_777_777n - BigInt(at)}`)), /no end of the keys/],
    ['seconds below 2^31-1, or of 1988', Array.from({ length: 30 }, (_, at) => row(`SPX#0${2_147_483_647 - 1_570_000_000 - at}`)), /in 2 ways/],
    ['time first', Array.from({ length: 30 }, (_, at) => row(`${1_700_000_000_000 + at}#SPX`)), /begin with the time/],
    ['one salt', Array.from({ length: 30 }, (_, at) => row(`03#${at % 2 === 0 ? 'SPX' : 'NKY'}#${1_700_000_000_000 + at}`)), /"03".*a salt, fixed text or a part/],
    ['salt or exchange', Array.from({ length: 30 }, (_, at) => row(`0${at % 3}#${['SPX', 'NKY', 'DAX'][at % 3]}#${1_700_000_000_000 + at}`)), /a salt, or a part of the index/],
    ['one index behind fixed text', Array.from({ length: 30 }, (_, at) => row(`tick#SPX#${1_700_000_000_000 + at}`)), /fixed text or a part/],
    ['middling sequences', Array.from({ length: 30 }, (_, at) => row(`SPX#${1_700_000_000_000 + at}#${500 + at}`)), /sequence\.direction/],
    ['no time at all', Array.from({ length: 30 }, (_, at) => row(`user-${at}`)), /no end of the keys/],
    ['a stray row', [...Array.from({ length: 30 }, (_, at) => row(`SPX#${1_700_000_000_000 + at}`)), row('zzz')], /1 of 31 rows have keys of another shape, the first "zzz"/],
    ['few offsets', Array.from({ length: 5 }, (_, at) => row(`SPX#${1_700_002_800 + at * 3600}`, { [`d:${at + 3}`]: '1', [`d:${at + 90}`]: '2' })), /offsets in time/],
  ])('%s', (_, rows, says) => {
    const proposal = proposed(rows);
    expect(proposal.confidence).toBe('unsure');
    expect(proposal.questions.join('\n')).toMatch(says);
    if (proposal.file) expect(parseLayout('draft', JSON.stringify(proposal.file)).ok && proposal.questions.some((each) => each.includes('scale'))).toBe(false);
  });

  test('our own layout needs no file', () => {
    expect(proposed(Array.from({ length: 30 }, (_, at) => row(tickKey(indexIdOf('SPX'), micros(BigInt(at))), { 'q:p': '1' })))).toMatchObject({ confidence: 'canonical', file: null });
  });

  test('a draft of integers loads only once its scale is filled in', () => {
    const layout = layoutOf(file({ fields: { price: { family: 'd', qualifier: 'price', type: 'int64', scale: 2 } } }));
    const rows = rowsOf(cellsOf(layout, steady(layout)));
    const draft = proposed(rows).file as { fields: { price: { scale: number | null } } };
    expect(parseLayout('draft', JSON.stringify(draft))).toMatchObject({ ok: false, error: { what: expect.stringContaining('fields.price.scale') } });
    draft.fields.price.scale = 2;
    const filled = parseLayout('draft', JSON.stringify(draft));
    expect(filled.ok && meaning(filled.value, rows)).toEqual(meaning(layout, rows));
  });
});

describe('more of the same', () => {
  const spread = (each: number, steps: number): ForeignTick[] => ['SPX', 'NKY'].flatMap((id) => Array.from({ length: each * steps }, (_, at) => ({
    id, nanos: BigInt(1_700_002_800 + at * (3600 / steps)) * 1_000_000_000n, sequence: 0n, salt: 0, fields: { price: `${4000 + at}.25` },
  })));
  const hourly = (unit: 's' | 'ms', qualifier: string): LayoutFile => file({ time: forward('s', 10), bucket: { seconds: 3600, unit, encoding: 'text' }, fields: { price: { family: 'd', qualifier, type: 'text' } } });

  test.each([[60, 'ms', ''], [60, 's', ''], [60, 's', 'p'], [12, 's', ''], [4, 'ms', 'p:'], [600, 's', '']] as const)('hourly rows with the same %i columns in each are buckets, in %s behind "%s"', (steps, unit, qualifier) => {
    const layout = layoutOf(hourly(unit, qualifier));
    const rows = rowsOf(cellsOf(layout, spread(5, steps)));
    expect(rows).toHaveLength(10);
    const proposal = proposeLayout({ rows, complete: true, requests: 1 }, NOW);
    expect(proposal.questions).toEqual([]);
    expect(accepted(proposal)!.bucket).toEqual(layout.bucket);
    expect(meaning(accepted(proposal)!, rows)).toEqual(meaning(layout, rows));
  });
  test.each([[10, 1, 1], [30, 1, 0], [60, 1, 0], [6, 10, 10], [25, 1, 1]])('%i levels by %i from %i, in rows of whole hours, are fields', (levels, step, first) => {
    const cells = Array.from({ length: 6 }, (_, hour) => Array.from({ length: levels }, (_unused, at) => ({ key: `SPX#${1_700_002_800 + hour * 3600}`, family: 'd', qualifier: `bid${first + at * step}`, value: Buffer.from('4000.25') }))).flat();
    const proposal = proposeLayout({ rows: rowsOf(cells), complete: true, requests: 1 }, NOW);
    expect(JSON.stringify(proposal)).not.toContain('offsets in');
  });
  test.each([[40, 40], [300, 300], [5000, 600]])('a sample of %i rows of few ids has so many', async (most, has) => {
    const layout = layoutOf(file({ time: forward('ms', 13) }));
    const table = memoryTable(rowsOf(cellsOf(layout, steady(layout).filter(({ id }) => id === 'SPX' || id === 'NKY'))));
    const sample = await sampleTable(table, [], most);
    expect(sample.ok && sample.value.rows.length).toBeGreaterThanOrEqual(has);
    expect(sample.ok && sample.value.rows.length).toBeLessThanOrEqual(has + 100);
    expect(sample.ok && ['SPX', 'NKY'].map((id) => sample.value.rows.filter(({ key }) => key.startsWith(`${id}#`)).length > has / 4)).toEqual([true, true]);
  });
});
