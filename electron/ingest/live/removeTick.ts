/** A busted trade: its row goes, by identity, whoever wrote it. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import { decodeKey, ticksBetween } from '../../../shared/rowKey.ts';
import type { Reader, Row, Writer, WriteRow } from '../../bigtable/reader.ts';
import { type Attempts, persist } from './attempts.ts';
import type { TickIdentity } from './liveTick.ts';

const DEADLINE = 10_000;

/** True where there was such a row. `version`: of now; columns are taken away by one that is newer than all of them. */
export async function removeTick(identity: TickIdentity, reader: Reader, writer: Writer, version: () => bigint, attempts: Attempts): Promise<Result<boolean>> {
  let seen = false; // by any try: the one that deleted it may have got no answer
  const done = await persist(async () => {
    const found = await tickRows(identity, reader);
    if (!found.ok || found.value.length === 0) return found;
    seen = true;
    const now = version();
    for (const row of found.value) {
      const { failed: lost } = await writer.write([withoutColumns(row)], newerThan(row, now));
      if (lost[0]) return failed(lost[0].error);
    }
    const left = await tickRows(identity, reader);
    if (!left.ok || left.value.length === 0) return left;
    return failed(problem('BAD_DATA', `row ${JSON.stringify(left.value[0]?.key)} is still there after its deletion`, 'look for its copies with `cbt`: it lies where no writer puts it', true));
  }, attempts);
  return done.ok ? ok(seen) : done;
}

/** The rows of one identity: with its sequence, or none, which means 0. */
export async function tickRows({ index, time, sequence }: TickIdentity, reader: Reader): Promise<Result<readonly Row[]>> {
  const read = await reader.read({ ranges: [ticksBetween(index, time, time)], deadlineMs: DEADLINE, families: ['q', 'h'] });
  if (!read.ok) return failed(read.error);
  return ok(read.rows.filter(({ key }) => {
    const decoded = decodeKey(key);
    return decoded?.kind === 'tick' && (decoded.sequence ?? 0) === sequence;
  }));
}

function withoutColumns({ key, cells }: Row): WriteRow {
  const removed = [...cells.keys()].map((column) => ({ family: column.startsWith('q:') ? ('q' as const) : ('h' as const), qualifier: column.slice(2) }));
  return { key, cells: [], removed };
}

function newerThan({ cells }: Row, now: bigint): bigint {
  let newest = now;
  for (const { version } of cells.values()) if (version >= newest) newest = version + 1000n;
  return newest;
}
