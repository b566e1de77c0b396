/** Bad input, command by command: one clear line, the right exit code, nothing on stdout, and every file as it was. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, frontrow, serving } from './commandLine.ts';

let home: string;
let taken: Server;
let store: Awaited<ReturnType<typeof serving>>;
/** Words that are only known once things run. */
const known: Record<string, string> = {};

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'frontrow-bad-'));
  const files: Record<string, string> = {
    'syntax.json': '{"indices": [', 'unknown.json': '{"indeces": ["SPX"]}', 'type.json': '{"poll": {"intervalMs": "fast"}}', 'id.json': '{"indices": ["spx"]}',
    'array.json': '[]', 'large.json': ' '.repeat(1_100_000), 'deep.json': '['.repeat(100_000), 'binary.json': '\u0000\u0001', 'file': 'mine', 'prose.csv': 'hello\nworld\n', 'empty.csv': '',
    'many.json': JSON.stringify({ indices: Array.from({ length: 10_000 }, (_, at) => `I${at}`) }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  for (const name of ['corrupt', 'held', 'empty', 'good']) mkdirSync(join(home, name));
  writeFileSync(join(home, 'corrupt/store.sqlite'), 'not a database '.repeat(500));
  taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => { taken.once('listening', resolve); });
  known['PORT'] = String((taken.address() as AddressInfo).port);
  expect((await frontrow(['init', '--data', 'good'], home)).code).toBe(0);
  store = await serving(['store', '--data', 'held', '--json'], home);
  known['STORE'] = String(store.first['address']);
  expect((await frontrow(['init', '--emulator', known['STORE']], home)).code).toBe(0);
});
afterAll(async () => {
  await store?.stop();
  taken?.close();
  rmSync(home, { recursive: true, force: true });
});

/** Names and content of everything below the home folder, but for the store that is running. */
function fingerprint(folder = home): string[] {
  return readdirSync(folder).toSorted().flatMap((name) => {
    const path = join(folder, name);
    if (path === join(home, 'held')) return [];
    if (statSync(path).isDirectory()) return [`${path}/`, ...fingerprint(path)];
    // the lock file of a good store may be opened by a read; what it holds is its rows
    return name === 'lock' ? [] : [`${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`];
  });
}

const SPAN = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-02T00:00:00Z'];

