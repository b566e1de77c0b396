/** A range between two instants of the axis's clock. */
import { type FormEvent, useState } from 'react';
import { localInstant, localText } from './localTime.ts';
import type { ChartSettings } from './settings.ts';

export function RangeFields({ zone, settings, onChange }: { readonly zone: string; readonly settings: ChartSettings; readonly onChange: (change: Partial<ChartSettings>) => void }) {
  const { range } = settings;
  const [from, setFrom] = useState(() => (typeof range === 'string' ? '' : localText(zone, range.from)));
  const [to, setTo] = useState(() => (typeof range === 'string' ? '' : localText(zone, range.to)));
  const [trouble, setTrouble] = useState<string | null>(null);
  const show = (event: FormEvent): void => {
    event.preventDefault();
    const [begin, end] = [localInstant(zone, from), localInstant(zone, to)];
    if (begin === null || end === null) setTrouble('give a date and a time for both');
    else if (begin >= end) setTrouble('the end must be after the beginning');
    else {
      setTrouble(null);
      onChange({ range: { from: begin, to: end } });
    }
  };
  return (
    <fieldset>
      <legend>Own range</legend>
      <form className="chart-form" onSubmit={show}>
        <label>From <input type="datetime-local" value={from} onChange={(event) => setFrom(event.currentTarget.value)} /></label>
        <label>To <input type="datetime-local" value={to} onChange={(event) => setTo(event.currentTarget.value)} /></label>
        <p className="dim">on the clock of {zone}</p>
        <button type="submit" className="tab">Show</button>
        {typeof range !== 'string' && <button type="button" className="tab" onClick={() => onChange({ range: '1D' })}>Back to live</button>}
        {trouble !== null && <p role="alert" className="bad">{trouble}</p>}
      </form>
    </fieldset>
  );
}
