/** A busted trade: its row goes, by identity, whoever wrote it. */
import { failed, ok, type Result } from '../../../shared/result.ts';
import { decodeKey, ticksBetween } from '../../../shared/rowKey.ts';
import type { Conditional } from '../../bigtable/conditional.ts';
import type { Reader } from '../../bigtable/reader.ts';
import { type Attempts, persist } from './attempts.ts';
import type { TickIdentity } from './liveTick.ts';

const DEADLINE = 10_000;

/** True where there was such a row. */
export async function removeTick({ index, time, sequence }: TickIdentity, reader: Reader, conditional: Conditional, attempts: Attempts): Promise<Result<boolean>> {
  let seen = false; // by any try: the one that deleted it may have got no answer
  const done = await persist(async () => {
    // its key as the table has it: with a shard, or without a sequence
    const read = await reader.read({ ranges: [ticksBetween(index, time, time)], deadlineMs: DEADLINE, families: ['q', 'h'] });
    if (!read.ok) return failed(read.error);
    for (const row of read.rows) {
      const key = decodeKey(row.key);
      if (key?.kind !== 'tick' || (key.sequence ?? 0) !== sequence) continue;
      seen = true;
      const gone = await conditional.check(row.key, { family: row.cells.has('q:p') ? 'q' : 'h', qualifier: 'p' }, { kind: 'delete' }, null);
      if (!gone.ok) return gone;
    }
    return ok(null);
  }, attempts);
  return done.ok ? ok(seen) : done;
}
