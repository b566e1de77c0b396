/** REPLAY and test-clock marks: a replayed price must never pass for today's. Speed and pause are set here; all else in the transport bar, which this opens. */
import { localDate } from '../../shared/zone.ts';
import { speedsOf } from '../replay/replayTimes.ts';
import { showDate } from '../state/shown.ts';
import { useCell, usePage, usePulse } from '../store/hooks.ts';

/** Opens and hides the transport bar. */
function OpenBar() {
  const { replay } = usePage();
  const open = useCell(replay.open);
  return (
    <button type="button" className="replay-open" aria-expanded={open} aria-label="Replay bar" title="Replay: any instant that is stored (Alt R)" onClick={() => replay.open.set(!open)}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false"><path className="line" d="M2.2 3.4A4.6 4.6 0 1 1 1.4 6M1.6 1v2.8h2.8M6 3.6V6l1.8 1.2" /></svg>
    </button>
  );
}

export function ClockMark() {
  const { desk, replay } = usePage();
  const beat = useCell(desk.beat);
  const refused = useCell(replay.refused);
  const day = usePulse(({ now }) => (now === undefined ? '' : showDate(localDate('UTC', now), true)));
  if (beat === null) return null;
  if (beat.kind === 'wall') return <OpenBar />;
  if (beat.kind === 'test') return <><span className="clock-mark">TEST CLOCK <span className="day">{day}</span></span><OpenBar /></>;
  const chosen = beat.paused && beat.live === undefined ? beat.speed : (beat.chosenSpeed ?? beat.speed);
  return (
    <span className="clock-mark" role="group" aria-label="Replay" title={refused ?? beat.note ?? 'a recorded day, replayed'}>
      REPLAY
      <select aria-label="Replay speed" value={String(chosen)} onChange={(event) => void replay.ask({ speed: Number(event.target.value) })}>
        {chosen <= 0 ? <option value={String(chosen)}>–</option> : null}
        {speedsOf(beat).map((speed) => <option key={speed} value={String(speed)}>{speed}x</option>)}
      </select>
      <button type="button" aria-pressed={beat.paused} aria-label={beat.paused ? 'Resume the replay' : 'Pause the replay'} onClick={replay.toggle}>
        <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" focusable="false"><path className="solid" d={beat.paused ? 'M2 1l7 4-7 4Z' : 'M2 1h2v8H2zM6 1h2v8H6z'} /></svg>
      </button>
      <span className="day">{day}</span>
      <OpenBar />
    </span>
  );
}
