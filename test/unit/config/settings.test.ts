import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseOptions } from '../../../electron/config/options.ts';
import { type Environment, resolveSettings, type Settings } from '../../../electron/config/settings.ts';

let home = '';
beforeAll(() => { home = mkdtempSync(join(tmpdir(), 'frontrow-settings-')); });
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function settle(values: Record<string, string>, env: Environment = {}): Promise<Settings> {
  const found = await resolveSettings({ values }, { XDG_DATA_HOME: home, ...env });
  if (!found.ok) throw new Error(found.error.what);
  return found.value;
}
async function refusal(values: Record<string, string>, env: Environment = {}): Promise<string> {
  const found = await resolveSettings({ values }, { XDG_DATA_HOME: home, ...env });
  return found.ok ? 'accepted' : `${found.error.code}: ${found.error.what}`;
}
const fileWith = (name: string, text: string): string => {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
};

test('the layout file: option, environment, file (relative to it), else none', async () => {
  expect((await settle({})).layoutPath).toBeNull();
  expect((await settle({ config: fileWith('layout.json', '{"layout": "theirs.json"}') })).layoutPath).toBe(join(home, 'theirs.json'));
  expect((await settle({ layout: '/l/option.json' }, { FRONTROW_LAYOUT: '/l/variable.json' })).layoutPath).toBe('/l/option.json');
  expect(await settle({}, { FRONTROW_LAYOUT: '/l/variable.json' })).toMatchObject({ layoutPath: '/l/variable.json', unconfigured: false });
});

describe('which store', () => {
  test('nothing configured: the embedded store, and the demo may show', async () => {
    const found = await settle({});
    expect(found.store).toEqual({ kind: 'embedded', project: 'frontrow', instance: 'frontrow', table: 'quotes', appProfile: null, endpoint: null });
    expect(found.unconfigured).toBe(true);
  });
  test('a data folder is configuration', async () => { expect((await settle({ data: join(home, 'd') })).unconfigured).toBe(false); });
  test('only a named instance leaves this machine', async () => {
    expect((await settle({ project: 'p' })).store.kind).toBe('embedded');
    expect((await settle({ project: 'p', instance: 'i' })).store).toMatchObject({ kind: 'bigtable', endpoint: null });
    expect(await refusal({ emulator: 'bigtable.example:8086' })).toContain('no instance is named');
    expect((await settle({ emulator: 'bigtable.example:8086', instance: 'i' })).store.kind).toBe('emulator');
  });
  test('a real table needs its project, from Google’s variable too', async () => {
    expect(await refusal({ instance: 'i' })).toContain('no project');
    expect((await settle({ instance: 'i' }, { GOOGLE_CLOUD_PROJECT: 'g' })).store.project).toBe('g');
  });
});

describe('precedence', () => {
  test('option over environment over file over default', async () => {
    const config = fileWith('all.json', '{"table":"file","instance":"i","project":"p"}');
    expect((await settle({ config })).store.table).toBe('file');
    expect((await settle({ config }, { FRONTROW_TABLE: 'env' })).store.table).toBe('env');
    expect((await settle({ config, table: 'option' }, { FRONTROW_TABLE: 'env' })).store.table).toBe('option');
  });
  test('our emulator variable over Google’s', async () => {
    const both = { BIGTABLE_EMULATOR_HOST: '127.0.0.1:1', FRONTROW_EMULATOR: '127.0.0.1:2' };
    expect((await settle({}, both)).store.endpoint).toBe('127.0.0.1:2');
    expect((await settle({ emulator: '127.0.0.1:3' }, both)).store.endpoint).toBe('127.0.0.1:3');
  });
  test('a data folder on the command line beats Google’s variable', async () => {
    expect((await settle({ data: home }, { BIGTABLE_EMULATOR_HOST: '127.0.0.1:1' })).store.kind).toBe('embedded');
  });
  test('the app profile’s variable has an underscore', async () => {
    expect((await settle({}, { FRONTROW_APP_PROFILE: 'desk' })).store.appProfile).toBe('desk');
  });
});

describe('bad input is named', () => {
  test.each([
    ['not json', '{"table":', 'not JSON'],
    ['a misspelt key', '{"tabel":"x"}', 'tabel'],
    ['a number out of range', '{"poll":{"intervalMs":5}}', 'poll.intervalMs'],
    ['an id against the grammar', '{"indices":["spx"]}', 'indices.0'],
    ['the wrong type', '{"table":7}', 'table'],
  ])('config file: %s', async (name, text, says) => {
    expect(await refusal({ config: fileWith(`${name}.json`, text) })).toMatch(new RegExp(`^BAD_INPUT: config file .*${says}`));
  });
  test('a config file that was named must exist', async () => { expect(await refusal({ config: join(home, 'none.json') })).toContain('does not exist'); });
  test('a config file that is a folder', async () => { expect(await refusal({ config: home })).toContain("can't be read"); });
  test.each(['localhost', '127.0.0.1:0', '127.0.0.1:70000', 'http://127.0.0.1:80', ':80'])('emulator %s', async (emulator) => {
    expect(await refusal({ emulator })).toContain('BAD_INPUT');
  });
  test('names that could leave their place in a resource path', async () => {
    expect(await refusal({ table: '../x' })).toContain('table');
    expect(await refusal({ project: 'a/b' })).toContain('project');
  });
  test('a local time without a zone', async () => { expect(await refusal({ now: '2019-11-06 09:30' })).toContain('no zone'); });
});

describe('splitting words', () => {
  const split = (words: string[]) => parseOptions('keys', words, { order: { type: 'string' } }, { min: 0, max: 3 });
  test('instants before 1970 are arguments and values, not options', () => {
    expect(split(['SPX', '-5', '--order', '-7', '--json'])).toMatchObject({ ok: true, value: { positionals: ['SPX', '-5'], values: { order: '-7', json: true } } });
  });
  test.each([[['--bogus'], '--bogus'], [['--order'], '--order'], [['a', 'b', 'c', 'd'], 'unexpected'], [['-x'], '-x']])('%j is refused by name', (words, says) => {
    const found = split(words);
    expect(found.ok ? 'accepted' : found.error.what).toContain(says);
  });
});
