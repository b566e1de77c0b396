import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../../../shared/channels.ts';
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import type { Desk } from '../../../electron/desk/desk.ts';
import { createLateDesk } from '../../../electron/desk/lateDesk.ts';
import { parseMessage } from '../../../shared/schemas.ts';
import { fakeDesk, healthView } from '../../fixtures/fakeDesk.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const health = healthView({ link: 'connecting', readMs: null });
const locked = problem('DATA_FOLDER_LOCKED', 'in use', 'close the other one', true);

function late(open: () => Promise<Result<Desk>>) {
  const desk = createLateDesk({ open, health, wallMillis: () => 1_573_050_000_000 });
  const got: Message[] = [];
  const connection = desk.connect((message) => void got.push(message));
  const last = (channel: Message['channel']): Message | undefined => got.findLast((message) => message.channel === channel);
  return { desk, got, connection, last };
}

describe('before the real desk', () => {
  test('a page hears that it connects, and a heartbeat each second', async () => {
    const { desk, got } = late(() => new Promise(() => {}));
    desk.start();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(got.map((message) => message.channel)).toEqual(['health', 'heartbeat', 'heartbeat', 'heartbeat']);
    expect(got.map((message) => parseMessage(message).ok)).toEqual([true, true, true, true]);
    expect(got[0]?.data).toMatchObject({ link: 'connecting' });
    expect(desk.failing()).toBe('starting');
    expect(desk.metrics()).toBe('');
  });
  test('requests fail as worth repeating, but what it watches is kept', async () => {
    const real = fakeDesk();
    const opened = Promise.withResolvers<Result<Desk>>();
    const { desk, connection } = late(() => opened.promise);
    desk.start();
    expect(await connection.request('tape', { index: 'SPX', limit: 1 })).toMatchObject({ ok: false, error: { retryable: true } });
    expect(await connection.request('watch', { indices: ['SPX'] })).toEqual(ok(null));
    opened.resolve(ok(real));
    await vi.advanceTimersByTimeAsync(0);
    expect(real.asked).toEqual([{ name: 'watch', request: { indices: ['SPX'] } }]);
  });
});

describe('the real desk', () => {
  test('takes every page over, sequences counting on', async () => {
    const real = fakeDesk();
    const { desk, got, connection } = late(async () => ok(real));
    desk.start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(got.map(({ channel, sequence }) => `${channel} ${sequence}`)).toEqual(['health 0', 'heartbeat 0', 'heartbeat 1', 'indices 0', 'quotes 0', 'health 1', 'calendar 0']);
    expect(desk.failing()).toBeNull();
    desk.resume();
    connection.resync();
    connection.close();
    expect(real.viewers()).toBe(0);
    await desk.close();
    expect(real.log).toEqual(['resume', 'resync', 'connection closed', 'closed']);
  });
  test('serves pages that come later without a detour', async () => {
    const { desk } = late(async () => ok(fakeDesk()));
    desk.start();
    await vi.advanceTimersByTimeAsync(0);
    const got: Message[] = [];
    desk.connect((message) => void got.push(message));
    expect(got.map((message) => message.channel)).toEqual(['heartbeat', 'indices', 'quotes', 'health', 'calendar']);
  });
});

describe('a start that fails', () => {
  test('is a state on screen, tried again with growing pauses up to 10 s, until it works', async () => {
    let tries = 0;
    const { desk, last } = late(async () => (++tries < 7 ? failed(locked) : ok(fakeDesk())));
    desk.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(last('health')?.data).toMatchObject({ link: 'broken', problem: locked });
    expect(desk.failing()).toBe('start: DATA_FOLDER_LOCKED');
    await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000 + 8_000 + 10_000);
    expect(tries).toBe(6);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(last('health')?.data).toMatchObject({ link: 'live', problem: null });
  });
  test('also when it throws', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { desk, last } = late(() => Promise.reject(new TypeError('boom')));
    desk.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(last('health')?.data).toMatchObject({ problem: { code: 'INTERNAL' } });
    write.mockRestore();
  });
  test('is tried at once after the machine woke up, and only once at a time', async () => {
    let tries = 0;
    const { desk } = late(async () => (tries++, failed(locked)));
    desk.start();
    desk.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(tries).toBe(1);
    desk.resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(tries).toBe(2);
  });
  test('ends with the app: nothing is tried or left open afterwards', async () => {
    const real = fakeDesk();
    const opened = Promise.withResolvers<Result<Desk>>();
    const { desk } = late(() => opened.promise);
    desk.start();
    const closing = desk.close();
    opened.resolve(ok(real));
    await closing;
    expect(real.log).toEqual(['closed']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
