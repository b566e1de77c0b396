import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Maker, makeBars, patchBars } from '../../../../electron/ingest/bars/makeBars.ts';
import { infoFor } from '../../../../shared/indices.ts';
import { barKey, indexIdOf, tickKey } from '../../../../shared/rowKey.ts';
import { sessionDayAt } from '../../../../shared/sessionDay.ts';
import { DAY, HOUR, micros, MINUTE, parseTime, SECOND } from '../../../../shared/time.ts';
import { type BarTable, barTable, makerOf } from './barTable.ts';
import { type Print, wantedBars } from './wanted.ts';

const SPX = infoFor(indexIdOf('SPX'));
const OPEN = parseTime('2019-11-05T14:30:00Z');
const NOW = parseTime('2019-11-09T00:00:00Z');

const made = async (maker: Maker, from = null, to = null) => {
  const run = await makeBars(maker, SPX, { from, to });
  if (!run.ok) throw new Error(run.error.what);
  return run.value;
};
const ownBars = (table: BarTable): Map<string, Record<string, string>> => new Map([...table.rows.keys()].filter((key) => key.includes('@')).sort().map((key) => [key, table.bar(key)]));
const dayOf = (time: bigint): ReturnType<typeof sessionDayAt> => sessionDayAt(SPX, micros(time));
const wanted = (prints: readonly Print[]): Map<string, Record<string, string>> => new Map([...wantedBars(SPX.id, prints, dayOf)].sort(([a], [b]) => (a < b ? -1 : 1)));

describe('whatever happens to the ticks, and whenever the maker runs, the bars are those of the final ticks', () => {
  // few instants, so that late, equal and corrected ones meet in the same bars; the edges of sessions and of UTC days among them
  const instants = fc.oneof(
    fc.nat(8).map((n) => OPEN + BigInt(n) * 20n * SECOND), fc.nat(5).map((n) => OPEN + BigInt(n) * 29n * MINUTE), fc.nat(3).map((n) => OPEN + BigInt(n) * DAY),
    fc.constantFrom(OPEN - 1n, OPEN + 390n * MINUTE, OPEN + 420n * MINUTE - 1n, OPEN + 420n * MINUTE, OPEN + 570n * MINUTE - 1n, OPEN + 570n * MINUTE));
  const print = fc.record({ time: instants, sequence: fc.nat(2), price: fc.bigInt({ min: -3n, max: 12n }), volume: fc.option(fc.bigInt({ min: 0n, max: 5n }), { nil: null }), family: fc.constantFrom('q' as const, 'h' as const) });
  type Action = { kind: 'put'; print: Print } | { kind: 'delete'; nth: number } | { kind: 'again'; nth: number } | { kind: 'make' } | { kind: 'patch'; from: bigint; length: bigint } | { kind: 'lost' };
  const action: fc.Arbitrary<Action> = fc.oneof(
    { weight: 8, arbitrary: print.map((one) => ({ kind: 'put' as const, print: one })) },
    { weight: 2, arbitrary: fc.nat(20).map((nth) => ({ kind: 'delete' as const, nth })) },
    { weight: 1, arbitrary: fc.nat(20).map((nth) => ({ kind: 'again' as const, nth })) },
    { weight: 1, arbitrary: fc.constant({ kind: 'make' as const }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('patch' as const), from: instants, length: fc.constantFrom(1n, MINUTE, HOUR, DAY) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'lost' as const }) },
  );

  async function play(actions: readonly Action[]): Promise<{ table: BarTable; maker: Maker; prints: Map<string, Print> }> {
    const table = barTable();
    const maker = makerOf(table, NOW);
    const prints = new Map<string, Print>();
    const put = (one: Print): void => {
      prints.set(tickKey(SPX.id, micros(one.time), one.sequence), one);
      table.tick(SPX.id, one.time, one.sequence, String(one.price), { family: one.family, ...(one.volume === null ? {} : { volume: String(one.volume) }) });
    };
    for (const one of actions) {
      const nth = 'nth' in one ? [...prints.keys()][one.nth] : undefined;
      if (one.kind === 'put') put(one.print);
      else if (one.kind === 'make') await made(maker);
      else if (one.kind === 'lost') table.lost = 1;
      else if (one.kind === 'patch') {
        const patched = await patchBars(maker, SPX, micros(one.from), micros(one.from + one.length));
        expect(patched).toMatchObject({ ok: true });
      } else if (nth !== undefined && one.kind === 'again') put(prints.get(nth)!);
      else if (nth !== undefined) {
        prints.delete(nth);
        table.rows.delete(nth);
        await table.write([], 0n);
      }
    }
    return { table, maker, prints };
  }

  test('by a whole scan at the end', async () => {
    await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 40 }), async (actions) => {
      const { table, maker, prints } = await play(actions);
      await made(maker);
      expect(ownBars(table)).toEqual(wanted([...prints.values()]));
      table.written.length = 0;
      await made(maker);
      expect(table.written).toEqual([]);
    }), { numRuns: 80 });
  });

  test('by patches alone, as long as each change is patched', async () => {
    await fc.assert(fc.asyncProperty(fc.array(print, { minLength: 1, maxLength: 25 }), fc.infiniteStream(fc.boolean()), async (stream, deletes) => {
      const table = barTable();
      const maker = makerOf(table, NOW);
      const prints = new Map<string, Print>();
      for (const one of stream) {
        const key = tickKey(SPX.id, micros(one.time), one.sequence);
        if (prints.has(key) && deletes.next().value === true) {
          prints.delete(key);
          table.rows.delete(key);
          await table.write([], 0n);
        } else {
          prints.set(key, one);
          table.tick(SPX.id, one.time, one.sequence, String(one.price), { family: one.family, ...(one.volume === null ? {} : { volume: String(one.volume) }) });
        }
        await patchBars(maker, SPX, micros(one.time), micros(one.time + 1n));
      }
      expect(ownBars(table)).toEqual(wanted([...prints.values()]));
    }), { numRuns: 50 });
  });
});

