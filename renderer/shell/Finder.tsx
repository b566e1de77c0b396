/** The find box and command palette: Ctrl+K, or just type an id; arrows, Enter and Escape do the rest. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { IndexView } from '../../shared/channels.ts';
import { chordOf } from '../commands/chord.ts';
import type { Command, Commands } from '../commands/commands.ts';
import { findCommand } from '../commands/findCommand.ts';
import { Keys } from '../commands/KeyList.tsx';
import { StateShape } from '../state/StateShape.tsx';
import { useCell, usePage, useQuote } from '../store/hooks.ts';
import { findIndex } from './findIndex.ts';

function FoundState({ id }: { readonly id: string }) {
  return <StateShape state={useQuote(id)?.state ?? 'nodata'} />;
}

type Found = { readonly kind: 'index'; readonly key: string; readonly index: IndexView } | { readonly kind: 'command'; readonly key: string; readonly command: Command };

/** Indices first: who types an id wants it with one Enter. Nothing typed lists what can be done. */
function findAll(indices: readonly IndexView[], commands: readonly Command[], typed: string): readonly Found[] {
  return [
    ...findIndex(indices, typed).map((index): Found => ({ kind: 'index', key: `index-${index.id}`, index })),
    ...findCommand(commands, typed).map((command): Found => ({ kind: 'command', key: `command-${command.id}`, command })),
  ];
}

/** Keys that begin a search: a letter or digit that is no command's key, nothing held, no control or field that wants it. */
function beginsSearch(event: globalThis.KeyboardEvent, commands: Commands): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing || !/^[a-z0-9^]$/i.test(event.key)) return false;
  const chord = chordOf(event);
  if (commands.all.get().some(({ id }) => chord !== null && commands.keysOf(id).includes(chord))) return false;
  return !(event.target instanceof HTMLElement && event.target.closest('input, select, textarea, [contenteditable], [data-keys]'));
}

export function Finder() {
  const { desk, view, commands } = usePage();
  const indices = useCell(desk.indices) ?? [];
  const all = useCell(commands.all);
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const back = useRef<HTMLElement | null>(null);
  const found = open ? findAll(indices, all, typed) : [];
  const listed = found.length > 0;

  const shown = found[at]?.key;
  useEffect(() => {
    if (shown !== undefined) document.getElementById(`found-${shown}`)?.scrollIntoView({ block: 'nearest' });
  }, [shown]);

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const asked = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (view.help.get() || (!asked && !beginsSearch(event, commands))) return;
      if (asked) event.preventDefault();
      if (document.activeElement instanceof HTMLElement && document.activeElement !== input.current) back.current = document.activeElement;
      // Focus moves before the character lands, so that it lands in the box.
      input.current?.focus();
      input.current?.select();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [view, commands]);

  const leave = (): void => {
    setTyped('');
    setOpen(false);
    setAt(0);
    input.current?.blur();
    back.current?.focus();
  };
  const choose = (one: Found | undefined): void => {
    if (one === undefined) return;
    leave();
    if (one.kind === 'index') view.chosen.set(one.index.id);
    else commands.run(one.command.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setAt((old) => (found.length === 0 ? 0 : (old + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length));
      event.preventDefault();
    } else if (event.key === 'Enter') {
      event.preventDefault(); // the focus goes back to where it was: a button there must not be pressed by the same key
      choose(found[at]);
    } else if (event.key === 'Escape') leave();
  };

  return (
    <search className="finder">
      <input
        ref={input} type="text" role="combobox" aria-label="Find an index or a command" aria-expanded={listed} aria-controls="found" aria-autocomplete="list" autoComplete="off" spellCheck={false}
        aria-activedescendant={shown === undefined ? undefined : `found-${shown}`} placeholder="find index or command" maxLength={60} value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
          setAt(0);
        }}
        onKeyDown={onKeyDown} onBlur={() => setOpen(false)}
      />
      <kbd aria-hidden="true">Ctrl K</kbd>
      <div id="found" role="listbox" aria-label="Found indices and commands" hidden={!listed}>
        {found.map((one, position) => (
          <div
            key={one.key} id={`found-${one.key}`} role="option" aria-selected={position === at}
            onPointerDown={(event) => {
              event.preventDefault(); // the box keeps its focus until the choice is made
              choose(one);
            }}
          >
            {one.kind === 'index' ? <><FoundState id={one.index.id} /><b>{one.index.id}</b><span>{one.index.name}</span></> : <><b>{one.command.title}</b>{' '}<span className="found-keys"><Keys chords={commands.keysOf(one.command.id)} /></span></>}
          </div>
        ))}
      </div>
      {open && typed.trim() !== '' && !listed ? <output className="found-none">no index or command matches</output> : null}
    </search>
  );
}
