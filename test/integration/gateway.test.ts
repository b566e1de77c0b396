import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { type RawData, WebSocket } from 'ws';
import type { Message } from '../../shared/channels.ts';
import { parseMessage } from '../../shared/schemas.ts';
import { FEED_LIMITS } from '../../electron/gateway/feedSocket.ts';
import { type Gateway, type GatewayOptions, serveDesk } from '../../electron/gateway/serveDesk.ts';
import { type FakeDesk, fakeDesk, healthView, quoteView } from '../fixtures/fakeDesk.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontrow-gateway-'));
const rendererDir = join(folder, 'renderer');
mkdirSync(join(rendererDir, 'assets'), { recursive: true });
mkdirSync(join(folder, 'renderer-secret'));
writeFileSync(join(rendererDir, 'index.html'), '<title>Frontrow</title>');
writeFileSync(join(rendererDir, 'assets/index-abc.js'), 'export {}');
writeFileSync(join(folder, 'renderer-secret/x.js'), 'secret');
writeFileSync(join(folder, 'secret.js'), 'secret');
afterAll(() => rmSync(folder, { recursive: true }));

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function host(options: Partial<GatewayOptions> = {}): Promise<{ desk: FakeDesk; gateway: Gateway; url: string; port: number }> {
  const desk = fakeDesk();
  const served = await serveDesk({ desk, rendererDir, host: '127.0.0.1', port: 0, token: null, ...options });
  if (!served.ok) throw new Error(served.error.what);
  open.push(served.value);
  const port = Number(new URL(served.value.url).port);
  return { desk, gateway: served.value, url: `http://127.0.0.1:${port}/`, port };
}

