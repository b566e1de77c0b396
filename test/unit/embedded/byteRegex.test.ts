import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileByteRegex } from '../../../electron/embedded/byteRegex.ts';

const matches = (pattern: string, input: string): boolean => compileByteRegex(Buffer.from(pattern))(Buffer.from(input, 'latin1'));

describe('a pattern matches the whole input, as RE2 on bytes', () => {
  test.each<[pattern: string, yes: readonly string[], no: readonly string[]]>([
    ['abc', ['abc'], ['abcd', 'xabc', '']],
    ['', [''], ['a']],
    ['a|bc', ['a', 'bc'], ['ab', 'c', '']],
    ['a*b+c?', ['b', 'aab', 'bbc'], ['a', 'c', 'bcc']],
    ['(ab){2,3}', ['abab', 'ababab'], ['ab', 'abababab']],
    ['a{2}', ['aa'], ['a', 'aaa']],
    ['a{2,}', ['aa', 'aaaa'], ['a']],
    ['.*', ['', 'a\xffb'], ['a\nb']],
    ['\\C*', ['', 'a\nb', '\0\xff'], []],
    ['(?s).*', ['a\nb'], []],
    ['(?i)ab[c-d]', ['ABC', 'aBd'], ['abe']],
    ['(?i:a)b', ['Ab'], ['AB']],
    ['[^a-c]', ['d', '\n', '\xff'], ['a', 'b']],
    ['[]a-]+', [']', 'a-'], ['b']],
    ['[[:digit:]\\w-]+', ['0a_-'], ['.']],
    ['\\d\\D\\s\\S', ['1a b', '2- ~'], ['11 b']],
    ['SPX#\\d{19}', ['SPX#0123456789012345678'], ['SPX500#0123456789012345678']],
    ['\\x41\\101\\x{42}\\.', ['AAB.'], ['AABx']],
    ['\\Aa\\bz?\\z|^q$', ['a', 'q'], ['az', '']],
    ['x\\Qa.b*\\E', ['xa.b*'], ['xaxb', 'xa.bb']],
    ['(?m)a$\\n^b', ['a\nb'], ['ab']],
    ['\\Ba\\B|-\\b\\w', ['-x'], ['a', '-']],
    ['(?P<name>x)(?:y)', ['xy'], ['x']],
  ])('%s', (pattern, yes, no) => {
    expect(yes.filter((input) => !matches(pattern, input))).toEqual([]);
    expect(no.filter((input) => matches(pattern, input))).toEqual([]);
  });

  test('what RE2 refuses is refused', () => {
    const refused = (pattern: string): boolean => {
      try {
        compileByteRegex(Buffer.from(pattern));
        return false;
      } catch (error) {
        return error instanceof SyntaxError;
      }
    };
    const patterns = ['(', ')', 'a)', '[a', '*a', 'a**', 'a{1001}', 'a{3,2}', '(?=a)', '(?<!a)', '(a)\\1', '\\p{Greek}x\\k', '[b-a]', '[[:nope:]]', '\\'];
    expect(patterns.filter((pattern) => !refused(pattern))).toEqual([]);
  });

  test('a pattern that needs exponential time elsewhere is linear here', () => {
    expect(matches('(a+)+b', 'a'.repeat(20_000))).toBe(false);
    expect(matches('(a|a)*(a|aa)*b', `${'a'.repeat(20_000)}b`)).toBe(true);
  });

  test('agrees with JavaScript where both have the syntax', () => {
    const leaf = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', 'c');
    const pattern = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof({ depthSize: 'small' }, leaf,
        fc.tuple(tie('node'), tie('node')).map(([x, y]) => x + y),
        fc.tuple(tie('node'), tie('node')).map(([x, y]) => `(${x}|${y})`),
        fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '{1,2}')).map(([x, q]) => `(?:${x})${q}`)),
    })).node;
    fc.assert(fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 }), (source, input) =>
      matches(source, input) === new RegExp(`^(?:${source})$`).test(input)), { numRuns: 2000 });
  });
});
