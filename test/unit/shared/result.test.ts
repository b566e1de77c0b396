import { expect, test } from 'vitest';
import { assertNever, failed, ok, problem, ProblemError } from '../../../shared/result.ts';

test('an outcome is plain data that survives a channel', () => {
  const outcome = failed(problem('TABLE_MISSING', 'table quotes does not exist', 'run `frontrow init`'));
  expect(structuredClone(outcome)).toEqual(outcome);
  expect(JSON.parse(JSON.stringify(outcome))).toEqual({ ok: false, error: { code: 'TABLE_MISSING', what: 'table quotes does not exist', next: 'run `frontrow init`', retryable: false } });
  expect(ok(1)).toEqual({ ok: true, value: 1 });
});

test('a problem that must travel as an exception says what and what next, and keeps the problem', () => {
  const given = problem('STORE_UNREACHABLE', 'nothing listens on 127.0.0.1:1', 'start the store', true);
  const error = new ProblemError(given);
  expect(error.message).toBe('STORE_UNREACHABLE: nothing listens on 127.0.0.1:1; start the store');
  expect([error.name, error.problem, error instanceof Error]).toEqual(['ProblemError', given, true]);
});

test('a case that no union has is a crash, not a silence', () => expect(() => assertNever('surprise' as never)).toThrow(/surprise/));