interface Answer { status: number; headers: IncomingHttpHeaders; body: string }
/** A plain request, so that Host and path go out as they are. */
function ask(port: number, path: string, { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString() : '');

interface Viewer { socket: WebSocket; got: Message[]; replies: { id: number; result: unknown }[]; closed: Promise<number> }
async function view(port: number, options: { headers?: Record<string, string>; origin?: string } = {}): Promise<Viewer> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/feed`, options);
  const viewer: Viewer = { socket, got: [], replies: [], closed: new Promise((resolve) => socket.on('close', resolve)) };
  socket.on('message', (data) => {
    const value = JSON.parse(textOf(data)) as object;
    if ('id' in value) viewer.replies.push(value as Viewer['replies'][number]);
    else viewer.got.push(value as Message);
  });
  open.push({ close: () => socket.terminate() });
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve());
    socket.on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))));
    socket.on('error', reject);
  });
  return viewer;
}

describe('start', () => {
  test('a port in use is a Problem', async () => {
    const { port } = await host();
    expect(await serveDesk({ desk: fakeDesk(), rendererDir, host: '127.0.0.1', port, token: null })).toMatchObject({ ok: false, error: { code: 'PORT_IN_USE' } });
  });
  test.each(['0.0.0.0', '::', '192.0.2.1', 'desk.example'])('%s is refused without a token', async (name) => {
    expect(await serveDesk({ desk: fakeDesk(), rendererDir, host: name, port: 0, token: null })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', next: expect.stringContaining('--token') } });
  });
  test('so is an empty token, and an address of another machine', async () => {
    expect((await serveDesk({ desk: fakeDesk(), rendererDir, host: '127.0.0.1', port: 0, token: '' })).ok).toBe(false);
    expect(await serveDesk({ desk: fakeDesk(), rendererDir, host: '192.0.2.1', port: 0, token: 't' })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
  });
});

describe('HTTP', () => {
  test('/healthz says 200, or 503 with the failing part', async () => {
    const { port, desk } = await host();
    expect(await ask(port, '/healthz')).toMatchObject({ status: 200, body: '{"ok":true}\n' });
    desk.part = 'store';
    expect(await ask(port, '/healthz')).toMatchObject({ status: 503, body: '{"ok":false,"failing":"store"}\n' });
  });
  test('/metrics is Prometheus text with viewers', async () => {
    const { port } = await host();
    await view(port);
    const { status, headers, body } = await ask(port, '/metrics');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(body).toContain('frontrow_reads_total 5\n');
    expect(body).toContain('\nfrontrow_viewers 1\n');
  });
  test('/ is the page, under the same policy as in the app', async () => {
    const { port } = await host();
    const { status, headers, body } = await ask(port, '/');
    expect([status, body, headers['content-type']]).toEqual([200, '<title>Frontrow</title>', 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain(`default-src 'none'; script-src 'self'`);
    expect(headers['content-security-policy']).toContain(`connect-src 'self' ws://127.0.0.1:${port} wss://127.0.0.1:${port};`);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'cache-control': 'no-cache' });
    expect((await ask(port, '/assets/index-abc.js')).headers['cache-control']).toContain('immutable');
    expect(await ask(port, '/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });
  test.each(['/../secret.js', '/%2e%2e/secret.js', '/..%2fsecret.js', '/..%5csecret.js', '/../renderer-secret/x.js', '/assets/../../secret.js', '/%252e%252e%252fsecret.js', '//etc/passwd', '/gone.js', '/assets', '/assets/', 'http://evil.example/secret.js'])('%s is not found', async (path) => {
    const { port } = await host();
    expect(await ask(port, path)).toMatchObject({ status: 404, body: 'not found\n' });
  });
  test('only reads are answered', async () => {
    const { port } = await host();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await ask(port, '/', { method })).status).toBe(405);
  });
  test('another name (DNS rebinding) or another site is refused everywhere', async () => {
    const { port } = await host();
    for (const path of ['/', '/healthz', '/metrics']) {
      expect((await ask(port, path, { headers: { host: `evil.example:${port}` } })).status).toBe(403);
      expect((await ask(port, path, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    }
  });
});

describe('the feed', () => {
  test('sends everything at once, then changes in sequence, each as {channel, sequence, data}', async () => {
    const { port, desk } = await host();
    const { got } = await view(port);
    await vi.waitUntil(() => got.length === 5);
    desk.emit('quotes', { kind: 'changes', quotes: [quoteView('SPX', '3075.01')] });
    await vi.waitUntil(() => got.length === 6);
    expect(got.map(({ channel, sequence }) => `${channel} ${sequence}`)).toEqual(['heartbeat 0', 'indices 0', 'quotes 0', 'health 0', 'calendar 0', 'quotes 1']);
    for (const message of got) expect(parseMessage(message)).toEqual({ ok: true, value: message });
  });
  test('answers requests by id, refuses what breaks the contract, and the desk never hears of it', async () => {
    const { port, desk } = await host();
    const { socket, replies } = await view(port);
    socket.send(JSON.stringify({ id: 1, request: 'tape', data: { index: 'SPX', limit: 5 } }));
    socket.send(JSON.stringify({ id: 2, request: 'tape', data: { index: 'SPX', limit: -5 } }));
    socket.send(JSON.stringify({ id: 3, request: 'shutdown', data: {} }));
    socket.send(JSON.stringify({ id: 4, request: 'history', data: { index: 'NONE', fromMicros: '0', toMicros: '1', resolution: 'auto', pixels: 10 } }));
    await vi.waitUntil(() => replies.length === 4);
    const byId = new Map(replies.map((reply) => [reply.id, reply.result]));
    expect(byId.get(1)).toMatchObject({ ok: true, value: [{ price: '3074.62' }] });
    expect(byId.get(2)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    expect(byId.get(3)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    expect(byId.get(4)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(desk.asked.map((asked) => asked.name)).toEqual(['tape', 'history']);
  });
  test.each([['no JSON', 'hello'], ['no id', '{"request":"tape"}'], ['a bad id', '{"id":"1","request":"tape"}'], ['null', 'null'], ['bytes', Buffer.from([1, 2])]])('%s ends the connection, not the host', async (_what, sent) => {
    const { port, desk } = await host();
    const { socket, closed } = await view(port);
    socket.send(sent);
    expect(await closed).toBe(1008);
    await vi.waitUntil(() => desk.viewers() === 0);
  });
  test('a message over 64 KiB ends it too', async () => {
    const { port, desk } = await host();
    const { socket, closed } = await view(port);
    socket.send(JSON.stringify({ id: 1, request: 'watch', data: { indices: ['x'.repeat(70_000)] } }));
    expect(await closed).toBe(1009);
    await vi.waitUntil(() => desk.viewers() === 0);
  });
  test('has a limit of requests waiting', async () => {
    const { port, desk } = await host({ limits: { ...FEED_LIMITS, waiting: 2 } });
    desk.answer = () => new Promise(() => {});
    const { socket, replies } = await view(port);
    for (const id of [1, 2, 3]) socket.send(JSON.stringify({ id, request: 'watch', data: { indices: [] } }));
    await vi.waitUntil(() => replies.length === 1);
    expect(replies).toMatchObject([{ id: 3, result: { ok: false, error: { code: 'STORE_BUSY', retryable: true } } }]);
  });
  test('refuses other sites and names, other paths, and viewers beyond the limit', async () => {
    const { port } = await host({ maxViewers: 1 });
    await expect(view(port, { origin: 'http://evil.example' })).rejects.toThrow('403');
    await expect(view(port, { origin: 'null' })).rejects.toThrow('403');
    await expect(view(port, { headers: { host: 'evil.example' } })).rejects.toThrow('403');
    await expect(new Promise((resolve, reject) => new WebSocket(`ws://127.0.0.1:${port}/other`).on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode)))).on('open', resolve))).rejects.toThrow('404');
    await view(port, { origin: `http://127.0.0.1:${port}` });
    await expect(view(port)).rejects.toThrow('503');
  });
  test('a viewer that reads too slowly loses messages and gets everything again once it has caught up', async () => {
    const { port, desk } = await host({ limits: { ...FEED_LIMITS, highBytes: 200_000, lowBytes: 50_000 } });
    const slow = await view(port);
    const brisk = await view(port);
    await vi.waitUntil(() => slow.got.length === 5);
    slow.socket.pause();
    const quotes = Array.from({ length: 500 }, (_, i) => quoteView(`I${i}`));
    const emit = async (): Promise<void> => {
      desk.emit('quotes', { kind: 'changes', quotes });
      await new Promise((resolve) => setImmediate(resolve));
    };
    // Each is about 250 kB: the kernel's buffers fill, then ours does, up to its limit.
    for (let i = 0; i < 200; i++) await emit();
    const dropped = async (): Promise<number> => Number(/frontrow_viewer_dropped_messages_total (\d+)/.exec((await ask(port, '/metrics')).body)?.[1]);
    await vi.waitUntil(async () => (await dropped()) > 0, { timeout: 20_000 });
    slow.socket.resume();
    await vi.waitUntil(() => desk.log.includes('resync'), { timeout: 20_000 });
    await vi.waitUntil(() => slow.got.filter((message) => message.channel === 'quotes' && 'kind' in message.data && message.data.kind === 'snapshot').length === 2, { timeout: 20_000 });
    const sequences = slow.got.filter((message) => message.channel === 'quotes').map((message) => message.sequence);
    expect(sequences.length).toBeLessThan(202); // some were lost
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    await vi.waitUntil(() => brisk.got.filter((message) => message.channel === 'quotes').length >= 100, { timeout: 20_000 });
  });
  test('a viewer that answers no ping is cut off', async () => {
    const { port, desk } = await host({ limits: { ...FEED_LIMITS, pingMs: 100 } });
    const { socket } = await view(port);
    socket.pause(); // reads nothing, so it can't answer
    await vi.waitUntil(() => desk.viewers() === 0, { timeout: 10_000 });
  });
  test('an event that breaks the contract reaches nobody', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { port, desk } = await host();
    const { got } = await view(port);
    desk.emit('health', healthView({ link: 'odd' as never }));
    desk.emit('health', healthView({ errors: 9 }));
    await vi.waitUntil(() => got.some((message) => message.channel === 'health' && message.data.errors === 9));
    expect(got.filter((message) => message.channel === 'health')).toHaveLength(2);
    write.mockRestore();
  });
  test('closing says goodbye and frees the port', async () => {
    const { port, gateway } = await host();
    const { closed } = await view(port);
    await gateway.close();
    expect(await closed).toBe(1001);
    const again = await serveDesk({ desk: fakeDesk(), rendererDir, host: '127.0.0.1', port, token: null });
    expect(again.ok).toBe(true);
    if (again.ok) await again.value.close();
  });
});

