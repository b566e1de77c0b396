/** Whoever can write to the table can write anything: the host goes on, and good prices stay right. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreAddress } from '../../../electron/bigtable/reader.ts';
import { createWriter } from '../../../electron/bigtable/writer.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';
import { frontrow, serving } from './commandLine.ts';

let home: string;
let address: string;
let store: Awaited<ReturnType<typeof serving>>;
let host: Awaited<ReturnType<typeof serving>>;
let stderr = '';

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'frontrow-hostile-'));
  store = await serving(['store', '--memory', '--json'], home);
  address = String(store.first['address']);
  expect((await frontrow(['init', '--emulator', address], home)).code).toBe(0);
  host = await serving(['serve', '--json', '--no-open', '--port', '0', '--emulator', address], home);
  host.child.stderr?.on('data', (chunk: Buffer) => { stderr += chunk.toString(); });
});
afterAll(async () => {
  expect(await host?.stop()).toBe(0);
  await store?.stop();
  rmSync(home, { recursive: true, force: true });
});

const now = (): bigint => BigInt(Date.now()) * 1000n;
const tick = (id: string, cells: Readonly<Record<string, string>>, time = now()): readonly [string, Readonly<Record<string, string>>, 'q' | 'm'] => [tickKey(indexIdOf(id), micros(time), 0), cells, 'q'];

async function write(rows: readonly (readonly [key: string, cells: Readonly<Record<string, string>>, family: 'q' | 'm'])[]): Promise<void> {
  const target: StoreAddress = { kind: 'emulator', project: 'frontrow', instance: 'frontrow', table: 'quotes', appProfile: null, endpoint: address };
  const writer = createWriter(target, { deadlineMs: 10_000 });
  expect(await writer.write(rows.map(([key, cells, family]) => ({ key, cells: Object.entries(cells).map(([qualifier, value]) => ({ family, qualifier, value })) })), now())).toMatchObject({ failed: [] });
  await writer.close();
}

const healthz = async (): Promise<number> => (await fetch(new URL('/healthz', String(host.first['url'])))).status;
const priceOf = async (id: string): Promise<unknown> => {
  const { stdout } = await frontrow(['latest', id, '--json', '--emulator', address], home);
  return stdout === '' ? null : (JSON.parse(stdout) as { price: unknown }).price;
};

const BAD: readonly string[] = ['NaN', 'Infinity', '1e5', '', ' 5', '1,234.5', '0x10', '9'.repeat(41), '1'.repeat(2_000_000), '\u0000', '6512.37\n'];

test('prices that are none never show; the last good one stays', async () => {
  await write(BAD.flatMap((price, at) => [tick(`BAD${at}`, { p: '10.5' }, now() - 2_000_000n), tick(`BAD${at}`, { p: price }), tick(`ONLY${at}`, { p: price })]));
  await write([tick('BARE', { p: '10.5' }, now() - 2_000_000n), tick('BARE', { v: '3' }), tick('LONG', { p: '10.5' }, now() - 2_000_000n), tick('LONG', { p: '11', s: 'x'.repeat(100_000) })]);
  for (const id of [...BAD.map((_, at) => `BAD${at}`), 'BARE', 'LONG']) expect([id, await priceOf(id)]).toEqual([id, '10.5']);
  for (const at of BAD.keys()) {
    // rows that are there but say no price are not "no rows"
    const { code, stdout, stderr: said } = await frontrow(['latest', `ONLY${at}`, '--emulator', address], home);
    expect([code, stdout, said]).toEqual([1, '', expect.stringMatching(new RegExp(`^frontrow: BAD_DATA: no row of ONLY${at} can be read`))]);
  }
  expect(await healthz()).toBe(200);
});

test('keys and registry rows that are none are passed over', async () => {
  await write([
    ...['spx#9221575963345775807#999999', '\u001B[31m#9221575963345775807#999999', '<IMG SRC=X>#9221575963345775807#999999', 'SPX\n#1', 'GARBAGE#abc', '#', Buffer.from('\u{1F4A5}').toString('latin1')].map((key) => [key, { p: '666' }, 'q'] as const),
    ['!index#GOOD', { name: '<script>alert(1)</script>', zone: 'Nowhere/Else', mic: 'XXXX', decimals: '-5' }, 'm'], ['!index#', { name: 'x' }, 'm'], ['!index#lower case', { name: 'x' }, 'm'],
    tick('GOOD', { p: '1.25', i: 'soon', n: '12345' }), tick('FUTURE', { p: '9999' }, now() + 3_600_000_000n),
  ]);
  const { code, stdout } = await frontrow(['latest', '--emulator', address], home);
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/666|9999|IMG|\u001B/);
  expect(stdout).toMatch(/^FUTURE +- .*nodata/m);
  expect(await healthz()).toBe(200);
});

test('the host said nothing that is not one printable line', () => {
  // oxlint-disable-next-line no-control-regex -- none may reach a log
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
  expect(stderr).not.toContain('    at ');
});
