/**
 * Writes rows: absolute cells with given version times, so that a retry changes nothing. MutateRows calls on a grpc-js channel, as the
 * reader's: of 100,000 rows of five cells into the embedded store the official client's `mutate` takes 6 s, mostly by copying and
 * converting cells, this writer less than half of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Problem, problem } from '../../shared/result.ts';
import { dial, type Dialled } from './dial.ts';
import { tableName } from './metadata.ts';
import { mutateRows } from './mutateCall.ts';
import { encodeMutateRows } from './mutateWire.ts';
import { problemOf, timeout } from './problems.ts';
import type { StoreAddress, WriteOutcome, Writer, WriteRow } from './reader.ts';

/** A MutateRows call; the service takes at most 100,000 mutations in one, and about 1,000 rows is where throughput levels off. */
const ROWS_PER_CALL = 1000;
const CALLS_IN_FLIGHT = 4;
/** Tries of one call; with the pauses between, an outage of 1.5 s is waited out. */
const TRIES = 6;
const FIRST_PAUSE_MS = 50;

export interface WriterOptions {
  /** Of each call of up to 1000 rows, its retries included. */
  readonly deadlineMs?: number;
}

export interface ClosableWriter extends Writer {
  /** Calls under way end by themselves. */
  close(): Promise<void>;
}

/**
 * Connects, and loads gRPC, with the first write. A write never rejects: rows that are not known to be written come back with the reason,
 * and may be written again with the same version. A wrong request (an empty key, no cells, a version that is not whole milliseconds) fails
 * before anything is sent.
 */
export function createWriter(address: StoreAddress, { deadlineMs = 20_000 }: WriterOptions = {}): ClosableWriter {
  let line: Promise<Dialled> | undefined;
  let closed = false;
  const table = tableName(address);

  async function open(remainingMs: number): Promise<Dialled> {
    const dialling = (line ??= dial(address));
    try {
      return await inTime(dialling, remainingMs, () => timeout(address, deadlineMs));
    } catch (error) {
      if (line === dialling) line = undefined; // credentials may be there at the next write
      throw error;
    }
  }

  /** A connection that does not say a word in a whole deadline is taken for half open: the next write dials anew. */
  async function hangUp(): Promise<void> {
    const dialling = line;
    line = undefined;
    await dialling?.then((dialled) => dialled.close(), () => undefined);
  }

  /** One call and its retries, of what may still succeed; the rows that are not known to be written, with the reason. */
  async function send(rows: readonly WriteRow[], version: bigint): Promise<WriteOutcome['failed']> {
    const end = performance.now() + deadlineMs;
    const lost: WriteOutcome['failed'][number][] = [];
    let left = rows;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await once(left, version, end - performance.now(), attempt);
      if (outcome.size === 0) return lost;
      const again: WriteRow[] = [];
      const pause = FIRST_PAUSE_MS * 2 ** attempt;
      const another = attempt + 1 < TRIES && performance.now() + pause < end && !closed;
      for (const [index, row] of left.entries()) {
        const error = outcome.get(index);
        if (error === undefined) continue;
        if (another && passes(error)) again.push(row);
        else lost.push({ key: row.key, error });
      }
      if (again.length === 0) return lost;
      left = again;
      await sleep(pause);
    }
  }

  async function once(rows: readonly WriteRow[], version: bigint, remainingMs: number, attempt: number): Promise<ReadonlyMap<number, Problem>> {
    try {
      const message = encodeMutateRows({ tableName: table, appProfile: address.appProfile, rows, version });
      const { failed, heard } = await mutateRows(await open(remainingMs), { address, message, rows: rows.length, deadlineMs: Math.max(1, remainingMs), attempt });
      if (!heard && [...failed.values()].some(({ code }) => code === 'STORE_TIMEOUT')) await hangUp();
      return failed;
    } catch (error) {
      const given = error instanceof Late ? error.problem : problemOf(error, address);
      return new Map(rows.map((_, index) => [index, given]));
    }
  }

  return {
    async write(rows, version) {
      const wrong = closed ? problem('CANCELLED', 'the connection was closed', 'connect again') : refusal(rows, version);
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
      closed = true;
      await hangUp();
    },
  };
}

/** A write is absolute: whatever became of it, it may be sent again. */
const passes = ({ code, retryable }: Problem): boolean => retryable && (code === 'STORE_UNREACHABLE' || code === 'STORE_TIMEOUT' || code === 'STORE_BUSY');

class Late extends Error {
  readonly problem: Problem;
  constructor(given: Problem) {
    super(given.what);
    this.problem = given;
  }
}

/** Dialling may wait for a metadata server or a token. */
function inTime<T>(work: Promise<T>, ms: number, late: () => Problem): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Late(late())), Math.max(1, ms));
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

function refusal(rows: readonly WriteRow[], version: bigint): Problem | undefined {
  // The server would refuse both too, but a version of -1 it would replace by its own clock.
  if (version < 0n || version % 1000n !== 0n) return problem('BAD_INPUT', `not a version time: ${version} (whole milliseconds, in microseconds)`, 'correct the caller');
  const wrong = rows.find(({ key, cells, removed }) => key === '' || key.length > 4096 || cells.length + (removed?.length ?? 0) === 0 || !isBytes(key) || cells.some(({ qualifier }) => !isBytes(qualifier)));
  return wrong && problem('BAD_INPUT', `not a row to write: key ${JSON.stringify(wrong.key.slice(0, 80))}, ${wrong.cells.length} cells`, 'correct the caller');
}
/** One byte a character: cut, a key would be another key. A loop, since these texts are short and many. */
function isBytes(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}
