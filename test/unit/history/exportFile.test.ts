import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PageContext } from '../../../electron/bigtable/pages.ts';
import { exportFile, type Files } from '../../../electron/history/exportFile.ts';
import { type Format, printedPages } from '../../../electron/history/printed.ts';
import { failed, problem } from '../../../shared/result.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { micros, MIN_MICROS } from '../../../shared/time.ts';
import { memoryTable } from '../feed/memoryTable.ts';

const SPX = indexIdOf('SPX');
const NOW = micros(1_800_000_000_000_000n);
const EMPTY = problem('NOT_FOUND', 'nothing', 'look elsewhere');
const ROWS = 9_000;
/** Sources are foreign text: what a CSV must quote, and what it need not. */
const SOURCES = ['feed', 'a,"b"', 'two\nlines', '', 'naïve – 株', 'c\r\nd'];
let folder: string;
let file: string;
let table: ReturnType<typeof memoryTable>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'frontrow-export-'));
  file = join(folder, 'spx.out');
  table = memoryTable();
  for (let n = 0; n < ROWS; n += 1) table.put(tickKey(SPX, micros(NOW - BigInt(n) * 1_000_000n), n % 3), { 'q:p': `${n + 1}.5`, ...(n % 2 === 0 ? { 'q:s': SOURCES[(n / 2) % SOURCES.length] ?? '' } : {}) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => writeFileSync(file, 'old'));

const context = (): PageContext => ({ reader: table.reader, clock: { kind: 'wall', now: () => NOW, elapsed: () => 0, speed: () => 1, note: () => null }, retentionDays: 90 });
const pages = (format: Format, signal = new AbortController().signal) =>
  printedPages(context(), { index: SPX, from: MIN_MICROS, to: NOW, limit: 0, order: 'newest', signal }, 'tick', format);
const run = (format: Format, files?: Files, source = pages(format), signal?: AbortSignal) => exportFile(file, source, format, { empty: EMPTY, ...(files ? { files } : {}), ...(signal ? { signal } : {}) });

/** What `history` prints of the same span. */
const printed = async (): Promise<Record<string, unknown>[]> => {
  const lines: string[] = [];
  for await (const page of pages('json')) if (page.ok) lines.push(page.value.text);
  return lines.join('\n').split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('a whole file', () => {
  test('of CSV holds the rows of history, read back by another parser', async () => {
    expect(await run('csv')).toMatchObject({ ok: true, value: { rows: ROWS, bytes: readFileSync(file).length } });
    const rows = parse(readFileSync(file), { columns: true }) as unknown as Record<string, string>[];
    expect(rows).toEqual((await printed()).map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value as string | number)]))));
    expect(readdirSync(folder)).toEqual(['spx.out']);
  });

  test('of JSON is an array of the same', async () => {
    expect(await run('json')).toMatchObject({ ok: true, value: { rows: ROWS } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await printed());
  });
});

/** The file system, but for what `change` does to the temporary file. */
const filesWith = (change: Partial<FileHandle>): Files => ({
  rename, unlink,
  open: async (path, flags) => {
    const handle = await open(path, flags);
    return new Proxy(handle, { get: (target, name) => {
      const found: unknown = Reflect.get(change, name) ?? Reflect.get(target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    } });
  },
});
const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

describe('nothing is left behind, and the old file stays', () => {
  const cases: [string, () => ReturnType<typeof exportFile>, string][] = [
    ['a full disk', () => run('csv', filesWith({ write: () => Promise.reject(full) })), 'BAD_INPUT'],
    ['a disk that fails at the flush', () => run('csv', filesWith({ sync: () => Promise.reject(full) })), 'BAD_INPUT'],
    ['a disk that gives other bytes back', () => run('csv', filesWith({ read: (() => Promise.resolve({ bytesRead: 0 })) as unknown as FileHandle['read'] })), 'INTERNAL'],
    ['a name that can not be given', () => run('csv', { open, unlink, rename: () => Promise.reject(full) }), 'BAD_INPUT'],
    ['a read that fails on the way', () => run('csv', undefined, (async function* () {
      let count = 0;
      for await (const page of pages('csv')) yield (count += 1) === 2 ? failed(problem('STORE_UNREACHABLE', 'gone', 'wait')) : page;
    })()), 'STORE_UNREACHABLE'],
    ['no rows', () => run('csv', undefined, (async function* () {})()), 'NOT_FOUND'],
  ];
  test.each(cases)('%s', async (_, attempt, code) => {
    expect(await attempt()).toMatchObject({ ok: false, error: { code } });
    expect(readdirSync(folder)).toEqual(['spx.out']);
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  test('cancelled half way', async () => {
    const stop = new AbortController();
    const slow = (async function* () {
      for await (const page of pages('csv', stop.signal)) {
        yield page;
        stop.abort();
      }
    })();
    expect(await run('csv', undefined, slow, stop.signal)).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(readdirSync(folder)).toEqual(['spx.out']);
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  test('a folder that is not there', async () => {
    expect(await exportFile(join(folder, 'none', 'x.csv'), pages('csv'), 'csv', { empty: EMPTY })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
  });
});
