/** A problem in words: what happened and what to do next. On top of the page until it is over. */
import { parseMicros } from '../../shared/time.ts';
import { showAge, showClock } from '../state/shown.ts';
import { useCell, usePage, usePulse } from '../store/hooks.ts';

export function Banner() {
  const { desk } = usePage();
  const host = useCell(desk.host);
  const health = useCell(desk.health);
  const silent = usePulse(({ elapsed }) => (host.kind === 'lost' ? showAge(Math.floor((elapsed - host.since) / 1000) * 1000) : ''));
  if (host.kind === 'lost') {
    return (
      <div className="banner" data-tone="bad" role="alert">
        <b>Frontrow has been silent for <span aria-live="off">{silent}</span></b>
        <span>Prices are the last good ones. Check that it still runs; this page reconnects by itself.</span>
      </div>
    );
  }
  const since = health?.brokenSinceMicros ? ` since ${showClock('UTC', parseMicros(health.brokenSinceMicros))} UTC` : '';
  if (health?.problem) {
    return (
      <div className="banner" data-tone="bad" role="alert">
        <b>{health.problem.what}{health.link === 'broken' ? since : ''}</b>
        <span>{health.problem.next}{health.problem.retryable ? ' (trying again by itself)' : ''}</span>
      </div>
    );
  }
  if (health?.link === 'broken') return <div className="banner" data-tone="bad" role="alert"><b>The store has not answered{since}</b><span>Prices are the last good ones; reads go on being tried.</span></div>;
  if (health?.link === 'filling') return <output className="banner" data-tone="busy"><b>The store is back</b><span>Reading what was missed{since}.</span></output>;
  return null;
}
