/** The feed's figures as Prometheus text (https://prometheus.io/docs/instrumenting/exposition_formats/). */
import type { FeedState, HealthView, QuoteView } from '../../shared/channels.ts';

const STATES: readonly FeedState[] = ['live', 'quiet', 'stalled', 'closed', 'disconnected', 'nodata'];
const LINKS: readonly HealthView['link'][] = ['connecting', 'live', 'broken', 'filling'];

/** Ids are of A-Z 0-9 ^ . _ - and need no escaping. */
export function metricsText(health: HealthView, quotes: readonly QuoteView[], pages: number): string {
  const lines: string[] = [];
  const metric = (name: string, type: 'gauge' | 'counter', help: string, samples: readonly (readonly [labels: string, value: number])[]): void => {
    lines.push(`# HELP frontrow_${name} ${help}`, `# TYPE frontrow_${name} ${type}`, ...samples.map(([labels, value]) => `frontrow_${name}${labels} ${value}`));
  };
  metric('link', 'gauge', 'Connection to the store, 1 for the current one of connecting, live, broken, filling.', LINKS.map((link) => [`{link="${link}"}`, health.link === link ? 1 : 0]));
  metric('indices', 'gauge', 'Indices by state.', STATES.map((state) => [`{state="${state}"}`, quotes.filter((quote) => quote.state === state).length]));
  metric('age_seconds', 'gauge', 'Age of the newest event when its state last changed or it was read.', quotes.flatMap((quote) => (quote.ageMs === null ? [] : [[`{index="${quote.index}"}`, quote.ageMs / 1000] as const])));
  metric('reads_per_second', 'gauge', 'Reads per second, lately.', [['', health.readsPerSecond]]);
  metric('rows_per_second', 'gauge', 'Rows per second, lately.', [['', health.rowsPerSecond]]);
  metric('node_share', 'gauge', 'Share of the reads of one Bigtable node, 0 to 1.', [['', health.nodeShare]]);
  if (health.readMs) metric('read_milliseconds', 'gauge', 'Latency of reads, lately.', (['p50', 'p95', 'p99'] as const).map((rank) => [`{quantile="0.${rank.slice(1)}"}`, health.readMs?.[rank] ?? 0]));
  for (const [name, value, help] of [
    ['errors', health.errors, 'Failed reads.'], ['skipped_polls', health.skippedPolls, 'Polls due while one was in flight.'], ['late_ticks', health.late, 'Ticks that came behind the newest.'],
    ['duplicate_ticks', health.duplicate, 'Ticks read again.'], ['corrected_ticks', health.corrected, 'Ticks whose values changed.'], ['future_ticks', health.future, 'Ticks stamped ahead of the clock.'],
    ['undecodable_rows', health.undecodable, 'Rows that break the layout.'],
  ] as const) metric(`${name}_total`, 'counter', help, [['', value]]);
  metric('pages', 'gauge', 'Pages connected.', [['', pages]]);
  return `${lines.join('\n')}\n`;
}
