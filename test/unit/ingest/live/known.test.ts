/** What a writer knows of its slot, and what it makes of a tick. */
import { describe, expect, test } from 'vitest';
import { createKnown, type Held } from '../../../../electron/ingest/live/known.ts';
import type { LiveTick } from '../../../../electron/ingest/live/liveTick.ts';
import { settle, type Settling } from '../../../../electron/ingest/live/settle.ts';
import { sequenceOf } from '../../../../electron/ingest/live/slot.ts';
import { decimal } from '../../../../shared/decimal.ts';
import { indexIdOf, tickKey } from '../../../../shared/rowKey.ts';
import { micros } from '../../../../shared/time.ts';

const SPX = indexIdOf('SPX');
const at = (time: bigint) => micros(time);
const event: Held = { values: 'x', version: 1000n, kept: false };

describe('known', () => {
  test('only what is newer than everything of the slot needs no reading', () => {
    const known = createKnown();
    expect(known.instant(SPX, at(5n))).toBe(undefined);
    known.newest(SPX, at(5n));
    expect(known.instant(SPX, at(4n))).toBe(undefined);
    expect(known.instant(SPX, at(5n))).toBe(undefined);
    const six = known.instant(SPX, at(6n));
    expect(six).toEqual({ events: new Map(), next: 0, pending: 0 });
    expect(known.instant(SPX, at(6n))).toBe(six);
    // and then what lies between must be read
    expect(known.instant(SPX, at(5n))).toBe(undefined);
    expect(known.instant(indexIdOf('DAX'), at(9n))).toBe(undefined);
    known.newest(indexIdOf('DAX'), null);
    expect(known.instant(indexIdOf('DAX'), at(-9n))).toMatchObject({ next: 0 });
  });
  test('numbers go on behind the highest found, gaps stay', () => {
    expect(createKnown().found(SPX, at(5n), new Map([[7, event], [2, event]])).next).toBe(8);
  });
  test('the oldest are forgotten, never one that is being written', () => {
    const known = createKnown(2);
    known.newest(SPX, null);
    const first = known.instant(SPX, at(1n));
    if (first) first.pending = 1;
    for (const time of [2n, 3n, 4n]) known.instant(SPX, at(time));
    known.trim();
    expect([1n, 2n, 3n, 4n].map((time) => known.instant(SPX, at(time)) !== undefined)).toEqual([true, false, false, true]);
    // forgotten is not absent: it is read again
    known.found(SPX, at(2n), new Map([[0, event]]));
    expect(known.instant(SPX, at(2n))?.next).toBe(1);
  });
});

describe('settle', () => {
  const tick = (price: string, n: number | null = 0, more: Partial<LiveTick> = {}): LiveTick => ({ index: SPX, time: at(5n), nanos: 0, price: decimal(price), volume: null, bid: null, ask: null, source: 's', n, ...more });
  const settling = (more: Partial<Settling> = {}): Settling => ({ slot: 3, keep: false, version: 10_000n, ingest: at(7n), ...more });
  const fresh = () => ({ events: new Map<number, Held>(), next: 0, pending: 0 });

  test('a new event has its slot\'s sequence and the version of now; a correction is newer than what it corrects, and blanks the rest', () => {
    const instant = fresh();
    expect(settle(tick('5', 2, { volume: decimal('9'), nanos: 3 }), instant, settling())).toEqual({
      kind: 'new', sequence: 300_002, version: 10_000n, row: { key: tickKey(SPX, at(5n), 300_002), cells: [
        { family: 'q', qualifier: 'p', value: '5' }, { family: 'q', qualifier: 'i', value: '7' }, { family: 'q', qualifier: 's', value: 's' }, { family: 'q', qualifier: 'v', value: '9' }, { family: 'q', qualifier: 'n', value: '3' },
      ] },
    });
    expect(settle(tick('5', 2, { volume: decimal('9'), nanos: 3 }), instant, settling({ version: 90_000n }))).toEqual({ kind: 'duplicate', sequence: 300_002 });
    const corrected = settle(tick('6', 2), instant, settling({ version: 4_000n }));
    expect(corrected).toMatchObject({ kind: 'corrected', version: 11_000n });
    expect(corrected.kind === 'corrected' && corrected.row.cells.filter(({ value }) => value === '').map(({ qualifier }) => qualifier)).toEqual(['v', 'b', 'a', 'n']);
    expect(settle(tick('7', 2), instant, settling({ version: 90_000n }))).toMatchObject({ kind: 'corrected', version: 90_000n });
  });
  test('what is to be kept is written once more where it is not; what is kept is corrected where it is kept', () => {
    const instant = fresh();
    settle(tick('5'), instant, settling());
    expect(settle(tick('5'), instant, settling({ keep: true }))).toMatchObject({ kind: 'corrected', row: { cells: [{ family: 'h' }, {}, {}, {}, {}, {}, {}] } });
    expect(settle(tick('5'), instant, settling({ keep: true }))).toMatchObject({ kind: 'duplicate' });
    expect(settle(tick('6'), instant, settling())).toMatchObject({ kind: 'corrected', row: { cells: [{ family: 'h' }, {}, {}, {}, {}, {}, {}] } });
  });
  test('numbers end with their slot', () => {
    expect(sequenceOf(3, 99_999)).toEqual({ ok: true, value: 399_999 });
    for (const n of [100_000, -1, 0.5, Number.NaN]) expect(sequenceOf(3, n)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    expect(settle(tick('5', null), { ...fresh(), next: 100_000 }, settling())).toMatchObject({ kind: 'refused', error: { code: 'BAD_INPUT', what: expect.stringContaining('SPX at 5') } });
  });
});
