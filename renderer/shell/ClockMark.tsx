/** REPLAY and test-clock marks: a replayed price must never pass for today's. The replay's speed is set here. */
import { useState } from 'react';
import { localDate } from '../../shared/zone.ts';
import { showDate } from '../state/shown.ts';
import { useCell, usePage, usePulse } from '../store/hooks.ts';

const SPEEDS = [1, 2, 5, 10, 20, 30, 60];

export function ClockMark() {
  const { desk } = usePage();
  const beat = useCell(desk.beat);
  const [refused, setRefused] = useState<string | null>(null);
  const day = usePulse(({ now }) => (now === undefined ? '' : showDate(localDate('UTC', now), true)));
  if (beat === null || beat.kind === 'wall') return null;
  if (beat.kind === 'test') return <span className="clock-mark">TEST CLOCK <span className="day">{day}</span></span>;
  const ask = async (request: { speed?: number; paused?: boolean }): Promise<void> => {
    const result = await desk.request('clock', request);
    setRefused(result.ok ? null : `${result.error.what}; ${result.error.next}`);
  };
  const speeds = SPEEDS.includes(beat.speed) || beat.speed <= 0 ? SPEEDS : [...SPEEDS, beat.speed].toSorted((a, b) => a - b);
  return (
    <span className="clock-mark" role="group" aria-label="Replay" title={refused ?? beat.note ?? 'a recorded day, replayed'}>
      REPLAY
      <select aria-label="Replay speed" value={String(beat.speed)} onChange={(event) => void ask({ speed: Number(event.target.value) })}>
        {beat.speed <= 0 ? <option value={String(beat.speed)}>–</option> : null}
        {speeds.map((speed) => <option key={speed} value={String(speed)}>{speed}x</option>)}
      </select>
      <button type="button" aria-pressed={beat.paused} aria-label={beat.paused ? 'Resume the replay' : 'Pause the replay'} onClick={() => void ask({ paused: !beat.paused })}>
        <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" focusable="false"><path className="solid" d={beat.paused ? 'M2 1l7 4-7 4Z' : 'M2 1h2v8H2zM6 1h2v8H6z'} /></svg>
      </button>
      <span className="day">{day}</span>
      {refused === null ? null : <output className="sr">{refused}</output>}
    </span>
  );
}
