/** `ingest --dry-run`: what a script sees, and how it ends. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exitCode } from '../../../electron/cli/exit.ts';
import { ingest } from '../../../electron/cli/ingest.ts';
import { parseOptions } from '../../../electron/config/options.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/formats');
const home = mkdtempSync(join(tmpdir(), 'frontrow-ingest-'));
afterAll(() => { rmSync(home, { recursive: true, force: true }); });

async function run(...words: string[]): Promise<{ code: number; out: Record<string, unknown>[]; text: string; err: string }> {
  const parsed = parseOptions('ingest', words, ingest.options, ingest.positionals);
  if (!parsed.ok) return { code: exitCode(parsed.error.code), out: [], text: '', err: parsed.error.what };
  const [out, err]: [string[], string[]] = [[], []];
  const done = await ingest.run(parsed.value, { out: async (line) => { out.push(...line.split('\n')); }, err: (line) => { err.push(line); }, terminal: false }, new AbortController().signal);
  const text = out.join('\n');
  return { code: done.ok ? done.value : exitCode(done.error.code), out: words.includes('--json') ? out.map((line) => JSON.parse(line) as Record<string, unknown>) : [], text, err: [...err, done.ok ? '' : `${done.error.what}; ${done.error.next}`].join('\n') };
}
const sample = (name: string): string => join(FOLDER, name);

test('one line per row, the last is the summary', async () => {
  const { code, out } = await run(sample('28_bad_values.csv'), '--index', 'SPX', '--dry-run', '--json');
  expect(code).toBe(0);
  expect(out).toHaveLength(4);
  expect(out[1]).toEqual({ line: 4, index: 'SPX', eventMicros: '1710163800000000', open: '5111.96', high: '5114.45', low: '5109.88', close: '5112', volume: '0' });
  expect(out[3]).toEqual({ summary: {
    file: '28_bad_values.csv', format: 'generic', zone: 'UTC', period: '1m', quarantined: 0, read: 10, accepted: 3, written: 0, duplicate: 1, late: 0, corrected: 1, rejectedCount: 6,
    rejected: [
      { line: 3, reason: 'exact duplicate' }, { line: 4, reason: 'conflicting duplicate: last wins, reported (replaces line 2)' }, { line: 5, reason: 'NaN' }, { line: 6, reason: 'all-zero bar' }, { line: 7, reason: 'high < low' }, { line: 10, reason: 'short row' },
    ],
    warnings: ['bars are taken for 1m, their smallest spacing; --period overrides it'],
  } });
});

test('a tick has a price, an unknown volume is null', async () => {
  expect((await run(sample('06_histdata_tick.csv'), '--index', 'SPX', '--dry-run', '--json')).out[0]).toEqual({ line: 1, index: 'SPX', eventMicros: '1520865000123000', price: '2790.5', volume: '0' });
  expect((await run(sample('11_massive_indices_minute.csv'), '--dry-run', '--json')).out[0]).toMatchObject({ index: 'SPX', volume: null });
});

test('a refused file prints nothing and ends with 2; the others are still read', async () => {
  const refused = await run(sample('14_investing_dmy.csv'), '--index', 'UKX', '--dry-run', '--json');
  expect(refused).toMatchObject({ code: 2, out: [] });
  expect(refused.err).toMatch(/2024-07-05 as dmy or 2024-05-07 as mdy.*--date-order/);
  const both = await run(sample('14_investing_dmy.csv'), sample('01_yahoo_daily.csv'), '--index', 'UKX', '--dry-run', '--json');
  expect([both.code, both.out.length]).toEqual([2, 4]);
});

test('rejected lines go to their own file, all of them', async () => {
  const path = join(home, 'rejects.jsonl');
  expect((await run(sample('28_bad_values.csv'), '--index', 'SPX', '--dry-run', '--reject-file', path)).code).toBe(0);
  const lines = readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { file: string; line: number });
  expect(lines.map(({ file, line }) => `${file} ${line}`)).toEqual([3, 4, 5, 6, 7, 10].map((line) => `28_bad_values.csv ${line}`));
  expect((await run(sample('28_bad_values.csv'), '--index', 'SPX', '--dry-run', '--reject-file', join(home, 'no/such/folder'))).code).toBe(2);
});

test('without --json it is for people', async () => {
  const { text, err } = await run(sample('20_barchart_footer.csv'), '--index', 'SPX', '--dry-run');
  expect(text.split('\n')[0]).toBe('SPX 2024-07-03T04:00:00.000000Z 5507.44 5539.27 5507.42 5537.02 0');
  expect(err).toMatch(/barchart, America\/New_York, 4 read, 2 good, 1 lines rejected or replaced; nothing written\n {2}line 4: footer line: skip/);
});

test.each([
  ['--index', 'spx'], ['--zone', 'Mars/Olympus'], ['--period', '15m'], ['--date-order', 'ydm'], ['--stamp', 'middle'], ['--decimal', ';'], ['--day', '2024-02-30'], ['--format', 'excel'],
])('%s %s is refused with what it takes', async (option, value) => {
  const { code, out, err } = await run(sample('01_yahoo_daily.csv'), option, value, '--dry-run', '--json');
  expect([code, out.length]).toEqual([2, 0]);
  expect(err).toMatch(value.slice(0, 4));
});

test('a missing file is a clear error', async () => {
  expect(await run(join(home, 'none.csv'), '--dry-run')).toMatchObject({ code: 2, text: '' });
});

test('many rows come whole and in order', async () => {
  const path = join(home, 'many.csv');
  writeFileSync(path, `time,price\n${Array.from({ length: 2345 }, (_, i) => `${1_710_163_800 + i},${i}.5`).join('\n')}`);
  const { out } = await run(path, '--index', 'SPX', '--dry-run', '--json');
  expect(out.slice(0, -1).map(({ price }) => price)).toEqual(Array.from({ length: 2345 }, (_, i) => `${i}.5`));
});
