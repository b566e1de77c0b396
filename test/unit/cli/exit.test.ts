import { expect, test } from 'vitest';
import { errorLine, exitCode } from '../../../electron/cli/exit.ts';
import { problem } from '../../../shared/result.ts';

test.each([['BAD_INPUT', 2], ['NOT_FOUND', 3], ['TABLE_MISSING', 3], ['STORE_UNREACHABLE', 4], ['CREDENTIALS_REFUSED', 4], ['PORT_IN_USE', 1], ['DATA_FOLDER_CORRUPT', 1]] as const)(
  '%s ends with %d', (code, exit) => { expect(exitCode(code)).toBe(exit); },
);

test('an error is one line, whatever a table or file put into it', () => {
  expect(errorLine(problem('BAD_DATA', 'row a\nb\u001B[2J', 'check\tit'))).toBe('frontrow: BAD_DATA: row a b [2J; check it\n');
});
