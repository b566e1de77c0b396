import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Follow, followBars } from '../../../../electron/ingest/bars/follow.ts';
import type { Run } from '../../../../electron/ingest/bars/makeBars.ts';
import { infoFor } from '../../../../shared/indices.ts';
import { ok, problem, type Problem } from '../../../../shared/result.ts';
import { barKey, indexIdOf, tickKey } from '../../../../shared/rowKey.ts';
import { sessionDayAt } from '../../../../shared/sessionDay.ts';
import { DAY, HOUR, micros, MINUTE, parseTime, SECOND } from '../../../../shared/time.ts';
import { type BarTable, barTable, makerOf, type TestMaker } from './barTable.ts';
import { type Print, wantedBars } from './wanted.ts';

const SPX = infoFor(indexIdOf('SPX'));
const OPEN = parseTime('2019-11-05T14:30:00Z');
const dayOf = (time: bigint): ReturnType<typeof sessionDayAt> => sessionDayAt(SPX, micros(time));
const print = (time: bigint, price: bigint, sequence = 0): Print => ({ time, sequence, price, volume: null, family: 'q' });

/** Follows while each step of the script runs between two passes, then `passes` more. */
async function follow(script: readonly ((maker: TestMaker) => void)[], table: BarTable, options: Partial<Follow> = {}, passes = 3): Promise<{ runs: Run[]; troubles: (Problem | null)[]; ended: Awaited<ReturnType<typeof followBars>>; maker: TestMaker }> {
  const stop = new AbortController();
  const maker = makerOf(table, micros(OPEN + HOUR), { signal: stop.signal });
  const runs: Run[] = [];
  const troubles: (Problem | null)[] = [];
  let step = 0;
  let elapsed = 0;
  const clock = { ...maker.clock, now: () => maker.now, elapsed: () => elapsed };
  const sleep = async (ms: number): Promise<void> => {
    elapsed += Math.max(ms, 1);
    await Promise.resolve();
    if (ms < 1000) return; // a retry inside of a pass
    if (step >= script.length + passes) stop.abort();
    else script[step]?.(maker);
    step += 1;
  };
  const driven = { ...maker, clock, sleep };
  const ended = await followBars({ maker: driven, list: async () => ok([SPX]), from: null, onRun: (run) => void runs.push(run), onTrouble: (trouble) => void troubles.push(trouble), restMs: 0, ...options });
  return { runs, troubles, ended, maker };
}

class Market {
  readonly table = barTable();
  readonly prints = new Map<string, Print>();
  put(one: Print): void {
    this.prints.set(tickKey(SPX.id, micros(one.time), one.sequence), one);
    this.table.tick(SPX.id, one.time, one.sequence, String(one.price), { family: one.family });
  }
  bust(one: Print): void {
    this.prints.delete(tickKey(SPX.id, micros(one.time), one.sequence));
    this.table.rows.delete(tickKey(SPX.id, micros(one.time), one.sequence));
    void this.table.write([], 0n);
  }
  agree(): void {
    const own = Object.fromEntries([...this.table.rows.keys()].filter((key) => key.includes('@')).sort().map((key) => [key, this.table.bar(key)]));
    expect(own).toEqual(Object.fromEntries(wantedBars(SPX.id, [...this.prints.values()], dayOf)));
  }
}

