/** The transport bar: play, step, speed, an instant by scrubber or field, and back to live. Hidden until it is used. */
import './replay.css';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { ClockView } from '../../shared/channels.ts';
import { type EpochMicros, parseMicros } from '../../shared/time.ts';
import { localDate } from '../../shared/zone.ts';
import { showClock, showDate } from '../state/shown.ts';
import { useCell, useInfo, usePage, usePulse } from '../store/hooks.ts';
import { readWindows, type Session } from '../store/sessionBook.ts';
import { fieldInstant, fieldText, instantIn, lengthOf, type Scope, SCOPES, secondsIn, type Span, spanOf, speedsOf } from './replayTimes.ts';

const SCOPE_NAMES: Readonly<Record<Scope, string>> = { day: 'Day', week: 'Week', all: 'All' };
/** A scrubber that moves asks for the instant where it comes to rest. */
const REST_MS = 250;
/** Sessions are no wider than a hair on a longer span. */
const MOST_SHOWN = 45 * 86_400;

const ICONS = { play: 'M2 1l7 4-7 4Z', pause: 'M2 1h2v8H2zM6 1h2v8H6z', back: 'M7 1v8L2.5 5ZM1 1h1.4v8H1z', on: 'M3 1v8l4.5-4ZM7.6 1H9v8H7.6z', minuteBack: 'M9 1v8L5 5ZM5 1v8L1 5Z', minuteOn: 'M1 1v8l4-4ZM5 1v8l4-4Z' } as const;

function Key({ icon, label, title, disabled = false, pressed, onClick }: { readonly icon: keyof typeof ICONS; readonly label: string; readonly title: string; readonly disabled?: boolean; readonly pressed?: boolean; readonly onClick: () => void }) {
  return (
    <button type="button" className="replay-key" aria-label={label} title={title} disabled={disabled} aria-pressed={pressed} onClick={onClick}>
      <svg viewBox="0 0 10 10" width="11" height="11" aria-hidden="true" focusable="false"><path className="solid" d={ICONS[icon]} /></svg>
    </button>
  );
}

