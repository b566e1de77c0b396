/** Trouble by name, worst seen first; never hidden by anything beside it. */
import { ageMs } from '../state/age.ts';
import { showAge } from '../state/shown.ts';
import { StateShape } from '../state/StateShape.tsx';
import { reasonWords, stateWord } from '../state/words.ts';
import { useCell, usePage, usePulse, useQuote } from '../store/hooks.ts';

const NAMED = 2;

function TroubleName({ id }: { readonly id: string }) {
  const { view } = usePage();
  const quote = useQuote(id);
  const age = usePulse(({ now }) => {
    const ms = quote ? ageMs(quote, now) : null;
    return ms === null ? '' : showAge(ms);
  });
  if (!quote) return null;
  return (
    <button type="button" className="trouble" onClick={() => view.chosen.set(id)}>
      <StateShape state={quote.state} /> {id} {stateWord(quote.state)} {age}
    </button>
  );
}

function AllDisconnected({ total, first }: { readonly total: number; readonly first: string | undefined }) {
  const { desk } = usePage();
  const health = useCell(desk.health);
  const host = useCell(desk.host);
  const reason = useQuote(first ?? '')?.reason ?? null;
  const since = usePulse(({ now, elapsed }) => {
    if (host.kind === 'lost') return showAge(elapsed - host.since);
    return now === undefined || !health?.brokenSinceMicros ? '' : showAge(Number(now - BigInt(health.brokenSinceMicros)) / 1000);
  });
  return (
    <span className="trouble" data-all="true">
      <StateShape state="disconnected" /> {total === 1 ? first : `All ${total}`} disconnected{reason === null ? null : <span className="why">· {reasonWords(reason)}</span>} {since}
    </span>
  );
}

/** Lines of the user's own dates that could not be read. */
function CalendarTrouble({ problems }: { readonly problems: readonly string[] }) {
  const { settings } = usePage();
  return <button type="button" className="trouble more" title={problems.join('\n')} onClick={() => settings.set(true)}>Your dates: {problems.length} unread</button>;
}

export function TroubleLine() {
  const { desk } = usePage();
  const { trouble, total, allDisconnected } = useCell(desk.arrangement);
  const problems = useCell(desk.calendar)?.problems ?? [];
  if (trouble.length === 0 && problems.length === 0) return <span className="trouble-line" />;
  return (
    <span className="trouble-line" role="group" aria-label="Trouble">
      {allDisconnected ? <AllDisconnected total={total} first={trouble[0]} /> : trouble.slice(0, NAMED).map((id) => <TroubleName key={id} id={id} />)}
      {!allDisconnected && trouble.length > NAMED ? <span className="trouble more" title={trouble.slice(NAMED).join(', ')}>+{trouble.length - NAMED}</span> : null}
      {problems.length === 0 ? null : <CalendarTrouble problems={problems} />}
    </span>
  );
}
