/** What survives: kills, a second process, damage, and a folder that cannot be used. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runningStore, startStore } from '../../../electron/embedded/startStore.ts';
import { clientOf, startEmbedded } from './servers.ts';

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

test('every acknowledged write is there after a kill, and no half row', async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round++) {
    const { child, line, ended } = await storeProcess();
    const client = clientOf(line.address ?? '');
    const table = client.instance('i').table('t');
    if (round === 0) await table.create({ families: ['q'] });
    const stopped = new AbortController();
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; !stopped.signal.aborted; n++) {
        const id = `${round}-${writer}-${n}`;
        try {
          await table.insert([{ key: id, data: { q: { a: CELL, b: CELL, c: CELL } } }], { gaxOptions: { maxRetries: 0, timeout: 2000 } } as never);
          acknowledged.push(id);
        } catch {
          return;
        }
      }
    };
    const writers = [0, 1, 2, 3].map(write);
    await new Promise((resolve) => setTimeout(resolve, 150 + 70 * round));
    child.kill('SIGKILL');
    await ended;
    stopped.abort();
    await client.close();
    await Promise.race([Promise.all(writers), new Promise((resolve) => setTimeout(resolve, 5000))]);
  }
  const server = await startEmbedded(data);
  const client = clientOf(server.address);
  const [rows] = await client.instance('i').table('t').getRows({ decode: false });
  const found = new Set(rows.map((row) => row.id.toString()));
  expect(acknowledged.length).toBeGreaterThan(20);
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  for (const row of rows) expect(Object.keys((row.data as { q: object }).q)).toEqual(['a', 'b', 'c']);
  await client.close();
  await server.stop();
}, 120_000);

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
  const good = async (): Promise<void> => {
    const server = await startEmbedded(data);
    const client = clientOf(server.address);
    await client.instance('i').table('t').create({ families: ['q'] });
    await client.instance('i').table('t').insert(Array.from({ length: 2000 }, (_, n) => ({ key: `k${n}`, data: { q: { a: CELL } } })));
    await client.close();
    await server.stop();
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
