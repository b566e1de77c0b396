import { expect, test } from 'vitest';
import { bars } from '../../../electron/cli/bars.ts';

const run = (positionals: readonly string[], values: Readonly<Record<string, string | boolean>>) =>
  bars.run({ positionals, values }, { out: () => Promise.resolve(), err: () => {}, terminal: false }, new AbortController().signal);

test.each([
  ['an id that is none', ['spx'], {}, /not an index id: "spx"/],
  ['an end that following never comes to', ['SPX'], { follow: true, to: '2024-07-31' }, /--follow has no end/],
  ['a span that ends before it begins', ['SPX'], { from: '2024-07-31', to: '2024-07-30' }, /--from is after --to/],
  ['a time without a zone', ['SPX'], { from: '2024-07-31T10:00' }, /no zone/],
])('%s is refused before any store is opened', async (_, positionals, values, what) => {
  expect(await run(positionals, values)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: expect.stringMatching(what) as string } });
});
