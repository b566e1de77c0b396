/** One script for the stock `cbt` tool, run against the embedded store and Google's emulator: every command with every flag, and the same words printed. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { type Server, startEmbedded } from './servers.ts';

let ours: Server | undefined;
let theirs: Server | undefined;
let skipped = '';
let folder = '';
let tool = '';
const path = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontrow-cbt-'));
  tool = (process.env['PATH'] ?? '').split(delimiter).map((at) => join(at, 'cbt')).find((file) => existsSync(file)) ?? '';
  if (tool === '') {
    skipped = 'no cbt (gcloud SDK) on this machine';
    return;
  }
  const emulator = await startEmulator();
  if ('skipped' in emulator) skipped = emulator.skipped;
  else theirs = emulator;
  ours = await startEmbedded();
});
afterAll(async () => {
  await Promise.all([ours?.stop(), theirs?.stop()]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

interface Ran { readonly failed: boolean; readonly out: string; readonly error: string }

async function cbt(server: Server, words: readonly string[]): Promise<Ran> {
  // No ~/.cbtrc of whoever runs this, and no gcloud, which the tool would ask each time for credentials.
  const env = { ...process.env, HOME: folder, PATH: folder, BIGTABLE_EMULATOR_HOST: server.address };
  const ran = await promisify(execFile)(tool, ['-project', 'p', '-instance', 'i', ...words], { timeout: 60_000, env }).then(
    ({ stdout }) => ({ failed: false, out: stdout, error: '' }),
    (error: Error & { stdout?: string; stderr?: string }) => ({ failed: true, out: error.stdout ?? '', error: error.stderr ?? error.message }),
  );
  // Cells without a time of their own have the server's. Of a family without a rule the service says so, and the emulator nothing.
  return { ...ran, out: ran.out.replaceAll('<never>', '').replaceAll(/\t+/g, '\t').replaceAll(/@ 20\d\d\/\d\d\/\d\d-[\d:.]+/g, (time) => (time.startsWith('@ 2023/') ? time : '@ now')) };
}

/** Runs one command on both, and gives the words that both print. */
async function both(...words: string[]): Promise<string> {
  const [a, b] = await Promise.all([cbt(ours as Server, words), cbt(theirs as Server, words)]);
  expect({ words, ...a }).toEqual({ words, ...b, error: a.error });
  return a.out;
}
/** Runs commands that change nothing, some at a time. */
async function all(commands: readonly string[][]): Promise<string[]> {
  const outs: string[] = [];
  for (let from = 0; from < commands.length; from += 4) outs.push(...await Promise.all(commands.slice(from, from + 4).map((words) => both(...words))));
  return outs;
}
const keysOf = (out: string): string[] => out.split('\n').filter((line) => /^\S+#/.test(line));

test('every command with every flag', async (context) => {
  const store = ours;
  if (skipped !== '' || !store) return context.skip(skipped);
  await both('createtable', 'quotes', 'families=q:maxage=36500d,h:maxversions=1', 'splits=M,T');
  await both('createtable', 'plain');
  await both('createfamily', 'plain', 'n');
  const T = ['1700000000000000', '1700000001000000', '1700000002000000'];
  for (const [n, index] of ['NKY', 'SPX', 'SPX500'].entries()) {
    await both('set', 'quotes', `${index}#1`, `q:p=${n}.5@${T[0]}`, `q:v=7@${T[0]}`, `h:s=x@${T[0]}`);
    await both('set', 'quotes', `${index}#1`, `q:p=${n}.75@${T[1]}`, 'app-profile=default');
    await both('set', 'quotes', `${index}#2`, `q:p=${n}@${T[2]}`, `h:t=y z@${T[2]}`);
  }
  await both('set', 'quotes', 'SPX#3', 'q:p=now');
  await both('set', 'plain', 'k#1', 'none:p=1');

  const reads = await all([
    [], ['prefix=SPX#'], ['start=SPX'], ['end=SPX'], ['start=SPX#2', 'end=SPX500#2'], ['count=2'], ['regex=.*#2'], ['regex=('], ['columns=q:p'], ['columns=h:.*'], ['columns=q:p,h:s'], ['columns=q'], ['columns=:p'],
    ['cells-per-column=1'], ['keys-only=true'], ['app-profile=default'], ['prefix=SPX', 'regex=.*1', 'columns=q:.*', 'cells-per-column=1', 'count=1', 'keys-only=false'],
    ['prefix=SPX#', 'reversed=false'], ['prefix=NONE'], ['start=Z', 'end=A'], ['prefix=SPX#', 'start=A'], ['count=x'], ['nosuch=1'],
  ].map((flags) => ['read', 'quotes', ...flags]));
  expect(keysOf(reads[0] ?? '')).toEqual(['NKY#1', 'NKY#2', 'SPX#1', 'SPX#2', 'SPX#3', 'SPX500#1', 'SPX500#2']);
  expect(keysOf(reads[1] ?? '')).toEqual(['SPX#1', 'SPX#2', 'SPX#3']);
  expect(reads[0]).toContain('"1.75"');
  await all([
    ['lookup', 'quotes', 'SPX#1'], ['lookup', 'quotes', 'SPX#1', 'columns=q:p', 'cells-per-column=1', 'app-profile=default'], ['lookup', 'quotes', 'SPX#1', 'keys-only=true'], ['lookup', 'quotes', 'NONE#1'],
    ['count', 'quotes'], ['count', 'quotes', 'prefix=SPX#'], ['count', 'plain'], ['count', 'nosuch'], ['ls'], ['ls', 'quotes'], ['ls', 'plain'], ['ls', 'nosuch'], ['read', 'nosuch'], ['lookup', 'nosuch', 'k'],
  ]);

  writeFileSync(path('named.csv'), `,q,,h\n,p,v,s\nI#1,1@${T[0]},,x@${T[0]}\nI#2,2@${T[0]},3@${T[1]},\n`);
  writeFileSync(path('plain.csv'), ',p,v\nJ#1,1,2\nJ#2,,4\n');
  await both('import', 'quotes', path('named.csv'), 'timestamp=value-encoded', 'batch-size=1', 'workers=2', 'app-profile=default');
  await both('import', 'quotes', path('plain.csv'), 'column-family=q');
  await both('import', 'quotes', path('plain.csv'), 'column-family=none');
  expect(keysOf(await both('read', 'quotes', 'end=K'))).toEqual(['I#1', 'I#2', 'J#1', 'J#2']);

  for (const rule of [['maxage=36000d'], ['maxversions=2'], ['maxage=36000d', 'and', 'maxversions=2'], ['maxage=36000d', 'or', 'maxversions=1', 'force'], ['never']]) {
    await both('setgcpolicy', 'quotes', 'q', ...rule);
    await both('ls', 'quotes');
  }
  await both('setgcpolicy', 'quotes', 'none', 'maxversions=1');
  await both('setgcpolicy', 'quotes', 'q', 'maxversions=1');
  // At once here; the emulator collects when it comes by.
  expect((await cbt(store, ['read', 'quotes', 'prefix=SPX#1'])).out).not.toContain('"1.5"');

  await both('deletecolumn', 'quotes', 'SPX#1', 'q', 'v');
  await both('deletecolumn', 'quotes', 'SPX#1', 'h', 's', 'app-profile=default');
  await both('deleterow', 'quotes', 'NKY#1');
  await both('deleterow', 'quotes', 'NKY#2', 'app-profile=default');
  await both('deletefamily', 'quotes', 'h');
  expect(keysOf(await both('read', 'quotes', 'start=K', 'cells-per-column=1'))).toEqual(['SPX#1', 'SPX#2', 'SPX#3', 'SPX500#1', 'SPX500#2']);
  await both('ls', 'quotes');
  await both('deleteallrows', 'quotes');
  expect((await both('count', 'quotes')).trim()).toBe('0');
  await both('deletetable', 'quotes');
  await both('deletetable', 'quotes');
  expect((await both('ls')).trim()).toBe('plain');
}, 400_000);

test('what Google\'s emulator has not, or does otherwise', async (context) => {
  const store = ours;
  if (skipped !== '' || !store) return context.skip(skipped);
  const run = (...words: string[]): Promise<Ran> => cbt(store, words);
  await run('createtable', 'own', 'families=q');
  await run('set', 'own', 'a#1', 'q:p=1@1700000000000000');
  await run('set', 'own', 'b#1', 'q:p=2@1700000000000000');
  const [reversed, stats, view, instances, clusters, profiles, profile, noProfile, made, sum] = await Promise.all([
    run('read', 'own', 'reversed=true'), run('read', 'own', 'include-stats=full'), run('read', 'own', 'authorized-view=v'), run('listinstances'), run('listclusters'),
    run('listappprofile', 'i'), run('getappprofile', 'i', 'default'), run('getappprofile', 'i', 'none'), run('createappprofile', 'i', 'x', 'y', 'route-any'), run('createtable', 'sums', 'families=s:maxversions=1:intsum'),
  ]);
  expect(keysOf(reversed.out)).toEqual(['b#1', 'a#1']);
  expect(stats.out).toMatch(/rows_seen_count.*2/s);
  expect([view.failed, view.error]).toEqual([true, expect.stringMatching(/Unimplemented.*authorized view/)]);
  expect(instances.out).toMatch(/^i\s/m);
  expect(clusters.out).toMatch(/^local\s.*1/m);
  expect(profiles.out).toContain('default');
  expect(profile.out).toContain('default');
  expect(noProfile.error).toMatch(/NotFound/);
  expect(made.error).toMatch(/Unimplemented.*CreateAppProfile/);
  expect(sum.error).toMatch(/Unimplemented/);
}, 120_000);
