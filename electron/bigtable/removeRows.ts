/** Deletes whole rows by key, through the official client. */
import { failed, ok, type Result } from '../../shared/result.ts';
import { problemOf } from './problems.ts';
import type { StoreAddress } from './reader.ts';

const ROWS_PER_CALL = 1000;
const DEADLINE_MS = 20_000;

/** Absent rows are no error; deleting again changes nothing. */
export async function removeRows(address: StoreAddress, keys: readonly string[]): Promise<Result<null>> {
  try {
    const { openOfficial } = await import('./official.ts');
    const client = await openOfficial(address);
    try {
      const table = client.instance(address.instance).table(address.table);
      for (let at = 0; at < keys.length; at += ROWS_PER_CALL) {
        const entries = keys.slice(at, at + ROWS_PER_CALL).map((key) => ({ method: 'delete', key }));
        await table.mutate(entries, { gaxOptions: { timeout: DEADLINE_MS } });
      }
      return ok(null);
    } finally {
      await client.close();
    }
  } catch (error) {
    return failed(problemOf(error, address));
  }
}
