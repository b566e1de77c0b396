/** One vendor file to checked bars and a list of what was refused. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import type { IndexId } from '../../shared/rowKey.ts';
import type { FileContext } from './format.ts';
import { chooseFormat } from './formats/known.ts';
import { linesOf } from './lines.ts';
import type { Rejected, SourceBar } from './sourceBar.ts';

/** About ten years of minutes of one index; all bars of a file are held until they are sorted. */
export const MAX_BARS = 1_000_000;
const HEAD_LINES = 20;
const MAX_REASONS = 1000;

export interface ReadOptions {
  readonly format: string; // a format's name, or `auto`
  readonly index: IndexId | null;
  readonly zone: string | null;
  readonly day: string | null;
}

export interface FileBars {
  readonly file: string;
  readonly format: string;
  readonly index: IndexId;
  readonly zone: string;
  /** By start, one per start. */
  readonly bars: readonly SourceBar[];
  /** Lines read, headers and empty lines among them. */
  readonly read: number;
  readonly rejectedCount: number;
  /** The first thousand, by line. */
  readonly rejected: readonly Rejected[];
}

/** Reads a whole file. Fails with BAD_INPUT when it can't be opened, is of no known format, or has no good row. */
export async function readBars(path: string, options: ReadOptions): Promise<Result<FileBars>> {
  try {
    return await barsOfLines(basename(path), linesOf(createReadStream(path)), options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(problem('BAD_INPUT', `${path}: ${reason}`, 'give a readable file'));
  }
}

/** As `readBars`, from lines. `name` is the file's name without folders: some formats keep date and symbol there. */
export async function barsOfLines(name: string, lines: AsyncIterable<string>, options: ReadOptions): Promise<Result<FileBars>> {
  const iterator = lines[Symbol.asyncIterator]();
  try {
    const head: string[] = [];
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      head.push(next.value);
      if (head.length === HEAD_LINES) break;
    }
    const format = chooseFormat(options.format, head, name);
    if (!format.ok) return format;
    const context: FileContext = { name, index: options.index, zone: options.zone, day: options.day };
    const opened = format.value.open(context, head);
    if (!opened.ok) return opened;
    const { index, zone, parse } = opened.value;

    const found: SourceBar[] = [];
    const refused: Rejected[] = [];
    let line = 0;
    let refusedCount = 0;
    const refuse = (one: Rejected): void => {
      refusedCount += 1;
      if (refused.length < MAX_REASONS) refused.push(one);
    };
    const take = (text: string): void => {
      line += 1;
      const parsed = parse(text, line);
      if (parsed.kind === 'bar') found.push(parsed.bar);
      else if (parsed.kind === 'rejected') refuse(parsed.rejected);
    };
    for (const text of head) take(text);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      if (found.length >= MAX_BARS) return failed(problem('BAD_INPUT', `${name}: more than ${MAX_BARS} bars`, 'split the file'));
      take(next.value);
    }
    const bars = settleDuplicates(found, refuse);
    const first = refused[0];
    if (bars.length === 0) {
      return failed(problem('BAD_INPUT', `${name}: no good row${first ? ` (line ${first.line}: ${first.reason})` : ''}`, 'check --format and --zone'));
    }
    return ok({ file: name, format: format.value.name, index, zone, bars, read: line, rejectedCount: refusedCount, rejected: refused.toSorted((a, b) => a.line - b.line) });
  } finally {
    await iterator.return?.();
  }
}

/** One bar per start, sorted: an identical line is dropped, of conflicting ones the last wins; both are reported. */
export function settleDuplicates(bars: readonly SourceBar[], report: (rejected: Rejected) => void): SourceBar[] {
  const byStart = new Map<bigint, SourceBar>();
  for (const bar of bars) {
    const known = byStart.get(bar.start);
    if (known && same(known, bar)) report({ line: bar.line, reason: 'exact duplicate' });
    else {
      if (known) report({ line: bar.line, reason: 'conflicting duplicate: last wins, reported' });
      byStart.set(bar.start, bar);
    }
  }
  return [...byStart.values()].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
}

const same = (a: SourceBar, b: SourceBar): boolean =>
  a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close && a.volume === b.volume && a.period === b.period;
