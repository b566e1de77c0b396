/** The middle of the page while no index can be shown: what is going on, or the command that brings the first row. */
import { useCell, usePage } from '../store/hooks.ts';

export function Welcome() {
  const { desk } = usePage();
  const indices = useCell(desk.indices);
  const host = useCell(desk.host);
  const health = useCell(desk.health);
  const code = health?.problem?.code;
  if (host.kind === 'lost' && indices === null) {
    return <div className="welcome"><h1>No word from Frontrow</h1><p>Check that it still runs where this page came from. This page connects by itself.</p></div>;
  }
  if (code === 'TABLE_MISSING' || code === 'FAMILY_MISSING') {
    return <div className="welcome"><h1>{code === 'TABLE_MISSING' ? 'There is no table yet' : 'The table lacks a column family'}</h1><p>Create it with</p><pre>npx frontrow init</pre><p>{health?.problem?.what}</p></div>;
  }
  if (health?.problem) return <div className="welcome"><h1>{health.problem.what}</h1><p>{health.problem.next}</p></div>;
  if (indices === null || health === null || health.link === 'connecting') {
    return <div className="welcome" aria-busy="true"><h1>Reading the front rows</h1><p>{health ? `from ${health.store.name}` : 'connecting to Frontrow'}</p><div className="skeleton" aria-hidden="true" /></div>;
  }
  return (
    <div className="welcome">
      <h1>The table is empty</h1>
      <p>{health.store.name} answers, but holds no index. Replay the bundled real day:</p>
      <pre>npx frontrow serve --demo</pre>
      <p>or write rows of your own, for example with</p>
      <pre>npx frontrow replay FILE --index ID --zone ZONE</pre>
      <p>The first row shows here within a poll.</p>
    </div>
  );
}
