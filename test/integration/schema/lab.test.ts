/** `schema lab` on real stores: all layouts give the right answers, and the figures show what each costs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { schema } from '../../../electron/cli/schema.ts';
import { openOfficial } from '../../../electron/bigtable/official.ts';
import { startStore } from '../../../electron/embedded/startStore.ts';
import { CANDIDATES } from '../../../electron/schema/lab/candidates.ts';
import { startEmulator } from '../../emulator/emulator.ts';
import { storeAddress } from '../../fixtures/foreignStore.ts';

const emulator = await startEmulator();
const started = await startStore({ data: null, port: 0 });
if (!started.ok) throw new Error(started.error.what);
const folder = mkdtempSync(join(tmpdir(), 'frontrow-lab-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await started.value.close();
  if (!('skipped' in emulator)) await emulator.stop();
});
if ('skipped' in emulator) test(`Google's emulator: skipped, ${emulator.skipped}`, ({ skip }) => skip());

const SMALL = { indices: '6', rate: '20', span: '60s', window: '15s', repeat: '3', seed: '4', json: true };
/** Over the borders of hours and buckets, which so short a span does not cross. */
const LONG = { ...SMALL, indices: '3', rate: '0.1', span: '2h', window: '40m', layouts: 'canonical,time-bucket-first,hourly-rows,qualifier-per-event,cell-versions' };

async function run(values: Readonly<Record<string, string | boolean>>, signal = new AbortController().signal) {
  const [lines, told]: [string[], string[]] = [[], []];
  const streams = { out: (line: string) => { lines.push(line); return Promise.resolve(); }, err: (line: string) => void told.push(line), terminal: false };
  const outcome = await schema.run({ values: { data: folder, ...values }, positionals: ['lab'] }, streams, signal);
  const json = values['json'] === true ? lines.map((line) => JSON.parse(line) as Record<string, unknown>) : [];
  const of = (layout: string, question?: string): Record<string, unknown> => json.find((line) => line['layout'] === layout && line['question'] === question) ?? {};
  return { outcome, json, lines, told, of };
}

/** One layout loses events, by design: where it does, it must say so. */
function expectAnswers(of: Awaited<ReturnType<typeof run>>['of'], names: readonly string[]): void {
  for (const name of names) {
    for (const question of ['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q5r', 'Q6', 'Q7']) {
      const { answers, events } = of(name, question);
      if (name === 'cell-versions') expect(['right', 'n/a']).toContain(answers);
      else expect([name, question, answers, events]).toEqual([name, question, 'right', of('canonical', question)['events']]);
    }
  }
}

async function tablesOf(endpoint: string): Promise<number> {
  const client = await openOfficial(storeAddress(endpoint, 'any'));
  const [tables] = await client.instance('test').getTables().catch(() => [[]]);
  await client.close();
  return tables.length;
}

describe('embedded store', () => {
  test('every layout answers every question as the others do, or says why not; the figures show what each costs', async () => {
    const file = join(folder, 'report.html');
    const { outcome, json, told, of } = await run({ ...SMALL, output: file });
    expect(outcome).toEqual({ ok: true, value: 0 });
    expect(json).toHaveLength(2 + Object.keys(CANDIDATES).length * 9);
    expectAnswers(of, Object.keys(CANDIDATES));
    expect(of('canonical', 'Q1')).toMatchObject({ requests: 1, rowsScanned: 1, rowsReturned: 1, counted: false });
    expect(of('ascending', 'Q1')).toMatchObject({ requests: 1, rowsScanned: 1 });
    expect(of('time-first', 'Q1')['rowsScanned']).toBeGreaterThan(2);
    expect(of('time-first', 'Q3')['rowsScanned']).toBeGreaterThan(2 * Number(of('time-first', 'Q3')['rowsReturned']));
    expect(of('time-first')['busiestRangeShare']).toBeGreaterThan(0.9);
    expect(of('canonical')['busiestRangeShare']).toBeLessThan(0.6);
    expect(of('hash-of-event')['busiestRangeShare']).toBeLessThan(Number(of('canonical')['busiestRangeShare']) / 2);
    expect(of('hash-of-event', 'Q1')).toMatchObject({ requests: 8 });
    expect(of('table-per-index')).toMatchObject({ tables: 6 });
    expect(of('canonical', 'Q5')).toMatchObject({ requests: 6 });
    expect(of('derived-region-time', 'Q5')).toMatchObject({ requests: 3 });
    expect(of('derived-region-time')).toMatchObject({ rowsPerTick: 2, derivedLagMs: { p50: expect.any(Number) } });
    expect(of('cell-versions')['lost']).toBeGreaterThan(0);
    expect(readFileSync(file, 'utf8')).toContain('What would falsify the choice');
    expect(told.at(-1)).toBe(`report written to ${file}`);
  }, 60_000);

  test('over the borders of hours and buckets too', async () => {
    const { outcome, of } = await run(LONG);
    expect(outcome).toEqual({ ok: true, value: 0 });
    expectAnswers(of, LONG.layouts.split(','));
    expect(of('time-bucket-first', 'Q4')['requests']).toBeGreaterThan(6);
  }, 60_000);

  test('leaves no table behind in an emulator, not even when it is stopped; refuses what is not on this machine', async () => {
    const there = { ...SMALL, emulator: started.value.address, project: 'test', instance: 'test', layouts: 'canonical,table-per-index' };
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    const stopped = await run({ ...there, repeat: '1000', rate: '2000' }, stop.signal);
    expect(stopped.outcome).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect((await run(there)).outcome).toEqual({ ok: true, value: 0 });
    expect(await tablesOf(started.value.address)).toBe(0);
    for (const values of [{ project: 'p', instance: 'i' }, { emulator: 'example.com:1', instance: 'i' }]) expect((await run({ ...SMALL, ...values })).outcome).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: expect.stringMatching(/schema lab would/) } });
  }, 60_000);
});

if (!('skipped' in emulator)) {
  test('Google’s emulator: the same answers', async () => {
    const { outcome, of } = await run({ ...SMALL, emulator: emulator.address, project: 'test', instance: 'test', repeat: '2' });
    expect(outcome).toEqual({ ok: true, value: 0 });
    expectAnswers(of, Object.keys(CANDIDATES));
  }, 60_000);
}
