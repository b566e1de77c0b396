/** Everything that can be chosen for a chart, in one dialog; a chunk of its own. Changes show at once. */
import { type ReactNode, useEffect, useRef } from 'react';
import { ComparedFields, LevelFields, OverlayFields } from './ChartFields.tsx';
import { RangeFields } from './RangeFields.tsx';
import { type ChartSettings, DETAILS, KINDS, SCALES, ZONES } from './settings.ts';
import './dialog.css';

export interface ChartDialogProps {
  readonly id: string;
  /** Newest price, to begin a level with. */
  readonly price: string | null;
  /** Zone that times are entered in. */
  readonly zone: string;
  readonly ids: readonly string[];
  readonly settings: ChartSettings;
  readonly onChange: (change: Partial<ChartSettings>) => void;
  readonly onClose: () => void;
}

const NAMES: Readonly<Record<string, string>> = {
  line: 'Line', area: 'Area', candles: 'Candles', bars: 'OHLC bars', linear: 'Linear', log: 'Logarithmic', percent: 'Percent', exchange: 'Exchange', viewer: 'Mine', UTC: 'UTC',
  auto: 'As the width needs', '1m': '1 minute', '5m': '5 minutes', '1h': '1 hour', '1d': '1 day',
};

function Choice<T extends string>({ legend, names, value, onChange }: { readonly legend: string; readonly names: readonly T[]; readonly value: T; readonly onChange: (value: T) => void }): ReactNode {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {names.map((name) => (
        <label key={name}><input type="radio" name={`chart ${legend}`} checked={name === value} onChange={() => onChange(name)} /> {NAMES[name] ?? name}</label>
      ))}
    </fieldset>
  );
}

export function ChartDialog({ id, price, zone, ids, settings, onChange, onClose }: ChartDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="help chart-dialog" aria-labelledby="chart-dialog-title" onClose={onClose}>
      <div className="help-head"><h2 id="chart-dialog-title">Chart of {id}</h2><button type="button" className="icon-button" aria-label="Close the chart settings" onClick={() => dialog.current?.close()}>✕</button></div>
      <div className="chart-dialog-columns">
        <Choice legend="Kind" names={KINDS} value={settings.kind} onChange={(kind) => onChange({ kind })} />
        <Choice legend="Price axis" names={SCALES} value={settings.scale} onChange={(scale) => onChange({ scale })} />
        <Choice legend="Clock" names={ZONES} value={settings.zone} onChange={(next) => onChange({ zone: next })} />
        <Choice legend="Resolution" names={DETAILS} value={settings.detail} onChange={(detail) => onChange({ detail })} />
        <fieldset>
          <legend>Closed time</legend>
          <label><input type="checkbox" checked={settings.collapse} onChange={(event) => onChange({ collapse: event.currentTarget.checked })} /> takes no width</label>
        </fieldset>
        <OverlayFields settings={settings} onChange={onChange} />
        <ComparedFields id={id} ids={ids} zone={zone} settings={settings} onChange={onChange} />
        <LevelFields id={id} price={price} settings={settings} onChange={onChange} />
        <RangeFields zone={zone} settings={settings} onChange={onChange} />
      </div>
    </dialog>
  );
}