describe('with a token', () => {
  const token = 'correct horse';
  const bearer = { authorization: `Bearer ${encodeURIComponent(token)}` };
  const start = () => host({ token: encodeURIComponent(token) });
  const form = (given: string) => ({ method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams({ token: given }).toString() });
  const cookieOf = (answer: Answer): string => (answer.headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? '';

  test('nothing is served without it, not even which part fails', async () => {
    const { port, desk } = await start();
    desk.part = 'store';
    for (const path of ['/', '/metrics', '/assets/index-abc.js', '/gone']) expect((await ask(port, path)).status).toBe(401);
    expect(await ask(port, '/healthz')).toMatchObject({ status: 503, body: '{"ok":false}\n' });
    expect((await ask(port, '/healthz', { headers: bearer })).body).toContain('"failing":"store"');
    await expect(view(port)).rejects.toThrow('401');
    await expect(view(port, { headers: { authorization: 'Bearer wrong' } })).rejects.toThrow('401');
  });
  test('a program gives it in a header', async () => {
    const { port } = await start();
    expect((await ask(port, '/metrics', { headers: bearer })).status).toBe(200);
    await view(port, { headers: bearer });
  });
  test('a query never counts: it would be logged', async () => {
    const { port } = await start();
    for (const path of [`/?token=${encodeURIComponent(encodeURIComponent(token))}`, `/login?token=${token.replace(' ', '+')}`, `/metrics?token=${token.replace(' ', '+')}`]) {
      const { headers, status } = await ask(port, path);
      expect([status === 200 && !path.startsWith('/login'), headers['set-cookie']]).toEqual([false, undefined]);
    }
  });
  test('a person gives it in a form, and a cookie stands for it', async () => {
    const { port } = await start();
    const asked = await ask(port, '/', { headers: { accept: 'text/html' } });
    expect([asked.status, asked.body]).toEqual([401, expect.stringContaining('<form method="post" action="/login">')]);
    expect((await ask(port, '/login', form('wrong'))).status).toBe(401);
    const login = await ask(port, '/login', form(encodeURIComponent(token)));
    expect([login.status, login.headers.location]).toEqual([303, '/']);
    const cookie = cookieOf(login);
    expect((await ask(port, '/', { headers: { cookie } })).body).toContain('<title>Frontrow');
    await view(port, { headers: { cookie } });
    await expect(view(port, { headers: { cookie }, origin: 'http://evil.example' })).rejects.toThrow('403');
  });
  test('the browser that we open logs in by a code that works once', async () => {
    const { port, gateway } = await start();
    expect(gateway.url).not.toContain('code');
    const { pathname, search } = new URL(gateway.openUrl());
    expect(search).not.toContain(token);
    expect((await ask(port, pathname + search, { method: 'HEAD' })).status).toBe(200);
    const first = await ask(port, pathname + search);
    expect(first.status).toBe(303);
    expect((await ask(port, '/', { headers: { cookie: cookieOf(first) } })).status).toBe(200);
    expect((await ask(port, pathname + search)).status).toBe(401);
  });
  test('guessing stops after ten tries, large forms at once, other sites before', async () => {
    const { port } = await start();
    expect((await ask(port, '/login', { ...form('x'.repeat(5_000)) })).status).toBe(413);
    expect((await ask(port, '/login', { ...form(token), headers: { origin: 'http://evil.example' } })).status).toBe(403);
    for (let i = 0; i < 10; i++) expect((await ask(port, '/login', form('guess'))).status).toBe(401);
    expect((await ask(port, '/login', form(encodeURIComponent(token)))).status).toBe(429);
    await expect(view(port, { headers: { authorization: 'Bearer guess' } })).rejects.toThrow('429');
  });
});
