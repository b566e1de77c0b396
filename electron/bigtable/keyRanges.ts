/** Where a table's key ranges end, as its server splits it now: SampleRowKeys through the official client. */
import { failed, ok, type Result } from '../../shared/result.ts';
import { problemOf } from './problems.ts';
import type { StoreAddress } from './reader.ts';

const DEADLINE_MS = 20_000;

/** Sorted; without the end of the table. Servers choose: a small table has none. */
export async function keyRangeEnds(address: StoreAddress): Promise<Result<string[]>> {
  try {
    const { openOfficial } = await import('./official.ts');
    const client = await openOfficial(address);
    try {
      const [samples] = await client.instance(address.instance).table(address.table).sampleRowKeys({ timeout: DEADLINE_MS });
      const keys = samples.map(({ key }) => (typeof key === 'string' ? key : Buffer.from(key ?? '').toString('latin1')));
      return ok([...new Set(keys)].filter((key) => key !== '').sort());
    } finally {
      await client.close();
    }
  } catch (error) {
    return failed(problemOf(error, address));
  }
}
