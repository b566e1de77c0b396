/** `init`, `latest`, `history`, `keys`, `replay`, `store` and `serve` as scripts meet them: every field, its type, order and exit code. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreAddress, WriteRow } from '../../../electron/bigtable/reader.ts';
import { createWriter } from '../../../electron/bigtable/writer.ts';
import { barKey, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { parseTime } from '../../../shared/time.ts';
import { frontrow, serving } from './commandLine.ts';

const SX5E = join(import.meta.dirname, '../../../electron/ingest/data/lean_SX5E_1min_20240730_trade.csv');

let home: string;
let store: Awaited<ReturnType<typeof serving>>;
let address: string;

const run = (...words: string[]) => frontrow([...words, '--emulator', address], home);
/** The lines of stdout, each of which must be one JSON object. */
const lines = (stdout: string): Record<string, unknown>[] => stdout.split('\n').slice(0, -1).map((line) => JSON.parse(line) as Record<string, unknown>);

/** Rows as another program would write them. */
async function writeRows(rows: readonly WriteRow[]): Promise<void> {
  const target: StoreAddress = { kind: 'emulator', project: 'frontrow', instance: 'frontrow', table: 'quotes', appProfile: null, endpoint: address };
  const writer = createWriter(target, { deadlineMs: 10_000 });
  expect(await writer.write(rows, BigInt(Date.now()) * 1000n)).toMatchObject({ failed: [] });
  await writer.close();
}
const cellsOf = (family: 'q' | 'v', values: Readonly<Record<string, string>>) => Object.entries(values).map(([qualifier, value]) => ({ family, qualifier, value }));

const write = (rows: readonly (readonly [id: string, time: string, sequence: number, cells: Readonly<Record<string, string>>])[]): Promise<void> =>
  writeRows(rows.map(([id, time, sequence, cells]) => ({ key: tickKey(indexIdOf(id), parseTime(time), sequence), cells: cellsOf('q', cells) })));

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'frontrow-contract-'));
  store = await serving(['store', '--memory', '--json'], home);
  address = String(store.first['address']);
});
afterAll(async () => {
  expect(await store?.stop()).toBe(0);
  rmSync(home, { recursive: true, force: true });
});

test('store: its first line is its address', () => {
  expect(store.first).toEqual({ address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string });
});

test('init: each family with its rule, and the same again', async () => {
  const first = await run('init', '--json');
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(lines(first.stdout).map(({ family, rule, action }) => [family, /90 days/.test(String(rule)), action])).toEqual([['q', true, 'created'], ['h', false, 'created'], ['b', false, 'created'], ['v', false, 'created'], ['m', false, 'created']]);
  const again = await run('init', '--json');
  expect(again.code).toBe(0);
  expect(new Set(lines(again.stdout).map(({ action }) => action))).toEqual(new Set(['kept']));
  expect((await run('init')).stdout.split('\n').map((line) => line.split(/\s/, 1)[0])).toEqual(['q', 'h', 'b', 'v', 'm', '']);
});

test('init refuses to shorten retention without --yes, and says what it would delete', async () => {
  const config = join(home, 'short.json');
  writeFileSync(config, '{"retentionDays": 7}');
  const refused = await run('init', '--config', config);
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toMatch(/90 days[\s\S]*7 days[\s\S]*--yes/);
  expect(lines((await run('init', '--json')).stdout).map(({ action }) => action)).toEqual(['kept', 'kept', 'kept', 'kept', 'kept']);
});

