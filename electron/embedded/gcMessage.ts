/** GC rules as messages of the admin protocol, both ways. */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import type { GcRule } from './gc.ts';
import { bigOf } from './int64.ts';
import { invalid } from './status.ts';

const MAX_DEPTH = 10;
const MAX_SECONDS = 315_576_000_000n; // ten thousand years, Duration's own limit

/** null: keep everything. Throws INVALID_ARGUMENT. */
export function gcRuleOf(rule: google.bigtable.admin.v2.IGcRule | null | undefined, depth = 0): GcRule | null {
  if (!rule) return null;
  if (depth > MAX_DEPTH) throw invalid(`GC rules nest deeper than ${MAX_DEPTH}`);
  const { maxNumVersions, maxAge, union, intersection } = rule;
  if (maxNumVersions !== null && maxNumVersions !== undefined) {
    if (maxNumVersions < 1) throw invalid(`Error in field 'max_num_versions' : must be at least 1, but was ${maxNumVersions}`);
    return { kind: 'versions', count: maxNumVersions };
  }
  if (maxAge) {
    const seconds = bigOf(maxAge.seconds);
    const micros = Number(seconds) * 1e6 + Math.floor((maxAge.nanos ?? 0) / 1000);
    if (micros < 1000 || seconds > MAX_SECONDS) throw invalid("Error in field 'max_age' : must be at least one millisecond");
    return { kind: 'age', micros };
  }
  const [kind, inner] = union ? ['union' as const, union.rules] : ['intersection' as const, intersection?.rules];
  if (!union && !intersection) return null;
  const rules = (inner ?? []).map((one) => gcRuleOf(one, depth + 1)).filter((one) => one !== null);
  return { kind, rules };
}

export function gcMessage(rule: GcRule | null): google.bigtable.admin.v2.IGcRule | null {
  switch (rule?.kind) {
    case undefined: return null;
    case 'versions': return { maxNumVersions: rule.count };
    case 'age': return { maxAge: { seconds: Math.floor(rule.micros / 1e6), nanos: (rule.micros % 1e6) * 1000 } };
    case 'union': return { union: { rules: rule.rules.map((inner) => gcMessage(inner) ?? {}) } };
    case 'intersection': return { intersection: { rules: rule.rules.map((inner) => gcMessage(inner) ?? {}) } };
  }
}
