/** Text to records of cells, with the line each starts on. The quoting is csv-parse's, the delimiter ours. */
import { Readable } from 'node:stream';
import { type Info, parse } from 'csv-parse';

export interface CsvRecord {
  /** The line it ends on, from 1; quoted line ends count. */
  readonly line: number;
  readonly cells: readonly string[];
}

const DELIMITERS = ['\t', ';', ',', '|'] as const;
const MAX_RECORD = 65_536; // characters; no vendor's row is near it

/** The delimiter that splits most of the first lines alike; null where none splits anything. Quoted text does not count. */
export function findDelimiter(head: string): string | null {
  const lines = head.replace(/"(?:[^"]|"")*"/g, '').split(/\r\n|\n|\r/).filter((line) => line.trim() !== '').slice(0, 50);
  let best: { delimiter: string; lines: number; count: number } | null = null;
  for (const delimiter of DELIMITERS) {
    const tally = new Map<number, number>();
    for (const line of lines) {
      const count = line.split(delimiter).length - 1;
      if (count > 0) tally.set(count, (tally.get(count) ?? 0) + 1);
    }
    for (const [count, alike] of tally) {
      if (best === null || alike > best.lines || (alike === best.lines && count > best.count)) best = { delimiter, lines: alike, count };
    }
  }
  return best?.delimiter ?? null;
}

/** Records in file order; empty lines are skipped but counted. Throws at a quote that never closes and at an endless record. */
export async function* recordsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, bom: true,
    record_delimiter: ['\r\n', '\n', '\r'], max_record_size: MAX_RECORD,
  });
  const source = Readable.from(text);
  source.once('error', (error) => parser.destroy(error));
  try {
    for await (const found of source.pipe(parser)) {
      const { record, info } = found as { record: string[]; info: Info };
      yield { line: info.lines, cells: record };
    }
  } finally {
    source.destroy();
    parser.destroy();
  }
}
