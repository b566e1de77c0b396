/**
 * The one read: ranges, limit, deadline, cancel -> rows as bytes. A ReadRows call on a grpc-js channel; the official client stays for
 * administration and writes.
 *
 * Client CPU of 500 scans limited to one row, 32 in flight, against the embedded store (medians of 8 rounds, two busy cores, Node 24):
 * the official `createReadStream` 471 ms, its gapic layer with retries off 263 ms, this reader 126 ms; below it, grpc-js's
 * `makeServerStreamRequest` 122 ms and a channel's own `createCall` 101 ms (of one run). So raw gRPC, and `createCall`, which has the
 * fewest parts too: messages and one status, no stream whose end and error events race. 500 indices in five requests of 100 ranges:
 * 2.4 ms with nothing new and 6.5 ms with one new row each; in two of 250 1.7 and 4.7 ms, in one of 500 1.3 and 4.3 ms. A long read
 * takes 4 to 5 µs a row against 16 to 27.
 */
import type { KeyRange } from '../../shared/rowKey.ts';
import { type Problem, problem } from '../../shared/result.ts';
import { type Collector, createCollector } from './collect.ts';
import { dial, type Dialled } from './dial.ts';
import { tableName } from './metadata.ts';
import { badAnswer, problemOf, timeout } from './problems.ts';
import { MAX_RANGES, type Reader, type ReadOutcome, type ReadRequest, type StoreAddress } from './reader.ts';
import { encodeReadRows } from './wire.ts';

const READ_ROWS = '/google.bigtable.v2.Bigtable/ReadRows';
/** A connection that lets so many reads in a row run out their time without a byte is taken for half open, and replaced. */
const SILENT_READS = 2;


/** A channel with what we know of its health. */
interface Line extends Dialled {
  silent: number;
}

/**
 * Reads from one table. Returns at once: the channel opens, and its modules load, with the first read. Reads never retry (callers schedule)
 * and never reject. Safe to call concurrently.
 */
