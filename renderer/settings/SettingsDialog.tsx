/** Settings of the page: how it looks, moves and writes, and the user's own trading dates. Every choice counts at once. */
import './settings.css';
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { formatPrice, readerLocale } from '../../shared/format.ts';
import { micros } from '../../shared/time.ts';
import { type ZoneChoice, ZONES } from '../chart/settings.ts';
import { THEMES } from '../shell/view.ts';
import { ARROWS } from '../state/shapes.ts';
import { showClock, showDate, showSignedPercent } from '../state/shown.ts';
import { useCell, usePage } from '../store/hooks.ts';
import { DENSITIES } from '../watchlist/lists.ts';
import { CONTRASTS, DEFAULT_LOOK, HOURS, type Look, MOTIONS, type Palette, PALETTES, parseLocale, TEXT_SIZES, type TextSize } from './look.ts';
import { OwnDates } from './OwnDates.tsx';
import { CONTRAST_NAMES, HOURS_NAMES, MOTION_NAMES, PALETTE_NAMES, THEME_NAMES } from './lookCommands.ts';

interface ChoiceProps<T extends string | number> {
  readonly title: string;
  readonly names: readonly T[];
  readonly words: (name: T) => ReactNode;
  readonly value: T;
  readonly onChoose: (name: T) => void;
}

function Choice<T extends string | number>({ title, names, words, value, onChoose }: ChoiceProps<T>) {
  const group = useId();
  return (
    <fieldset className="setting">
      <legend>{title}</legend>
      {names.map((name) => <label key={name}><input type="radio" name={group} checked={name === value} onChange={() => onChoose(name)} /> {words(name)}</label>)}
    </fieldset>
  );
}

/** Both directions in the palette's own colours, as they stand in the list. */
function Sample({ palette }: { readonly palette: Palette }) {
  return (
    <span className="palette-words">
      {PALETTE_NAMES[palette]}
      <span className="palette-sample" data-sample={palette} aria-hidden="true">
        {(['up', 'down'] as const).map((direction) => <span key={direction} data-direction={direction}><svg className="arrow" viewBox="0 0 10 8" width="10" height="8" focusable="false"><path d={ARROWS[direction]} /></svg>{showSignedPercent(direction === 'up' ? '0.41' : '-0.41')}</span>)}
      </span>
    </span>
  );
}

const sampleOf = (palette: Palette): ReactNode => <Sample palette={palette} />;

/** Locales of the larger exchanges; any other tag can be typed. */
const LOCALES = ['en-US', 'en-GB', 'de-DE', 'de-CH', 'fr-FR', 'fr-CH', 'it-IT', 'es-ES', 'nl-NL', 'pt-BR', 'sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'pl-PL', 'cs-CZ', 'tr-TR', 'ja-JP', 'ko-KR', 'zh-CN', 'zh-HK', 'zh-TW', 'en-IN', 'hi-IN', 'en-SG', 'en-AU', 'en-CA', 'en-ZA'] as const;
/** 2026-11-27 18:05:09 UTC. */
const SAMPLE_TIME = micros(1_795_802_709_000_000n);

function LocaleField({ look, change }: { readonly look: Look; readonly change: (next: Partial<Look>) => void }) {
  const [text, setText] = useState(look.locale ?? '');
  const [wrong, setWrong] = useState(false);
  const known = useId();
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const locale = parseLocale(text);
    const bad = text.trim() !== '' && locale === null;
    setWrong(bad);
    if (bad) return;
    change({ locale });
    setText(locale ?? '');
  };
  return (
    <fieldset className="setting">
      <legend>Numbers and dates</legend>
      <form className="setting-line" onSubmit={onSubmit}>
        <label>Locale <input type="text" list={known} value={text} placeholder={globalThis.navigator.language} maxLength={40} autoComplete="off" spellCheck={false} aria-invalid={wrong} onChange={(event) => setText(event.target.value)} /></label>
        <datalist id={known}>{LOCALES.map((tag) => <option key={tag} value={tag}>{tag}</option>)}</datalist>
        <button type="submit" className="tab">Use</button>
        {look.locale === null ? null : <button type="button" className="tab" onClick={() => { change({ locale: null }); setText(''); setWrong(false); }}>As the browser</button>}
      </form>
      <output className="setting-sample">{wrong ? <span className="note bad">No locale that this browser knows: write one such as en-GB or de-CH.</span> : `${readerLocale() ?? ''}: ${formatPrice('1234567.8', 2)} · ${formatPrice('-37.63', 2)} · ${showDate('2026-11-27', true)} · ${showClock('UTC', SAMPLE_TIME)}`}</output>
    </fieldset>
  );
}

