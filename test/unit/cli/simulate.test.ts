import { expect, test } from 'vitest';
import { simulate } from '../../../electron/cli/simulate.ts';
import { parseOptions } from '../../../electron/config/options.ts';

const run = async (...words: string[]) => {
  const parsed = parseOptions('simulate', words, simulate.options, simulate.positionals);
  return parsed.ok ? simulate.run(parsed.value, { out: () => Promise.reject(new Error('nothing to print')), err: () => {}, terminal: false }, AbortSignal.abort()) : parsed;
};
const REAL = ['--project', 'p', '--instance', 'i'];

test.each([
  [['--rate', '5'], 'needs --indices'],
  [['--indices', '3'], 'needs --rate'],
  [['--indices', '0', '--rate', '5'], '--indices'],
  [['--indices', '5001', '--rate', '5'], '--indices'],
  [['--indices', '3', '--rate', '0'], '--rate'],
  [['--indices', '3', '--rate', '1e9'], '--rate'],
  [['--indices', '3', '--rate', '5', '--skew', 'zipf'], '--skew'],
  [['--indices', '3', '--rate', '5', '--skew', 'zipf:5.1'], '--skew'],
  [['--indices', '3', '--rate', '5', '--late', '1.01'], '--late'],
  [['--indices', '3', '--rate', '5', '--late', '.6', '--duplicate', '.6'], 'more than 1 together'],
  [['--indices', '3', '--rate', '5', '--writers', '10'], '--writers'],
  [['--indices', '3', '--rate', '5', '--seed', '-1'], '--seed'],
  [['--indices', '3', '--rate', '5', '--duration', 'soon'], '--duration'],
  [['--indices', '3', '--rate', '5', '--duration', '0'], '--duration'],
  [['SPX', '--indices', '3', '--rate', '5'], 'SPX'],
  [['--indices', '3', '--rate', '5', ...REAL], 'simulate would write prices'],
  [['--indices', '3', '--rate', '5', ...REAL, '--into-real-table', 'other'], '--into-real-table names'],
] as const)('%j is refused before anything is touched', async (words, what) => {
  expect(await run(...words)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: expect.stringContaining(what) } });
});