describe('what is not ours', () => {
  const day = barKey(SPX.id, '1d', parseTime('2019-11-05T05:00:00Z'));

  test('official closes and vendors\' bars stay, beside ours and when ours goes', async () => {
    const table = barTable();
    const foreign = { 'b:oc': '3074.62', 'v:c': '3074.6', 'v:oc': '3074.61' };
    await table.write([{ key: day, cells: Object.entries(foreign).map(([name, value]) => ({ family: name.startsWith('b') ? 'b' as const : 'v' as const, qualifier: name.slice(2), value })) }], 5_000n);
    table.tick(SPX.id, OPEN, 0, '3080.8');
    expect((await made(makerOf(table, NOW))).tallies['1d']).toMatchObject({ bars: 1, made: 1 });
    expect(table.bar(day)).toMatchObject({ ...foreign, 'b:c': '3080.8', 'b:d': '2019-11-05' });
    table.rows.delete(tickKey(SPX.id, OPEN, 0));
    await table.write([], 0n);
    expect((await made(makerOf(table, NOW))).tallies['1d']).toMatchObject({ erased: 1 });
    expect(table.bar(day)).toEqual({ ...foreign, 'b:d': '2019-11-05' });
  });

  test('own bars that no maker wrote are never erased', async () => {
    const table = barTable();
    const cells = { 'b:o': '1', 'b:h': '1', 'b:l': '1', 'b:c': '1', 'b:k': '4' };
    await table.write([{ key: day, cells: Object.entries(cells).map(([name, value]) => ({ family: 'b', qualifier: name.slice(2), value })) }], 5_000n);
    await made(makerOf(table, NOW));
    expect(table.bar(day)).toEqual(cells);
  });
});

describe('retention', () => {
  test('a bar whose ticks begin to go stays as it was made, and a late tick for it is counted', async () => {
    const table = barTable();
    const maker = makerOf(table, NOW, { retentionDays: 2 });
    maker.now = micros(OPEN + HOUR);
    table.tick(SPX.id, OPEN, 0, '10');
    table.tick(SPX.id, OPEN + 90n * SECOND, 0, '12', { family: 'h' });
    await made(maker);
    const before = ownBars(table);
    // the first tick is over the bound, the second is kept for ever
    maker.now = micros(OPEN + 2n * DAY + MINUTE + 10n * SECOND);
    expect((await made(maker)).tallies).toMatchObject({ '1m': { frozen: 0, erased: 0 }, '5m': { frozen: 1, frozenTicks: 1, changed: 0 }, '1d': { frozen: 1 } });
    expect(ownBars(table)).toEqual(before);
    table.tick(SPX.id, OPEN + 1n, 0, '99', { family: 'h' });
    expect((await made(maker)).tallies).toMatchObject({ '1m': { frozen: 1, frozenTicks: 1, changed: 0 } });
    expect(ownBars(table)).toEqual(before);
  });

  test('bars of kept ticks can be made and remade however old they are', async () => {
    const table = barTable();
    const maker = makerOf(table, micros(NOW + 3650n * DAY));
    table.tick(SPX.id, OPEN, 0, '10', { family: 'h' });
    await made(maker);
    table.tick(SPX.id, OPEN, 1, '12', { family: 'h' });
    expect((await made(maker)).tallies['1h']).toMatchObject({ changed: 1, frozen: 0 });
    table.rows.clear();
  });

  test('a bar that the bound cuts through is not made from the half that is left', async () => {
    const table = barTable();
    const maker = makerOf(table, micros(OPEN + 2n * DAY + 2n * MINUTE), { retentionDays: 2 });
    for (const n of [0n, 1n, 2n, 3n]) table.tick(SPX.id, OPEN + n * MINUTE, 0, '10');
    expect((await made(maker)).tallies).toMatchObject({ '1m': { made: 2 }, '5m': { made: 0, frozen: 1, frozenTicks: 2 }, '1h': { made: 0 }, '1d': { made: 0 } });
  });
});

test('a tick from the future is in no bar before its time; a correction beats a delayed retry', async () => {
  const table = barTable();
  const maker = makerOf(table, micros(OPEN + 10n * SECOND));
  table.tick(SPX.id, OPEN, 0, '10');
  table.tick(SPX.id, OPEN + 16n * SECOND, 0, '11');
  expect((await made(maker)).ticks).toBe(1);
  const key = barKey(SPX.id, '1m', OPEN);
  expect(table.bar(key)).toMatchObject({ 'b:c': '10' });
  maker.now = micros(OPEN + 12n * SECOND);
  // a maker whose clock has stepped back
  expect((await made({ ...maker, machineMillis: () => 1 })).ticks).toBe(2);
  expect(table.bar(key)).toMatchObject({ 'b:c': '11', 'b:k': '2' });
});

test('an outage ends a run with its reason, and another run completes it', async () => {
  const table = barTable();
  table.tick(SPX.id, OPEN, 0, '10');
  table.down = true;
  expect(await makeBars(makerOf(table, NOW), SPX, { from: null, to: null })).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
  table.down = false;
  await made(makerOf(table, NOW));
  expect(ownBars(table).size).toBe(4);
});
