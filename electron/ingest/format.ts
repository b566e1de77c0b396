/** What a file format must tell, so that adding one is adding one object to `formats/known.ts`. */
import type { IndexId } from '../../shared/rowKey.ts';
import type { Result } from '../../shared/result.ts';
import type { Outside, Rejected, SourceBar } from './sourceBar.ts';

/** What is known of a file besides its lines: its name, and what the user said. */
export interface FileContext {
  /** Without folders. */
  readonly name: string;
  /** The user's words; null: from the file or the format's documentation. */
  readonly index: IndexId | null;
  readonly zone: string | null;
  /** `YYYY-MM-DD` for files that carry their date nowhere. */
  readonly day: string | null;
  readonly outside: Outside;
}

export interface OpenFile {
  readonly index: IndexId;
  /** IANA zone of the stamps. */
  readonly zone: string;
  /** Lines in file order, without line ends; `line` counts from 1. */
  readonly parse: (text: string, line: number) => Parsed;
}

export type Parsed =
  | { readonly kind: 'bar'; readonly bar: SourceBar }
  | { readonly kind: 'rejected'; readonly rejected: Rejected }
  | { readonly kind: 'none' }; // a header or an empty line

export interface Format {
  /** As `--format` takes it and `q:s` tells it. */
  readonly name: string;
  /** One line for people. */
  readonly title: string;
  /** How sure the first lines and the name make it: 0 not this format, 1 certain. */
  readonly detect: (head: readonly string[], name: string) => number;
  readonly open: (context: FileContext, head: readonly string[]) => Result<OpenFile>;
}

export const rejected = (line: number, reason: string): Parsed => ({ kind: 'rejected', rejected: { line, reason } });
export const NOTHING: Parsed = { kind: 'none' };
