/** Bars with open, high, low and volume: the table's own, else made from its ticks. */
import { describe, expect, test } from 'vitest';
import { createHistory } from '../../../electron/history/history.ts';
import type { HistoryAnswer } from '../../../shared/channels.ts';
import type { Clock } from '../../../shared/clock.ts';
import { infoFor } from '../../../shared/indices.ts';
import { barKey, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { parseAnswer } from '../../../shared/schemas.ts';
import { micros, MINUTE, SECOND, utc } from '../../../shared/time.ts';
import { memoryTable } from '../feed/memoryTable.ts';

const NOW = utc(2024, 3, 6, 18, 0);
const SPX = indexIdOf('SPX');
const clock: Clock = { kind: 'test', now: () => NOW, elapsed: () => performance.now(), speed: () => 1, note: () => null };

function setUp() {
  const table = memoryTable();
  const history = createHistory({ reader: table.reader, clock, retentionDays: 90, info: (id) => infoFor(indexIdOf(id)) });
  return {
    tick: (minutesAgo: number, seconds: number, price: string, volume?: string): void => table.put(tickKey(SPX, micros(NOW - BigInt(minutesAgo) * MINUTE + BigInt(seconds) * SECOND)), { 'q:p': price, ...(volume === undefined ? {} : { 'q:v': volume }) }),
    bar: (minutesAgo: number, [o, h, l, c]: readonly [string, string, string, string], family: 'b' | 'v' = 'b', volume?: string): void =>
      table.put(barKey(SPX, '1m', micros(NOW - BigInt(minutesAgo) * MINUTE)), { [`${family}:o`]: o, [`${family}:h`]: h, [`${family}:l`]: l, [`${family}:c`]: c, ...(volume === undefined ? {} : { [`${family}:v`]: volume }) }),
    async ask(minutes: number): Promise<HistoryAnswer> {
      const answer = await history.history({ index: 'SPX', fromMicros: String(NOW - BigInt(minutes) * MINUTE), toMicros: String(NOW), resolution: '1m', pixels: 200, figures: true });
      if (!answer.ok) expect.fail(answer.error.what);
      expect(parseAnswer('history', structuredClone(answer.value)).ok).toBe(true); // it may cross
      return answer.value;
    },
  };
}
const rows = ({ opens = [], highs = [], lows = [], prices, volumes = [] }: HistoryAnswer): string[] => prices.map((close, at) => [opens[at], highs[at], lows[at], close, volumes[at]].join(' '));

describe('figures', () => {
  test("are the table's own bars, and the ticks that no bar holds yet are bars too", async () => {
    const { bar, tick, ask } = setUp();
    bar(5, ['10', '12', '9', '11'], 'v', '300');
    bar(4, ['11', '11', '11', '11']);
    tick(2, 1, '13', '5');
    tick(2, 30, '12.5', '6');
    const answer = await ask(10);
    expect([answer.resolution, answer.kind]).toEqual(['1m', 'own']);
    expect(rows(answer)).toEqual(['10 12 9 11 300', '11 11 11 11 ', '13 13 12.5 12.5 11']);
  });

  test('are made from ticks where the table has no bars', async () => {
    const { tick, ask } = setUp();
    for (const [minute, second, price] of [[3, 1, '10'], [3, 20, '12'], [3, 40, '9'], [2, 5, '9.5']] as const) tick(minute, second, price);
    const answer = await ask(10);
    expect(rows(answer)).toEqual(['10 12 9 9 ', '9.5 9.5 9.5 9.5 ']);
    expect(answer.times[0]).toBe(String(NOW - 3n * MINUTE + MINUTE - 1n));
  });

  test('of an own bar that still grows follow its ticks; a vendor\'s stays', async () => {
    const own = setUp();
    own.bar(1, ['10', '10', '10', '10']);
    own.tick(1, 1, '10');
    own.tick(1, 30, '8');
    expect(rows(await own.ask(10)).at(-1)).toBe('10 10 8 8 ');
    const vendor = setUp();
    vendor.bar(1, ['10', '11', '9', '10'], 'v');
    vendor.tick(1, 30, '99');
    expect(rows(await vendor.ask(10))).toEqual(['10 11 9 10 ']);
  });

  test('of nothing are none', async () => {
    expect(rows(await setUp().ask(10))).toEqual([]);
  });
});
