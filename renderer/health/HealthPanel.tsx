/** The feed's figures in full: what it reads, how fast, what it met, and what it costs. */
import './health.css';
import type { HealthView } from '../../shared/channels.ts';
import { showClock, showCount, showFigure, showShare } from '../state/shown.ts';
import { linkWords } from '../state/words.ts';
import { useCell, useInfo, usePage } from '../store/hooks.ts';
import { parseMicros } from '../../shared/time.ts';

interface Group {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, value: string, bad?: boolean])[];
}

function groupsOf(health: HealthView): readonly Group[] {
  const ms = (value: number | undefined): string => (value === undefined ? '–' : `${showFigure(value)} ms`);
  return [
    { title: 'Reads', rows: [
      ['Strategy', `${health.strategy}, every ${showFigure(health.pollIntervalMs / 1000)} s`], ['Reads', `${showFigure(health.readsPerSecond)} /s`],
      ['Rows', `${showFigure(health.rowsPerSecond)} /s`], ['Share of a node', showShare(health.nodeShare)],
      ['p50', ms(health.readMs?.p50)], ['p95', ms(health.readMs?.p95)], ['p99', ms(health.readMs?.p99)],
    ] },
    { title: 'Trouble', rows: [['Read errors', showCount(health.errors), health.errors > 0], ['Skipped polls', showCount(health.skippedPolls)]] },
    { title: 'Ticks met', rows: [
      ['Late', showCount(health.late)], ['Duplicate', showCount(health.duplicate)], ['Corrected', showCount(health.corrected)],
      ['Future', showCount(health.future), health.future > 0], ['Undecodable', showCount(health.undecodable), health.undecodable > 0],
    ] },
  ];
}

export function HealthPanel({ id }: { readonly id: string | null }) {
  const { desk } = usePage();
  const health = useCell(desk.health);
  const host = useCell(desk.host);
  const beat = useCell(desk.beat);
  const zone = useInfo(id ?? '')?.zone ?? 'UTC';
  if (health === null) return <p className="note">No figures yet.</p>;
  const link = linkWords(host, health.link);
  return (
    <div className="health-panel">
      <dl className="health-list">
        <div><dt>Link</dt><dd data-tone={link.tone}>{link.text}</dd></div>
        {health.brokenSinceMicros === null ? null : <div><dt>Broken since</dt><dd>{showClock(zone, parseMicros(health.brokenSinceMicros))}</dd></div>}
        <div><dt>Store</dt><dd>{health.store.kind} {health.store.name}</dd></div>
        {beat === null ? null : <div><dt>Clock</dt><dd>{beat.kind === 'wall' ? 'wall' : `${beat.kind === 'test' ? 'test clock' : 'replay'}, ${beat.paused ? 'paused' : `${beat.speed}x`}`}</dd></div>}
      </dl>
      {health.problem === null ? null : <p className="note bad">{health.problem.what}. <b>{health.problem.next}</b> <span className="dim">({health.problem.code})</span></p>}
      {beat?.note ? <p className="note">{beat.note}</p> : null}
      {host.kind === 'lost' ? <p className="note bad">The figures below are the last ones heard.</p> : null}
      {groupsOf(health).map(({ title, rows }) => (
        <section key={title}>
          <h2>{title}</h2>
          <dl className="health-list">
            {rows.map(([name, value, bad]) => <div key={name}><dt>{name}</dt><dd data-tone={bad ? 'bad' : undefined}>{value}</dd></div>)}
          </dl>
        </section>
      ))}
    </div>
  );
}
