/** The feed's figures as the health line shows them. */
import type { HealthView } from '../../shared/channels.ts';
import type { Entry } from './entry.ts';
import type { FeedConfig } from './feedConfig.ts';
import type { Figures } from './figures.ts';
import type { Link } from './link.ts';

export function healthView(config: FeedConfig, link: Link, figures: Figures, entries: Iterable<Entry>, scanning: boolean, pollIntervalMs: number): HealthView {
  const sum = { late: 0, duplicate: 0, corrected: 0, future: 0, undecodable: 0 };
  for (const { track: { counts } } of entries) {
    sum.late += counts.late;
    sum.duplicate += counts.duplicate;
    sum.corrected += counts.corrected;
    sum.future += counts.future;
    sum.undecodable += counts.undecodable;
  }
  return {
    link: link.state, problem: link.problem, brokenSinceMicros: link.state === 'broken' && link.brokenSince !== null ? String(link.brokenSince) : null,
    store: { kind: config.storeKind, name: config.storeName }, strategy: scanning ? 'scan' : 'delta', pollIntervalMs, ...figures.view(), ...sum,
  };
}