describe('latest', () => {
  const NOW = '2026-11-30T15:00:05Z'; // a Monday: New York and Frankfurt trade, Tokyo is closed
  beforeAll(() => write([
    ['SPX', '2026-11-30T15:00:03.000123Z', 7, { p: '6512.370', i: '1796050803000999', s: 'feed-a', v: '12' }],
    ['SPX', '2026-11-30T15:00:02Z', 0, { p: '6511' }],
    ['NKY', '2026-11-30T05:59:59Z', 0, { p: '51234.50' }],
    ['SX5E', '2026-11-30T15:00:04Z', 0, { p: '0.000000001' }],
    ['OWN.IDX', '2026-11-30T15:00:04Z', 999_999, { p: '-37.63' }],
  ]));

  test('every field with its type; prices keep their digits, less trailing zeros', async () => {
    const { code, stdout, stderr } = await run('latest', 'SPX', 'NKY', '--json', '--now', NOW);
    expect([code, stderr]).toEqual([0, '']);
    const [spx, nky, ...more] = lines(stdout);
    expect(more).toEqual([]);
    expect(Object.keys(spx ?? {}).filter((name) => name !== 'baseNote' && name !== 'source')).toEqual([
      'index', 'price', 'eventTime', 'eventMicros', 'sequence', 'ingestMicros', 'ageMs', 'state', 'phase', 'reason', 'flags', 'change', 'changePercent', 'base', 'nextOpen', 'delayMs', 'skewMs', 'key',
    ]);
    expect(spx).toMatchObject({
      index: 'SPX', price: '6512.37', eventTime: '2026-11-30T15:00:03.000123Z', eventMicros: String(parseTime('2026-11-30T15:00:03.000123Z')), sequence: 7, ingestMicros: '1796050803000999',
      phase: 'open', flags: ['test-clock'], change: null, changePercent: null, base: null, nextOpen: null, delayMs: 0,
      key: tickKey(indexIdOf('SPX'), parseTime('2026-11-30T15:00:03.000123Z'), 7),
    });
    expect(['live', 'quiet']).toContain(spx?.['state']);
    expect(spx?.['ageMs']).toSatisfy((age: number) => Number.isFinite(age) && age >= 1_999 && age < 60_000);
    expect(nky).toMatchObject({ index: 'NKY', price: '51234.5', state: 'closed', ingestMicros: null, nextOpen: '2026-12-01T00:00:00.000000Z' });
  });

  test('without ids: those of the keys; an index of no calendar goes by age', async () => {
    const { code, stdout } = await run('latest', '--json', '--now', NOW);
    expect(code).toBe(0);
    const found = lines(stdout);
    expect(found.map(({ index }) => String(index)).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['NKY', 'OWN.IDX', 'SPX', 'SX5E']);
    expect(found.find(({ index }) => index === 'OWN.IDX')).toMatchObject({ price: '-37.63', sequence: 999_999, flags: expect.arrayContaining(['no-calendar']) as string[] });
    expect(found.find(({ index }) => index === 'SX5E')).toMatchObject({ price: '0.000000001' });
  });

  test('of several, the missing one is told on stderr; of none, exit code 3', async () => {
    const some = await run('latest', 'SPX', 'DAX', '--json', '--now', NOW);
    expect([some.code, lines(some.stdout).map(({ index }) => index)]).toEqual([0, ['SPX']]);
    expect(some.stderr).toMatch(/^frontrow: NOT_FOUND: .*DAX.*\n$/);
    expect((await run('latest', 'DAX', 'SMI')).code).toBe(3);
  });

  test('a change is against the official close before, in exact decimals', async () => {
    // a 1d bar starts at the first instant of its date in New York
    await writeRows([{ key: barKey(indexIdOf('SPX'), '1d', parseTime('2026-11-27T05:00:00Z')), cells: cellsOf('v', { oc: '6500.10', c: '6500.10', o: '6490', h: '6520', l: '6480', d: '2026-11-27' }) }]);
    const [spx] = lines((await run('latest', 'SPX', '--json', '--now', NOW)).stdout);
    expect(spx).toMatchObject({ change: '12.27', base: { price: '6500.1', date: '2026-11-27', kind: 'official' } });
    expect(spx?.['changePercent']).toMatch(/^0\.18/);
  });

  test('for people: one line each, no escapes where there is no terminal', async () => {
    const { stdout } = await run('latest', 'SPX', '--now', NOW);
    expect(stdout).toMatch(/^SPX +6512\.37 .*\n$/);
    expect(stdout).not.toContain('\u001B');
  });
});

