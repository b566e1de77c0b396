/** The feed's figures in full: what it reads, how fast, what it met and what it costs, each with its unit and meaning. */
import './health.css';
import type { HealthView } from '../../shared/channels.ts';
import { parseMicros } from '../../shared/time.ts';
import { showClock, showCount, showFigure, showShare } from '../state/shown.ts';
import { StateShape } from '../state/StateShape.tsx';
import { linkWords } from '../state/words.ts';
import { useCell, useInfo, usePage } from '../store/hooks.ts';
import { countRows } from './counts.ts';

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
  readonly bad?: boolean;
}

const ms = (value: number | undefined): string => (value === undefined ? '–' : `${showFigure(value)} ms`);
const ticks = (count: number): string => `${showCount(count)} ${count === 1 ? 'tick' : 'ticks'}`;
const STRATEGIES: Readonly<Record<HealthView['strategy'], string>> = {
  scan: 'one short read for each index', delta: 'one read for all: only what is newer than the last',
};

function groupsOf(health: HealthView): readonly { readonly title: string; readonly figures: readonly Figure[] }[] {
  const { readMs, errors, skippedPolls, future, undecodable } = health;
  return [
    { title: 'Reading', figures: [
      { name: 'Strategy', value: `${health.strategy}, every ${showFigure(health.pollIntervalMs / 1000)} s`, meaning: STRATEGIES[health.strategy] },
      { name: 'Reads', value: `${showFigure(health.readsPerSecond)} /s`, meaning: 'requests sent to the store' },
      { name: 'Rows', value: `${showFigure(health.rowsPerSecond)} /s`, meaning: 'rows that came back' },
      { name: 'Cost', value: `${showShare(health.nodeShare)} of a node`, meaning: 'of the 17,000 reads/s that one node gives' },
    ] },
    { title: 'Time of a read', figures: [
      { name: 'p50', value: ms(readMs?.p50), meaning: 'half of the reads are faster' }, { name: 'p95', value: ms(readMs?.p95), meaning: '19 of 20 are faster' },
      { name: 'p99', value: ms(readMs?.p99), meaning: '99 of 100 are faster' },
    ] },
    { title: 'Trouble', figures: [
      { name: 'Failed reads', value: showCount(errors), meaning: 'since Frontrow started', bad: errors > 0 },
      { name: 'Skipped polls', value: showCount(skippedPolls), meaning: 'due while the one before was still on its way' },
    ] },
    { title: 'Ticks met', figures: [
      { name: 'Late', value: ticks(health.late), meaning: 'came after newer ones; set in their place' },
      { name: 'Duplicate', value: ticks(health.duplicate), meaning: 'seen before; not counted twice' },
      { name: 'Corrected', value: ticks(health.corrected), meaning: 'same event, new values' },
      { name: 'Future', value: ticks(future), meaning: 'stamped ahead of the clock; never the price', bad: future > 0 },
      { name: 'Undecodable', value: `${showCount(undecodable)} ${undecodable === 1 ? 'row' : 'rows'}`, meaning: 'unreadable; passed over', bad: undecodable > 0 },
    ] },
  ];
}

function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className="health-list">
      {figures.map(({ name, value, meaning, bad }) => (
        <div key={name}><dt>{name}</dt><dd data-tone={bad ? 'bad' : undefined}>{value}</dd><dd className="meaning">{meaning}</dd></div>
      ))}
    </dl>
  );
}

/** The same counts as in the list and in the line at the bottom. */
function States() {
  const { total, counts } = useCell(usePage().desk.arrangement);
  return (
    <section>
      <h2>{total} {total === 1 ? 'index' : 'indices'}</h2>
      <dl className="health-list states">
        {countRows(counts).map(({ state, word, count }) => <div key={state} data-none={count === 0 || undefined}><dt><StateShape state={state} /> {word}</dt><dd>{count}</dd></div>)}
      </dl>
    </section>
  );
}

function Link({ health, id }: { readonly health: HealthView; readonly id: string | null }) {
  const { desk } = usePage();
  const host = useCell(desk.host);
  const beat = useCell(desk.beat);
  const zone = useInfo(id ?? '')?.zone ?? 'UTC';
  const link = linkWords(host, health.link);
  const { problem } = health;
  return (
    <>
      {problem === null ? null : (
        <div className="health-problem" role="group" aria-label="Problem">
          <b>{problem.what}</b>
          <p>{problem.next}{problem.retryable ? '; it is tried again by itself' : ''}</p>
          <p className="dim">{problem.code}</p>
        </div>
      )}
      {host.kind === 'lost' ? <p className="note bad">Frontrow is silent: these are the last figures heard. Check that it still runs.</p> : null}
      <dl className="health-list">
        <div><dt>Link</dt><dd data-tone={link.tone}>{link.text}</dd></div>
        {health.brokenSinceMicros === null ? null : <div><dt>Broken since</dt><dd>{showClock(zone, parseMicros(health.brokenSinceMicros))}</dd></div>}
        <div><dt>Store</dt><dd>{health.store.name} ({health.store.kind})</dd></div>
        {beat === null ? null : (
          <div>
            <dt>Clock</dt><dd>{beat.kind === 'wall' ? 'wall clock' : `${beat.kind === 'test' ? 'test clock' : 'replay'}, ${beat.paused ? 'paused' : `${beat.speed}x`}`}</dd>
            {beat.note === null ? null : <dd className="meaning">{beat.note}</dd>}
          </div>
        )}
      </dl>
    </>
  );
}

export function HealthPanel({ id }: { readonly id: string | null }) {
  const health = useCell(usePage().desk.health);
  if (health === null) return <p className="note">No figures yet: Frontrow sends them once it has begun to read.</p>;
  return (
    <div className="health-panel">
      <Link health={health} id={id} />
      <States />
      {groupsOf(health).map(({ title, figures }) => <section key={title}><h2>{title}</h2><Figures figures={figures} /></section>)}
    </div>
  );
}