export function connect(address: StoreAddress): Reader {
  let line: Line | undefined;
  let dialling: Promise<Line> | undefined;
  let closed = false;
  const table = tableName(address);
  const active = new Set<() => void>();

  function open(): Promise<Line> {
    dialling ??= dial(address).then(
      (dialled) => {
        dialling = undefined;
        line = { ...dialled, silent: 0 };
        if (closed) hangUp();
        return line ?? Promise.reject(new Error('the client has already been closed'));
      },
      (error: unknown) => {
        dialling = undefined; // credentials may be there at the next read
        throw error;
      },
    );
    return dialling;
  }

  /** Calls under way on the old channel end by themselves. */
  function hangUp(): void {
    line?.close();
    line = undefined;
  }

  async function read(request: ReadRequest): Promise<ReadOutcome> {
    const started = performance.now();
    const elapsed = (): number => performance.now() - started;
    const refuse = (error: Problem): ReadOutcome => ({ ok: false, error, rows: [], scannedTo: null, elapsedMs: elapsed() });
    const wrong = refusal(request);
    if (wrong) return refuse(wrong);
    if (closed) return refuse(CLOSED);
    if (request.signal?.aborted) return refuse(CANCELLED);
    const message = encodeReadRows({ tableName: table, appProfile: address.appProfile, ranges: request.ranges, limit: request.limit ?? 0, families: request.families ?? [], reversed: request.reversed === true });
    if (message === null) return refuse(bad('a range of keys has a character that is no byte'));
    let ready = line;
    if (!ready) {
      try {
        ready = await within(open(), request.deadlineMs, request.signal, address);
      } catch (error) {
        return refuse(error instanceof Early ? error.problem : problemOf(error, address));
      }
    }
    return call(ready, request, message, started);
  }

  function call(on: Line, request: ReadRequest, message: Buffer, started: number): Promise<ReadOutcome> {
    return new Promise((resolve) => {
      // Let go of once settled: what a call refers to is kept for long, see Collector.hand.
      let answer: { readonly collector: Collector; readonly resolve: (outcome: ReadOutcome) => void } | null = { collector: createCollector(request.reversed === true, request.known, request.passing), resolve };
      const remaining = Math.max(1, request.deadlineMs - (performance.now() - started));
      const calling = on.channel.createCall(READ_ROWS, Date.now() + remaining, null, null, null);
      let heard = false;

      const settle = (error: Problem | null): void => {
        if (answer === null) return;
        const { collector, resolve: tell } = answer;
        const { scannedTo } = collector;
        const rows = collector.hand();
        answer = null;
        active.delete(cancel);
        request.signal?.removeEventListener('abort', cancel);
        listen(on, heard, error);
        const elapsedMs = performance.now() - started;
        tell(error ? { ok: false, error, rows, scannedTo: request.reversed === true ? null : scannedTo, elapsedMs } : { ok: true, rows, elapsedMs });
      };
      /** Settles first: the status that the cancellation brings says nothing new. */
      const stop = (error: Problem): void => {
        settle(error);
        calling.cancelWithStatus(on.status.CANCELLED, error.what);
      };
      const cancel = (): void => stop(closed ? CLOSED : CANCELLED);
      const check = (step: () => void): void => {
        try {
          step();
        } catch (error) {
          stop(badAnswer(address, error instanceof Error ? error.message : String(error)));
        }
      };
      active.add(cancel);
      request.signal?.addEventListener('abort', cancel, { once: true });

      calling.start(request.reversed === true ? on.reverseMetadata : on.metadata, {
        onReceiveMetadata() {
          heard = true;
        },
        onReceiveMessage(bytes: Buffer) {
          if (answer === null) return;
          const { collector } = answer;
          check(() => {
            collector.take(bytes);
            calling.startRead();
          });
        },
        onReceiveStatus(status) {
          if (status.code === on.status.OK) {
            check(() => answer?.collector.end());
            return settle(null);
          }
          const given = problemOf(status, address);
          settle(given.code === 'STORE_TIMEOUT' ? timeout(address, request.deadlineMs) : given);
        },
      });
      calling.sendMessageWithContext({}, message);
      calling.startRead();
      calling.halfClose();
    });
  }

  /** A frozen peer and a dead path look alike: no answer, no reset. What heals the one does not hurt the other. */
  function listen(on: Line, heard: boolean, error: Problem | null): void {
    if (heard || error?.code !== 'STORE_TIMEOUT') on.silent = 0;
    else if (++on.silent >= SILENT_READS && line === on) hangUp();
  }

  return {
    read,
    renew: hangUp,
    close() {
      closed = true;
      for (const cancel of active) cancel();
      hangUp();
      return Promise.resolve();
    },
  };
}

const CANCELLED = problem('CANCELLED', 'the read was cancelled', 'ask again if the answer is still wanted', true);
const CLOSED = problem('CANCELLED', 'the connection was closed', 'connect again');

const bad = (what: string): Problem => problem('BAD_INPUT', what, 'correct the request');

/** Programming errors, told as Problems since a reader never throws. An empty bound would mean the whole table. */
function refusal({ ranges, limit = 0, deadlineMs }: ReadRequest): Problem | undefined {
  if (ranges.length === 0 || ranges.length > MAX_RANGES) return bad(`a read takes 1 to ${MAX_RANGES} ranges, not ${ranges.length}`);
  if (!Number.isInteger(limit) || limit < 0) return bad(`not a limit: ${limit}`);
  if (!(deadlineMs > 0) || deadlineMs > 2 ** 31 - 1) return bad(`not a deadline: ${deadlineMs} ms`);
  const wrong = ranges.find(notARange);
  return wrong && bad(`not a range of keys: [${JSON.stringify(wrong.start)}, ${JSON.stringify(wrong.end)})`);
}

const notARange = ({ start, end }: KeyRange): boolean => start === '' || start >= end;

class Early extends Error {
  readonly problem: Problem;
  constructor(given: Problem) {
    super(given.what);
    this.problem = given;
  }
}

/** Dialling may wait for a metadata server or a token: the read's deadline and signal count from its start. */
function within<T>(work: Promise<T>, deadlineMs: number, signal: AbortSignal | undefined, address: StoreAddress): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
    };
    const aborted = (): void => {
      done();
      reject(new Early(CANCELLED));
    };
    const timer = setTimeout(() => {
      done();
      reject(new Early(timeout(address, deadlineMs)));
    }, deadlineMs);
    signal?.addEventListener('abort', aborted, { once: true });
    work.finally(done).then(resolve, reject);
  });
}
