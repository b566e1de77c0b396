import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectSocket, feedUrl } from '../../../../renderer/store/socket.ts';

class FakeSocket extends EventTarget {
  static made: FakeSocket[] = [];
  readyState = 0;
  readonly sent: string[] = [];
  constructor() {
    super();
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  opens(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
  says(value: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: typeof value === 'string' ? value : JSON.stringify(value) }));
  }
}
const last = (): FakeSocket => FakeSocket.made.at(-1)!;
const connect = () => connectSocket({ url: 'ws://host/feed', random: () => 1, open: () => new FakeSocket() as unknown as WebSocket });
const beat = { channel: 'heartbeat', sequence: 1, data: { kind: 'wall', nowMicros: '1', speed: 1, paused: false, note: null } };

beforeEach(() => {
  FakeSocket.made = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test('the feed lies beside the page', () => {
  expect(feedUrl({ protocol: 'http:', host: '127.0.0.1:7007' })).toBe('ws://127.0.0.1:7007/feed');
  expect(feedUrl({ protocol: 'https:', host: 'desk.example' })).toBe('wss://desk.example/feed');
});

test('messages reach the listener, broken ones do not', () => {
  const heard = vi.fn();
  connect().subscribe(heard);
  last().opens();
  last().says(beat);
  last().says({ channel: 'quotes', sequence: 1, data: {} });
  expect(heard).toHaveBeenCalledExactlyOnceWith(beat);
});

test('reconnects with growing, bounded waits, and at once-ish after a success', async () => {
  connect().subscribe(() => {});
  const waits: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    const made = FakeSocket.made.length;
    last().close();
    let waited = 0;
    while (FakeSocket.made.length === made) {
      await vi.advanceTimersByTimeAsync(50);
      waited += 50;
    }
    waits.push(waited);
  }
  expect(waits[0]).toBe(100);
  expect(waits[1]).toBe(200);
  expect(Math.max(...waits)).toBe(2000);
  last().opens();
  last().close();
  const made = FakeSocket.made.length;
  await vi.advanceTimersByTimeAsync(100);
  expect(FakeSocket.made.length).toBe(made + 1);
});

test('a host that accepts and says nothing is given up after the connect deadline', async () => {
  connect().subscribe(() => {});
  await vi.advanceTimersByTimeAsync(5200);
  expect(FakeSocket.made.length).toBe(2);
  expect(FakeSocket.made[0]?.readyState).toBe(3);
});

test('requests wait for the connection, are numbered, and get their own answers', async () => {
  const market = connect();
  const first = market.request('watch', { indices: ['SPX'] });
  const second = market.request('clock', { speed: 2 });
  last().opens();
  expect(last().sent.map((text) => JSON.parse(text) as unknown)).toEqual([
    { id: 1, request: 'watch', data: { indices: ['SPX'] } }, { id: 2, request: 'clock', data: { speed: 2 } },
  ]);
  last().says({ id: 2, result: { ok: false, error: { code: 'BAD_INPUT', what: 'x', next: 'y', retryable: false } } });
  last().says({ id: 1, result: { ok: true, value: null } });
  expect(await first).toEqual({ ok: true, value: null });
  expect(await second).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
});

test('a request ends by its deadline, or with the connection it was sent on', async () => {
  const market = connect();
  const never = market.request('watch', { indices: [] });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await never).toMatchObject({ ok: false, error: { code: 'STORE_TIMEOUT', retryable: true } });
  last().opens();
  const cut = market.request('watch', { indices: [] });
  last().close();
  expect(await cut).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE' } });
});

test('what waits is bounded', async () => {
  const market = connect();
  for (let at = 0; at < 64; at += 1) void market.request('watch', { indices: [] });
  expect(await market.request('watch', { indices: [] })).toMatchObject({ ok: false, error: { code: 'STORE_BUSY' } });
});

test('unsubscribing closes; subscribing again is a new connection', () => {
  const market = connect();
  const stop = market.subscribe(() => {});
  last().opens();
  stop();
  expect(last().readyState).toBe(3);
  market.subscribe(() => {});
  expect(FakeSocket.made.length).toBe(2);
});
