/**
 * CheckAndMutateRow: one row, changed only where its newest cell says so, atomically. What leases and `!latest#ID` are made of. Needs an
 * app profile that routes to one cluster and allows single-row transactions.
 */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { failed, ok, problem, type Problem, type Result } from '../../shared/result.ts';
import { dial, type Dialled } from './dial.ts';
import { tableName } from './metadata.ts';
import { badAnswer, problemOf } from './problems.ts';
import type { Family, StoreAddress, WriteRow } from './reader.ts';

/** Holds where the newest cell of the column lies between both values as bytes, both included; without them, where there is any cell. */
export interface Condition {
  readonly family: Family;
  readonly qualifier: string;
  readonly from?: string;
  readonly to?: string;
}

/** `replace`: the row then has these cells and no others, whatever versions it had; `set`: these beside its others. Null: nothing changes. */
export type Change = { readonly kind: 'replace' | 'set'; readonly cells: WriteRow['cells']; readonly version: bigint } | { readonly kind: 'delete' } | null;

export interface Conditional {
  /**
   * True where the condition held and `then` was done, false where it did not and `otherwise` was. After a failure either may have been
   * done or neither: the service never tries twice by itself, so callers ask again by a condition that knows its own work.
   */
  check(key: string, condition: Condition, then: Change, otherwise: Change): Promise<Result<boolean>>;
  close(): Promise<void>;
}

const PATH = '/google.bigtable.v2.Bigtable/CheckAndMutateRow';
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Connects with the first call. Never rejects. */
export function createConditional(address: StoreAddress, { deadlineMs = 10_000 }: { readonly deadlineMs?: number } = {}): Conditional {
  let dialled: Promise<Dialled> | undefined;
  let closed = false;

  async function line(): Promise<Dialled> {
    dialled ??= dial(address);
    try {
      return await dialled;
    } catch (error) {
      dialled = undefined; // credentials may be there at the next call
      throw error;
    }
  }

  return {
    async check(key, condition, then, otherwise) {
      const wrong = closed ? problem('CANCELLED', 'the connection was closed', 'connect again') : refusal(key, [then, otherwise]);
      if (wrong) return failed(wrong);
      try {
        const protos = (await import('@google-cloud/bigtable-api/build/protos/protos.js')).default;
        const { CheckAndMutateRowRequest, CheckAndMutateRowResponse } = protos.google.bigtable.v2;
        const request = CheckAndMutateRowRequest.encode({
          tableName: tableName(address), ...(address.appProfile === null ? {} : { appProfileId: address.appProfile }), rowKey: latin(key),
          predicateFilter: filterOf(condition), trueMutations: mutationsOf(then), falseMutations: mutationsOf(otherwise),
        }).finish();
        const answer = await unary(await line(), Buffer.from(request), deadlineMs, address);
        return answer.ok ? ok(CheckAndMutateRowResponse.decode(answer.value).predicateMatched) : answer;
      } catch (error) {
        return failed(problemOf(error, address));
      }
    },
    async close() {
      closed = true;
      const open = dialled;
      dialled = undefined;
      await open?.then((one) => one.close(), () => undefined);
    },
  };
}

function unary(on: Dialled, message: Buffer, deadlineMs: number, address: StoreAddress): Promise<Result<Buffer>> {
  return new Promise((resolve) => {
    const call = on.channel.createCall(PATH, Date.now() + deadlineMs, null, null, null);
    let answer: Buffer | null = null;
    call.start(on.metadata, {
      onReceiveMetadata() {},
      onReceiveMessage(bytes: Buffer) {
        answer = bytes;
        call.startRead();
      },
      onReceiveStatus(status) {
        if (status.code !== on.status.OK) resolve(failed(problemOf(status, address)));
        else resolve(answer === null ? failed(badAnswer(address, 'no message')) : ok(answer));
      },
    });
    call.sendMessageWithContext({}, message);
    call.startRead();
    call.halfClose();
  });
}

/** The newest cell first, then its value: an older version that fits must not count. */
function filterOf({ family, qualifier, from, to }: Condition): google.bigtable.v2.IRowFilter {
  const filters: google.bigtable.v2.IRowFilter[] = [
    { columnRangeFilter: { familyName: family, startQualifierClosed: latin(qualifier), endQualifierClosed: latin(qualifier) } },
    { cellsPerColumnLimitFilter: 1 },
  ];
  if (from !== undefined || to !== undefined) {
    filters.push({ valueRangeFilter: { ...(from === undefined ? {} : { startValueClosed: Buffer.from(from, 'utf8') }), ...(to === undefined ? {} : { endValueClosed: Buffer.from(to, 'utf8') }) } });
  }
  return { chain: { filters } };
}

function mutationsOf(change: Change): google.bigtable.v2.IMutation[] {
  if (change === null) return [];
  const cells = change.kind === 'delete' ? [] : change.cells.map(({ family, qualifier, value }) => (
    { setCell: { familyName: family, columnQualifier: latin(qualifier), timestampMicros: Number(change.version), value: Buffer.from(value, 'utf8') } }));
  return change.kind === 'set' ? cells : [{ deleteFromRow: {} }, ...cells];
}

function refusal(key: string, changes: readonly Change[]): Problem | undefined {
  const versions = changes.flatMap((change) => (change === null || change.kind === 'delete' ? [] : [change.version]));
  const bad = versions.find((version) => version < 0n || version % 1000n !== 0n);
  if (bad !== undefined) return problem('BAD_INPUT', `not a version time: ${bad} (whole milliseconds, in microseconds)`, 'correct the caller');
  if (key === '') return problem('BAD_INPUT', 'a row without a key', 'correct the caller');
  return changes.every((change) => change === null) ? problem('BAD_INPUT', 'a condition that changes nothing either way', 'correct the caller') : undefined;
}
