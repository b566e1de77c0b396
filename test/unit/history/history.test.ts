import { describe, expect, test } from 'vitest';
import type { PageContext } from '../../../electron/bigtable/pages.ts';
import { createHistory } from '../../../electron/history/history.ts';
import { infoFor } from '../../../shared/indices.ts';
import { barKey, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { DAY, micros, SECOND, utc } from '../../../shared/time.ts';
import type { Clock } from '../../../shared/clock.ts';
import { memoryTable } from '../feed/memoryTable.ts';

const NOW = utc(2024, 3, 6, 18, 0);
const SPX = indexIdOf('SPX');
const clock: Clock = { kind: 'test', now: () => NOW, elapsed: () => performance.now(), speed: () => 1, note: () => null };

function setUp(family: 'q' | 'h' = 'q', skipped?: PageContext['skipped']) {
  const table = memoryTable();
  const history = createHistory({ reader: table.reader, clock, retentionDays: 90, skipped, info: (id) => infoFor(indexIdOf(id)) });
  const tick = (secondsAgo: number, price: string, into = family): void => table.put(tickKey(SPX, micros(NOW - BigInt(secondsAgo) * SECOND)), { [`${into}:p`]: price });
  const ask = (secondsAgo: number, pixels: number, resolution: 'auto' | 'tick' | '1m' = 'auto') =>
    history.history({ index: 'SPX', fromMicros: String(NOW - BigInt(secondsAgo) * SECOND), toMicros: String(NOW), resolution, pixels });
  return { table, history, tick, ask };
}
async function all<T>(pages: AsyncIterable<{ ok: true; value: T[] } | { ok: false; error: { what: string } }>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...(page.ok ? page.value : expect.fail(page.error.what)));
  return items;
}

