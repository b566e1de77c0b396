/** Keys, ids and values of foreign layouts, both ways. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { physicalId, screenId } from '../../../../electron/bigtable/layout/foreignId.ts';
import { keyAt, rangeOf, readKey, spanOf, writeKey } from '../../../../electron/bigtable/layout/foreignKey.ts';
import { NANOS } from '../../../../electron/bigtable/layout/foreignLayout.ts';
import { canonicalRows, keepsOrder } from '../../../../electron/bigtable/layout/foreignRow.ts';
import { decodeTick } from '../../../../electron/bigtable/decode.ts';
import { indexIdOf, isIndexId } from '../../../../shared/rowKey.ts';
import { cellsOf, layoutFiles, layoutOf, rowsOf, ticksOf } from '../../../fixtures/foreignTables.ts';

const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((array) => Buffer.from(array).toString('latin1'));
const floor = (a: bigint, b: bigint): bigint => a / b - (a % b < 0n ? 1n : 0n);

describe('ids on screen', () => {
  test('any id comes back as it is in the table, or has no id on screen', () =>
    fc.assert(fc.property(fc.oneof(bytes, fc.stringMatching(/^[A-Za-z0-9^_.-]{1,24}$/), fc.stringMatching(/^\^[_-][A-Z_^]{1,10}$/)), (physical) => {
      const id = screenId(physical);
      if (id === null) return;
      expect(isIndexId(id)).toBe(true);
      expect(physicalId(id)).toBe(physical);
    })));

  test('two ids never look the same', () =>
    fc.assert(fc.property(fc.uniqueArray(fc.oneof(bytes, fc.stringMatching(/^[a-cA-C^_]{1,5}$/)), { minLength: 2, maxLength: 20 }), (ids) => {
      const shown = ids.flatMap((id) => screenId(id) ?? []);
      expect(new Set(shown).size).toBe(shown.length);
    })));

  test.each([['SPX', 'SPX'], ['^GSPC', '^GSPC'], ['spx', '^_SPX'], ['eurusd_spot', '^_EURUSD__SPOT'], ['EU#SPX', '^-EU^23SPX'], ['Spx', '^__SPX'], ['x'.repeat(25), null]])('%s is %s', (physical, shown) => {
    expect(screenId(physical)).toBe(shown);
  });
});

describe('keys', () => {
  const cases = layoutFiles.map(layoutOf).chain((layout) => fc.tuple(fc.constant(layout), ticksOf(layout, ['SPX', 'spx', 'A#B', 'SPX500', 'É'].map((id) => Buffer.from(id).toString('latin1')))));

  test('come back as they were written', () =>
    fc.assert(fc.property(cases, ([layout, ticks]) => {
      const nanos = NANOS[layout.time.unit];
      for (const tick of ticks) {
        const time = layout.bucket ? floor(floor(tick.nanos, nanos), layout.bucket.length) * layout.bucket.length : floor(tick.nanos, nanos);
        const key = { id: tick.id, time, sequence: tick.sequence, salt: layout.salt ? tick.salt : 0 };
        expect(readKey(layout, writeKey(layout, key))).toEqual(key);
      }
    })));

  test('sort as time does, in the declared direction', () =>
    fc.assert(fc.property(cases, ([layout, ticks]) => {
      if (layout.bucket) return;
      const keyed = ticks.map((tick) => ({ tick, key: writeKey(layout, { id: 'SPX', time: floor(tick.nanos, NANOS[layout.time.unit]), sequence: 0n, salt: 0 }) }));
      for (const a of keyed) for (const b of keyed) if (a.tick.nanos < b.tick.nanos) expect(a.key < b.key).toBe(layout.time.base === null);
    })));

  test('a range holds exactly the instants asked for', () =>
    fc.assert(fc.property(cases, fc.nat(), fc.nat(), ([layout, ticks], x, y) => {
      if (ticks.length === 0) return;
      const times = ticks.map((tick) => floor(tick.nanos, 1000n)).sort((a, b) => (a < b ? -1 : 1));
      const [a, b] = [times[x % times.length]!, times[y % times.length]!];
      const [from, to] = a < b ? [a, b] : [b, a];
      for (const tick of ticks) {
        const span = spanOf(layout, tick.id, layout.salt ? tick.salt : 0, from, to);
        const [cell] = cellsOf(layout, [tick]);
        const range = span && rangeOf(layout, span);
        const inside = range !== null && cell!.key >= range.start && cell!.key < range.end;
        const micros = floor(tick.nanos, 1000n);
        const wanted = micros >= from && micros <= to;
        // A bucket is a row for many instants: it may hold more, never less.
        if (!layout.bucket) expect(inside).toBe(wanted);
        else if (wanted) expect(inside).toBe(true);
        if (span) expect(keyAt(layout, span, span.from) <= keyAt(layout, span, span.to)).toBe(true);
      }
    })));

  test('forward decimal keys refuse times before 1970', () => {
    const layout = layoutOf({ key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'ms', direction: 'forward', encoding: 'decimal', width: 13 }, fields: { price: { family: 'f', qualifier: 'p', type: 'text' } } });
    expect(() => writeKey(layout, { id: 'SPX', time: -1n, sequence: 0n, salt: 0 })).toThrow(/no negative/);
    expect(writeKey(layout, { id: 'SPX', time: 0n, sequence: 0n, salt: 0 })).toBe('SPX#0000000000000');
    expect(spanOf(layout, 'SPX', 0, -5_000_000n, -1n)).toBeNull();
    expect(spanOf(layout, 'SPX', 0, -5_000_000n, 2_000n)).toEqual({ prefix: 'SPX#', from: 0n, to: 2n });
    expect(spanOf(layout, 'SPX', 0, 1n, 999n)).toBeNull();
  });
});

test('rows mean what was written: every tick, exact', () =>
  fc.assert(fc.property(layoutFiles.map(layoutOf).chain((layout) => fc.tuple(fc.constant(layout), ticksOf(layout, ['SPX']))), ([layout, ticks]) => {
    const decoded = rowsOf(cellsOf(layout, ticks)).flatMap((row) => {
      const key = readKey(layout, row.key);
      const rows = key && canonicalRows(layout, indexIdOf('SPX'), key, row);
      if (!rows?.ok) throw new Error(`not readable: ${row.key}`);
      return rows.value.map((one) => {
        const tick = decodeTick(one);
        if (!tick.ok) throw new Error(tick.error.what);
        return `${tick.value.time} ${tick.value.nanos ?? 0} ${tick.value.price} ${tick.value.volume} ${tick.value.ingest}`;
      });
    });
    const ingest = (tick: (typeof ticks)[number]): string | null => (layout.fields.ingest?.value.type === 'version' ? '1800000000000000' : (tick.fields.ingest ?? null));
    expect(decoded.toSorted()).toEqual(ticks.map((tick) => `${floor(tick.nanos, 1000n)} ${tick.nanos - floor(tick.nanos, 1000n) * 1000n} ${tick.fields.price} ${tick.fields.volume ?? null} ${ingest(tick)}`).toSorted());
    expect(typeof keepsOrder(layout)).toBe('boolean');
  })));
