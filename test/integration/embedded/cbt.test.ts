/** The stock `cbt` tool against the embedded store and Google's emulator. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, SERVERS } from './servers.ts';

describe.each(SERVERS)('$name', ({ isStore, start: startServer }) => {
  let server: Server | null = null;
  let skipped = '';

  beforeAll(async () => {
    const found = await promisify(execFile)('cbt', ['version']).catch(() => null);
    const started = found ? await startServer() : { skipped: 'no cbt (gcloud SDK) on this machine' };
    if ('skipped' in started) skipped = started.skipped;
    else server = started;
  });
  afterAll(() => server?.stop());

  const cbt = async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('cbt', ['-project', 'p', '-instance', 'i', ...words], { timeout: 30_000, env: { ...process.env, BIGTABLE_EMULATOR_HOST: server?.address } });
    return stdout;
  };
  const rowsOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !/^-+$/.test(line)).map((line) => line.trim().replace(/\s+@ .*/, ''));

  test('creates, writes, reads, counts and drops', async (context) => {
    if (!server) context.skip(skipped);
    await cbt('createtable', 'quotes', 'families=q:maxage=90d,h:maxversions=1', 'splits=M,T');
    expect((await cbt('ls')).trim()).toBe('quotes');
    await cbt('set', 'quotes', 'SPX#1', 'q:p=3077.06', 'h:s=x');
    await cbt('set', 'quotes', 'SPX#2', 'q:p=3076.78@1700000000000000');
    await cbt('set', 'quotes', 'NKY#1', 'h:p=28139.03@1700000000000000');
    expect(rowsOf(await cbt('read', 'quotes', 'prefix=SPX#', 'count=1', 'columns=q:p'))).toEqual(['SPX#1', 'q:p', '"3077.06"']);
    expect(rowsOf(await cbt('read', 'quotes', 'regex=.*#1', 'columns=h:.*'))).toEqual(['NKY#1', 'h:p', '"28139.03"', 'SPX#1', 'h:s', '"x"']);
    expect(rowsOf(await cbt('read', 'quotes', 'start=SPX', 'end=SPX#2', 'cells-per-column=1')).slice(0, 1)).toEqual(['SPX#1']);
    expect(rowsOf(await cbt('lookup', 'quotes', 'NKY#1'))).toEqual(['NKY#1', 'h:p', '"28139.03"']);
    if (isStore) expect(rowsOf(await cbt('read', 'quotes', 'reversed=true', 'columns=h:.*')).filter((line) => line.includes('#'))).toEqual(['SPX#1', 'NKY#1']);
    await cbt('setgcpolicy', 'quotes', 'h', 'maxage=10d and maxversions=2');
    expect(await cbt('ls', 'quotes')).toMatch(/h\s.*age\(\) > 10d && versions\(\) > 2/);
    await cbt('deletecolumn', 'quotes', 'SPX#1', 'h', 's');
    await cbt('deleterow', 'quotes', 'NKY#1');
    expect((await cbt('count', 'quotes')).trim()).toBe('1'); // SPX#2 is older than its 90 days
    await cbt('deleteallrows', 'quotes');
    expect((await cbt('count', 'quotes')).trim()).toBe('0');
    await cbt('createfamily', 'quotes', 'n');
    await cbt('deletefamily', 'quotes', 'n');
    await cbt('deletetable', 'quotes');
    await expect(cbt('read', 'quotes')).rejects.toMatchObject({ stderr: expect.stringMatching(/NotFound|not found/i) as string });
  }, 240_000);
});
