import { describe, expect, test } from 'vitest';
import type { Row } from '../../../electron/bigtable/reader.ts';
import { dealRows, deltaRanges, groupRanges } from '../../../electron/feed/ranges.ts';
import { absorbGap, absorbTop } from '../../../electron/feed/absorb.ts';
import { createTrack, type Track } from '../../../electron/feed/track.ts';
import { indexIdOf, keyAfter, tickKey } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';

const SPX = indexIdOf('SPX');
const T = 1_700_000_000_000_000n;
const HORIZON = micros(T + 5_000_000n);
const at = (seconds: number, sequence = 0): string => tickKey(SPX, micros(T + BigInt(seconds) * 1_000_000n), sequence);
const row = (key: string, price = '1', version = 1n): Row => ({ key, cells: new Map([['q:p', { value: Buffer.from(price), version }]]) });
const scan = (track: Track, ...rows: Row[]) => absorbTop(track, { rows, from: 'SPX#', to: rows.length > 0 ? keyAfter(rows.at(-1)!.key) : 'SPX$' }, HORIZON, 0n);
const prices = (ticks: readonly { price: string }[]): string[] => ticks.map((tick) => tick.price);

test('the first scan is backfill, the next newer row is news', () => {
  const track = createTrack(SPX);
  expect(prices(scan(track, row(at(-9), '1')).backfill)).toEqual(['1']);
  expect(prices(scan(track, row(at(-8), '2')).added)).toEqual(['2']);
  expect(track.gaps).toEqual([{ start: keyAfter(at(-8)), end: at(-9) }]);
});

test('a late row in a span that was read whole is news and counted, and the price stays', () => {
  const track = createTrack(SPX);
  const trailing = 5_000_000n;
  const cover = (rows: Row[]) => absorbTop(track, { rows, from: 'SPX#', to: `${at(-20).slice(0, -7)}$` }, HORIZON, trailing);
  cover([row(at(-4), '4'), row(at(-6), '6')]);
  const effects = cover([row(at(-4), '4'), row(at(-5), '5', 2n), row(at(-6), '6')]);
  expect(prices(effects.added)).toEqual(['5']);
  expect(track.latest?.tick.price).toBe('4');
  expect(track.counts.late).toBe(1);
  expect(cover([row(at(-4), '4'), row(at(-5), '5', 2n), row(at(-6), '6')]).added).toEqual([]);
});

test('the same identity with other values is a correction, with the same values a duplicate, unread bytes neither', () => {
  const track = createTrack(SPX);
  scan(track, row(at(-4), '4', 1n));
  expect(scan(track, row(at(-4), '4', 1n))).toMatchObject({ added: [], corrected: [] });
  expect(track.counts).toMatchObject({ duplicate: 0, corrected: 0 });
  scan(track, row(at(-4), '4', 2n));
  expect(track.counts).toMatchObject({ duplicate: 1, corrected: 0 });
  expect(prices(scan(track, row(at(-4), '5', 3n)).corrected)).toEqual(['5']);
  expect(track.counts).toMatchObject({ duplicate: 1, corrected: 1 });
  expect(track).toMatchObject({ corrected: true, latest: { tick: { price: '5' } } });
  scan(track, row(at(-3), '6'));
  expect(track.corrected).toBe(false);
});

describe('deletion of the newest row', () => {
  test('by a scan: the row that it finds takes its place', () => {
    const track = createTrack(SPX);
    scan(track, row(at(-4), '4'));
    const effects = scan(track, row(at(-9), '9'));
    expect(prices(effects.removed)).toEqual(['4']);
    expect(track).toMatchObject({ deleted: true, latest: { tick: { price: '9' } }, watermark: at(-9) });
  });
  test('by an audit: what follows is unknown, and the price stays until the scan', () => {
    const track = createTrack(SPX);
    scan(track, row(at(-4), '4'));
    absorbTop(track, { rows: [], from: 'SPX#', to: keyAfter(at(-4)) }, HORIZON, 0n);
    expect(track).toMatchObject({ needsScan: true, latest: { tick: { price: '4' } } });
    scan(track);
    expect(track).toMatchObject({ needsScan: false, deleted: true, latest: null });
  });
  test('rows written between the two afterwards show', () => {
    const track = createTrack(SPX);
    scan(track, row(at(-4), '4'));
    scan(track, row(at(-9), '9'));
    expect(deltaRanges(track, HORIZON, false)).toMatchObject([{ start: 'SPX#', end: at(-9) }]);
  });
});

