/** One MutateRows call on an open channel: which of its rows are not known to be written, and why. Never retries. */
import type { Problem } from '../../shared/result.ts';
import type { Dialled } from './dial.ts';
import { decodeMutateRows } from './mutateWire.ts';
import { badAnswer, problemOf, timeout } from './problems.ts';
import type { StoreAddress } from './reader.ts';

const MUTATE_ROWS = '/google.bigtable.v2.Bigtable/MutateRows';

export interface MutateCall {
  readonly address: StoreAddress;
  /** An encoded MutateRowsRequest of `rows` entries. */
  readonly message: Buffer;
  readonly rows: number;
  readonly deadlineMs: number;
  /** 0 for the first try: a header that Google's servers count. */
  readonly attempt: number;
}

export interface MutateOutcome {
  /** By position in the request; rows that it does not name are written. */
  readonly failed: ReadonlyMap<number, Problem>;
  /** The server said anything at all. */
  readonly heard: boolean;
}

/** Never rejects. */
export function mutateRows(on: Dialled, { address, message, rows, deadlineMs, attempt }: MutateCall): Promise<MutateOutcome> {
  return new Promise((resolve) => {
    const metadata = attempt === 0 ? on.metadata : on.metadata.clone();
    if (attempt > 0) metadata.set('bigtable-attempt', String(attempt));
    const calling = on.channel.createCall(MUTATE_ROWS, Date.now() + deadlineMs, null, null, null);
    const failed = new Map<number, Problem>();
    const named = new Uint8Array(rows);
    let heard = false;
    let settled = false;

    const settle = (error: Problem): void => {
      if (settled) return;
      settled = true;
      for (let index = 0; index < rows; index += 1) if (named[index] === 0) failed.set(index, error);
      resolve({ failed, heard });
    };
    calling.start(metadata, {
      onReceiveMetadata() {
        heard = true;
      },
      onReceiveMessage(bytes: Buffer) {
        if (settled) return;
        try {
          for (const { index, code, message: text } of decodeMutateRows(bytes)) {
            if (!(index >= 0 && index < rows)) throw new RangeError(`an outcome of row ${index} of ${rows}`);
            named[index] = 1;
            if (code !== 0) failed.set(index, problemOf({ code, message: text }, address));
          }
          calling.startRead();
        } catch (error) {
          const wrong = badAnswer(address, error instanceof Error ? error.message : String(error));
          settle(wrong);
          calling.cancelWithStatus(on.status.CANCELLED, wrong.what);
        }
      },
      onReceiveStatus(status) {
        if (status.code === on.status.OK) return settle(problemOf({ code: on.status.UNAVAILABLE, message: 'the call ended before every row was acknowledged' }, address));
        const given = problemOf(status, address);
        settle(given.code === 'STORE_TIMEOUT' ? timeout(address, Math.round(deadlineMs)) : given);
      },
    });
    calling.sendMessageWithContext({}, message);
    calling.startRead();
    calling.halfClose();
  });
}
