import { describe, expect, test } from 'vitest';
import { layoutsOf, NO_LAYOUTS } from '../../../../electron/bigtable/layout/layouts.ts';
import { type Load, measureLoad, PLACE_LIMIT, sharesOf } from '../../../../electron/bigtable/layout/load.ts';
import type { Row } from '../../../../electron/bigtable/reader.ts';
import { type IndexId, indexIdOf, tickKey } from '../../../../shared/rowKey.ts';
import { type EpochMicros, micros } from '../../../../shared/time.ts';
import { tableReader } from './table.ts';

const [DAX, SPX, UKX] = ['DAX', 'SPX', 'UKX'].map(indexIdOf) as [IndexId, IndexId, IndexId];
const now = micros(1_573_050_000_000_000n);
const tick = (id: IndexId, time: bigint, sequence = 0): Row => ({ key: tickKey(id, micros(time), sequence), cells: new Map([['q:p', { value: Buffer.from('5000.25'), version: 0n }]]) });

describe('counting recent ticks', () => {
  test('of the span that ends with the newest, a closed index too; the future does not count', async () => {
    const close = now - 3_600_000_000n;
    const rows = [...Array.from({ length: 120 }, (_, at) => tick(SPX, close - BigInt(at) * 500_000n)), tick(SPX, close - 60_000_000n), tick(SPX, now + 10_000_000n)];
    const load = await measureLoad(tableReader(() => rows), SPX, 60, now);
    expect(load).toMatchObject({ ok: true, value: { index: SPX, ticks: 120, spanSeconds: 60, newest: close, writesPerSecond: 2 } });
    expect(load.ok && load.value.bytesPerSecond).toBeGreaterThan(60);
  });

  test('a dense index is counted up to a bound, over the time that its ticks took', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => tick(SPX, now - BigInt(at) * 50n));
    const reader = tableReader(() => rows);
    const load = await measureLoad(reader, SPX, 60, now);
    expect(load).toMatchObject({ ok: true, value: { ticks: 50_000 } });
    expect(load.ok && Math.abs(load.value.writesPerSecond - 20_000)).toBeLessThan(2);
  });

  test('no ticks are no load', async () => {
    expect(await measureLoad(tableReader(() => [tick(UKX, now)]), SPX, 60, now)).toMatchObject({ ok: true, value: { ticks: 0, newest: null, writesPerSecond: 0 } });
  });
});

describe('the share of each index and key range', () => {
  const load = (index: IndexId, writesPerSecond: number, newest: EpochMicros | null = now): Load => ({ index, ticks: 1, spanSeconds: 60, newest, writesPerSecond, bytesPerSecond: 0 });

  test('indices whose newest ticks lie in one range share it; shards are advised by what one place takes', () => {
    const shares = sharesOf([load(DAX, 1_000), load(SPX, 8_000), load(UKX, 1_000)], ['M', 'T'], NO_LAYOUTS, () => 1);
    expect(shares.map(({ load: { index }, share, range, rangeShare, suggested }) => [index, share, range, rangeShare, suggested])).toEqual([
      [DAX, 0.1, { start: null, end: 'M' }, 0.1, 1],
      [SPX, 0.8, { start: 'M', end: 'T' }, 0.8, Math.ceil(8_000 / PLACE_LIMIT)],
      [UKX, 0.1, { start: 'T', end: null }, 0.1, 1],
    ]);
  });

  test('a sharded index counts where its newest tick lies, with the part of one shard', () => {
    const layouts = layoutsOf([{ key: '!index#SPX', cells: new Map([['m:shards', { value: Buffer.from('100:4'), version: 0n }]]) }]);
    const [spx] = sharesOf([load(SPX, 8_000), load(UKX, 2_000)], ['SPX$'], layouts, (id) => (id === SPX ? 4 : 1));
    expect(spx).toMatchObject({ shards: 4, suggested: 4, range: { start: 'SPX$', end: null }, rangeShare: 0.4 });
  });

  test('nothing written is no share', () => {
    expect(sharesOf([load(SPX, 0, null)], [], NO_LAYOUTS, () => 1)).toMatchObject([{ share: 0, rangeShare: 0, suggested: 1, range: { start: null, end: null } }]);
  });
});