test('a row beyond the horizon is counted once, never the price, asked for once, and normal when its time comes', () => {
  const track = createTrack(SPX);
  const key = at(3600);
  absorbTop(track, { rows: [row(key, '99'), row(at(-4), '4')], from: 'SPX#', to: keyAfter(at(-4)) }, HORIZON, 0n);
  expect(track).toMatchObject({ future: key, latest: { tick: { price: '4' } }, counts: { future: 1 } });
  const ranges = deltaRanges(track, HORIZON, false);
  expect(ranges.some((range) => key >= range.start && key < range.end)).toBe(false);
  const later = micros(HORIZON + 3_600_000_000n);
  const [range] = deltaRanges(track, later, false);
  expect(range).toMatchObject({ start: 'SPX#', part: 'top' });
  const effects = absorbTop(track, { rows: [row(key, '99')], from: 'SPX#', to: range!.end }, later, 0n);
  expect(prices(effects.added)).toEqual(['99']);
  expect(track).toMatchObject({ future: null, latest: { tick: { price: '99' } } });
});

test('an undecodable row is counted once and passed over', () => {
  const track = createTrack(SPX);
  for (let i = 0; i < 3; i += 1) scan(track, row(at(-1), 'rubbish'), row(at(-4), '4'));
  expect(track).toMatchObject({ latest: { tick: { price: '4' } }, counts: { undecodable: 1 } });
});

test('pages of a gap fill it without touching the price', () => {
  const track = createTrack(SPX);
  scan(track, row(at(-60), '60'));
  scan(track, row(at(-4), '4'));
  const [gap] = track.gaps;
  const effects = absorbGap(track, { rows: [row(at(-20), '20'), row(at(-30), '30')], from: gap!.start, to: gap!.end }, HORIZON, 0n);
  expect(prices(effects.backfill)).toEqual(['30', '20']);
  expect(track).toMatchObject({ latest: { tick: { price: '4' } }, counts: { late: 0 } });
});

describe('one answer for many ranges', () => {
  const ask = (id: string) => ({ start: `${id}#`, end: `${id}#5`, track: createTrack(indexIdOf(id)), part: 'top' as const, audited: false });
  const asked = ['A', 'B', 'C'].map(ask);
  const rows = ['A#1', 'A#2', 'B#1'].map((key) => row(key));

  test('whole', () => expect(dealRows(asked, rows, 10).map((range) => [range.rows.length, range.readTo])).toEqual([[2, 'A#5'], [1, 'B#5'], [0, 'C#5']]));
  test('cut by a cap: the range of the last row is known down to it, later ones not at all', () =>
    expect(dealRows(asked, rows, 3).map((range) => range.readTo)).toEqual(['A#5', 'B#1\0', null]));
  test('cut by a failure', () => {
    expect(dealRows(asked, rows, 10, 'B#1').map((range) => range.readTo)).toEqual(['A#5', 'B#1\0', null]);
    expect(dealRows(asked, [], 10, null).map((range) => range.readTo)).toEqual([null, null, null]);
    expect(dealRows(asked, rows.slice(0, 2), 10, 'B#7').map((range) => range.readTo)).toEqual(['A#5', 'B#5', null]);
  });
  test('groups hold at most 250 ranges and no index twice', () => {
    const groups = groupRanges([], Array.from({ length: 170 }, (_, i) => { const one = ask(`X${i}`); return [one, one]; }));
    expect(groups.map((group) => group.length)).toEqual([250, 90]);
  });
  test('those that bring rows come in one request, every request in key order', () => {
    const ids = Array.from({ length: 250 }, (_, i) => `X${String(i).padStart(3, '0')}`);
    const audits = ids.filter((_, i) => i % 10 === 3).map((id) => [ask(id)]);
    const others = ids.filter((_, i) => i % 10 !== 3).map((id) => [ask(id)]);
    const groups = groupRanges(audits, others, 100);
    expect(groups.map((group) => group.length)).toEqual([100, 100, 50]);
    expect(groups.map((group) => group.filter(({ track }) => track.id.endsWith('3')).length)).toEqual([25, 0, 0]);
    for (const group of groups) expect(group.map(({ start }) => start)).toEqual(group.map(({ start }) => start).toSorted());
    expect(groups.flat().map(({ start }) => start).toSorted()).toEqual(ids.map((id) => `${id}#`));
  });
});
