/** The table with its column families: planned first, so that what will be deleted can be told before it is, then applied. */
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { describeRetention, type GcRule, type Retention, retentionOf, ruleOf, sameRetention, shortens } from './gcRule.ts';
import { tableName } from './metadata.ts';
import { problemOf } from './problems.ts';
import type { Family, StoreAddress } from './reader.ts';

export interface FamilyPlan {
  readonly family: Family;
  /** What the family holds. */
  readonly holds: string;
  readonly action: 'create' | 'change' | 'keep';
  /** What its rule deletes now, in words; null where it does not exist yet. */
  readonly current: string | null;
  /** What it deletes once applied, in words. */
  readonly wanted: string;
  readonly retention: Retention;
  /** Applying it deletes cells that are kept now. */
  readonly shortens: boolean;
}

export interface TablePlan {
  readonly table: string;
  readonly exists: boolean;
  /** q h b v m, in this order. */
  readonly families: readonly FamilyPlan[];
}

export const DEFAULT_RETENTION_DAYS = 90;
const DAY_SECONDS = 86_400;
const DEADLINE_MS = 20_000;
// The generated default retries for a minute; a command says at once that nothing answers.
const callOptions = () => ({ timeout: DEADLINE_MS, retry: null });

const HOLDS: Readonly<Record<Family, string>> = {
  q: 'ticks', h: 'ticks kept for ever', b: 'own bars', v: 'vendor bars', m: 'metadata',
};
const FAMILIES = Object.keys(HOLDS) as Family[]; // eslint-disable-line typescript/no-unsafe-type-assertion -- keys of the record above

/** Ticks go after `retentionDays` of version time; everything else is kept; one version of each cell is enough, since identities are absolute. */
function wantedRetention(family: Family, retentionDays: number): Retention {
  return { maxAgeSeconds: family === 'q' ? retentionDays * DAY_SECONDS : null, maxVersions: 1 };
}

/** Pure: what has to be done, given the rules that are there (null: no table). */
export function planFamilies(table: string, current: Readonly<Record<string, GcRule | null>> | null, retentionDays: number): TablePlan {
  const families = FAMILIES.map((family): FamilyPlan => {
    const retention = wantedRetention(family, retentionDays);
    const common = { family, holds: HOLDS[family], wanted: describeRetention(retention), retention };
    const rule = current?.[family];
    if (rule === undefined) return { ...common, action: 'create', current: null, shortens: false };
    const now = retentionOf(rule);
    const same = now !== undefined && sameRetention(now, retention);
    return { ...common, action: same ? 'keep' : 'change', current: describeRetention(now), shortens: !same && shortens(now, retention) };
  });
  return { table, exists: current !== null, families };
}

/** Reads the table's rules and plans. A missing table is a plan to create it; a missing instance fails with TABLE_MISSING. */
export async function planTable(address: StoreAddress, retentionDays = DEFAULT_RETENTION_DAYS): Promise<Result<TablePlan>> {
  if (!(Number.isInteger(retentionDays) && retentionDays > 0 && retentionDays <= 36_500)) return failed(problem('BAD_INPUT', `not a retention: ${retentionDays} days`, 'give 1 to 36500 days'));
  return administer(address, async (client) => {
    const current = await rulesOf(client, address);
    return planFamilies(tableName(address), current, retentionDays);
  });
}

/**
 * Carries a plan out, in one call. Fails with BAD_INPUT, having changed nothing, where that shortens retention without `allowShorter`.
 * `splits`: keys at which a new table is cut; one that exists is left to the service.
 */