describe('a chart', () => {
  test('of few ticks has every tick, oldest first', async () => {
    const { tick, ask } = setUp();
    for (let i = 1; i <= 10; i += 1) tick(i, String(i));
    const answer = await ask(60, 100);
    expect(answer).toMatchObject({ ok: true, value: { resolution: 'tick', kind: 'tick', rows: 10, truncated: false, prices: ['10', '9', '8', '7', '6', '5', '4', '3', '2', '1'] } });
  });
  test('of many ticks without bars keeps each column\'s extremes, at most about two points a pixel', async () => {
    const { tick, ask } = setUp();
    for (let i = 1; i <= 3000; i += 1) tick(i, i === 1234 ? '999' : i === 2345 ? '0.5' : String(100 + (i % 7)));
    const answer = await ask(3600, 50);
    if (!answer.ok) return expect.fail();
    expect(answer.value.prices.length).toBeLessThanOrEqual(102);
    expect(answer.value.prices).toContain('999');
    expect(answer.value.prices).toContain('0.5');
    expect(answer.value.truncated).toBe(false);
  });
  test('takes the finest bars that fit, with the ticks since the last bar', async () => {
    const { table, tick, ask } = setUp();
    for (let i = 1; i <= 1000; i += 1) tick(i, '1');
    for (let minute = 1; minute <= 16; minute += 1) table.put(barKey(SPX, '1m', micros(NOW - BigInt(minute) * 60n * SECOND)), { 'b:o': '2', 'b:h': '2', 'b:l': '2', 'b:c': String(minute) });
    tick(0, '77');
    const answer = await ask(960, 20);
    expect(answer).toMatchObject({ ok: true, value: { resolution: '1m', kind: 'own' } });
    expect(answer.ok && answer.value.prices.at(-1)).toBe('77');
    expect(answer.ok && answer.value.prices.at(-2)).toBe('1');
  });
  test('shows a bar that still grows by its ticks, or at most as of now: no point lies in the future', async () => {
    const { table, tick, ask } = setUp();
    for (let i = 1; i <= 1000; i += 1) tick(i, '1');
    for (let minute = 0; minute <= 16; minute += 1) table.put(barKey(SPX, '1m', micros(NOW - BigInt(minute) * 60n * SECOND)), { 'b:o': '2', 'b:h': '2', 'b:l': '2', 'b:c': '2' });
    tick(0, '77');
    const answer = await ask(960, 20);
    if (!answer.ok) return expect.fail();
    expect(answer.value).toMatchObject({ resolution: '1m', kind: 'own' });
    expect([answer.value.prices.at(-1), BigInt(answer.value.times.at(-1)!)]).toEqual(['77', NOW]);
    expect(answer.value.prices.at(-2)).toBe('2');
    const bars = await ask(960, 20, '1m');
    expect(bars.ok && BigInt(bars.value.times.at(-1)!)).toBe(NOW);
  });
  describe('in auto has the finest series that the width can show', () => {
    const OPENED = utc(2024, 3, 5, 14, 30);
    /** `every` seconds a tick, from `from` for `minutes`. */
    const fill = ({ table }: ReturnType<typeof setUp>, from: bigint, minutes: number, every: number): void => {
      for (let second = 0; second < minutes * 60; second += every) table.put(tickKey(SPX, micros(from + BigInt(second) * SECOND)), { 'h:p': String(5000 + (second % 97)) });
    };
    const bars = ({ table }: ReturnType<typeof setUp>, resolution: '1m' | '5m' | '1h' | '1d', starts: readonly bigint[]): void => {
      for (const start of starts) table.put(barKey(SPX, resolution, micros(start)), { 'b:o': '1', 'b:h': '1', 'b:l': '1', 'b:c': '1' });
    };
    const row = (from: bigint, count: number, seconds: number): bigint[] => Array.from({ length: count }, (_, i) => from + BigInt(i * seconds) * SECOND);
    const DAY_SECONDS = 86_400;
    const ask = async ({ history }: ReturnType<typeof setUp>, from: bigint, to: bigint, pixels = 600) => {
      const answer = await history.history({ index: 'SPX', fromMicros: String(from), toMicros: String(to), resolution: 'auto', pixels });
      if (!answer.ok) return expect.fail(answer.error.what);
      const { resolution, kind, truncated, times, sequences } = answer.value;
      expect(sequences.length).toBe(times.length);
      expect(times.length).toBeLessThanOrEqual(2 * pixels + 2);
      expect(times.map(BigInt)).toEqual(times.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1)));
      return { resolution, kind, truncated, points: times.length };
    };
    const SESSION = OPENED + 390n * 60n * SECOND;

    test('a session of ticks and one daily bar: the ticks, by each column\'s extremes', async () => {
      const made = setUp();
      fill(made, OPENED, 390, 15);
      bars(made, '1d', [utc(2024, 3, 5, 5)]);
      const answer = await ask(made, OPENED, SESSION);
      expect(answer).toMatchObject({ resolution: 'tick', kind: 'tick', truncated: false });
      expect(answer.points).toBeGreaterThan(1000);
    });
    test.each([[390, 15, '1m'], [390, 60, 'tick'], [60, 15, 'tick'], [390, 5, '1m']] as const)('%i minutes of minute bars, a tick each %i s: %s', async (minutes, every, resolution) => {
      const made = setUp();
      fill(made, OPENED, minutes, every);
      bars(made, '1m', row(OPENED, minutes, 60));
      expect(await ask(made, OPENED, OPENED + BigInt(minutes) * 60n * SECOND)).toMatchObject({ resolution, truncated: false });
    });
    test('five-minute bars alone are taken where they are near enough, hours are not', async () => {
      const made = setUp();
      fill(made, OPENED, 390, 10);
      bars(made, '1h', row(OPENED, 7, 3600));
      expect((await ask(made, OPENED, SESSION)).resolution).toBe('tick');
      bars(made, '5m', row(OPENED, 78, 300));
      expect(await ask(made, OPENED, SESSION)).toMatchObject({ resolution: '5m', points: 78 });
    });
    test('minute bars for a month are too many, those of five minutes too: hours', async () => {
      const made = setUp();
      const days = Array.from({ length: 22 }, (_, i) => OPENED - BigInt(i) * DAY);
      for (const day of days) {
        fill(made, day, 390, 120);
        bars(made, '1m', row(day, 390, 60));
        bars(made, '5m', row(day, 78, 300));
        bars(made, '1h', row(day, 7, 3600));
      }
      expect(await ask(made, OPENED - 21n * DAY, SESSION)).toMatchObject({ resolution: '1h', points: 154 });
    });
    test('bars that ended long ago don\'t end the chart', async () => {
      const made = setUp();
      fill(made, OPENED, 390, 15);
      bars(made, '1m', row(OPENED, 60, 60));
      expect((await ask(made, OPENED, SESSION)).resolution).toBe('tick');
    });
    test('a year of days behind a morning of ticks: the days, then the ticks', async () => {
      const made = setUp();
      fill(made, OPENED, 30, 60);
      bars(made, '1d', row(utc(2023, 3, 6, 5), 365, DAY_SECONDS));
      expect(await ask(made, utc(2023, 3, 5), SESSION)).toMatchObject({ resolution: '1d', points: 365 + 30 });
    });
    test('a table of bars alone, few or many', async () => {
      const made = setUp();
      bars(made, '1d', row(utc(2024, 3, 1, 5), 4, DAY_SECONDS));
      expect(await ask(made, utc(2024, 2, 1), SESSION)).toMatchObject({ resolution: '1d', points: 4 });
      bars(made, '1d', row(utc(2014, 3, 1, 5), 3650, DAY_SECONDS));
      const answer = await ask(made, utc(2014, 3, 1), SESSION);
      expect(answer).toMatchObject({ resolution: '1d', kind: 'own', truncated: false });
      expect(answer.points).toBeGreaterThan(600);
    });
    test('both ends of a silence survive, whatever the width', async () => {
      const made = setUp();
      fill(made, OPENED, 120, 1);
      const again = OPENED + 195n * 60n * SECOND;
      fill(made, again, 120, 1);
      for (const pixels of [200, 333, 600]) {
        const answer = await made.history.history({ index: 'SPX', fromMicros: String(OPENED), toMicros: String(SESSION), resolution: 'auto', pixels });
        if (!answer.ok) return expect.fail(answer.error.what);
        expect(answer.value.times).toEqual(expect.arrayContaining([String(OPENED + (120n * 60n - 1n) * SECOND), String(again)]));
        expect(answer.value.times.length).toBeLessThanOrEqual(2 * pixels + 2);
      }
    });
    test('ticks that begin late with nothing before them: the ticks', async () => {
      const made = setUp();
      fill(made, OPENED + 300n * 60n * SECOND, 30, 15);
      expect(await ask(made, OPENED, SESSION)).toMatchObject({ resolution: 'tick', kind: 'tick', points: 120 });
    });
    test('a session of ticks with a closed one before it that only daily bars tell of: the ticks', async () => {
      const made = setUp();
      fill(made, OPENED, 390, 15);
      bars(made, '1d', row(utc(2024, 3, 4, 5), 2, DAY_SECONDS));
      expect((await ask(made, OPENED - DAY, SESSION)).resolution).toBe('tick');
    });
    test('nothing at all', async () => expect(await ask(setUp(), OPENED, SESSION)).toEqual({ resolution: 'tick', kind: 'tick', truncated: false, points: 0 }));
    test('far too many ticks: samples before the newest, said so; with bars, those', async () => {
      const made = setUp();
      fill(made, OPENED, 1200, 1);
      expect(await ask(made, OPENED, OPENED + 72_000n * SECOND, 100)).toMatchObject({ resolution: 'tick', kind: 'sampled', truncated: true });
      bars(made, '1m', row(OPENED, 1200, 60));
      expect(await ask(made, OPENED, OPENED + 72_000n * SECOND, 100)).toMatchObject({ resolution: '1m', kind: 'own', truncated: false });
    }, 20_000);
  });
  test('bad spans are refused', async () => {
    const { history } = setUp();
    expect(await history.history({ index: 'spx', fromMicros: '1', toMicros: '2', resolution: 'auto', pixels: 10 })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    expect(await history.history({ index: 'SPX', fromMicros: '2', toMicros: '1', resolution: 'auto', pixels: 10 })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
  });
});

