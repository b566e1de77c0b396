import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createChunkReader, type WireRow } from '../../../electron/bigtable/chunks.ts';
import { type CellChunk, decodeChunk } from '../../../electron/bigtable/wire.ts';

interface Expected {
  readonly rk: string;
  readonly fm: string;
  readonly qual: string;
  readonly ts: number;
  readonly value: string;
  readonly label: string;
  readonly error: boolean;
}
interface Case {
  readonly name: string;
  readonly chunks_base64: readonly string[];
  readonly results: readonly Expected[] | null;
}

const fixture = new URL('../../fixtures/conformance/read-rows-acceptance-test.json', import.meta.url);
const { tests } = JSON.parse(readFileSync(fixture, 'utf8')) as { tests: Case[] };

function run(chunks: readonly CellChunk[]): { rows: WireRow[]; error: boolean } {
  const reader = createChunkReader();
  const rows: WireRow[] = [];
  try {
    for (const chunk of chunks) {
      const row = reader.push(chunk);
      if (row) rows.push(row);
    }
    reader.end();
    return { rows, error: false };
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return { rows, error: true };
  }
}

const flat = (rows: readonly WireRow[]): Expected[] =>
  rows.flatMap((row) => row.cells.map((cell) => ({
    rk: row.key, fm: cell.family, qual: cell.qualifier, ts: Number(cell.timestamp), value: cell.value.toString(), label: cell.labels.join(), error: false,
  })));

describe('the cases that all Bigtable clients share', () => {
  test('are all there', () => expect(tests).toHaveLength(48));

  test.each(tests.filter(({ results }) => results?.at(-1)?.error !== true))('$name', ({ chunks_base64: chunks, results }) => {
    const { rows, error } = run(chunks.map((chunk) => decodeChunk(Buffer.from(chunk, 'base64'))));
    expect({ rows: flat(rows), error }).toEqual({ rows: results ?? [], error: false });
  });

  test.each(tests.filter(({ results }) => results?.at(-1)?.error === true))('$name', ({ chunks_base64: chunks }) => {
    expect(run(chunks.map((chunk) => decodeChunk(Buffer.from(chunk, 'base64')))).error).toBe(true);
  });
});

describe('beyond them', () => {
  const chunk = (given: Partial<CellChunk>): CellChunk => ({
    rowKey: '', family: null, qualifier: null, timestamp: 0n, labels: [], value: Buffer.alloc(0), valueSize: 0, reset: false, commit: false, ...given,
  });
  const whole = (rowKey: string) => chunk({ rowKey, family: 'q', qualifier: 'p', value: Buffer.from('1'), commit: true });

  test('scannedTo follows committed rows and told keys, not rows under way', () => {
    const reader = createChunkReader();
    expect(reader.scannedTo).toBeNull();
    reader.push(whole('b'));
    expect(reader.scannedTo).toBe('b');
    reader.scanned('d');
    expect(reader.scannedTo).toBe('d');
    reader.push({ ...whole('e'), commit: false });
    expect(reader.scannedTo).toBe('d');
    expect(() => reader.end()).toThrow(RangeError);
  });

  test.each([
    ['a row at or before the scanned key', [whole('b')], 'c'],
    ['a scanned key that goes back', [whole('b')], 'a'],
  ])('%s is refused', (_, chunks, scanned) => {
    const reader = createChunkReader();
    for (const each of chunks) reader.push(each);
    expect(() => {
      reader.scanned(scanned);
      reader.push(whole('c'));
    }).toThrow(RangeError);
  });

  test('a reversed read takes rows in either order, but in one', () => {
    const keys = (...given: string[]) => () => {
      const reader = createChunkReader(true);
      for (const key of given) reader.push(whole(key));
    };
    expect(keys('c', 'b', 'a')).not.toThrow();
    expect(keys('a', 'b', 'c')).not.toThrow();
    expect(keys('c', 'a', 'b')).toThrow(RangeError);
    expect(keys('a', 'c', 'b')).toThrow(RangeError);
    expect(keys('a', 'a')).toThrow(RangeError);
  });

  test('a scanned key inside a row is refused', () => {
    const reader = createChunkReader();
    reader.push({ ...whole('b'), commit: false });
    expect(() => reader.scanned('c')).toThrow(RangeError);
  });

  test.each([
    ['a new key inside a split value', { rowKey: 'c' }],
    ['a commit inside a split value', { valueSize: 5, commit: true }],
    ['a size that no cell has', { valueSize: 2 ** 31 }],
    ['a negative size', { valueSize: -1 }],
  ])('%s is refused', (_, second) => {
    expect(run([chunk({ rowKey: 'b', family: 'q', qualifier: 'p', value: Buffer.from('12'), valueSize: 4 }), chunk({ value: Buffer.from('34'), commit: true, ...second })]).error).toBe(true);
  });
});
