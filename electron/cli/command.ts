/** The shape of a command: what it takes, and a run that ends in an exit code. */
import type { OptionSpecs, Parsed } from '../config/options.ts';
import type { Problem, Result } from '../../shared/result.ts';

export interface Streams {
  /** Data only. Resolves when the consumer can take more. */
  out(line: string): Promise<void>;
  /** Everything meant for a person. */
  err(line: string): void;
  readonly terminal: boolean;
}

export interface Command {
  /** One line for the list. */
  readonly summary: string;
  readonly usage: string;
  readonly options: OptionSpecs;
  readonly positionals: { readonly min: number; readonly max: number };
  /** Ends when the work is done or `signal` aborts (Ctrl-C). The value is the exit code. */
  run(parsed: Parsed, streams: Streams, signal: AbortSignal): Promise<Result<number, Problem>>;
}
