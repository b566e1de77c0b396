/** Any stored range as a replay: imported minute bars of SPX, through the host as a page meets it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ingest } from '../../electron/cli/ingest.ts';
import { resolveSettings } from '../../electron/config/settings.ts';
import type { Desk } from '../../electron/desk/desk.ts';
import { openDesk } from '../../electron/desk/openDesk.ts';
import { type Gateway, serveDesk } from '../../electron/gateway/serveDesk.ts';
import type { ClockView, Message, QuoteView, RequestName, Requests } from '../../shared/channels.ts';
import type { Result } from '../../shared/result.ts';
import { MINUTE, parseTime } from '../../shared/time.ts';

const root = join(import.meta.dirname, '../..');
const MINUTES = join(root, 'electron/ingest/data/mplfinance_SPX_1min_2019-11-05_06.csv');
const DAYS = join(root, 'electron/ingest/data/mplfinance_SPX_daily_2019-11-01_06.csv');
/** Of the file, by its own wall clock in New York. */
const rows = new Map(readFileSync(MINUTES, 'utf8').trim().split(/\r?\n/).slice(1).map((line) => {
  const [time = '', open = '', close = '', high = '', low = ''] = line.split(',');
  return [time, { open, close, high, low }];
}));

let home: string;
let desk: Desk;
let gateway: Gateway;
const sockets: WebSocket[] = [];

interface PageView {
  readonly got: Message[];
  readonly quotes: Map<string, QuoteView>;
  ask<K extends RequestName>(name: K, data: Requests[K]['request']): Promise<Requests[K]['answer']>;
  fails<K extends RequestName>(name: K, data: Requests[K]['request']): Promise<string>;
  beat(): ClockView;
}

async function page(): Promise<PageView> {
  const socket = new WebSocket(new URL('/feed', gateway.url).href.replace('http', 'ws'));
  sockets.push(socket);
  const [got, quotes, waiting]: [Message[], Map<string, QuoteView>, Map<number, (result: Result<unknown>) => void>] = [[], new Map(), new Map()];
  let beat: ClockView | undefined;
  socket.on('message', (data: Buffer) => {
    const value = JSON.parse(data.toString()) as Message | { id: number; result: Result<unknown> };
    if ('id' in value) return waiting.get(value.id)?.(value.result);
    got.push(value);
    if (value.channel === 'heartbeat') beat = value.data;
    if (value.channel !== 'quotes') return;
    if (value.data.kind === 'snapshot') quotes.clear();
    for (const quote of value.data.quotes) quotes.set(quote.index, quote);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  let next = 0;
  const send = (name: RequestName, data: unknown): Promise<Result<unknown>> => new Promise((resolve) => {
    next += 1;
    waiting.set(next, resolve);
    socket.send(JSON.stringify({ id: next, request: name, data }));
  });
  return {
    got, quotes, beat: () => beat ?? expect.fail('no heartbeat'),
    ask: async (name, data) => {
      const result = await send(name, data);
      return result.ok ? result.value as Requests[typeof name]['answer'] : expect.fail(result.error.what);
    },
    fails: async (name, data) => {
      const result = await send(name, data);
      return result.ok ? expect.fail('no failure') : result.error.what;
    },
  };
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'frontrow-replay-'));
  mkdirSync(join(home, 'data'));
  mkdirSync(join(home, 'page'));
  writeFileSync(join(home, 'page/index.html'), '<title>Frontrow</title>');
  writeFileSync(join(home, 'data/frontrow.json'), JSON.stringify({ indices: ['SPX'] }));
  const streams = { out: () => Promise.resolve(), err: () => {}, terminal: false };
  expect(await ingest.run({ values: { index: 'SPX', data: join(home, 'data') }, positionals: [MINUTES, DAYS] }, streams, new AbortController().signal)).toEqual({ ok: true, value: 0 });
  const settings = await resolveSettings({ values: { data: join(home, 'data') } }, {});
  if (!settings.ok) throw new Error(settings.error.what);
  const opened = await openDesk(settings.value);
  if (!opened.ok) throw new Error(opened.error.what);
  desk = opened.value;
  const served = await serveDesk({ desk, rendererDir: join(home, 'page'), host: '127.0.0.1', port: 0, token: null });
  if (!served.ok) throw new Error(served.error.what);
  gateway = served.value;
}, 60_000);
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await gateway.close();
  await desk.close();
  rmSync(home, { recursive: true, force: true });
});

const spx = async (of: PageView, test_: (quote: QuoteView) => boolean): Promise<QuoteView> => {
  await expect.poll(() => { const quote = of.quotes.get('SPX'); return quote !== undefined && test_(quote); }, { timeout: 10_000, interval: 20 }).toBe(true);
  return of.quotes.get('SPX') ?? expect.fail();
};

