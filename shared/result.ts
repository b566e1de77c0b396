/** A call's outcome as a value: nothing that can fail in the field throws across a boundary. */

export type Ok<T> = { readonly ok: true; readonly value: T };
export type Failed<E> = { readonly ok: false; readonly error: E };
export type Result<T, E = Problem> = Ok<T> | Failed<E>;

/** What went wrong, where, what to do, and whether trying again can help. Crosses channels as it is: plain data, no secrets. */
export interface Problem {
  readonly code: ProblemCode;
  /** What happened, one line, without a final full stop. */
  readonly what: string;
  /** What the reader can do about it, one line in the imperative. */
  readonly next: string;
  readonly retryable: boolean;
}

export type ProblemCode =
  | 'STORE_UNREACHABLE' // nothing listens, or the connection broke
  | 'STORE_TIMEOUT' // the deadline passed without an answer
  | 'STORE_BUSY' // the server refused for load or quota
  | 'TABLE_MISSING'
  | 'FAMILY_MISSING'
  | 'CREDENTIALS_MISSING'
  | 'CREDENTIALS_REFUSED'
  | 'CREDENTIALS_EXPIRED'
  | 'CANCELLED'
  | 'BAD_DATA' // an answer that breaks the protocol or the layout
  | 'BAD_INPUT' // wrong usage, config or file
  | 'NOT_FOUND' // the asked-for data does not exist
  | 'PORT_IN_USE'
  | 'DATA_FOLDER_LOCKED'
  | 'DATA_FOLDER_CORRUPT'
  | 'INTERNAL';

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });
export const failed = <E = Problem>(error: E): Failed<E> => ({ ok: false, error });

export const problem = (code: ProblemCode, what: string, next: string, retryable = false): Problem => ({ code, what, next, retryable });

/** A Problem that must travel as an exception (inside one process, up to the nearest boundary). */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(given: Problem) {
    super(`${given.code}: ${given.what}; ${given.next}`);
    this.name = 'ProblemError';
    this.problem = given;
  }
}

export function assertNever(value: never): never {
  throw new Error(`not a case of this union: ${JSON.stringify(value)}`);
}
