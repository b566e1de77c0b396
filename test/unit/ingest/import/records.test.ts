import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvRecord, recordsOf } from '../../../../electron/ingest/import/records.ts';

async function* inChunks(text: string, sizes: readonly number[]): AsyncGenerator<string> {
  let at = 0;
  for (let n = 0; at < text.length; n += 1) {
    const size = sizes.length === 0 ? text.length : sizes[n % sizes.length]!;
    yield text.slice(at, at + size);
    at += size;
  }
}
async function read(text: string, delimiter: string, sizes: readonly number[] = []): Promise<CsvRecord[]> {
  const found: CsvRecord[] = [];
  for await (const records of recordsOf(inChunks(text, sizes), delimiter)) found.push(...records);
  return found;
}
const whole = (text: string, delimiter: string): CsvRecord[] =>
  (parse(text, { delimiter, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] }) as unknown as { record: string[]; info: { lines: number } }[])
    .map(({ record, info }) => ({ line: info.lines, cells: record }));

const cell = fc.constantFrom('', ' ', '1', '12.5', 'naïve', '2024-01-01 00:00', '"x"', '"a;b"', '"two\nlines"', 'q"q');
const plain = cell.filter((text) => !text.includes('"'));
const lines = (of: fc.Arbitrary<string>) => fc.array(fc.tuple(fc.array(of, { minLength: 1, maxLength: 5 }).map((cells) => cells.join(';')), fc.constantFrom('\n', '\r\n', '\r', '\n\n')), { maxLength: 12 });

describe('whatever the chunks, records and their lines are those of csv-parse over the whole text', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 4 });
  test.each([['without quotes', lines(plain)], ['quotes anywhere', lines(cell)], ['quotes after a long plain part', fc.tuple(lines(plain), lines(cell)).map(([a, b]) => [...a, ...b])]] as const)('%s', (_, arbitrary) =>
    fc.assert(fc.asyncProperty(arbitrary, fc.boolean(), sizes, async (parts, ends, chunks) => {
      const text = parts.map(([line, end], at) => line + (ends || at < parts.length - 1 ? end : '')).join('');
      expect(await read(text, ';', chunks)).toEqual(whole(text, ';'));
    }), { numRuns: 120 }));
});

test.each([['a quote that never closes', 'a;b\n"c;d\n'], ['an endless line', `a;b\n${'x'.repeat(70_000)}\n`], ['an endless line without an end', 'x'.repeat(3_000_000)]])('%s is an error', async (_, text) => {
  await expect(read(text, ';', [100_000])).rejects.toThrow();
});

test('a reader that leaves closes its source', async () => {
  let closed = false;
  const source = (async function* () {
    try {
      for (let n = 0; ; n += 1) yield `${n};1\n`;
    } finally {
      closed = true;
    }
  })();
  for await (const records of recordsOf(source, ';')) {
    expect(records.map(({ cells }) => cells)).toEqual([['0', '1']]);
    break;
  }
  expect(closed).toBe(true);
});
