/** Fields of the chart's dialog: overlays, compared indices, levels. */
import { type FormEvent, useState } from 'react';
import { localInstant, localText } from './localTime.ts';
import { overlayName } from './overlays.ts';
import { type ChartSettings, FIXED_OVERLAYS, isOverlay, type Level, MOST_COMPARED, type Overlay } from './settings.ts';

interface FieldProps {
  readonly settings: ChartSettings;
  readonly onChange: (change: Partial<ChartSettings>) => void;
}

const NAMES: Readonly<Record<(typeof FIXED_OVERLAYS)[number], string>> = { vwap: 'Session VWAP (bars with volume)', 'previous-close': 'Previous close', day: "Day's high and low", range: "Range's high and low" };

export function OverlayFields({ settings: { overlays }, onChange }: FieldProps) {
  const [kind, setKind] = useState<'sma' | 'ema'>('sma');
  const [length, setLength] = useState('20');
  const toggle = (overlay: Overlay, on: boolean): void => onChange({ overlays: on ? [...overlays, overlay] : overlays.filter((other) => other !== overlay) });
  const averages = overlays.filter((overlay) => /^[se]ma/.test(overlay));
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const overlay = `${kind}${Number(length)}`;
    if (isOverlay(overlay) && !overlays.includes(overlay)) toggle(overlay, true);
  };
  return (
    <fieldset>
      <legend>Overlays</legend>
      {FIXED_OVERLAYS.map((overlay) => (
        <label key={overlay}><input type="checkbox" checked={overlays.includes(overlay)} onChange={(event) => toggle(overlay, event.currentTarget.checked)} /> {NAMES[overlay]}</label>
      ))}
      {averages.map((overlay) => <p key={overlay} className="chart-chosen">{overlayName(overlay)} <button type="button" aria-label={`Remove ${overlayName(overlay)}`} onClick={() => toggle(overlay, false)}>✕</button></p>)}
      <form className="chart-form" onSubmit={add}>
        <label>Average <select value={kind} onChange={(event) => setKind(event.currentTarget.value === 'ema' ? 'ema' : 'sma')}><option value="sma">simple</option><option value="ema">exponential</option></select></label>
        <label>over <input type="number" min="2" max="500" value={length} onChange={(event) => setLength(event.currentTarget.value)} /> points or bars</label>
        <button type="submit" className="tab">Add average</button>
      </form>
    </fieldset>
  );
}

export function ComparedFields({ id, ids, zone, settings: { compare, rebase }, onChange }: FieldProps & { readonly id: string; readonly ids: readonly string[]; readonly zone: string }) {
  const [other, setOther] = useState('');
  const open = ids.filter((one) => one !== id && !compare.includes(one));
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = other.trim().toUpperCase();
    if (!open.includes(wanted) || compare.length >= MOST_COMPARED) return;
    onChange({ compare: [...compare, wanted], ...(compare.length === 0 ? { scale: 'percent' as const } : {}) });
    setOther('');
  };
  return (
    <fieldset>
      <legend>Compare</legend>
      {compare.map((one) => <p key={one} className="chart-chosen">{one} <button type="button" aria-label={`Remove ${one}`} onClick={() => onChange({ compare: compare.filter((kept) => kept !== one) })}>✕</button></p>)}
      <form className="chart-form" onSubmit={add}>
        <label>Index <input list="chart-ids" value={other} maxLength={24} disabled={compare.length >= MOST_COMPARED} onChange={(event) => setOther(event.currentTarget.value)} /></label>
        <datalist id="chart-ids">{open.map((one) => <option key={one} value={one}>{one}</option>)}</datalist>
        <button type="submit" className="tab" disabled={compare.length >= MOST_COMPARED}>Compare</button>
        <label>Starting at <input type="datetime-local" value={rebase === null ? '' : localText(zone, rebase)} onChange={(event) => onChange({ rebase: localInstant(zone, event.currentTarget.value) })} /></label>
        <p className="dim">{rebase === null ? `where the view begins; up to ${MOST_COMPARED}` : `on the clock of ${zone}`}</p>
      </form>
    </fieldset>
  );
}

export function LevelFields({ id, price, settings: { levels }, onChange }: FieldProps & { readonly id: string; readonly price: string | null }) {
  const [value, setValue] = useState(price ?? '');
  const [note, setNote] = useState('');
  const valid = /^-?\d{1,20}(?:\.\d{1,20})?$/.test(value.trim());
  const remove = (level: Level): void => onChange({ levels: levels.filter((kept) => kept !== level) });
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (!valid) return;
    onChange({ levels: [...levels, { index: id, price: value.trim(), note: note.trim().slice(0, 200) }] });
    setNote('');
  };
  return (
    <fieldset>
      <legend>Levels of {id}</legend>
      {levels.filter(({ index }) => index === id).map((level) => (
        <p key={`${level.price} ${level.note}`} className="chart-chosen">{level.price} {level.note} <button type="button" aria-label={`Remove the level ${level.price}`} onClick={() => remove(level)}>✕</button></p>
      ))}
      <form className="chart-form" onSubmit={add}>
        <label>Price <input inputMode="decimal" value={value} aria-invalid={!valid} maxLength={40} onChange={(event) => setValue(event.currentTarget.value)} /></label>
        <label>Note <input value={note} maxLength={200} onChange={(event) => setNote(event.currentTarget.value)} /></label>
        <button type="submit" className="tab" disabled={!valid}>Add level</button>
      </form>
    </fieldset>
  );
}
