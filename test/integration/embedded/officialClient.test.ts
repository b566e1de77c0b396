/** What the official client sees of the embedded store and of Google's emulator: one list of expectations for both. */
import type { Bigtable, Table } from '@google-cloud/bigtable';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, flat, type FlatCell, type Server, SERVERS } from './servers.ts';

const T1 = 1_700_000_000_000_000, T2 = 1_700_000_001_000_000;
const key = (index: string, n: number): string => `${index}#${String(n).padStart(4, '0')}`;
const cell = (value: string, timestamp = T1) => ({ value: Buffer.from(value), timestamp });

describe.each(SERVERS)('$name', ({ isStore, start: startServer }) => {
  let server: Server | null = null;
  let skipped = '';
  let client: Bigtable;
  let table: Table;

  beforeAll(async () => {
    const started = await startServer();
    if ('skipped' in started) {
      skipped = started.skipped;
      return;
    }
    server = started;
    client = clientOf(server.address);
    table = client.instance('i').table('quotes');
    await table.create({ families: [{ name: 'h' }, { name: 'q' }] });
    const entries = ['SPX', 'SPX500', 'NKY'].flatMap((index) => Array.from({ length: 5 }, (_, n) => ({ key: key(index, n), data: { q: { p: cell(`${n}.50`), i: cell(`${n}`) } } })));
    await table.insert(entries);
  });
  afterAll(async () => {
    await client?.close().catch(() => undefined);
    await server?.stop();
  });

  const check = (name: string, body: () => Promise<void>): void => {
    test(name, async (context) => {
      if (!server) context.skip(skipped);
      await body();
    });
  };
  const keys = async (options: object): Promise<string[]> => {
    const [rows] = await table.getRows({ decode: false, ...options });
    return rows.map((row) => row.id.toString());
  };
  const cells = async (options: object): Promise<FlatCell[]> => flat((await table.getRows({ decode: false, ...options }))[0]);
  const keysOf = (index: string, from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => key(index, from + i));

  check('a prefix never reads another index, and a limit stops it', async () => {
    expect(await keys({ ranges: [{ start: 'SPX#', end: { value: 'SPX$', inclusive: false } }] })).toEqual(keysOf('SPX', 0, 4));
    expect(await keys({ ranges: [{ start: 'SPX#', end: { value: 'SPX$', inclusive: false } }], limit: 1 })).toEqual([key('SPX', 0)]);
    expect(await keys({ prefix: 'SPX500#', limit: 2 })).toEqual(keysOf('SPX500', 0, 1));
  });

  check('every kind of bound', async () => {
    const range = (start: boolean, end: boolean) => ({ ranges: [{ start: { value: key('SPX', 1), inclusive: start }, end: { value: key('SPX', 3), inclusive: end } }] });
    expect(await keys(range(true, true))).toEqual(keysOf('SPX', 1, 3));
    expect(await keys(range(true, false))).toEqual(keysOf('SPX', 1, 2));
    expect(await keys(range(false, true))).toEqual(keysOf('SPX', 2, 3));
    expect(await keys(range(false, false))).toEqual(keysOf('SPX', 2, 2));
    expect(await keys({ ranges: [{ start: 'SPX500#' }] })).toEqual(keysOf('SPX500', 0, 4));
    expect(await keys({ end: key('NKY', 1) })).toEqual(keysOf('NKY', 0, 1));
  });

  check('keys and overlapping ranges come once each, in key order', async () => {
    expect(await keys({ keys: [key('SPX', 2), key('NKY', 4), 'none'], ranges: [{ start: key('SPX', 1), end: key('SPX', 3) }, { start: key('SPX', 3), end: key('SPX', 4) }] }))
      .toEqual([key('NKY', 4), ...keysOf('SPX', 1, 4)]);
  });

  check('a hundred ranges, most of them empty', async () => {
    const ranges = Array.from({ length: 100 }, (_, n) => ({ start: `X${n}#`, end: { value: `X${n}$`, inclusive: false } }));
    expect(await keys({ ranges: [...ranges, { start: 'NKY#', end: { value: key('NKY', 1), inclusive: false } }] })).toEqual([key('NKY', 0)]);
  });

  check('filters', async () => {
    const ranges = [{ start: key('SPX', 1), end: key('SPX', 1) }];
    const p: FlatCell = [key('SPX', 1), 'q', 'p', '1.50', String(T1)], i: FlatCell = [key('SPX', 1), 'q', 'i', '1', String(T1)];
    expect(await cells({ ranges })).toEqual([i, p]);
    expect(await cells({ ranges, filter: { column: 'p' } })).toEqual([p]);
    expect(await cells({ ranges, filter: [{ family: 'q' }, { column: { cellLimit: 1 } }, { column: /^[ip]$/ }] })).toEqual([i, p]);
    expect(await cells({ ranges, filter: { family: 'h' } })).toEqual([]);
    expect(await cells({ ranges, filter: { column: { family: 'q', start: 'j', end: 'q' } } })).toEqual([p]);
    expect(await cells({ ranges, filter: { value: /1\.5\d/ } })).toEqual([p]);
    expect(await cells({ ranges, filter: { value: { start: '1.5', end: '1.6' } } })).toEqual([p]);
    expect(await cells({ ranges, filter: { value: { strip: true } } })).toEqual([[...i].with(3, ''), [...p].with(3, '')]);
    expect(await cells({ ranges, filter: { row: { cellLimit: 1 } } })).toEqual([i]);
    expect(await cells({ ranges, filter: { row: { cellOffset: 1 } } })).toEqual([p]);
    expect(await keys({ filter: { row: /SPX#000[24]/ } })).toEqual([key('SPX', 2), key('SPX', 4)]);
    expect(await cells({ ranges, filter: { time: { start: new Date(T1 / 1000 + 1) } } })).toEqual([]);
    expect(await cells({ ranges, filter: { condition: { test: [{ column: 'p' }], pass: [{ column: 'i' }], fail: [{ all: true }] } } })).toEqual([i]);
    expect(await cells({ ranges, filter: { interleave: [[{ column: 'p' }, { column: { cellLimit: 1 } }], [{ column: 'i' }, { column: { cellLimit: 1 } }]] } })).toEqual([i, p]);
  });

  check('the same identity again changes nothing; another value at the same version replaces; a newer one comes first', async () => {
    const row = table.row('rewrite');
    const write = (value: string, version: number) => table.insert({ key: 'rewrite', data: { q: { p: cell(value, version) } } });
    await write('1', T1);
    await write('1', T1);
    await write('2', T1);
    await write('3', T2);
    expect(await cells({ keys: ['rewrite'] })).toEqual([['rewrite', 'q', 'p', '3', String(T2)], ['rewrite', 'q', 'p', '2', String(T1)]]);
    await row.deleteCells(['q:p']);
    expect(await cells({ keys: ['rewrite'] })).toEqual([]);
    await table.insert({ key: 'rewrite', data: { q: { p: cell('1') }, h: { p: cell('2') } } });
    await table.mutate({ method: 'delete', key: 'rewrite', data: ['q'] });
    expect(await cells({ keys: ['rewrite'] })).toEqual([['rewrite', 'h', 'p', '2', String(T1)]]);
    await row.delete();
    expect(await keys({ keys: ['rewrite'] })).toEqual([]);
  });

  check('a version finer than a millisecond is refused, and the good rows of its batch are written', async () => {
    const bad = await table.insert([{ key: 'fine', data: { q: { p: cell('1', T1 + 1) } } }, { key: 'whole', data: { q: { p: cell('1') } } }]).catch((error: unknown) => error);
    expect(bad).toMatchObject({ name: 'PartialFailureError', errors: [{ entry: { key: 'fine' } }] });
    expect(await keys({ keys: ['fine', 'whole'] })).toEqual(['whole']);
    await table.row('whole').delete();
  });

  check('writes only where newer, by a value range', async () => {
    const row = table.row('latest');
    const ifOlder = async (value: string): Promise<void> => {
      const filter = [{ column: 'k' }, { column: { cellLimit: 1 } }, { value: { end: value } }];
      await row.filter(filter, { onNoMatch: [{ method: 'insert', data: { q: { k: cell(value) } } }] } as never);
    };
    for (const value of ['5', '7', '3', '4']) await ifOlder(value);
    expect(await cells({ keys: ['latest'] })).toEqual([['latest', 'q', 'k', '3', String(T1)]]);
    await row.delete();
  });

  check('increments and appends', async () => {
    const row = table.row('counter');
    await row.increment('q:n', 5);
    await row.increment('q:n', -2);
    await row.createRules([{ column: 'q:s', append: 'a' }, { column: 'q:s', append: 'b' }]);
    const [, n, s] = [null, ...(await cells({ keys: ['counter'], filter: { column: { cellLimit: 1 } } }))];
    expect(n?.[3]).toBe('3'); // 8 bytes, which the client reads as a number
    expect(s?.[3]).toBe('ab');
    await row.delete();
  });

  check('age and version rules hide at once what they collect', async () => {
    const kept = client.instance('i').table('kept');
    await kept.create({ families: [{ name: 'q', rule: { union: true, versions: 1, age: { seconds: 3600, nanos: 0 } } as never }] });
    const now = Math.floor(Date.now() / 1000) * 1_000_000;
    await kept.insert([{ key: 'old', data: { q: { p: cell('1', now - 7_200_000_000) } } }, { key: 'new', data: { q: { p: cell('1', now - 2_000_000) } } }]);
    await kept.insert({ key: 'new', data: { q: { p: cell('2', now) } } });
    // Google's emulator shows recent cells for minutes, as the service may.
    if (isStore) expect(flat((await kept.getRows({ decode: false }))[0])).toEqual([['new', 'q', 'p', '2', String(now)]]);
    const [metadata] = await kept.getMetadata();
    expect(Object.keys(metadata.columnFamilies ?? {})).toEqual(['q']);
    await kept.delete();
  });

  check('administration: families, prefixes, lists', async () => {
    const other = client.instance('other').table('t');
    await other.create({ families: ['a', 'b'], splits: [Buffer.from('m')] as never });
    expect((await client.instance('other').getTables())[0].map(({ id }) => id)).toEqual(['t']);
    await other.createFamily('c');
    await other.family('a').delete();
    expect((await other.getFamilies())[0].map(({ id }) => id).toSorted()).toEqual(['b', 'c']);
    await other.insert(['x1', 'x2', 'y1'].map((id) => ({ key: id, data: { b: { p: cell('1') } } })));
    await other.deleteRows('x');
    expect((await other.getRows())[0].map((row) => row.id)).toEqual(['y1']);
    expect(await other.exists()).toEqual([true]);
    await other.truncate();
    expect((await other.getRows())[0]).toEqual([]);
    await other.waitForReplication();
    await other.delete();
    expect(await other.exists()).toEqual([false]);
    if (isStore) expect(await client.instance('i').exists()).toEqual([true]);
  });

  check('dropped and made again, a family holds nothing of before', async () => {
    await table.createFamily('f');
    await table.insert({ key: 'family', data: { f: { p: cell('1') } } });
    await table.family('f').delete();
    await table.createFamily('f');
    if (isStore) expect(await cells({ keys: ['family'] })).toEqual([]); // the emulator shows the old cell again
    await table.family('f').delete();
  });

  check('a missing table, and ranges that run backwards', async () => {
    await expect(client.instance('i').table('nope').getRows()).rejects.toMatchObject({ code: 5, message: expect.stringMatching(/table.*not found/i) as string });
    await expect(table.getRows({ ranges: [{ start: 'b', end: 'a' }] })).rejects.toMatchObject({ code: 3 });
  });

  check('a value of many chunks comes back whole', async () => {
    const value = Buffer.alloc(5 * 1024 * 1024 + 17, 'frontrow ');
    await table.insert({ key: 'large', data: { q: { p: { value, timestamp: T1 }, z: cell('behind') } } });
    const [rows] = await table.getRows({ keys: ['large'], decode: false });
    const [p, z] = flat(rows);
    expect(p?.[3] === value.toString()).toBe(true);
    expect(z?.[3]).toBe('behind');
    await table.row('large').delete();
  });
});
