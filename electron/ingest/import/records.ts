/** Text to records of cells, with the line each starts on. The quoting is csv-parse's, the delimiter ours. */
import { Readable } from 'node:stream';
import { type Info, parse } from 'csv-parse';

export interface CsvRecord {
  /** The line it ends on, from 1; quoted line ends count. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why it is no row, where its reader found that. */
  readonly bad?: string;
}

const DELIMITERS = ['\t', ';', ',', '|'] as const;
const MAX_RECORD = 65_536; // characters; no vendor's row is near it
const PARSED_AT_ONCE = 500;

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

/**
 * Records in file order, as many at once as a piece of text holds; empty lines are skipped but counted. Throws at a quote that never closes and
 * at an endless record. Text without a quote has nothing to parse: it is split, several times faster; from the first quote on csv-parse reads
 * the rest.
 */
export async function* recordsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<readonly CsvRecord[]> {
  const chunks = text[Symbol.asyncIterator]();
  let [pending, line] = ['', 0];
  const split = (lines: readonly string[]): CsvRecord[] => {
    const records: CsvRecord[] = [];
    for (const one of lines) {
      line += 1;
      if (one !== '') records.push({ line, cells: cellsOf(one, delimiter) });
    }
    return records;
  };
  try {
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) break;
      pending += next.value;
      if (next.value.includes('"') || pending.length > MAX_RECORD * 32) {
        yield* parsed(withRest(pending, chunks), delimiter, line);
        return;
      }
      // a line end is known by what follows: \r may be half of one
      const cut = Math.max(pending.lastIndexOf('\n'), pending.length < 2 ? -1 : pending.lastIndexOf('\r', pending.length - 2));
      if (cut === -1) continue;
      const whole = linesIn(pending.slice(0, cut + 1));
      whole.pop(); // what follows the last end
      pending = pending.slice(cut + 1);
      yield split(whole);
    }
    yield split(linesIn(pending));
  } finally {
    await chunks.return?.();
  }
}

/** \r\n, \n and \r end a line. */
const linesIn = (text: string): string[] => (text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n'));

function cellsOf(line: string, delimiter: string): string[] {
  if (line.length > MAX_RECORD) throw new RangeError(`a line of ${line.length} characters`);
  return line.split(delimiter);
}

async function* withRest(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** `before`: lines that came before this text. */
async function* parsed(text: AsyncIterable<string>, delimiter: string, before: number): AsyncGenerator<readonly CsvRecord[]> {
  const parser = parse({
    delimiter, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, bom: true,
    record_delimiter: ['\r\n', '\n', '\r'], max_record_size: MAX_RECORD,
  });
  const source = Readable.from(text);
  source.once('error', (error) => parser.destroy(error));
  let records: CsvRecord[] = [];
  try {
    for await (const found of source.pipe(parser)) {
      const { record, info } = found as { record: string[]; info: Info };
      if (records.push({ line: before + info.lines, cells: record }) < PARSED_AT_ONCE) continue;
      yield records;
      records = [];
    }
    yield records;
  } finally {
    source.destroy();
    parser.destroy();
  }
}
