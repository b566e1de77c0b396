import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyTicks, identityOf, startTape, TAPE_LIMIT, type TapeRow } from '../../../../renderer/tape/tapeRows.ts';
import type { TickView } from '../../../../shared/channels.ts';

const tick = (time: number, price = '100', sequence = 0): TickView => ({ eventMicros: String(time), sequence, price, volume: null, source: null, ingestMicros: null });
const event = (ticks: TickView[], removed: TickView[] = [], backfill = false) => ({ ticks, removed, backfill });
const times = (rows: readonly TapeRow[]): string[] => rows.map((row) => row.tick.eventMicros);

test('in whatever order ticks come, newest first and each identity once', () =>
  fc.assert(fc.property(fc.array(fc.record({ time: fc.integer({ min: -50, max: 50 }), sequence: fc.nat(2) }), { maxLength: 60 }), (given) => {
    const rows = given.reduce<readonly TapeRow[]>((old, { time, sequence }) => applyTicks(old, event([tick(time, '1', sequence)])), []);
    expect(new Set(rows.map((row) => identityOf(row.tick))).size).toBe(rows.length);
    for (let at = 1; at < rows.length; at += 1) {
      const [a, b] = [rows[at - 1]!.tick, rows[at]!.tick];
      expect(BigInt(a.eventMicros) > BigInt(b.eventMicros) || (a.eventMicros === b.eventMicros && a.sequence > b.sequence)).toBe(true);
    }
  })));

test('a tick written after a newer one lands in its place and is marked, a backfilled one is not', () => {
  const written = (time: number, ingest: number): TickView => ({ ...tick(time), ingestMicros: String(ingest) });
  const rows = startTape([written(30, 31), written(10, 11)]);
  const late = applyTicks(rows, event([written(20, 32)]));
  expect(times(late)).toEqual(['30', '20', '10']);
  expect(late[1]?.mark).toBe('late');
  expect(applyTicks(rows, event([written(20, 32)], [], true))[1]?.mark).toBeNull();
  expect(applyTicks(rows, event([written(20, 21)]))[1]?.mark).toBeNull(); // the newest was read first, nothing came late
});

test('where nobody says when a tick was written, only a far older one is late', () => {
  const rows = startTape([tick(60_000_000)]);
  expect(applyTicks(rows, event([tick(51_000_000)]))[1]?.mark).toBeNull();
  expect(applyTicks(rows, event([tick(49_000_000)]))[1]?.mark).toBe('late');
});

test('a duplicate changes nothing, other values are a correction that keeps the old price', () => {
  const rows = startTape([tick(10, '5')]);
  expect(applyTicks(rows, event([tick(10, '5')]))).toEqual(rows);
  expect(applyTicks(rows, event([tick(10, '6')]))[0]).toMatchObject({ mark: 'corrected', was: '5', tick: { price: '6' } });
});

test('a removed row stays in sight, marked', () => {
  expect(applyTicks(startTape([tick(10)]), event([], [tick(10)]))[0]?.mark).toBe('removed');
});

test('bounded', () => {
  const rows = applyTicks([], event(Array.from({ length: 1000 }, (_, at) => tick(at))));
  expect(rows.length).toBe(TAPE_LIMIT);
  expect(rows[0]?.tick.eventMicros).toBe('999');
});