const ZONE_WORDS: Readonly<Record<ZoneChoice, string>> = { exchange: "The exchange's clock", viewer: 'Your clock', UTC: 'UTC' };

function Content() {
  const { look: cell, view, settings, watchlist, workspace } = usePage();
  const look = useCell(cell);
  const theme = useCell(view.theme);
  const chart = useCell(view.chart);
  const { density } = useCell(watchlist.lists);
  const change = (next: Partial<Look>): void => cell.set({ ...cell.get(), ...next });
  return (
    <>
      <div className="help-head"><h2 id="settings-title">Settings</h2><button type="button" className="icon-button" aria-label="Close the settings" onClick={() => settings.set(false)}>✕</button></div>
      <div className="help-columns">
        <div>
          <Choice title="Colours" names={THEMES} words={(name) => THEME_NAMES[name]} value={theme} onChoose={(name) => view.theme.set(name)} />
          <Choice title="Contrast" names={CONTRASTS} words={(name) => CONTRAST_NAMES[name]} value={look.contrast} onChoose={(contrast) => change({ contrast })} />
          <Choice title="Up and down: the first three for every colour vision" names={PALETTES} words={sampleOf} value={look.palette} onChoose={(palette) => change({ palette })} />
          <Choice<TextSize> title="Text size" names={TEXT_SIZES} words={(size) => `${size} %`} value={look.text} onChoose={(text) => change({ text })} />
        </div>
        <div>
          <LocaleField key={look.locale ?? ''} look={look} change={change} />
          <Choice title="Clocks" names={HOURS} words={(hours) => HOURS_NAMES[hours]} value={look.hours} onChoose={(hours) => change({ hours })} />
          <Choice title="Times on the chart" names={ZONES} words={(zone) => ZONE_WORDS[zone]} value={chart.zone} onChoose={(zone) => view.chart.set({ ...view.chart.get(), zone })} />
          {workspace.windowId === null ? <Choice title="Density of the list" names={DENSITIES} words={(name) => name} value={density} onChoose={(name) => watchlist.edit((all) => ({ ...all, density: name }))} /> : null}
          <Choice title="Motion" names={MOTIONS} words={(motion) => MOTION_NAMES[motion]} value={look.motion} onChoose={(motion) => change({ motion })} />
          <div className="setting-line">
            <button type="button" className="tab" onClick={() => { settings.set(false); view.help.set(true); }}>Keys and signs</button>
            <button type="button" className="tab" onClick={() => { cell.set(DEFAULT_LOOK); view.theme.set('system'); }}>Reset the look</button>
          </div>
        </div>
      </div>
      <OwnDates />
    </>
  );
}

export function SettingsDialog() {
  const { settings } = usePage();
  const open = useCell(settings);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return <dialog ref={dialog} className="help settings" aria-labelledby="settings-title" onClose={() => settings.set(false)}>{open ? <Content /> : null}</dialog>;
}

export function SettingsButton() {
  const { settings } = usePage();
  return (
    <button type="button" className="icon-button" aria-label="Settings" aria-keyshortcuts="Control+," title="Settings: colours, text, locale, trading dates (Ctrl ,)" onClick={() => settings.set(true)}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false"><path className="line" d="M2 4h6M12 4h2M2 8h2M8 8h6M2 12h7M13 12h1" /><circle className="line" cx="10" cy="4" r="1.8" /><circle className="line" cx="6" cy="8" r="1.8" /><circle className="line" cx="11" cy="12" r="1.8" /></svg>
    </button>
  );
}