const cases: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['unknown command', ['nonsense'], 2, /^BAD_INPUT: .*nonsense.*serve, store, init/],
  ['unknown option', ['latest', '--bogus'], 2, /^BAD_INPUT: .*--bogus.*; .*latest --help/],
  ["another command's option", ['latest', '--port', '3'], 2, /^BAD_INPUT: .*--port/],
  ['option without its value', ['latest', '--config'], 2, /^BAD_INPUT: .*--config/],
  ['empty option', ['latest', '--data', ''], 2, /^BAD_INPUT: .*--data/],
  ['empty table', ['latest', '--data=good', '--table='], 2, /^BAD_INPUT: .*--table/],
  ['word too many', ['init', 'now', '--data', 'good'], 2, /^BAD_INPUT: .*"now"/],
  ['word missing', ['history'], 2, /^BAD_INPUT: .*history/],
  ...[
    ['syntax', /not JSON/], ['unknown', /indeces/], ['type', /poll\.intervalMs/], ['id', /indices\.0/], ['array', /object/], ['large', /1 MB/], ['deep', /not JSON/], ['binary', /not JSON/], ['many', /indices/],
  ].map(([name, says]) => [`config file: ${String(name)}`, ['latest', '--config', `${String(name)}.json`], 2, new RegExp(`^BAD_INPUT: .*${String(name)}\\.json: .*${(says as RegExp).source}`)] as const),
  ['config file: missing', ['serve', '--no-open', '--config', 'gone.json'], 2, /^BAD_INPUT: .*gone\.json/],
  ['config file: a folder', ['latest', '--config', 'good'], 2, /^BAD_INPUT: .*good/],
  ['port in use: serve', ['serve', '--no-open', '--json', '--data', 'good', '--port', 'PORT'], 1, /^PORT_IN_USE: /],
  ['port in use: store', ['store', '--memory', '--port', 'PORT'], 1, /^PORT_IN_USE: /],
  ['port that is none', ['serve', '--no-open', '--port', '99999'], 2, /^BAD_INPUT: .*99999/],
  ['open to all without a token', ['serve', '--no-open', '--host', '0.0.0.0'], 2, /^BAD_INPUT: .*token/],
  ['host of another machine', ['serve', '--no-open', '--host', '192.0.2.1', '--token', 't', '--port', '0', '--data', 'good'], 2, /^BAD_INPUT: .*192\.0\.2\.1/],
  ['wrong table', ['latest', '--emulator', 'STORE', '--table', 'nope'], 3, /^TABLE_MISSING: .*nope/],
  ['wrong table, one index', ['latest', 'SPX', '--emulator', 'STORE', '--table', 'nope'], 3, /^TABLE_MISSING: .*nope/],
  ['wrong table: history', ['history', 'SPX', ...SPAN, '--emulator', 'STORE', '--table', 'nope'], 3, /^TABLE_MISSING: .*nope/],
  ['wrong table: import, before any file is read', ['ingest', 'prose.csv', '--emulator', 'STORE', '--table', 'nope'], 3, /^TABLE_MISSING: .*nope/],
  ['no credentials: import', ['ingest', 'prose.csv', '--project', 'p', '--instance', 'i'], 4, /^CREDENTIALS_MISSING: .*application-default/],
  ['wrong project', ['latest', '--emulator', 'STORE', '--project', 'other'], 3, /^TABLE_MISSING: .*other/],
  ['wrong instance', ['latest', '--emulator', 'STORE', '--instance', 'other'], 3, /^TABLE_MISSING: .*other/],
  ['name that is none', ['latest', '--emulator', 'STORE', '--table', '../x'], 2, /^BAD_INPUT: .*table/],
  ['instance without project', ['latest', '--instance', 'i'], 2, /^BAD_INPUT: .*project/],
  ['no credentials', ['latest', '--project', 'p', '--instance', 'i'], 4, /^CREDENTIALS_MISSING: .*application-default/],
  ['no store at the address', ['latest', '--emulator', '127.0.0.1:1'], 4, /^STORE_UNREACHABLE: .*127\.0\.0\.1:1/],
  ['no store at the address: history', ['history', 'SPX', ...SPAN, '--emulator', '127.0.0.1:1'], 4, /^STORE_UNREACHABLE: /],
  ['no store at the address: init', ['init', '--emulator', '127.0.0.1:1'], 4, /^STORE_UNREACHABLE: /],
  ['address that is none', ['latest', '--emulator', 'nowhere'], 2, /^BAD_INPUT: .*HOST:PORT/],
  ['an emulator elsewhere', ['latest', '--emulator', 'bigtable.example:8086'], 2, /^BAD_INPUT: .*--instance/],
  ...['latest', 'init', 'store', 'serve'].map((command) => [`corrupt data: ${command}`, [command, ...(command === 'serve' ? ['--no-open', '--port', '0'] : []), '--data', 'corrupt'], 1, /^DATA_FOLDER_CORRUPT: .*corrupt\/store\.sqlite/] as const),
  ...['latest', 'init', 'store', 'serve'].map((command) => [`the data folder is a file: ${command}`, [command, ...(command === 'serve' ? ['--no-open', '--port', '0'] : []), '--data', 'file'], 2, /^BAD_INPUT: .*file/] as const),
  ['the data folder lies below a file', ['latest', '--data', 'file/below'], 2, /^BAD_INPUT: .*file\/below/],
  ['locked data folder', ['store', '--data', 'held'], 1, /^DATA_FOLDER_LOCKED: .*held/],
  ['no store in the folder: latest', ['latest', '--data', 'empty'], 3, /^NOT_FOUND: .*empty/],
  ['no store in the folder: history', ['history', 'SPX', ...SPAN, '--data', 'empty'], 3, /^NOT_FOUND: .*empty/],
  ['nothing configured, nothing there', ['latest'], 3, /^NOT_FOUND: .*share\/frontrow/],
  ['no rows', ['latest', '--data', 'good'], 3, /^NOT_FOUND: .*quotes/],
  ['no rows of the asked-for', ['latest', 'SPX', 'NKY', '--data', 'good'], 3, /^NOT_FOUND: .*SPX, NKY/],
  ['no rows in the range', ['history', 'SPX', ...SPAN, '--data', 'good'], 3, /^NOT_FOUND: .*SPX/],
  ['bad id', ['latest', 'spx', '--data', 'good'], 2, /^BAD_INPUT: .*spx/],
  ['id with a hash', ['latest', 'SPX#1', '--data', 'good'], 2, /^BAD_INPUT: .*SPX#1/],
  ['id of 25 characters', ['latest', 'A'.repeat(25), '--data', 'good'], 2, /^BAD_INPUT: /],
  ['bad key', ['keys', 'decode', 'SPX#1'], 2, /^BAD_INPUT: .*SPX#1/],
  ['key with controls', ['keys', 'decode', 'SPX#\u001B[31m'], 2, /^BAD_INPUT: /],
  ['bad time', ['keys', 'encode', 'SPX', 'yesterday'], 2, /^BAD_INPUT: .*yesterday/],
  ['time out of range', ['keys', 'encode', 'SPX', '99999999999999999999'], 2, /^BAD_INPUT: /],
  ['day that does not exist', ['keys', 'encode', 'SPX', '2026-02-30T00:00:00Z'], 2, /^BAD_INPUT: .*2026-2-30/],
  ['sequence out of range', ['keys', 'encode', 'SPX', '2026-01-01T00:00:00Z', '1000000'], 2, /^BAD_INPUT: .*1000000/],
  ['bad time: history', ['history', 'SPX', '--from', 'then', '--to', 'now', '--data', 'good'], 2, /^BAD_INPUT: .*then/],
  ['bad time: --now', ['latest', '--now', 'soon', '--data', 'good'], 2, /^BAD_INPUT: .*--now/],
  ['range backwards', ['history', 'SPX', '--from', '2026-01-02T00:00:00Z', '--to', '2026-01-01T00:00:00Z', '--data', 'good'], 2, /^BAD_INPUT: .*--from/],
  ['range missing', ['history', 'SPX', '--from', '2026-01-02T00:00:00Z', '--data', 'good'], 2, /^BAD_INPUT: .*--to/],
  ['limit that is none', ['history', 'SPX', ...SPAN, '--limit', '-1', '--data', 'good'], 2, /^BAD_INPUT: .*--limit/],
  ['order that is none', ['history', 'SPX', ...SPAN, '--order', 'up', '--data', 'good'], 2, /^BAD_INPUT: .*--order/],
  ['resolution that is none', ['history', 'SPX', ...SPAN, '--resolution', '2m', '--data', 'good'], 2, /^BAD_INPUT: .*2m/],
  ['missing replay file', ['replay', 'gone.csv', '--data', 'empty'], 2, /^BAD_INPUT: .*gone\.csv/],
  ['replay file of no known format', ['replay', 'prose.csv', '--data', 'empty'], 2, /^BAD_INPUT: .*prose\.csv/],
  ['empty replay file', ['replay', 'empty.csv', '--data', 'empty'], 2, /^BAD_INPUT: .*empty\.csv/],
  ['replay of a folder', ['replay', 'good', '--data', 'empty'], 2, /^BAD_INPUT: .*good/],
  ['replay speed', ['replay', 'prose.csv', '--speed', '1000', '--data', 'empty'], 2, /^BAD_INPUT: .*1000/],
  ['replay zone', ['replay', 'prose.csv', '--zone', 'Mars/Olympus', '--data', 'empty'], 2, /^BAD_INPUT: .*Mars/],
  ['replay day', ['replay', 'prose.csv', '--day', 'today', '--data', 'empty'], 2, /^BAD_INPUT: .*today/],
];

function problemOf({ stdout, stderr }: Ended): string {
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^frontrow: [A-Z_]+: [^\n]+; [^\n]+\n$/); // one line: code, what happened, what to do
  // oxlint-disable-next-line no-control-regex -- none may reach a terminal
  expect(stderr.slice(0, -1)).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
  return stderr.slice('frontrow: '.length, -1);
}

test.each(cases)('%s', async (_name, words, code, says) => {
  const before = fingerprint();
  const ended = await frontrow(words.map((word) => known[word] ?? word), home);
  expect(problemOf(ended)).toMatch(says);
  expect(ended.code).toBe(code);
  expect(fingerprint()).toEqual(before);
});

describe('the environment is told apart from options', () => {
  test.each([
    ['FRONTROW_EMULATOR', 'nowhere', /HOST:PORT/], ['FRONTROW_CONFIG', 'gone.json', /gone\.json/], ['FRONTROW_NOW', 'soon', /--now/], ['FRONTROW_TABLE', 'a b', /table/],
  ])('%s=%s', async (name, value, says) => {
    const ended = await frontrow(['latest'], home, { env: { [name]: value } });
    expect(problemOf(ended)).toMatch(says);
    expect(ended.code).toBe(2);
  });
  test('FRONTROW_PORT', async () => {
    const ended = await frontrow(['serve', '--no-open'], home, { env: { FRONTROW_PORT: 'x' } });
    expect([problemOf(ended).slice(0, 9), ended.code]).toEqual(['BAD_INPUT', 2]);
  });
});
