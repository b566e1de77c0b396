/** What the server says of a table: its families with their rules, its key ranges with their sizes, how many tables stand beside it. */
import { failed, ok, type Result } from '../../shared/result.ts';
import type { GcRule } from '../bigtable/gcRule.ts';
import { problemOf } from '../bigtable/problems.ts';
import { tableName } from '../bigtable/metadata.ts';
import type { StoreAddress } from '../bigtable/reader.ts';

export interface KeyRangeSize {
  /** End of the range; empty: of the table. */
  readonly end: string;
  /** About how many bytes the range holds. */
  readonly bytes: number;
}

export interface TableFacts {
  readonly families: readonly { readonly name: string; /** Cells are deleted by some rule. */ readonly collected: boolean }[];
  readonly ranges: readonly KeyRangeSize[];
  /** Null where these credentials may not list them. */
  readonly tables: number | null;
}

const DEADLINE_MS = 20_000;
const options = (): { timeout: number; retry: null } => ({ timeout: DEADLINE_MS, retry: null });

/** Three calls through the official client. */
export async function tableFacts(address: StoreAddress): Promise<Result<TableFacts>> {
  try {
    const { openOfficial } = await import('../bigtable/official.ts');
    const client = await openOfficial(address);
    const admin = client.admin.getTableAdminClient();
    try {
      const [table] = await admin.getTable({ name: tableName(address), view: 'SCHEMA_VIEW' }, options());
      const [samples] = await client.instance(address.instance).table(address.table).sampleRowKeys({ timeout: DEADLINE_MS });
      const tables = await admin.listTables({ parent: `projects/${address.project}/instances/${address.instance}`, view: 'NAME_ONLY' }, options()).then(([found]) => found.length, () => null);
      const families = Object.entries(table.columnFamilies ?? {}).map(([name, family]) => ({ name, collected: isRule(family.gcRule) }));
      return ok({ families, ranges: rangesOf(samples), tables });
    } finally {
      await admin.close();
      await client.close();
    }
  } catch (error) {
    return failed(problemOf(error, address));
  }
}

const isRule = (rule: GcRule | null | undefined): boolean => Boolean(rule && (rule.maxAge || rule.maxNumVersions || rule.intersection || rule.union));

/** Offsets to sizes. Pure. */
export function rangesOf(samples: readonly { readonly key?: unknown; readonly offset?: unknown }[]): KeyRangeSize[] {
  let before = 0;
  return samples.map(({ key, offset }) => {
    const bytes = Number(offset ?? 0) - before;
    before += bytes;
    return { end: typeof key === 'string' ? key : Buffer.from(key instanceof Uint8Array ? key : []).toString('latin1'), bytes: Math.max(0, bytes) };
  });
}
