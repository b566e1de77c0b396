/** Which cells a family's garbage collection deletes, in a form that can be compared and told. Pure. */
import type { protos } from '@google-cloud/bigtable';

/** A cell goes when it is older than `maxAgeSeconds`, or when `maxVersions` newer ones are in its column. null: no such limit. */
export interface Retention {
  readonly maxAgeSeconds: number | null;
  readonly maxVersions: number | null;
}

/** The protocol's GcRule, as the official client reads and takes it. */
export type GcRule = protos.google.bigtable.admin.v2.IGcRule;

const KEEP_ALL: Retention = { maxAgeSeconds: null, maxVersions: null };

/** Undefined for rules that are no union of limits (an intersection deletes only what exceeds all of its limits): others than ours make those. */
export function retentionOf(rule: GcRule | null | undefined): Retention | undefined {
  if (!rule) return KEEP_ALL;
  if (rule.intersection) return undefined;
  if (rule.union) return (rule.union.rules ?? []).map(retentionOf).reduce((a, b) => a && b && { maxAgeSeconds: least(a.maxAgeSeconds, b.maxAgeSeconds), maxVersions: least(a.maxVersions, b.maxVersions) }, KEEP_ALL);
  if (rule.maxAge) return { maxAgeSeconds: Number(rule.maxAge.seconds ?? 0) + (rule.maxAge.nanos ?? 0) / 1e9, maxVersions: null };
  return { maxAgeSeconds: null, maxVersions: rule.maxNumVersions ? rule.maxNumVersions : null };
}

const least = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b));

export function ruleOf({ maxAgeSeconds, maxVersions }: Retention): GcRule | null {
  const rules = [...(maxAgeSeconds === null ? [] : [{ maxAge: { seconds: maxAgeSeconds } }]), ...(maxVersions === null ? [] : [{ maxNumVersions: maxVersions }])];
  return rules.length > 1 ? { union: { rules } } : (rules[0] ?? null);
}

export const sameRetention = (a: Retention, b: Retention): boolean => a.maxAgeSeconds === b.maxAgeSeconds && a.maxVersions === b.maxVersions;

/** True where `to` deletes cells that `from` keeps; an unknown rule counts as keeping everything. */
export function shortens(from: Retention | undefined, to: Retention): boolean {
  const { maxAgeSeconds, maxVersions } = from ?? KEEP_ALL;
  return (to.maxAgeSeconds ?? Infinity) < (maxAgeSeconds ?? Infinity) || (to.maxVersions ?? Infinity) < (maxVersions ?? Infinity);
}

/** One line, e.g. `deletes cells older than 90 days, and all but the newest version`. Age is of version time. */
export function describeRetention(retention: Retention | undefined): string {
  if (!retention) return 'has a rule of its own, not one of ours';
  const { maxAgeSeconds, maxVersions } = retention;
  const parts = [
    ...(maxAgeSeconds === null ? [] : [`cells older than ${ageOf(maxAgeSeconds)}`]),
    ...(maxVersions === null ? [] : [maxVersions === 1 ? 'all but the newest version' : `all but the newest ${maxVersions} versions`]),
  ];
  return parts.length === 0 ? 'deletes nothing' : `deletes ${parts.join(', and ')}`;
}

function ageOf(seconds: number): string {
  for (const [unit, size] of [['day', 86_400], ['hour', 3600], ['minute', 60]] as const) {
    if (seconds >= size && seconds % size === 0) return `${seconds / size} ${unit}${seconds === size ? '' : 's'}`;
  }
  return `${seconds} s`;
}
