/** Reads against servers whose every answer the test writes. */
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../../../electron/bigtable/connect.ts';
import { MAX_RANGES, type Reader, type ReadRequest, type StoreAddress } from '../../../electron/bigtable/reader.ts';
import { type ReadCall, rowOf, type ScriptedServer, startScripted } from './scriptedServer.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const addressOf = (endpoint: string): StoreAddress => ({ kind: 'embedded', project: 'p', instance: 'i', table: 't', appProfile: null, endpoint });
const all: ReadRequest = { ranges: [{ start: 'a', end: 'z' }], deadlineMs: 5000 };

async function serving(answer: (call: ReadCall) => void): Promise<{ server: ScriptedServer; reader: Reader }> {
  const server = await startScripted(answer);
  const reader = connect(addressOf(server.address));
  open.push(server, reader);
  return { server, reader };
}

const refusing = (code: number, details: string) => serving((call) => call.emit('error', { code, details }));

describe('an answer', () => {
  test('rows of many messages come in order, as bytes', async () => {
    const { reader } = await serving((call) => {
      call.write({ chunks: [rowOf('b', 'ä'), rowOf('c')] });
      call.write({ chunks: [rowOf('d')] });
      call.end();
    });
    const outcome = await reader.read(all);
    expect(outcome).toMatchObject({ ok: true, rows: [{ key: 'b' }, { key: 'c' }, { key: 'd' }] });
    expect(outcome.rows[0]?.cells.get('q:p')).toEqual({ value: Buffer.from('ä'), version: 1000n });
  });

  test('of a column that a server sends twice, the newest cell counts', async () => {
    const { reader } = await serving((call) => {
      call.write({ chunks: [{ ...rowOf('b', 'new'), timestampMicros: 2000, commitRow: false }, { timestampMicros: 1000, value: Buffer.from('old'), commitRow: true }] });
      call.end();
    });
    expect((await reader.read(all)).rows[0]?.cells.get('q:p')).toEqual({ value: Buffer.from('new'), version: 2000n });
  });

  test('request fields arrive', async () => {
    const { server, reader } = await serving((call) => call.end());
    expect(await reader.read({ ...all, ranges: [...all.ranges, { start: 'x', end: 'y\0' }], limit: 3, families: ['q', 'h'] })).toMatchObject({ ok: true, rows: [] });
    const request = server.calls[0]?.call.request;
    expect(request?.tableName).toBe('projects/p/instances/i/tables/t');
    expect(Number(request?.rowsLimit)).toBe(3);
    expect(request?.rows?.rowRanges?.map((range) => [Buffer.from(range.startKeyClosed ?? '').toString(), Buffer.from(range.endKeyOpen ?? '').toString()])).toEqual([['a', 'z'], ['x', 'y\0']]);
    expect(request?.filter?.chain?.filters?.[0]?.familyNameRegexFilter).toBe('q|h');
  });

  test.each<[string, ReadRequest]>([
    ['no range', { ...all, ranges: [] }],
    ['more ranges than a request may have', { ...all, ranges: Array.from({ length: MAX_RANGES + 1 }, () => ({ start: 'a', end: 'b' })) }],
    ['an empty start, which would mean the whole table', { ...all, ranges: [{ start: '', end: 'b' }] }],
    ['an empty end', { ...all, ranges: [{ start: 'a', end: '' }] }],
    ['an inverted range', { ...all, ranges: [{ start: 'b', end: 'a' }] }],
    ['a key that is not bytes', { ...all, ranges: [{ start: 'a', end: '€' }] }],
    ['half a row', { ...all, limit: 0.5 }],
    ['no deadline', { ...all, deadlineMs: 0 }],
    ['an endless deadline', { ...all, deadlineMs: Infinity }],
  ])('%s is refused without a call', async (_, request) => {
    const { server, reader } = await serving((call) => call.end());
    expect(await reader.read(request)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    expect(server.calls).toHaveLength(0);
  });
});

describe('a failure', () => {
  test('keeps the rows that were committed, and tells how far it came', async () => {
    const { reader } = await serving((call) => {
      call.write({ chunks: [rowOf('b'), rowOf('c'), { ...rowOf('d'), commitRow: false }] });
      setTimeout(() => call.emit('error', { code: 14, details: 'tablet moved' }), 100);
    });
    expect(await reader.read(all)).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE', retryable: true }, rows: [{ key: 'b' }, { key: 'c' }], scannedTo: 'c' });
  });

  test('counts keys that the server scanned without a match', async () => {
    const { reader } = await serving((call) => {
      call.write({ chunks: [rowOf('b')] });
      call.write({ lastScannedRowKey: Buffer.from('m') });
      setTimeout(() => call.emit('error', { code: 14, details: 'gone' }), 100);
    });
    expect(await reader.read(all)).toMatchObject({ ok: false, rows: [{ key: 'b' }], scannedTo: 'm' });
  });

  test.each([
    [5, 'Table not found: projects/p/instances/i/tables/t', 'TABLE_MISSING', /no table t in instance i/],
    [5, 'table "projects/p/instances/i/tables/t" not found', 'TABLE_MISSING', /no table t in instance i/],
    [5, 'Instance not found: projects/p/instances/i', 'TABLE_MISSING', /no Bigtable instance i/],
    [5, 'App profile not found: projects/p/instances/i/appProfiles/x', 'TABLE_MISSING', /no app profile/],
    [5, 'Requested column family not found: q', 'FAMILY_MISSING', /column family/],
    [7, 'Access denied. Missing IAM permission: bigtable.tables.readRows.', 'CREDENTIALS_REFUSED', /may not use/],
    [7, 'Cloud Bigtable API has not been used in project 1 before or it is disabled.', 'CREDENTIALS_REFUSED', /API is off/],
    [16, 'Request had invalid authentication credentials.', 'CREDENTIALS_REFUSED', /did not accept/],
    [16, 'The access token has expired', 'CREDENTIALS_EXPIRED', /expired/],
    [8, 'Quota exceeded', 'STORE_BUSY', /load or quota/],
    [13, 'Received RST_STREAM with code 2', 'STORE_UNREACHABLE', /RST_STREAM/],
    [13, 'boom', 'INTERNAL', /boom/],
    [3, 'bad range', 'INTERNAL', /bad range/],
    [12, 'unknown method', 'BAD_INPUT', /does not serve/],
  ])('status %i "%s" is %s', async (code, details, expected, words) => {
    const { reader } = await refusing(code, details);
    const outcome = await reader.read(all);
    expect(outcome).toMatchObject({ ok: false, error: { code: expected }, rows: [], scannedTo: null });
    expect(outcome.ok ? '' : outcome.error.what).toMatch(words);
    expect(outcome.ok ? '' : outcome.error.next).not.toBe('');
  });

  test.each<[string, (call: ReadCall) => void]>([
    ['rows out of order', (call) => call.write({ chunks: [rowOf('c'), rowOf('b')] })],
    ['a row that never ends', (call) => call.write({ chunks: [{ ...rowOf('c'), commitRow: false }] })],
  ])('%s is BAD_DATA', async (_, write) => {
    const { reader } = await serving((call) => {
      write(call);
      call.end();
    });
    expect(await reader.read(all)).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
  });

  test('nothing listens', async () => {
    const { server, reader } = await serving((call) => call.end());
    server.close();
    expect(await reader.read(all)).toMatchObject({ ok: false, error: { code: 'STORE_UNREACHABLE', retryable: true } });
  });

  test('something else listens', async () => {
    const { createServer } = await import('node:http');
    const web = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => void web.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => web.close() });
    const port = (web.address() as { port: number }).port;
    const reader = connect(addressOf(`127.0.0.1:${port}`));
    open.push(reader);
    const outcome = await reader.read({ ...all, deadlineMs: 3000 });
    expect(outcome).toMatchObject({ ok: false });
    expect(['STORE_UNREACHABLE', 'STORE_TIMEOUT']).toContain(outcome.ok ? '' : outcome.error.code);
  });
});