test('jumped to instants of two days: prices, change, day and states are those of the file and the calendar; charts and tape end there; all pages follow', async () => {
  const [own, other] = [await page(), await page()];
  expect(own.beat()).toMatchObject({ kind: 'wall' });
  expect(await own.ask('stored', { index: 'SPX' })).toEqual({ fromMicros: String(parseTime('2019-11-05T14:30:00Z')), toMicros: String(parseTime('2019-11-06T21:01:00Z')) });
  for (const [instant, minute, price, close] of [
    ['2019-11-05T14:31:05Z', '11/5/2019 9:31', 'open', '3078.27'], ['2019-11-05T17:00:59Z', '11/5/2019 12:00', 'close', '3078.27'], ['2019-11-06T15:59:14Z', '11/6/2019 10:59', 'open', '3074.62'],
    ['2019-11-06T20:59:59Z', '11/6/2019 15:59', 'close', '3074.62'], ['2019-11-05T20:30:59.5Z', '11/5/2019 15:30', 'close', '3078.27'],
  ] as const) {
    const at = parseTime(instant);
    const view = await own.ask('clock', { atMicros: String(at) });
    expect(view).toMatchObject({ kind: 'replay', nowMicros: String(at), paused: true, live: { kind: 'wall' } });
    const expected = rows.get(minute)?.[price];
    const quote = await spx(own, ({ price: shown, base }) => Number(shown) === Number(expected) && base !== null);
    expect(quote).toMatchObject({ phase: 'open', base: { price: close, kind: 'official' }, source: '1m bars', flags: ['replay'] });
    expect(BigInt(quote.eventMicros ?? '0')).toBeLessThanOrEqual(at);
    await expect.poll(() => other.quotes.get('SPX')?.eventMicros).toBe(quote.eventMicros);
    const chart = await own.ask('history', { index: 'SPX', fromMicros: String(at - 3_600_000_000n), toMicros: String(at + 3_600_000_000n), resolution: 'auto', pixels: 800 });
    expect(chart.times.every((time) => BigInt(time) <= at)).toBe(true);
    // also within a minute whose bar is not whole yet
    expect([chart.times.at(-1), Number(chart.prices.at(-1))]).toEqual([quote.eventMicros, Number(quote.price)]);
    const tape = await own.ask('tape', { index: 'SPX', limit: 5 });
    expect(tape[0]).toMatchObject({ eventMicros: quote.eventMicros, price: quote.price });
  }
  await own.ask('clock', { atMicros: String(parseTime('2019-11-05T23:00:00Z')) });
  expect(await spx(own, ({ price }) => Number(price) === Number(rows.get('11/5/2019 16:00')?.close))).toMatchObject({ state: 'closed', nextOpen: '2019-11-06T14:30:00.000000Z' });
  await expect.poll(() => own.quotes.get('SPX')?.day?.open, { timeout: 5000 }).toMatch(/^3080\.80?$/);
});

test('steps by tick and minute, plays at 600, and goes back to live', async () => {
  const own = await page();
  const start = parseTime('2019-11-06T16:00:00Z');
  await own.ask('clock', { atMicros: String(start) });
  const stepped = await own.ask('clock', { step: { by: 'tick', index: 'SPX', back: false } });
  expect(BigInt(stepped.nowMicros) - start).toBe(15_000_000n);
  const back = await own.ask('clock', { step: { by: 'tick', index: 'SPX', back: true } });
  expect(BigInt(back.nowMicros)).toBe(start);
  const minute = await own.ask('clock', { step: { by: 'minute', index: 'SPX', back: false } });
  expect(BigInt(minute.nowMicros) - start).toBe(MINUTE);
  await spx(own, ({ price }) => Number(price) === Number(rows.get('11/6/2019 11:01')?.open));
  await own.ask('clock', { speed: 600, paused: false });
  const quote = await spx(own, ({ eventMicros }) => BigInt(eventMicros ?? 0) > start + 10n * MINUTE);
  const { time, prices } = { time: new Date(Number(BigInt(quote.eventMicros ?? '0') / 1000n)), prices: rows };
  const bar = prices.get(`11/6/2019 ${time.getUTCHours() - 5}:${String(time.getUTCMinutes()).padStart(2, '0')}`);
  expect(Object.values(bar ?? {}).map(Number)).toContain(Number(quote.price));
  expect(await own.fails('clock', { atMicros: String(parseTime('2200-01-01T00:00:00Z')) })).toContain('not come yet');
  expect(await own.ask('clock', { live: true })).toMatchObject({ kind: 'wall', speed: 1 });
  await spx(own, ({ price, flags }) => price === null && !flags.includes('replay'));
  expect(await own.fails('clock', { paused: true })).toContain('not a replay');
});
