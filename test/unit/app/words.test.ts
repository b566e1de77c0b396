import { expect, test } from 'vitest';
import { ownWords } from '../../../electron/app/words.ts';
import { COMMON_OPTIONS } from '../../../electron/config/options.ts';

test.each([
  [['--inspect=0', '--remote-debugging-port=0', '--no-sandbox', '--table', 'quotes', '--user-data-dir=/x'], ['--table', 'quotes']],
  [['--table=quotes', '--json'], ['--table=quotes', '--json']],
  [['--emulator', '127.0.0.1:8086', 'index.html', '--'], ['--emulator', '127.0.0.1:8086']],
  [['--table'], ['--table']], // left for parseOptions to name
  [['-r', 'loader.js', '--constructor', 'x', '--__proto__=1'], []],
])('%j holds %j', (argv, own) => {
  expect(ownWords(argv, COMMON_OPTIONS)).toEqual(own);
});