describe('while the market runs', () => {
  test('new ticks are in their bars with the next pass, and an unchanged index costs a few reads and no write', async () => {
    const market = new Market();
    market.put(print(OPEN, 10n));
    const { runs } = await follow([
      () => market.put(print(OPEN + 70n * SECOND, 12n)),
      () => market.agree(),
      () => market.put(print(OPEN + 71n * SECOND, 9n)),
      () => market.agree(),
      () => { market.table.written.length = 0; market.table.requests = 0; },
      () => {},
      () => { expect(market.table.written).toEqual([]); expect(market.table.requests).toBe(4); },
    ], market.table, { auditRows: 0 });
    market.agree();
    expect(runs.map(({ tallies }) => tallies['1m'])).toMatchObject([{ made: 1 }, { made: 1, changed: 0 }, { made: 0, changed: 1 }]);
  });

  test('starts where the table says it is: from the newest own minute\'s day on, and the audit looks at the rest', async () => {
    const market = new Market();
    for (const n of [0n, 1n, 2n]) market.put(print(OPEN + n * MINUTE - 30n * DAY, 10n));
    market.put(print(OPEN, 11n));
    await follow([], market.table);
    market.agree();
    market.table.written.length = 0;
    market.put(print(OPEN - 30n * DAY + 1n, 99n));
    await follow([], market.table, { auditRows: 0 });
    expect(market.table.written).toEqual([]);
    await follow([], market.table);
    market.agree();
  });

  test('the newest ticks deleted, all ticks deleted, and the first ones of an index that had none', async () => {
    const market = new Market();
    const [a, b, c] = [print(OPEN, 10n), print(OPEN + HOUR - MINUTE, 12n), print(OPEN + HOUR, 13n)];
    await follow([() => market.put(a), () => { market.put(b); market.put(c); }, () => market.bust(c), () => market.agree(), () => market.bust(b), () => market.agree(), () => market.put(b)], market.table, { auditRows: 0 });
    market.agree();
  });

  test('every tick since the last pass, however far apart they are', async () => {
    const market = new Market();
    market.put(print(OPEN - 5n * DAY, 9n));
    await follow([() => { for (const n of [0n, 20n, 40n]) market.put(print(OPEN + n * MINUTE, 10n + n)); }], market.table, { auditRows: 0 });
    market.agree();
  });

  test('a tick from the future waits for its time', async () => {
    const market = new Market();
    market.put(print(OPEN, 10n));
    market.table.tick(SPX.id, OPEN + 2n * HOUR, 0, '77');
    await follow([() => market.agree(), (maker) => { maker.now = micros(OPEN + 2n * HOUR); market.prints.set('x', print(OPEN + 2n * HOUR, 77n)); }], market.table);
    market.agree();
  });

  test('an outage is told once, and over once; then nothing is missing', async () => {
    const market = new Market();
    market.put(print(OPEN, 10n));
    const { troubles, ended } = await follow([() => { market.table.down = true; }, () => market.put(print(OPEN + 5n * MINUTE, 11n)), () => {}, () => { market.table.down = false; }], market.table);
    expect(troubles.map((one) => one?.code ?? null)).toEqual(['STORE_UNREACHABLE', null]);
    expect(ended).toEqual(ok(null));
    market.agree();
  });

  test('what waiting does not cure ends it', async () => {
    const { ended } = await follow([], barTable(), { list: async () => ({ ok: false, error: problem('BAD_DATA', 'the registry has more than 10000 rows', 'remove some') }) });
    expect(ended).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
  });

  test('whatever happens while it follows, the bars are those of the final ticks', async () => {
    const instants = fc.oneof(fc.nat(8).map((n) => OPEN + BigInt(n) * 20n * SECOND), fc.nat(5).map((n) => OPEN + HOUR - BigInt(n) * 9n * MINUTE), fc.nat(3).map((n) => OPEN - BigInt(n) * DAY), fc.constantFrom(OPEN - 1n, OPEN - 900n * DAY));
    const event = fc.record({ time: instants, sequence: fc.nat(1), price: fc.bigInt({ min: 1n, max: 9n }), kept: fc.boolean(), bust: fc.nat(3) });
    await fc.assert(fc.asyncProperty(fc.array(fc.array(event, { maxLength: 4 }), { minLength: 1, maxLength: 8 }), async (cycles) => {
      const market = new Market();
      await follow(cycles.map((events) => () => {
        for (const { time, sequence, price, kept, bust } of events) {
          const one: Print = { ...print(time, price, sequence), family: kept || time < OPEN - 80n * DAY ? 'h' : 'q' };
          if (bust === 0) market.bust(one);
          else market.put(one);
        }
      }), market.table, {}, 4);
      market.agree();
    }), { numRuns: 40 });
  });
});

test('an index that another maker has is left to it, and taken over when it ends', async () => {
  const market = new Market();
  market.put(print(OPEN, 10n));
  let taken = true;
  const leases = { hold: async () => ok(taken ? { kind: 'taken', by: 'host:1' } as const : { kind: 'held' } as const) };
  const stop = new AbortController();
  const maker = makerOf(market.table, micros(OPEN + HOUR), { signal: stop.signal, leases });
  let passes = 0;
  const troubles: (Problem | null)[] = [];
  await followBars({
    list: async () => ok([SPX]), from: null, onRun: () => {}, onTrouble: (trouble) => void troubles.push(trouble), restMs: 0,
    maker: { ...maker, sleep: async (ms) => {
      await maker.sleep(ms);
      passes += 1;
      if (passes === 2) {
        expect(market.table.rows.has(barKey(SPX.id, '1m', OPEN))).toBe(false);
        taken = false;
      }
      if (passes === 4) stop.abort();
    } },
  });
  market.agree();
  expect(troubles.map((one) => one?.what ?? null)).toEqual(['the bars of SPX are made by host:1', null]);
});
