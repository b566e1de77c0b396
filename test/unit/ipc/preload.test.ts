import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { IPC, type Market } from '../../../shared/channels.ts';

const renderer = Object.assign(new EventEmitter(), { invoke: vi.fn(async () => ({ ok: true, value: null })) });
const exposed = new Map<string, Market>();
vi.mock('electron', () => ({ ipcRenderer: renderer, contextBridge: { exposeInMainWorld: (name: string, value: Market) => void exposed.set(name, value) } }));
await import('../../../electron/preload/preload.ts');
const market = exposed.get('market')!;
beforeEach(() => void renderer.invoke.mockClear());

test('exposes window.market, exactly the contract, and nothing else', () => {
  expect([...exposed.keys()]).toEqual(['market']);
  expect(Object.keys(market).sort()).toEqual(['host', 'request', 'subscribe'] satisfies (keyof Market)[]);
  expect(market.host).toBe('electron');
});

test('a listener gets the message alone, never the event that leads to ipcRenderer', () => {
  const listener = vi.fn();
  const stop = market.subscribe(listener);
  renderer.emit(IPC.message, { sender: renderer, ports: [] }, { channel: 'indices', sequence: 0, data: [] });
  expect(listener.mock.calls).toEqual([[{ channel: 'indices', sequence: 0, data: [] }]]);
  stop();
  renderer.emit(IPC.message, {}, { channel: 'indices', sequence: 1, data: [] });
  expect(listener).toHaveBeenCalledOnce();
});

test('opens for each subscriber, closes after the last, and unsubscribing twice is no harm', () => {
  const listener = vi.fn();
  const [one, two] = [market.subscribe(listener), market.subscribe(listener)];
  expect(renderer.invoke.mock.calls).toEqual([[IPC.open], [IPC.open]]);
  one();
  one();
  expect(renderer.invoke).toHaveBeenCalledTimes(2);
  two();
  two();
  expect(renderer.invoke.mock.calls.slice(2)).toEqual([[IPC.close]]);
});

test('requests go through as name and payload', async () => {
  expect(await market.request('watch', { indices: ['SPX'] })).toEqual({ ok: true, value: null });
  expect(renderer.invoke).toHaveBeenCalledExactlyOnceWith(IPC.request, 'watch', { indices: ['SPX'] });
});