/** Trading windows of the span, as parts of its width. */
function Sessions({ mic, span }: { readonly mic: string | null; readonly span: Span }) {
  const { desk } = usePage();
  const [windows, setWindows] = useState<readonly Session[]>([]);
  const { from, to } = span;
  const short = lengthOf(span) <= MOST_SHOWN;
  useEffect(() => {
    if (mic === null || !short) return undefined;
    let gone = false;
    void desk.request('sessions', { mic, fromMicros: String(from), toMicros: String(to) }).then((result) => {
      if (!gone) setWindows(result.ok ? readWindows(result.value) : []);
      return result;
    });
    return () => { gone = true; };
  }, [desk, mic, short, from, to]);
  const whole = lengthOf(span);
  return (
    <svg className="replay-sessions" viewBox={`0 0 ${whole} 1`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {short ? windows.map(({ open, close }) => {
        const [start, end] = [Math.max(0, secondsIn(span, open)), Math.min(whole, secondsIn(span, close))];
        return start < end ? <rect key={String(open)} x={start} y={0} width={end - start} height={1} /> : null;
      }) : null}
    </svg>
  );
}

function Scrubber({ span, now, zone, mic, disabled }: { readonly span: Span; readonly now: EpochMicros; readonly zone: string; readonly mic: string | null; readonly disabled: boolean }) {
  const { replay } = usePage();
  const [wanted, setWanted] = useState<number | null>(null);
  useEffect(() => {
    if (wanted === null) return undefined;
    const timer = setTimeout(() => {
      replay.jump(instantIn(span, wanted));
      setWanted(null);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [wanted, span, replay]);
  const at = wanted ?? secondsIn(span, now);
  const time = wanted === null ? now : instantIn(span, wanted);
  const words = `${showDate(localDate(zone, time), true)} ${showClock(zone, time)}`;
  return (
    <span className="replay-track">
      <Sessions mic={mic} span={span} />
      <input
        type="range" aria-label="Instant shown" aria-valuetext={words} min={0} max={lengthOf(span)} step={1} value={at} disabled={disabled} data-wanted={wanted !== null || undefined}
        onChange={(event) => setWanted(Number(event.currentTarget.value))}
        onKeyDown={(event) => {
          // A second is no step on a day: a minute, an hour, and the ends.
          const by = { ArrowLeft: -60, ArrowDown: -60, ArrowRight: 60, ArrowUp: 60, PageDown: -3600, PageUp: 3600 }[event.key];
          if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          setWanted(Math.max(0, Math.min(lengthOf(span), at + by)));
        }}
      />
    </span>
  );
}

function InstantField({ zone, now, disabled }: { readonly zone: string; readonly now: EpochMicros; readonly disabled: boolean }) {
  const { replay } = usePage();
  const asking = useCell(replay.asking);
  const [text, setText] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const first = useRef(0);
  const note = useId();
  useEffect(() => {
    if (asking === first.current) return;
    first.current = asking;
    field.current?.focus();
  }, [asking]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const time = fieldInstant(zone, text ?? fieldText(zone, now));
    setWrong(time === null);
    if (time === null) return;
    setText(null);
    replay.jump(time);
    // A field keeps keys for itself: from here on they step and play.
    field.current?.closest<HTMLElement>('.replay-bar')?.focus();
  };
  return (
    <form className="replay-instant" onSubmit={submit}>
      <input
        ref={field} type="datetime-local" step={1} aria-label={`Date and time in ${zone}`} aria-invalid={wrong || undefined} aria-describedby={wrong ? note : undefined} disabled={disabled}
        value={text ?? fieldText(zone, now)} onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === null) return;
          event.stopPropagation();
          setText(null);
        }}
      />
      <button type="submit" className="tab" disabled={disabled}>Jump</button>
      {wrong ? <output id={note} className="bad" data-tone="bad">no such date and time</output> : null}
    </form>
  );
}

const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function Controls({ beat }: { readonly beat: ClockView }) {
  const { replay, selected } = usePage();
  const id = useCell(selected);
  const info = useInfo(id ?? '');
  const stored = useCell(replay.stored);
  const refused = useCell(replay.refused);
  const said = useCell(replay.said);
  const [scope, setScope] = useState<Scope>('day');
  const [zoneChoice, setZoneChoice] = useState<'exchange' | 'viewer' | 'utc'>('exchange');
  // Once a second is as fine as anything here is drawn.
  const second = usePulse(({ now }) => (now === undefined ? '' : String(now / 1_000_000n)));
  const now = (second === '' ? parseMicros(beat.nowMicros) : BigInt(second) * 1_000_000n) as EpochMicros;
  const zone = zoneChoice === 'exchange' ? (info?.zone ?? 'UTC') : zoneChoice === 'viewer' ? viewerZone : 'UTC';
  const replaying = beat.kind === 'replay';
  const back = beat.live;
  const live = back === undefined ? now : parseMicros(back.nowMicros);
  const fixed = beat.fixed === true;
  const sameDay = localDate(zone, now);
  const span = useSpan(scope, now, live, zone, stored ?? null, sameDay);
  const chosen = beat.chosenSpeed ?? 1;
  return (
    <section className="replay-bar" aria-label="Replay" tabIndex={-1}>
      <span className="replay-keys" role="group" aria-label="Transport">
        <Key icon="minuteBack" label="One minute back" title="One minute back (Ctrl Alt ,)" disabled={fixed} onClick={() => replay.step('minute', true)} />
        <Key icon="back" label="One tick back" title="One tick back (Alt ,)" disabled={fixed} onClick={() => replay.step('tick', true)} />
        <Key icon={beat.paused || !replaying ? 'play' : 'pause'} label={beat.paused ? 'Play' : 'Pause'} title="Play or pause (Space)" disabled={fixed || !replaying} onClick={replay.toggle} />
        <Key icon="on" label="One tick on" title="One tick on (Alt .)" disabled={fixed || !replaying} onClick={() => replay.step('tick', false)} />
        <Key icon="minuteOn" label="One minute on" title="One minute on (Ctrl Alt .)" disabled={fixed || !replaying} onClick={() => replay.step('minute', false)} />
        <select aria-label="Speed" value={String(chosen)} disabled={fixed || !replaying} onChange={(event) => void replay.ask({ speed: Number(event.currentTarget.value) }, `Replay at ${event.currentTarget.value} times.`)}>
          {speedsOf(beat).map((speed) => <option key={speed} value={String(speed)}>{speed}x</option>)}
        </select>
      </span>
      <Scrubber span={span} now={now} zone={zone} mic={info?.mic ?? null} disabled={fixed} />
      <select aria-label="Span of the scrubber" value={scope} onChange={(event) => setScope(SCOPES.find((one) => one === event.currentTarget.value) ?? 'day')}>
        {SCOPES.map((one) => <option key={one} value={one} disabled={one === 'all' && stored == null}>{SCOPE_NAMES[one]}</option>)}
      </select>
      <InstantField zone={zone} now={now} disabled={fixed} />
      <select aria-label="Zone of the bar" value={zoneChoice} onChange={(event) => setZoneChoice(event.currentTarget.value === 'viewer' ? 'viewer' : event.currentTarget.value === 'utc' ? 'utc' : 'exchange')}>
        <option value="exchange">Exchange</option><option value="viewer">Mine</option><option value="utc">UTC</option>
      </select>
      <button type="button" className="tab replay-live" disabled={back === undefined || fixed} title="Back to live (Alt L)" onClick={replay.live}>{back?.kind === 'replay' ? 'Back to the demo' : 'Live'}</button>
      <button type="button" className="icon-button" aria-label="Hide the replay bar" title="Hide (Alt R)" onClick={() => replay.open.set(false)}>✕</button>
      <span className="replay-note">{fixed ? 'This host keeps its clock.' : (refused ?? (stored === null ? `Nothing of ${id ?? 'it'} is stored.` : ''))}</span>
      <output className="sr">{refused ?? said}</output>
    </section>
  );
}

/** A new one only when the day, the scope or what is stored is another: the slider must not move under the hand. */
function useSpan(scope: Scope, now: EpochMicros, live: EpochMicros, zone: string, stored: Parameters<typeof spanOf>[4], day: string): Span {
  const key = `${scope} ${zone} ${day} ${stored?.fromMicros ?? ''} ${stored?.toMicros ?? ''}`;
  const [kept, setKept] = useState(() => ({ key, span: spanOf(scope, now, live, zone, stored) }));
  if (kept.key === key && now >= kept.span.from && now <= kept.span.to) return kept.span;
  const made = { key, span: spanOf(scope, now, live, zone, stored) };
  setKept(made);
  return made.span;
}

export function ReplayBar() {
  const { desk, replay } = usePage();
  const open = useCell(replay.open);
  const beat = useCell(desk.beat);
  return open && beat !== null ? <Controls beat={beat} /> : null;
}
