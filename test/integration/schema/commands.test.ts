/** The schema commands, and others by `--layout`, on foreign tables in real stores: from a table of unknown layout to its prices. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { createWriter } from '../../../electron/bigtable/writer.ts';
import type { LayoutFile } from '../../../electron/bigtable/layout/foreignFile.ts';
import { writeTick } from '../../../electron/bigtable/layout/foreignRow.ts';
import type { Command } from '../../../electron/cli/command.ts';
import { history } from '../../../electron/cli/history.ts';
import { ingest } from '../../../electron/cli/ingest.ts';
import { init } from '../../../electron/cli/init.ts';
import { latest } from '../../../electron/cli/latest.ts';
import { schema } from '../../../electron/cli/schema.ts';
import { startStore } from '../../../electron/embedded/startStore.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { micros } from '../../../shared/time.ts';
import { startEmulator } from '../../emulator/emulator.ts';
import { fillTable, storeAddress } from '../../fixtures/foreignStore.ts';
import { layoutOf } from '../../fixtures/foreignTables.ts';

const emulator = await startEmulator();
const started = await startStore({ data: null, port: 0 });
if (!started.ok) throw new Error(started.error.what);
const folder = mkdtempSync(join(tmpdir(), 'frontrow-schema-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await started.value.close();
  if (!('skipped' in emulator)) await emulator.stop();
});
const stores = [['embedded', started.value.address], ...('skipped' in emulator ? [] : [['emulator', emulator.address]])] as [string, string][];
if ('skipped' in emulator) test(`Google's emulator: skipped, ${emulator.skipped}`, ({ skip }) => skip());

const ascending: LayoutFile = { key: { separator: '#', parts: ['index', 'time'] }, time: { unit: 'ms', direction: 'forward', encoding: 'decimal', width: 13 }, fields: { price: { family: 'd', qualifier: 'price', type: 'float64' } } };
const reverse: LayoutFile = { key: { separator: '#', parts: ['salt', 'index', 'time'] }, salt: { count: 4, encoding: 'decimal', width: 1 }, time: { unit: 'us', direction: 'reverse', base: '2^63-1', encoding: 'decimal', width: 19 }, fields: { price: { family: 'd', qualifier: 'price', type: 'int64', scale: 2 } } };
const END = 1_700_000_000_000;

async function run(command: Command, endpoint: string, table: string, words: readonly string[], values: Readonly<Record<string, string | boolean>> = {}) {
  const [lines, told]: [string[], string[]] = [[], []];
  const streams = { out: (text: string) => { lines.push(...text.split('\n').filter((line) => line !== '')); return Promise.resolve(); }, err: (line: string) => void told.push(line), terminal: false };
  const outcome = await command.run({ values: { emulator: endpoint, project: 'test', table, json: true, now: '2023-11-14T22:13:25Z', data: folder, ...values }, positionals: words }, streams, new AbortController().signal)
    .catch((error: unknown) => ({ ok: false as const, error: (error as { problem: { code: string; what: string } }).problem }));
  const json = lines.map((line) => { try { return JSON.parse(line) as Record<string, unknown>; } catch { return { line }; } });
  return { outcome, json, told: told.join('\n'), lines };
}

test('an id that a foreign table does not have: the closest that it has is named as it must be written', async () => {
  const [, endpoint] = stores[0]!;
  const path = join(folder, 'lower.json');
  writeFileSync(path, JSON.stringify(ascending));
  const layout = layoutOf(ascending);
  await fillTable(endpoint, 'lower_commands', ['spx500', 'nky'].flatMap((id) => writeTick(layout, { id, nanos: BigInt(END) * 1_000_000n, sequence: 0n, salt: 0, fields: { price: '5' } })), BigInt(END) * 1000n);
  const asked = (word: string) => run(latest, endpoint, 'lower_commands', [word], { layout: path });
  const next = 'the table has ^_SPX500: write it so, in quotes';
  expect((await asked('spx500')).outcome).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: 'not an index id: "spx500"', next } });
  for (const word of ['SPX500', 'SPX-500', 'SPX50']) expect((await asked(word)).outcome).toMatchObject({ ok: false, error: { code: 'NOT_FOUND', what: `no rows of ${word}`, next } });
  expect((await asked('DAX')).outcome).toMatchObject({ ok: false, error: { code: 'NOT_FOUND', next: 'check the ids; `frontrow latest` without any lists those of the table' } });
  expect((await asked('^_SPX500')).json).toMatchObject([{ index: '^_SPX500', price: '5' }]);
});

describe.each(stores)('%s', (store, endpoint) => {
  const table = (name: string): string => `${name}_commands`;
  beforeAll(async () => {
    for (const [name, file] of [['ascending', ascending], ['reverse', reverse]] as const) {
      const layout = layoutOf(file);
      const cells = ['SPX', 'NKY', 'DAX'].flatMap((id, n) => Array.from({ length: 400 }, (_, at) => writeTick(layout, {
        id, nanos: BigInt(END - at * 5_000) * 1_000_000n, sequence: 0n, salt: (at + n) % 4, fields: { price: `${4000 + at}.25` },
      })).flat());
      await fillTable(endpoint, table(name), cells, BigInt(END) * 1000n);
    }
    await fillTable(endpoint, table('timefirst'), Array.from({ length: 50 }, (_, at) => ({ key: `${END - at * 1000}#${['SPX', 'NKY'][at % 2] ?? ''}`, family: 'd', qualifier: 'price', value: Buffer.from('1') })), 0n);
    const own = storeAddress(endpoint, table('own'));
    await ensureTable(own);
    const writer = createWriter(own);
    await writer.write(['SPX', 'NKY'].flatMap((id) => Array.from({ length: 50 }, (_, at) => ({ key: tickKey(indexIdOf(id), micros(BigInt(END - at * 1000) * 1000n)), cells: [{ family: 'q' as const, qualifier: 'p', value: '5' }] }))), BigInt(Date.now()) * 1000n);
    await writer.close();
  });

  test(`${store}: detect writes a file by which latest and history read the table`, async () => {
    const file = join(folder, `${store}.json`);
    const found = await run(schema, endpoint, table('ascending'), ['detect'], { output: file });
    expect(found.outcome).toEqual({ ok: true, value: 0 });
    expect(found.json[0]).toMatchObject({ confidence: 'sure', questions: [], layout: { time: { unit: 'ms', direction: 'forward', encoding: 'decimal', width: 13 }, fields: { price: { type: 'float64' } } } });
    const prices = await run(latest, endpoint, table('ascending'), [], { layout: file });
    expect(prices.json.map((quote) => [quote['index'], quote['price'], quote['ageMs']])).toEqual(['DAX', 'NKY', 'SPX'].map((id) => [id, '4000.25', expect.closeTo(5000, -3)]));
    const past = await run(history, endpoint, table('ascending'), ['NKY'], { layout: file, from: String((END - 20_000) * 1000), to: String(END * 1000) });
    expect(past.json.map((tick) => [tick['eventMicros'], tick['price']])).toEqual([0, 1, 2, 3, 4].map((at) => [String((END - at * 5000) * 1000), `${4000 + at}.25`]));
    for (const command of [init, ingest]) {
      const csv = join(folder, 'ticks.csv');
      writeFileSync(csv, 'time,price\n2023-11-14T22:13:20Z,5\n');
      const refused = await run(command, endpoint, table('ascending'), command === ingest ? [csv] : [], { layout: file, index: 'SPX', format: 'auto', zone: 'UTC' });
      expect(refused.outcome).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: expect.stringContaining('only reads') } });
    }
  });

  test(`${store}: detect is unsure of a scale, and its draft loads only once it is filled in`, async () => {
    const file = join(folder, `${store}-draft.json`);
    const found = await run(schema, endpoint, table('reverse'), ['detect'], { output: file });
    expect(found.outcome).toEqual({ ok: true, value: 1 });
    expect(found.json[0]).toMatchObject({ confidence: 'unsure', questions: [expect.stringContaining('scale')] });
    expect((await run(latest, endpoint, table('reverse'), [], { layout: file })).outcome).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    const draft = JSON.parse(readFileSync(file, 'utf8')) as { unanswered?: unknown; fields: { price: { scale: number | null } } };
    delete draft.unanswered;
    draft.fields.price.scale = 2;
    writeFileSync(file, JSON.stringify(draft));
    expect((await run(latest, endpoint, table('reverse'), ['SPX'], { layout: file })).json).toMatchObject([{ index: 'SPX', price: '4000.25', eventMicros: `${END}000` }]);
  });

  test(`${store}: detect names our own layout, and a table that no layout can read`, async () => {
    expect((await run(schema, endpoint, table('own'), ['detect'])).json).toMatchObject([{ confidence: 'canonical', layout: null }]);
    const found = await run(schema, endpoint, table('timefirst'), ['detect']);
    expect(found).toMatchObject({ outcome: { ok: true, value: 1 }, json: [{ confidence: 'unsure', questions: [expect.stringContaining('begin with the time')] }] });
  });

  test(`${store}: check finds what the guidance warns of, with sources`, async () => {
    const bad = await run(schema, endpoint, table('timefirst'), ['check']);
    expect(bad.outcome).toEqual({ ok: true, value: 1 });
    expect(bad.json).toContainEqual(expect.objectContaining({ rule: 'time-first', level: 'violation', source: expect.stringContaining('https://cloud.google.com/bigtable/docs/') }));
    const foreign = await run(schema, endpoint, table('ascending'), ['check']);
    expect(foreign.outcome).toEqual({ ok: true, value: 0 });
    expect(foreign.json.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['oldest-first', 'binary-floats', 'no-collection']));
    const own = await run(schema, endpoint, table('own'), ['check']);
    expect(own).toMatchObject({ outcome: { ok: true, value: 0 }, json: [] });
  });

  test(`${store}: explain counts what each question reads`, async () => {
    const file = join(folder, `${store}-reverse.json`);
    writeFileSync(file, JSON.stringify(reverse));
    const salted = await run(schema, endpoint, table('reverse'), ['explain', 'SPX'], { layout: file });
    expect(salted.outcome).toEqual({ ok: true, value: 0 });
    expect(salted.json.map(({ question, requests, rows, ticks }) => [question, requests, rows, ticks])).toEqual([
      ['Q1', 4, 4, 1], ['Q2', expect.any(Number), expect.any(Number), 20], ['Q3', expect.any(Number), 400, 400], ['Q4', expect.any(Number), expect.any(Number), expect.any(Number)], ['Q5', expect.any(Number), 363, 363], ['Q6', 4, expect.any(Number), expect.any(Number)], ['Q7', 4, 4, 1],
    ]);
    const own = await run(schema, endpoint, table('own'), ['explain', 'SPX']);
    expect(own.json.map(({ question, requests, rows, ticks }) => [question, requests, rows, ticks])).toEqual([
      ['Q1', 1, 1, 1], ['Q2', 1, 20, 20], ['Q3', 1, 50, 50], ['Q4', 60, 1, 1], ['Q5', 2, 100, 100], ['Q6', 1, 0, 0], ['Q7', 1, 1, 1],
    ]);
    expect(own.json[0]).toMatchObject({ plan: [{ ranges: [{ start: 'SPX#', end: 'SPX$' }], limit: 1, reversed: false }] });
    const text = await run(schema, endpoint, table('own'), ['explain'], { json: false });
    expect(text.lines.join('\n')).toMatch(/Q1\s+1\s+1\s+1\s+\d+\s+1\s+[\d.]+\s+latest price of NKY/);
  });

  test.each([
    [['nonsense'], {}, 'BAD_INPUT', 'nonsense'], [['detect', 'SPX'], {}, 'BAD_INPUT', 'SPX'], [['detect'], { sample: 'x' }, 'BAD_INPUT', '--sample'], [['explain', 'spx'], {}, 'BAD_INPUT', 'spx'],
    [['explain', 'SPX'], { from: 'then' }, 'BAD_INPUT', '--from'], [['explain', 'NONE'], {}, 'NOT_FOUND', 'NONE'], [['check'], { table: 'nope' }, 'TABLE_MISSING', 'nope'], [['check'], { layout: '/nowhere.json' }, 'BAD_INPUT', 'nowhere'],
  ])(`${store}: %s %o is refused`, async (words, values, code, says) => {
    expect((await run(schema, endpoint, table('own'), words, values as Record<string, string>)).outcome).toMatchObject({ ok: false, error: { code, what: expect.stringContaining(says) } });
  });
});