describe('history', () => {
  const from = '2026-11-16T15:00:00Z';
  const to = '2026-11-16T15:00:09Z';
  const second = (at: number, sequence = 0): [string, string, number, Record<string, string>] => ['HIST', `2026-11-16T15:00:0${at}Z`, sequence, { p: `100.${at}5`, ...(at === 5 ? { v: '3', s: 'a,"b"', i: '1795000000000000' } : {}) }];
  beforeAll(() => write([...Array.from({ length: 10 }, (_, at) => second(at)), second(9, 1), ['HIST', '2026-11-16T15:00:09.000001Z', 0, { p: '1' }], ['HIST.X', '2026-11-16T15:00:01Z', 0, { p: '2' }]]));
  const ask = (...words: string[]) => run('history', 'HIST', '--from', from, '--to', to, ...words);

  test('ticks: newest first, both ends of the range with all their sequences, no other index', async () => {
    const { code, stdout, stderr } = await ask('--resolution', 'tick', '--json');
    expect([code, stderr]).toEqual([0, '']);
    const rows = lines(stdout);
    expect(rows.map(({ price, sequence }) => `${String(price)}/${String(sequence)}`)).toEqual(['100.95/1', '100.95/0', '100.85/0', '100.75/0', '100.65/0', '100.55/0', '100.45/0', '100.35/0', '100.25/0', '100.15/0', '100.05/0']);
    expect(rows[5]).toEqual({ eventMicros: String(parseTime('2026-11-16T15:00:05Z')), sequence: 0, price: '100.55', volume: '3', source: 'a,"b"', ingestMicros: '1795000000000000' });
    expect(rows[6]).toEqual({ eventMicros: String(parseTime('2026-11-16T15:00:04Z')), sequence: 0, price: '100.45', volume: null, source: null, ingestMicros: null });
    expect(Object.keys(rows[5] ?? {})).toEqual(['eventMicros', 'sequence', 'price', 'volume', 'source', 'ingestMicros']);
  });

  test('oldest first, and a limit from the end that was asked for', async () => {
    const prices = async (...words: string[]): Promise<unknown[]> => lines((await ask('--json', ...words)).stdout).map(({ price }) => price);
    expect(await prices('--limit', '2')).toEqual(['100.95', '100.95']);
    expect(await prices('--limit', '2', '--order', 'oldest')).toEqual(['100.05', '100.15']);
    expect(await prices('--order', 'oldest')).toHaveLength(11);
  });

  test('csv: a header, empty for unknown, quoted where it must be', async () => {
    const { code, stdout } = await ask('--csv', '--order', 'oldest', '--limit', '6');
    expect(code).toBe(0);
    const rows = stdout.split('\n');
    expect(rows[0]).toBe('eventMicros,sequence,price,volume,source,ingestMicros');
    expect(rows[1]).toBe(`${String(parseTime(from))},0,100.05,,,`);
    expect(rows[6]).toBe(`${String(parseTime('2026-11-16T15:00:05Z'))},0,100.55,3,"a,""b""",1795000000000000`);
    expect(rows.slice(7)).toEqual(['']);
  });

  test('bars: vendor and own, with their kind', async () => {
    const { code, stdout } = await run('history', 'SPX', '--from', '2026-11-20T00:00:00Z', '--to', '2026-11-28T00:00:00Z', '--resolution', '1d', '--json');
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([{ eventMicros: String(parseTime('2026-11-27T05:00:00Z')), resolution: '1d', open: '6490', high: '6520', low: '6480', close: '6500.1', volume: null, ticks: null, kind: 'vendor' }]);
  });

  test('microseconds do as well as ISO; nothing there is exit code 3', async () => {
    expect(lines((await run('history', 'HIST', '--from', String(parseTime(from)), '--to', String(parseTime(from)), '--json')).stdout)).toHaveLength(1);
    expect((await run('history', 'HIST', '--from', '2026-11-16T15:00:10Z', '--to', '2026-11-16T15:00:11Z')).code).toBe(3);
  });
});

