/** The middle of the page while no index can be shown: what is going on, or the command that brings the first row. */
import type { Problem } from '../../shared/result.ts';
import { useCell, usePage } from '../store/hooks.ts';

/** Words with what stands in backticks as code. */
function Words({ text }: { readonly text: string }) {
  // every second part stood in backticks; the parts of one text never move
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={`${at} ${part}`}>{part}</code> : part));
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function InTrouble({ problem }: { readonly problem: Problem }) {
  const { code, what, next, retryable } = problem;
  const create = code === 'TABLE_MISSING' || code === 'FAMILY_MISSING';
  return (
    <div className="welcome">
      <h1>{sentence(what)}</h1>
      {create ? (
        <>
          <p>Create it, with the store and table options that this was started with:</p>
          <pre>npx frontrow init</pre>
          <p>If it has another name, start again with that: <code>--table NAME</code></p>
        </>
      ) : <p><Words text={sentence(next)} />.</p>}
      <p className="small">{retryable || create ? 'This page goes on by itself as soon as it answers.' : 'This page goes on by itself once that is done.'} <span className="code">{code}</span></p>
    </div>
  );
}

export function Welcome() {
  const { desk } = usePage();
  const indices = useCell(desk.indices);
  const host = useCell(desk.host);
  const health = useCell(desk.health);
  if (host.kind === 'lost' && indices === null) {
    return <div className="welcome"><h1>No word from Frontrow</h1><p>Check that it still runs where this page came from. This page connects by itself.</p></div>;
  }
  if (health?.problem) return <InTrouble problem={health.problem} />;
  if (indices === null || health === null || health.link === 'connecting') {
    return <div className="welcome" aria-busy="true"><h1>Reading the front rows</h1><p>{health ? `from ${health.store.name}` : 'connecting to Frontrow'}</p><div className="skeleton" aria-hidden="true" /></div>;
  }
  return (
    <div className="welcome">
      <h1>The table is empty</h1>
      <p>{health.store.name} answers, but holds no index. Replay the bundled real day:</p>
      <pre>npx frontrow serve --demo</pre>
      <p>or write rows of your own, with the store options that this was started with:</p>
      <pre>npx frontrow replay FILE --index ID --zone ZONE</pre>
      <p className="small">The first row shows here within a poll{health.pollIntervalMs > 0 ? ` (${health.pollIntervalMs / 1000} s)` : ''}.</p>
    </div>
  );
}