test('ticks come in both orders, by pages, up to a limit', async () => {
  const { history, tick } = setUp();
  for (let i = 1; i <= 5000; i += 1) tick(i, String(i));
  const request = { index: SPX, from: micros(NOW - 4000n * SECOND), to: NOW };
  expect((await all(history.ticks(request))).map((one) => one.price)).toEqual(Array.from({ length: 4000 }, (_, i) => String(i + 1)));
  expect((await all(history.ticks({ ...request, order: 'oldest' }))).map((one) => one.price)).toEqual(Array.from({ length: 4000 }, (_, i) => String(4000 - i)));
  expect((await all(history.ticks({ ...request, limit: 3 }))).map((one) => one.price)).toEqual(['1', '2', '3']);
  expect((await all(history.ticks({ ...request, limit: 3, order: 'oldest' }))).map((one) => one.price)).toEqual(['4000', '3999', '3998']);
});

test('rows that can\'t be decoded are told, never just missing, and cost no other row its place', async () => {
  const told: string[] = [];
  const { table, history, tick } = setUp('q', (index, key, why) => told.push(`${index} ${key} ${why.code}`));
  for (let i = 1; i <= 10; i += 1) tick(i, i % 2 === 0 ? String(i) : 'rubbish');
  const request = { index: SPX, from: micros(NOW - 60n * SECOND), to: NOW };
  expect((await all(history.ticks({ ...request, limit: 3 }))).map((one) => one.price)).toEqual(['2', '4', '6']);
  expect((await all(history.ticks({ ...request, order: 'oldest' }))).map((one) => one.price)).toEqual(['10', '8', '6', '4', '2']);
  expect(new Set(told)).toEqual(new Set([1, 3, 5, 7, 9].map((i) => `SPX ${tickKey(SPX, micros(NOW - BigInt(i) * SECOND))} BAD_DATA`)));
  told.length = 0;
  for (let i = 11; i <= 400; i += 1) tick(i, 'rubbish');
  table.requests.length = 0;
  expect(await history.tape({ index: 'SPX', limit: 5 })).toMatchObject({ ok: true, value: [{ price: '2' }, { price: '4' }, { price: '6' }, { price: '8' }, { price: '10' }] });
  expect(table.requests.length).toBeLessThan(6);
});

