import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { IPC, type Message } from '../../../shared/channels.ts';
import { serveIpc } from '../../../electron/ipc/serveIpc.ts';
import { fakeDesk, healthView } from '../../fixtures/fakeDesk.ts';

const ORIGIN = 'app://frontrow/index.html';
const page = { url: ORIGIN, parent: null };

class Contents extends EventEmitter {
  readonly sent: Message[] = [];
  destroyed = false;
  send(channel: string, message: Message): void {
    expect(channel).toBe(IPC.message);
    this.sent.push(message);
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
}

function host(desk = fakeDesk()) {
  const handlers = new Map<string, (event: unknown, ...given: unknown[]) => unknown>();
  const disconnect = serveIpc({ handle: (name: string, handler: never) => void handlers.set(name, handler) }, { desk, origin: ORIGIN });
  const call = async (contents: Contents, name: string, ...given: unknown[]): Promise<unknown> => handlers.get(name)?.({ sender: contents, senderFrame: page }, ...given);
  const callFrom = async (senderFrame: unknown): Promise<unknown> => handlers.get(IPC.request)?.({ sender: new Contents(), senderFrame }, 'watch', { indices: [] });
  return { desk, handlers, call, callFrom, disconnect };
}

const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
beforeEach(() => void log.mockClear());

describe('who may call', () => {
  test('exactly the calls of the contract are handled', () => {
    expect([...host().handlers.keys()].sort()).toEqual([IPC.close, IPC.open, IPC.request]);
  });
  test.each([
    ['a sub-frame', { url: ORIGIN, parent: page }],
    ['another origin', { url: 'https://evil.example/', parent: null }],
    ['a sibling host', { url: 'app://frontrow.evil/index.html', parent: null }],
    ['a host that begins alike', { url: 'app://frontrow2/index.html', parent: null }],
    ['user info', { url: 'app://frontrow@evil/index.html', parent: null }],
    ['an empty address', { url: '', parent: null }],
    ['about:blank', { url: 'about:blank', parent: null }],
    ['about:srcdoc', { url: 'about:srcdoc', parent: null }],
    ['a data: page', { url: 'data:text/html,hi', parent: null }],
    ['a file', { url: 'file:///etc/passwd', parent: null }],
    ['a frame that is gone', null],
  ])('%s is refused, and the desk hears nothing', async (_who, frame) => {
    const { callFrom, desk } = host();
    expect(await callFrom(frame)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    expect(desk.asked).toEqual([]);
    expect(desk.viewers()).toBe(0);
    expect(log).toHaveBeenCalledOnce();
  });
});

describe('a page', () => {
  test('gets everything at once, then what changes, in sequence', async () => {
    const { call, desk } = host();
    const contents = new Contents();
    expect(await call(contents, IPC.open)).toEqual({ ok: true, value: null });
    expect(contents.sent.map((message) => message.channel)).toEqual(['heartbeat', 'indices', 'quotes', 'health', 'calendar']);
    desk.emit('health', healthView({ errors: 1 }));
    expect(contents.sent.at(-1)).toEqual({ channel: 'health', sequence: 1, data: healthView({ errors: 1 }) });
  });
  test('that subscribes twice has one connection and gets everything again', async () => {
    const { call, desk } = host();
    const contents = new Contents();
    await call(contents, IPC.open);
    await call(contents, IPC.open);
    expect(desk.viewers()).toBe(1);
    expect(contents.sent.filter((message) => message.channel === 'quotes')).toHaveLength(2);
  });
  test('that only asks gets no messages until it subscribes', async () => {
    const { call } = host();
    const contents = new Contents();
    expect(await call(contents, IPC.request, 'tape', { index: 'SPX', limit: 5 })).toMatchObject({ ok: true });
    expect(contents.sent).toEqual([]);
    await call(contents, IPC.open);
    expect(contents.sent).toHaveLength(5);
  });
  test.each([
    ['closes its subscription', (contents: Contents, call: (contents: Contents, name: string) => unknown) => call(contents, IPC.close)],
    ['is reloaded', (contents: Contents) => contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false })],
    ['crashes', (contents: Contents) => contents.emit('render-process-gone', {}, { reason: 'crashed' })],
    ['is destroyed', (contents: Contents) => contents.emit('destroyed')],
  ])('that %s is disconnected, and another may come', async (_how, end) => {
    const { call, desk } = host();
    const contents = new Contents();
    await call(contents, IPC.open);
    await end(contents, call);
    expect(desk.viewers()).toBe(0);
    await call(contents, IPC.open);
    expect(desk.viewers()).toBe(1);
  });
  test('that moves within itself stays connected', async () => {
    const { call, desk } = host();
    const contents = new Contents();
    await call(contents, IPC.open);
    contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true });
    expect(desk.viewers()).toBe(1);
  });
  test('has at most 32 requests waiting', async () => {
    const desk = fakeDesk();
    desk.answer = () => new Promise(() => {});
    const { call } = host(desk);
    const contents = new Contents();
    for (let i = 0; i < 32; i++) void call(contents, IPC.request, 'watch', { indices: [] });
    expect(await call(contents, IPC.request, 'watch', { indices: [] })).toMatchObject({ ok: false, error: { code: 'STORE_BUSY', retryable: true } });
  });
  test('of a host that quits is disconnected', async () => {
    const { call, desk, disconnect } = host();
    await call(new Contents(), IPC.open);
    await call(new Contents(), IPC.open);
    disconnect();
    expect(desk.viewers()).toBe(0);
  });
});

describe('both ways', () => {
  test('a request that breaks the contract never reaches the desk', async () => {
    const { call, desk } = host();
    for (const given of [[], ['watch'], ['nothing', {}], ['tape', { index: 'SPX', limit: 1e9 }], ['watch', { indices: ['SPX'] }, 'more']]) {
      expect(await call(new Contents(), IPC.request, ...given)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    }
    expect(desk.asked).toEqual([]);
  });
  test('an event that breaks it never reaches a page, and is logged once', async () => {
    const { call, desk } = host();
    const contents = new Contents();
    await call(contents, IPC.open);
    for (let i = 0; i < 3; i++) desk.emit('health', healthView({ readsPerSecond: Number.NaN }));
    expect(contents.sent).toHaveLength(5);
    expect(log).toHaveBeenCalledOnce();
  });
  test('an answer that breaks it, or a desk that throws, becomes a Result', async () => {
    const desk = fakeDesk();
    const { call } = host(desk);
    desk.answer = async () => ({ ok: true, value: [{ price: 1 }] });
    expect(await call(new Contents(), IPC.request, 'tape', { index: 'SPX', limit: 5 })).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
    desk.answer = () => Promise.reject(new Error('password=hunter2'));
    const thrown = await call(new Contents(), IPC.request, 'tape', { index: 'SPX', limit: 5 });
    expect(thrown).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
    expect(JSON.stringify(thrown)).not.toContain('hunter2');
  });
});