describe('the deadline', () => {
  test('ends a read that gets no answer, with the rows so far', async () => {
    const { reader } = await serving((call) => void call.write({ chunks: [rowOf('b')] }));
    expect(await reader.read({ ...all, deadlineMs: 300 })).toMatchObject({ ok: false, error: { code: 'STORE_TIMEOUT', retryable: true, what: expect.stringContaining('300 ms') }, rows: [{ key: 'b' }], scannedTo: 'b' });
  });

  test('reaches the server', async () => {
    const { server, reader } = await serving((call) => call.end());
    await reader.read({ ...all, deadlineMs: 60_000 });
    const deadline = Number(server.calls[0]?.call.getDeadline());
    expect(deadline).toBeGreaterThan(Date.now() + 30_000);
    expect(deadline).toBeLessThanOrEqual(Date.now() + 61_000);
  });

  test('a connection on which reads run out one after the other is replaced', async () => {
    const peers = new Set<string>();
    const { reader } = await serving((call) => void peers.add(call.getPeer()));
    for (let read = 0; read < 6; read++) await reader.read({ ...all, deadlineMs: 100 });
    expect(peers.size).toBeGreaterThan(1);
  });

  test('a connection that answers is kept', async () => {
    const peers = new Set<string>();
    let calls = 0;
    const { reader } = await serving((call) => {
      peers.add(call.getPeer());
      if (calls++ % 2 === 0) call.end();
    });
    for (let read = 0; read < 8; read++) await reader.read({ ...all, deadlineMs: 200 });
    expect(peers.size).toBe(1);
  });
});

