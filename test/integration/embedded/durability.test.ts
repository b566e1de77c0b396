/** What survives: kills, a second process, damage, and a folder that cannot be used. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runningStore, startStore } from '../../../electron/embedded/startStore.ts';
import { openFolder } from '../../../electron/embedded/database.ts';
import { rawClient } from './rawClient.ts';
import { clientOf, startEmbedded } from './servers.ts';

const KILLS = 50;
/** Whether a command of the system went well. */
const done = (command: string, ...words: string[]): boolean => spawnSync(command, words).status === 0;

let data: string;
let children: ChildProcess[] = [];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'frontrow-store-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(data, { recursive: true, force: true });
});

/** A store process on `data`, and its first line. */
async function storeProcess(): Promise<{ child: ChildProcess; line: { address?: string; code?: string; what?: string }; ended: Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writingStore.ts'), data], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const text = await new Promise<string>((resolve) => child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString())));
  return { child, line: JSON.parse(text) as { address?: string }, ended };
}

const file = (): string => join(data, 'store.sqlite');
const CELL = { value: Buffer.from('123.45'), timestamp: 1_700_000_000_000_000 };

/** Writes rows of three cells until the process goes; adds the id of each that was acknowledged. */
async function writeUntilKilled(address: string, round: number, acknowledged: string[], killAfterMs: number, kill: () => Promise<void>): Promise<void> {
  const client = rawClient(address);
  const stopped = new AbortController();
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; !stopped.signal.aborted; n++) {
      const id = `${round}-${writer}-${n}`;
      const mutations = ['a', 'b', 'c'].map((name) => ({ setCell: { familyName: 'q', columnQualifier: Buffer.from(name), timestampMicros: 1_700_000_000_000_000, value: Buffer.from(id) } }));
      if (!(await client.mutateRow({ tableName: TABLE, rowKey: Buffer.from(id), mutations })).ok) return;
      acknowledged.push(id);
    }
  };
  const writers = [0, 1, 2, 3].map(write);
  // From the first answer on, so that a slow machine writes, too.
  while (acknowledged.every((id) => !id.startsWith(`${round}-`))) await new Promise((resolve) => setTimeout(resolve, 2));
  await new Promise((resolve) => setTimeout(resolve, killAfterMs));
  await kill();
  stopped.abort();
  client.close(); // ends what waits for an answer
  await Promise.race([Promise.all(writers), new Promise((resolve) => setTimeout(resolve, 2000))]);
}

/** What of `acknowledged` the store on `folder` lacks; every row it has must be whole. */
async function missingFrom(folder: string, acknowledged: readonly string[]): Promise<string[]> {
  const server = await startEmbedded(folder);
  const client = rawClient(server.address);
  const answer = await client.read({ tableName: TABLE });
  client.close();
  await server.stop();
  if (!answer.ok) throw new Error(answer.details);
  const rows = new Map(answer.messages[0]?.rows.map(({ key, cells }) => [key, cells]));
  for (const [key, cells] of rows) expect(cells.map(([, qualifier, , value]) => [qualifier, value])).toEqual(['a', 'b', 'c'].map((name) => [name, key]));
  return acknowledged.filter((id) => !rows.has(id));
}

const TABLE = 'projects/p/instances/i/tables/t';
const makeTable = async (address: string): Promise<void> => {
  const client = rawClient(address);
  expect(await client.createTable({ parent: 'projects/p/instances/i', tableId: 't', table: { columnFamilies: { q: {} } } })).toMatchObject({ ok: true });
  client.close();
};

test('every acknowledged write is there after 50 kills at any moment, and no half row', async () => {
  const first = await storeProcess();
  await makeTable(first.line.address ?? '');
  first.child.kill('SIGTERM'); // an end that also keeps what it compiled, for the fifty to start with
  await first.ended;
  const acknowledged: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    const { child, line, ended } = await storeProcess();
    await writeUntilKilled(line.address ?? '', round, acknowledged, (round * 7) % 60, async () => {
      child.kill('SIGKILL');
      await ended;
    });
  }
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expect(await missingFrom(data, acknowledged)).toEqual([]);
}, 300_000);

