import { describe, expect, test } from 'vitest';
import { createHistory } from '../../../electron/history/history.ts';
import { infoFor } from '../../../shared/indices.ts';
import { barKey, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { DAY, micros, SECOND, utc } from '../../../shared/time.ts';
import type { Clock } from '../../../shared/clock.ts';
import { memoryTable } from '../feed/memoryTable.ts';

const NOW = utc(2024, 3, 6, 18, 0);
const SPX = indexIdOf('SPX');
const clock: Clock = { kind: 'test', now: () => NOW, elapsed: () => performance.now(), speed: () => 1, note: () => null };

function setUp(family: 'q' | 'h' = 'q') {
  const table = memoryTable();
  const history = createHistory({ reader: table.reader, clock, retentionDays: 90, info: (id) => infoFor(indexIdOf(id)) });
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
