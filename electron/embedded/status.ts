/** What a call can end with: gRPC's codes, and an error that carries one. Texts follow the service's own where it is known. */

export const CODE = {
  cancelled: 1, unknown: 2, invalid: 3, deadline: 4, notFound: 5, alreadyExists: 6, exhausted: 8, precondition: 9, unimplemented: 12, internal: 13, unavailable: 14, dataLoss: 15,
} as const;
export type Code = (typeof CODE)[keyof typeof CODE];

/** `details` is the name under which gRPC sends a status's text. */
export class StatusError extends Error {
  readonly code: Code;
  readonly details: string;
  constructor(code: Code, details: string) {
    super(details);
    this.name = 'StatusError';
    this.code = code;
    this.details = details;
  }
}

export const invalid = (text: string): StatusError => new StatusError(CODE.invalid, text);
export const unimplemented = (what: string): StatusError => new StatusError(CODE.unimplemented, `${what} is not implemented by this store`);
export const tableMissing = (name: string): StatusError => new StatusError(CODE.notFound, `Table not found: ${name}`);
export const familyMissing = (name: string): StatusError => new StatusError(CODE.notFound, `Requested column family not found: ${name}`);

// SQLite's primary result codes (the low byte of errcode).
const FULL = 13, IO = 10, READONLY = 8, CORRUPT = 11, NOT_A_DATABASE = 26, TOO_BIG = 18;

/** Any thrown thing as a status: ours as it is, SQLite's by its result code, the rest INTERNAL with its message. */
export function statusOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const result = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
  const text = error instanceof Error ? error.message : String(error);
  switch (result) {
    case FULL: return new StatusError(CODE.exhausted, 'the disk is full: nothing of this write was kept');
    case READONLY: return new StatusError(CODE.precondition, 'the data folder is read-only');
    case CORRUPT: case NOT_A_DATABASE: return new StatusError(CODE.dataLoss, 'the data file is damaged');
    case IO: return new StatusError(CODE.unavailable, `the data file cannot be read or written: ${text}`);
    case TOO_BIG: return invalid('the row is larger than 256 MB');
    default: return new StatusError(CODE.internal, text);
  }
}
