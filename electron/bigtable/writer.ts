/** Writes rows through the official client: absolute cells with given version times, so that a retry changes nothing. */
import type { Bigtable } from '@google-cloud/bigtable';
import { problem, type Problem } from '../../shared/result.ts';
import { problemOf } from './problems.ts';
import type { StoreAddress, WriteOutcome, Writer, WriteRow } from './reader.ts';

/** A MutateRows call; the service takes at most 100,000 mutations in one, and about 1,000 rows is where throughput levels off. */
const ROWS_PER_CALL = 1000;
const CALLS_IN_FLIGHT = 4;

export interface WriterOptions {
  /** Of each call of up to 1000 rows, its retries included. */
  readonly deadlineMs?: number;
}

export interface ClosableWriter extends Writer {
  close(): Promise<void>;
}

interface RawEntry {
  readonly rowKey: Buffer;
  readonly mutations: readonly { readonly setCell: { readonly familyName: string; readonly columnQualifier: Buffer; readonly timestampMicros: string; readonly value: Buffer } }[];
}

/**
 * The official client loads and connects with the first write. A write never rejects: rows that are not known to be written come back with
 * the reason, and may be written again with the same version. A wrong request (an empty key, no cells, a version that is not whole
 * milliseconds) fails before anything is sent.
 */
export function createWriter(address: StoreAddress, { deadlineMs = 20_000 }: WriterOptions = {}): ClosableWriter {
  let opened: Promise<Bigtable> | undefined;

  async function client(): Promise<Bigtable> {
    opened ??= import('./official.ts').then(({ openOfficial }) => openOfficial(address));
    try {
      return await opened;
    } catch (error) {
      opened = undefined; // credentials may be there at the next write
      throw error;
    }
  }

  /** One call; the rows that are not known to be written, with the reason. */
  async function send(rows: readonly WriteRow[], version: bigint): Promise<WriteOutcome['failed']> {
    const entries = rows.map((row) => entryOf(row, version));
    try {
      const table = (await client()).instance(address.instance).table(address.table);
      // A fresh options object each time: the client writes into it.
      await table.mutate(entries, { rawMutation: true, gaxOptions: { timeout: deadlineMs } });
      return [];
    } catch (error) {
      return failuresOf(error, rows, entries, address);
    }
  }

  return {
    async write(rows, version) {
      const wrong = refusal(rows, version);
      if (wrong) return { written: 0, failed: rows.map(({ key }) => ({ key, error: wrong })) };
      const chunks = Array.from({ length: Math.ceil(rows.length / ROWS_PER_CALL) }, (_, index) => rows.slice(index * ROWS_PER_CALL, (index + 1) * ROWS_PER_CALL));
      const failed: WriteOutcome['failed'][number][] = [];
      let next = 0;
      const lane = async (): Promise<void> => {
        for (let chunk = chunks[next++]; chunk; chunk = chunks[next++]) failed.push(...(await send(chunk, version)));
      };
      await Promise.all(Array.from({ length: Math.min(CALLS_IN_FLIGHT, chunks.length) }, lane));
      return { written: rows.length - failed.length, failed };
    },
    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.then((bigtable) => bigtable.close(), () => undefined);
    },
  };
}

const entryOf = ({ key, cells }: WriteRow, version: bigint): RawEntry => ({
  rowKey: Buffer.from(key, 'latin1'),
  mutations: cells.map(({ family, qualifier, value }) => ({
    // A Buffer, never a string or number: those the client converts by rules of its own.
    setCell: { familyName: family, columnQualifier: Buffer.from(qualifier, 'latin1'), timestampMicros: String(version), value: Buffer.from(value, 'utf8') },
  })),
});

function failuresOf(error: unknown, rows: readonly WriteRow[], entries: readonly RawEntry[], address: StoreAddress): WriteOutcome['failed'] {
  const partial = partialFailure(error);
  if (!partial) {
    const given = problemOf(error, address);
    return rows.map(({ key }) => ({ key, error: given }));
  }
  const byEntry = new Map(partial.errors.map((each) => [each.entry, each]));
  const lost = partial.cut ? problemOf({ code: 14, message: 'the call ended before every row was acknowledged' }, address) : undefined;
  return rows.flatMap(({ key }, index) => {
    const given = byEntry.get(entries[index]);
    if (given) return [{ key, error: problemOf(given, address) }];
    return lost ? [{ key, error: lost }] : [];
  });
}

/** PartialFailureError is not exported: it goes by its name. `cut`: the call itself failed too, so rows without an error may be missing as well. */
function partialFailure(error: unknown): { errors: readonly { entry: unknown; code: unknown; message: unknown }[]; cut: boolean } | undefined {
  if (!(error instanceof Error) || error.name !== 'PartialFailureError' || !('errors' in error) || !Array.isArray(error.errors)) return undefined;
  const errors = error.errors.map((each: unknown) => (typeof each === 'object' && each !== null ? { entry: undefined, code: undefined, message: undefined, ...each } : { entry: undefined, code: undefined, message: each }));
  return { errors, cut: error.message.includes('Request failed with: ') };
}

function refusal(rows: readonly WriteRow[], version: bigint): Problem | undefined {
  // The server would refuse both too, but a version of -1 it would replace by its own clock.
  if (version < 0n || version % 1000n !== 0n) return problem('BAD_INPUT', `not a version time: ${version} (whole milliseconds, in microseconds)`, 'correct the caller');
  const wrong = rows.find(({ key, cells }) => key === '' || Buffer.byteLength(key) > 4096 || cells.length === 0);
  return wrong && problem('BAD_INPUT', `not a row to write: key ${JSON.stringify(wrong.key.slice(0, 80))}, ${wrong.cells.length} cells`, 'correct the caller');
}