test('beyond the retention bound only what is kept for ever is read', async () => {
  const { history, table } = setUp();
  const old = micros(NOW - 100n * DAY);
  table.put(tickKey(SPX, old, 1), { 'q:p': '1' });
  table.put(tickKey(SPX, old, 2), { 'h:p': '2' });
  table.put(tickKey(SPX, micros(NOW - DAY)), { 'q:p': '3' });
  expect((await all(history.ticks({ index: SPX, from: micros(NOW - 200n * DAY), to: NOW }))).map((one) => one.price)).toEqual(['3', '2']);
  expect(table.requests.filter((request) => request.families?.includes('q')).every((request) => request.ranges.every((range) => range.end < tickKey(SPX, old)))).toBe(true);
});

test('the tape is newest first and shows nothing from the future', async () => {
  const { history, tick } = setUp();
  tick(-3600, '99');
  for (let i = 1; i <= 30; i += 1) tick(i, String(i));
  expect(await history.tape({ index: 'SPX', limit: 3 })).toMatchObject({ ok: true, value: [{ price: '1' }, { price: '2' }, { price: '3' }] });
});

test('sparklines of many are small, at most 16 reads at once, and kept for a while', async () => {
  const { history, table } = setUp();
  const ids = Array.from({ length: 40 }, (_, i) => `I${i}`);
  for (const id of ids) for (let i = 0; i < 100; i += 1) table.put(tickKey(indexIdOf(id), micros(NOW - BigInt(i) * SECOND)), { 'q:p': String(i) });
  const answer = await history.sparklines({ indices: ids, points: 20 });
  expect(answer.ok && answer.value.map((line) => line.index)).toEqual(ids);
  expect(answer.ok && answer.value.every((line) => line.prices.length > 2 && line.prices.length <= 20 && line.prices.at(-1) === '0')).toBe(true);
  const before = table.requests.length;
  await history.sparklines({ indices: ids, points: 20 });
  expect(table.requests.length).toBe(before);
});

test('a failing page ends the read with its problem', async () => {
  const { history, table } = setUp();
  table.mode = 'refuse';
  const pages = [];
  for await (const page of history.ticks({ index: SPX, from: micros(0n), to: NOW })) pages.push(page);
  expect(pages).toMatchObject([{ ok: false, error: { code: 'STORE_UNREACHABLE' } }]);
  expect(await history.tape({ index: 'SPX', limit: 3 })).toMatchObject({ ok: false });
});

test('sessions of an exchange over a span', async () => {
  const { history } = setUp();
  const answer = await history.sessions({ mic: 'XNYS', fromMicros: String(utc(2024, 3, 6)), toMicros: String(utc(2024, 3, 7)) });
  expect(answer).toMatchObject({ ok: true, value: [{ date: '2024-03-06', openMicros: String(utc(2024, 3, 6, 14, 30)), closeMicros: String(utc(2024, 3, 6, 21)), note: null }] });
});