export async function applyTable(address: StoreAddress, plan: TablePlan, allowShorter = false, splits: readonly string[] = []): Promise<Result<TablePlan>> {
  const shorter = plan.families.filter((family) => family.shortens);
  if (shorter.length > 0 && !allowShorter) return failed(refusal(plan.table, shorter));
  return administer(address, async (client) => {
    if (!plan.exists) {
      const columnFamilies = Object.fromEntries(plan.families.map(({ family, retention }) => [family, { gcRule: ruleOf(retention) }]));
      await client.createTable({ parent: instanceName(address), tableId: address.table, table: { columnFamilies }, initialSplits: splits.map((key) => ({ key: Buffer.from(key, 'latin1') })) }, callOptions());
      return plan;
    }
    const modifications = plan.families.filter(({ action }) => action !== 'keep').map(({ family, action, retention }) => ({
      id: family, ...(action === 'create' ? { create: { gcRule: ruleOf(retention) } } : { update: { gcRule: ruleOf(retention) } }),
    }));
    if (modifications.length > 0) await client.modifyColumnFamilies({ name: plan.table, modifications }, callOptions());
    return plan;
  });
}

/**
 * For stores of our own, at start: creates what is missing, lengthens what is too short, and leaves longer retention as it is. Done
 * already: changes nothing.
 */
export async function ensureTable(address: StoreAddress, retentionDays = DEFAULT_RETENTION_DAYS): Promise<Result<TablePlan>> {
  const planned = await planTable(address, retentionDays);
  if (!planned.ok) return planned;
  const families = planned.value.families.map((family): FamilyPlan => (family.shortens && family.current !== null ? { ...family, action: 'keep', wanted: family.current, shortens: false } : family));
  const applied = await applyTable(address, { ...planned.value, families });
  // Another process may have created it in between; then what it made is looked at.
  return !applied.ok && !planned.value.exists ? ensureExisting(address, retentionDays, applied) : applied;
}

async function ensureExisting(address: StoreAddress, retentionDays: number, first: Result<TablePlan>): Promise<Result<TablePlan>> {
  const again = await planTable(address, retentionDays);
  return again.ok && again.value.exists && again.value.families.every(({ action }) => action === 'keep') ? again : first;
}

/** For how many days the table keeps ticks by its own rule; null where it has no limit of age, or a rule of its own. */
export async function tickRetentionDays(address: StoreAddress): Promise<Result<number | null>> {
  return administer(address, async (client) => {
    const seconds = retentionOf((await rulesOf(client, address))?.['q'])?.maxAgeSeconds ?? null;
    return seconds === null ? null : Math.floor(seconds / DAY_SECONDS);
  });
}

type AdminClient = InstanceType<typeof import('@google-cloud/bigtable').v2.BigtableTableAdminClient>;

async function administer<T>(address: StoreAddress, work: (client: AdminClient) => Promise<T>): Promise<Result<T>> {
  try {
    const { openOfficial } = await import('./official.ts');
    const official = await openOfficial(address);
    const client = official.admin.getTableAdminClient();
    try {
      return ok(await work(client));
    } finally {
      await client.close();
      await official.close();
    }
  } catch (error) {
    return failed(adminProblem(error, address));
  }
}

/** Null where there is no such table. */
async function rulesOf(client: AdminClient, address: StoreAddress): Promise<Readonly<Record<string, GcRule | null>> | null> {
  try {
    const [table] = await client.getTable({ name: tableName(address), view: 'SCHEMA_VIEW' }, callOptions());
    return Object.fromEntries(Object.entries(table.columnFamilies ?? {}).map(([id, family]) => [id, family.gcRule ?? null]));
  } catch (error) {
    const given = problemOf(error, address);
    if (given.code === 'TABLE_MISSING' && given.what.startsWith('there is no table')) return null;
    throw error;
  }
}

function adminProblem(error: unknown, address: StoreAddress): Problem {
  const given = problemOf(error, address);
  if (given.code !== 'CREDENTIALS_REFUSED' || address.kind !== 'bigtable') return given;
  return { ...given, next: 'grant roles/bigtable.admin on the instance for `init`; afterwards roles/bigtable.reader (or .user to write) is enough' };
}

const instanceName = (address: StoreAddress): string => `projects/${address.project}/instances/${address.instance}`;

const refusal = (table: string, shorter: readonly FamilyPlan[]): Problem => {
  const told = shorter.map(({ family, current, wanted }) => `${family} ${wanted} (now: ${current ?? 'nothing'})`).join('; ');
  return problem('BAD_INPUT', `this would delete data of ${table} that is kept now: ${told}`, 'repeat with --yes if that is meant');
};
