/** `frontrow schema check`: a table against Bigtable's guidance, each finding with its source. */
import { failed, ok } from '../../shared/result.ts';
import { parseLayout } from '../bigtable/layout/foreignFile.ts';
import { deskClock } from '../desk/deskClock.ts';
import { checkTable, hasViolation } from '../schema/check.ts';
import { proposeLayout } from '../schema/detect.ts';
import type { SchemaAction } from './schema.ts';
import { noMore, takeSample } from './schemaSample.ts';
import { withStore } from './withStore.ts';

/** 0 no violation (there may be warnings and notes); 1 at least one. */
export const schemaCheck: SchemaAction = async (parsed, words, streams, signal) => {
  const wrong = noMore(words, 'check');
  if (wrong) return failed(wrong);
  return withStore(parsed, async (store, settings) => {
    const taken = await takeSample(store, parsed, signal);
    if (!taken.ok) return taken;
    const now = deskClock(settings.testNow).now();
    const proposal = proposeLayout(taken.value.sample, now);
    const proposed = store.layout === null && (proposal.confidence === 'sure' || proposal.confidence === 'likely') ? parseLayout('(proposed)', JSON.stringify(proposal.file)) : null;
    const layout = store.layout ?? (proposed?.ok ? proposed.value : null);
    const findings = checkTable({ ...taken.value, layout, canonical: store.layout === null && proposal.confidence === 'canonical', now });
    const json = parsed.values['json'] === true;
    for (const finding of findings) await streams.out(json ? JSON.stringify(finding) : `${finding.level.padEnd(9)} ${finding.rule}: ${printable(finding.what)}; ${finding.next} (${finding.source})`);
    const layoutWords = store.layout ? `layout ${store.layout.name}` : proposal.confidence === 'canonical' ? 'our own layout' : layout ? 'the layout that `schema detect` proposes' : 'no known layout';
    streams.err(`${taken.value.sample.rows.length} rows of ${store.address.table} seen, ${layoutWords}: ${findings.filter(({ level }) => level === 'violation').length} violations, ${findings.length} findings`);
    return ok(hasViolation(findings) ? 1 : 0);
  }, { mustExist: true });
};

const printable = (line: string): string => line.replaceAll(/[\u0000-\u001F\u007F-\u009F]+/g, ' ');