describe('keys', () => {
  const keys = (...words: string[]) => frontrow(['keys', ...words], home);

  test('encode always writes a sequence; decode prints every field', async () => {
    expect(await keys('encode', 'SPX', '2019-11-06T14:30:00Z')).toEqual({ code: 0, stdout: 'SPX#9221798986254775807#999999\n', stderr: '' });
    expect((await keys('encode', 'SPX', '2019-11-06T14:30:00Z', '42')).stdout).toBe('SPX#9221798986254775807#999957\n');
    const { code, stdout } = await keys('decode', 'SPX#9221798986254775807#999957');
    expect(code).toBe(0);
    expect(stdout).toBe('{"index":"SPX","kind":"tick","eventTime":"2019-11-06T14:30:00.000000Z","eventMicros":"1573050600000000","sequence":42,"shard":null,"resolution":null}\n');
  });

  test.each([
    ['a bar', 'NKY@1d#9221799037254775807', { index: 'NKY', kind: 'bar', resolution: '1d', sequence: null, shard: null }],
    ['a sharded tick', 'SPX~03#9221798986254775807#999999', { index: 'SPX', kind: 'tick', shard: 3, sequence: 0 }],
    ['metadata', '!index#SPX', { index: 'SPX', eventTime: null, eventMicros: null }],
  ])('decode: %s', async (_name, key, expected) => {
    const { stdout } = await keys('decode', key);
    expect(JSON.parse(stdout)).toMatchObject(expected);
  });

  test('instants before 1970', async () => {
    const { stdout } = await keys('encode', 'SPX', '-1');
    expect(stdout).toBe('SPX#9223372036854775808#999999\n');
    expect(JSON.parse((await keys('decode', stdout.trim())).stdout)).toMatchObject({ eventTime: '1969-12-31T23:59:59.999999Z', eventMicros: '-1' });
  });
});

test('replay: real bars into the store, which latest and history then show as they are in the file', async () => {
  const { code, stdout, stderr } = await run('replay', SX5E, '--index', 'REPLAYED', '--speed', 'max', '--json');
  expect([code, lines(stdout).length]).toEqual([0, 1]);
  expect(stderr).toContain('REPLAYED');
  const [summary] = lines(stdout);
  const bars = readFileSync(SX5E, 'utf8').split('\n').filter((line) => /^\d/.test(line)).length;
  expect(summary).toMatchObject({ ticks: bars * 4, fromMicros: expect.stringMatching(/^\d{16}$/) as string, toMicros: expect.stringMatching(/^\d{16}$/) as string });
  const { stdout: rows } = await run('history', 'REPLAYED', '--from', String(summary?.['fromMicros']), '--to', String(summary?.['toMicros']), '--now', '2024-07-30T20:00:00Z', '--json');
  expect(lines(rows)).toHaveLength(bars * 4);
  const [latest] = lines((await run('latest', 'REPLAYED', '--now', '2024-07-30T20:00:00Z', '--json')).stdout);
  expect(latest).toMatchObject({ eventMicros: summary?.['toMicros'], price: lines(rows)[0]?.['price'] });
});

test('serve: its first line is url and pid, once /healthz says 200; it ends by SIGTERM with 0', async () => {
  const served = await serving(['serve', '--json', '--no-open', '--port', '0', '--emulator', address], home);
  let ended: Awaited<ReturnType<typeof served.stop>>;
  try {
    const { url, pid } = served.first as { url: string; pid: number };
    expect(Object.keys(served.first)).toEqual(['url', 'pid']);
    expect(pid).toBe(served.child.pid);
    const health = await fetch(new URL('/healthz', url));
    expect([health.status, await health.json()]).toEqual([200, { ok: true }]);
    expect(await (await fetch(new URL('/metrics', url))).text()).toMatch(/^# HELP frontrow_/);
    expect(await (await fetch(url)).text()).toContain('<title>Frontrow');
  } finally {
    ended = await served.stop();
  }
  expect(ended).toBe(0);
});

test('an embedded store in a folder keeps its rows, and is shared by the commands of that folder while one serves it', async () => {
  const data = join(home, 'kept');
  const served = await serving(['store', '--data', data, '--json'], home);
  expect((await frontrow(['init', '--data', data], home)).code).toBe(0);
  expect((await frontrow(['replay', SX5E, '--speed', 'max', '--data', data], home)).code).toBe(0);
  expect(await served.stop()).toBe(0);
  const [sx5e] = lines((await frontrow(['latest', '--data', data, '--json', '--now', '2024-07-30T20:00:00Z'], home)).stdout);
  expect(sx5e).toMatchObject({ index: 'SX5E', price: expect.stringMatching(/^\d+(\.\d+)?$/) as string });
});

test('help and version are data: they go to stdout', async () => {
  for (const words of [['--help'], ['latest', '--help'], ['--version'], []]) {
    const { code, stdout, stderr } = await frontrow(words, home);
    expect([code, stderr, stdout.length > 3]).toEqual([0, '', true]);
  }
});