describe('cancelling', () => {
  /** Resolves with the call once the server has it, and with its end by cancellation. */
  async function pending() {
    const begun = Promise.withResolvers<ReadCall>();
    const ended = Promise.withResolvers<{ finished: boolean }>();
    const { reader } = await serving((call) => {
      // grpc-js emits `cancelled` at normal ends too; then the stream to the client is finished.
      call.on('cancelled', () => ended.resolve({ finished: call.writableFinished }));
      call.write({ chunks: [rowOf('b')] });
      begun.resolve(call);
    });
    return { reader, begun: begun.promise, ended: ended.promise };
  }

  test('ends the call on the server', async () => {
    const { reader, begun, ended } = await pending();
    const stop = new AbortController();
    const outcome = reader.read({ ...all, deadlineMs: 60_000, signal: stop.signal });
    const call = await begun;
    expect(call.cancelled).toBe(false);
    stop.abort();
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(await ended).toEqual({ finished: false });
    expect(call.cancelled).toBe(true);
  });

  test('closing ends every call on the server, and later reads', async () => {
    const { reader, begun, ended } = await pending();
    const outcome = reader.read({ ...all, deadlineMs: 60_000 });
    await begun;
    await reader.close();
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'CANCELLED', what: 'the connection was closed' } });
    expect(await ended).toEqual({ finished: false });
    expect(await reader.read(all)).toMatchObject({ ok: false, error: { code: 'CANCELLED', what: 'the connection was closed' } });
  });

  test('an answer that breaks the protocol ends the call on the server too', async () => {
    const ended = Promise.withResolvers<boolean>();
    const { reader } = await serving((call) => {
      call.on('cancelled', () => ended.resolve(call.writableFinished));
      call.write({ chunks: [{ commitRow: true }] });
    });
    expect(await reader.read({ ...all, deadlineMs: 60_000 })).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
    expect(await ended.promise).toBe(false);
  });

  test('an aborted signal stops a read before it starts', async () => {
    const { server, reader } = await serving((call) => call.end());
    expect(await reader.read({ ...all, signal: AbortSignal.abort() })).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(server.calls).toHaveLength(0);
  });

  test('after a normal end the signal is let go', async () => {
    const { reader } = await serving((call) => call.end());
    const stop = new AbortController();
    expect(await reader.read({ ...all, signal: stop.signal })).toMatchObject({ ok: true });
    stop.abort();
    expect(await reader.read(all)).toMatchObject({ ok: true });
  });
});

test('renewing dials anew', async () => {
  const peers = new Set<string>();
  const { reader } = await serving((call) => {
    peers.add(call.getPeer());
    call.end();
  });
  expect(await reader.read(all)).toMatchObject({ ok: true });
  expect(await reader.read(all)).toMatchObject({ ok: true });
  expect(peers.size).toBe(1);
  reader.renew();
  expect(await reader.read(all)).toMatchObject({ ok: true });
  expect(peers.size).toBe(2);
});
