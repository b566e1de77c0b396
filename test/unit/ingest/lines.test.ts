import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf, MAX_LINE } from '../../../electron/ingest/lines.ts';

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
async function lines(text: string, size: number): Promise<string[]> {
  const found: string[] = [];
  for await (const line of linesOf(chunked(new TextEncoder().encode(text), size))) found.push(line);
  return found;
}

test('lines are the same however the bytes are cut', () =>
  fc.assert(fc.asyncProperty(fc.array(fc.stringMatching(/^[a-zé€0-9,]{0,12}$/), { minLength: 1 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.integer({ min: 1, max: 7 }), async (rows, end, last, size) => {
    const text = rows.join(end) + (last ? end : '');
    const expected = last ? rows : rows.at(-1) === '' ? rows.slice(0, -1) : rows;
    expect(await lines(text, size)).toEqual(expected);
  }), { numRuns: 60 }));

test('an endless line comes once, cut, and memory stays bounded', async () => {
  const read = await lines(`a\n${'x'.repeat(10 * MAX_LINE)}\nb`, 1000);
  expect(read.map((line) => line.length)).toEqual([1, MAX_LINE, 1]);
});
