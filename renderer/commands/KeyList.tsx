/** Every command with its keys, in groups; a press on the keys changes them. */
import { useEffect, useRef, useState } from 'react';
import { useCell, usePage } from '../store/hooks.ts';
import { chordOf, showChord } from './chord.ts';
import type { Command } from './commands.ts';

const mac = /mac/i.test(globalThis.navigator?.platform ?? '');

/** Keys that are no command's: fields and lists have them by themselves. */
const FIXED: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['letters', 'Ctrl K'], 'find an index or a command'],
  [['↑', '↓', 'Home', 'End'], 'move in the list; Enter shows'],
  [['Esc'], 'close what is open'],
];

export const Keys = ({ chords }: { readonly chords: readonly string[] }) => <>{chords.map((chord) => <kbd key={chord}>{showChord(chord, mac)}</kbd>)}</>;

function CommandKeys({ command }: { readonly command: Command }) {
  const { commands } = usePage();
  useCell(commands.version);
  const [asking, setAsking] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const chords = commands.keysOf(command.id);

  useEffect(() => {
    const field = button.current;
    if (!asking || !field) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      const chord = chordOf(event);
      if (chord === null || chord === 'Tab' || chord === 'Shift+Tab') return;
      // Not the page's, nor the dialog's Escape.
      event.preventDefault();
      event.stopPropagation();
      setAsking(false);
      if (chord === 'Escape') return;
      const bound = commands.bind(command.id, chord === 'Backspace' || chord === 'Delete' ? [] : [chord]);
      setWrong(bound.ok ? null : `${bound.error.what}; ${bound.error.next}`);
    };
    const stop = (): void => setAsking(false);
    field.addEventListener('keydown', onKey);
    field.addEventListener('blur', stop);
    return () => {
      field.removeEventListener('keydown', onKey);
      field.removeEventListener('blur', stop);
    };
  }, [asking, command.id, commands]);

  return (
    <div>
      <dt>
        <button
          ref={button} type="button" className="keys-button" data-keys="" aria-label={`Keys of ${command.title}: ${chords.map((chord) => showChord(chord, mac)).join(' or ') || 'none'}. Change`}
          aria-pressed={asking} title="Change: then press the new keys; Delete for none, Esc to leave them" onClick={() => setAsking(!asking)}
        >
          {asking ? <i>press keys</i> : chords.length === 0 ? <i>none</i> : <Keys chords={chords} />}
        </button>
      </dt>
      <dd>
        {command.title}
        {commands.changed(command.id) ? <button type="button" className="keys-back" onClick={() => { commands.bind(command.id, null); setWrong(null); }}>back to {command.keys.map((chord) => showChord(chord, mac)).join(' ') || 'none'}</button> : null}
        {wrong === null ? null : <output className="note bad">{wrong}</output>}
      </dd>
    </div>
  );
}

export function KeyList() {
  const { commands } = usePage();
  const all = useCell(commands.all);
  const groups = Map.groupBy(all, ({ group }) => group);
  return (
    <div className="key-list">
      <dl>{FIXED.map(([keys, what]) => <div key={what}><dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
      {[...groups].map(([group, list]) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          <dl>{list.map((command) => <CommandKeys key={command.id} command={command} />)}</dl>
        </section>
      ))}
    </div>
  );
}