test('what was acknowledged needs no page that was not synced', async () => {
  // A power cut keeps of the log what was synced and of the rest anything: here nothing, or garbage, behind what it had at the last answer.
  const { child, line, ended } = await storeProcess();
  await makeTable(line.address ?? '');
  const acknowledged: string[] = [];
  const wal = join(data, 'store.sqlite-wal');
  const client = rawClient(line.address ?? '');
  const mutations = (id: string) => ['a', 'b', 'c'].map((name) => ({ setCell: { familyName: 'q', columnQualifier: Buffer.from(name), timestampMicros: 1_700_000_000_000_000, value: Buffer.from(id) } }));
  for (let n = 0; n < 40; n++) {
    expect(await client.mutateRow({ tableName: TABLE, rowKey: Buffer.from(`r${n}`), mutations: mutations(`r${n}`) })).toMatchObject({ ok: true });
    acknowledged.push(`r${n}`);
  }
  const [HEADER, FRAME] = [32, 24 + 8192];
  const written = readFileSync(wal).findLastIndex((byte) => byte !== 0); // it was given its length beforehand, in zeros
  const synced = HEADER + Math.ceil((written + 1 - HEADER) / FRAME) * FRAME;
  const pending = client.mutateRow({ tableName: TABLE, rowKey: Buffer.from('later'), mutations: mutations('later') });
  child.kill('SIGKILL');
  await ended;
  client.close();
  await pending;
  for (const tail of [Buffer.alloc(0), Buffer.alloc(5000, 0x5a), Buffer.alloc(24 + 8192)]) {
    const copy = mkdtempSync(join(tmpdir(), 'frontrow-cut-'));
    try {
      writeFileSync(join(copy, 'store.sqlite'), readFileSync(file()));
      writeFileSync(join(copy, 'store.sqlite-wal'), Buffer.concat([readFileSync(wal).subarray(0, synced), tail]));
      expect(await missingFrom(copy, acknowledged)).toEqual([]);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
});

test('the settings that make a commit durable are those of the open store', () => {
  const opened = openFolder(data);
  if (!opened.ok) throw new Error(opened.error.what);
  const setting = (name: string): unknown => Object.values(opened.value.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  expect([setting('journal_mode'), setting('synchronous'), setting('locking_mode')]).toEqual(['wal', 2, 'exclusive']);
  opened.value.close();
});

test('a full disk refuses writes, keeps serving reads, and takes writes again when there is room', async (context) => {
  if (!done('mount', '-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', data)) context.skip('no small file system could be mounted (needs root)');
  try {
    const server = await startEmbedded(data);
    await makeTable(server.address);
    const client = rawClient(server.address);
    const value = Buffer.alloc(100_000, 'x');
    const put = (n: number) => client.mutateRow({ tableName: TABLE, rowKey: Buffer.from(`k${String(n).padStart(3, '0')}`), mutations: [{ setCell: { familyName: 'q', columnQualifier: Buffer.from('a'), timestampMicros: 0, value } }] });
    let written = 0;
    let answer = await put(written);
    while (answer.ok && written < 100) answer = await put(++written);
    expect(written).toBeGreaterThan(3);
    expect(answer).toMatchObject({ ok: false, code: 8, details: expect.stringContaining('full') as string });
    const keys = async (): Promise<string[]> => {
      const rows = await client.read({ tableName: TABLE, filter: { stripValueTransformer: true } });
      return rows.ok ? rows.messages[0]?.rows.map(({ key }) => key) ?? [] : [`${rows.code} ${rows.details}`];
    };
    const kept = Array.from({ length: written }, (_, n) => `k${String(n).padStart(3, '0')}`);
    expect(await keys()).toEqual(kept);
    expect(done('mount', '-o', 'remount,size=16m', data)).toBe(true);
    expect(await put(written)).toMatchObject({ ok: true });
    expect(await keys()).toHaveLength(written + 1);
    client.close();
    await server.stop();
  } finally {
    done('umount', data);
  }
});

test('one process per folder: the second is told the address of the first; a killed holder leaves nothing behind', async () => {
  expect(runningStore(data)).toBeNull();
  const { child, line, ended } = await storeProcess();
  expect(line.address).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(runningStore(data)).toBe(line.address);
  const second = await startStore({ data, port: 0 });
  expect(second).toMatchObject({ ok: false, error: { code: 'DATA_FOLDER_LOCKED', what: expect.stringContaining(line.address ?? '?') as string } });
  expect(runningStore(data)).toBe(line.address);
  child.kill('SIGKILL');
  await ended;
  expect(runningStore(data)).toBeNull();
  const third = await startEmbedded(data);
  expect(runningStore(data)).toBe(third.address);
  expect(await startStore({ data, port: 0 })).toMatchObject({ ok: false, error: { code: 'DATA_FOLDER_LOCKED' } });
  expect(runningStore(data)).toBe(third.address);
  await third.stop();
  expect(runningStore(data)).toBeNull();
});

test('a stop by SIGTERM leaves one file with all of it', async () => {
  const { child, line, ended } = await storeProcess();
  const client = clientOf(line.address ?? '');
  await client.instance('i').table('t').create({ families: ['q'] });
  await client.instance('i').table('t').insert({ key: 'k', data: { q: { a: CELL } } });
  await client.close();
  child.kill('SIGTERM');
  await ended;
  expect(child.exitCode).toBe(0);
  expect(readdirSync(data).toSorted()).toEqual(['lock', 'store.sqlite']);
});

describe('a file that is not a good store is refused and left byte for byte', () => {
  const garbage = Buffer.alloc(20_000, 'not a database ');
  const foreign = (): void => {
    const database = new DatabaseSync(file());
    database.exec('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)');
    database.close();
  };
  let stored: Buffer | null = null;
  const good = async (): Promise<void> => {
    if (stored) {
      writeFileSync(file(), stored);
      return;
    }
    const server = await startEmbedded(data);
    const client = clientOf(server.address);
    await client.instance('i').table('t').create({ families: ['q'] });
    await client.instance('i').table('t').insert(Array.from({ length: 2000 }, (_, n) => ({ key: `k${n}`, data: { q: { a: CELL } } })));
    await client.close();
    await server.stop();
    stored = readFileSync(file());
  };
  test.each<[string, () => void | Promise<void>]>([
    ['garbage', () => writeFileSync(file(), garbage)],
    ['an empty file', () => writeFileSync(file(), '')],
    ["another program's database", foreign],
    ['a store cut short', async () => {
      await good();
      truncateSync(file(), Math.floor(statSync(file()).size / 2));
    }],
    ['a store with a damaged page', async () => {
      await good();
      const bytes = readFileSync(file());
      bytes.fill(0xa5, 16_384, 40_960);
      writeFileSync(file(), bytes);
    }],
    ['a store of a later format', async () => {
      await good();
      const database = new DatabaseSync(file());
      database.exec('PRAGMA user_version = 99');
      database.close();
    }],
  ])('%s', async (_, make) => {
    await make();
    const before = readFileSync(file());
    expect(await startStore({ data, port: 0 })).toMatchObject({ ok: false, error: { code: 'DATA_FOLDER_CORRUPT', what: expect.stringContaining(file()) as string } });
    expect(readFileSync(file()).equals(before)).toBe(true);
    expect(readdirSync(data).toSorted()).toEqual(['lock', 'store.sqlite']);
  });
});

test('a path that is a file, or lies below one, and a port in use, are told', async () => {
  const inTheWay = join(data, 'file');
  writeFileSync(inTheWay, 'mine');
  for (const path of [inTheWay, join(inTheWay, 'below')]) expect(await startStore({ data: path, port: 0 })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: expect.stringContaining(path) as string } });
  expect(readFileSync(inTheWay, 'utf8')).toBe('mine');
  const listener = createServer();
  const port = await new Promise<number>((resolve) => listener.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port)));
  mkdirSync(join(data, 'new'));
  expect(await startStore({ data: join(data, 'new'), port })).toMatchObject({ ok: false, error: { code: 'PORT_IN_USE', what: expect.stringContaining(String(port)) as string } });
  listener.close();
  const free = await startEmbedded(join(data, 'new')); // the failed start has let go of the folder
  await free.stop();
});
