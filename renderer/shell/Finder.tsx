/** The find box: Ctrl+K or just type; arrows, Enter and Escape do the rest. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { StateShape } from '../state/StateShape.tsx';
import { useCell, usePage, useQuote } from '../store/hooks.ts';
import { findIndex } from './findIndex.ts';

function FoundState({ id }: { readonly id: string }) {
  return <StateShape state={useQuote(id)?.state ?? 'nodata'} />;
}

/** Keys that begin a search: a letter or digit that is no key of the page, nothing held, no control or field that wants it. */
function beginsSearch(event: globalThis.KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing || !/^[a-z4-90^]$/i.test(event.key)) return false;
  return !(event.target instanceof HTMLElement && event.target.closest('input, select, textarea, [contenteditable], [data-keys]'));
}

export function Finder() {
  const { desk, view } = usePage();
  const indices = useCell(desk.indices) ?? [];
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const back = useRef<HTMLElement | null>(null);
  const found = open ? findIndex(indices, typed) : [];
  const listed = found.length > 0;

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const asked = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (view.help.get() || (!asked && !beginsSearch(event))) return;
      if (asked) event.preventDefault();
      if (document.activeElement instanceof HTMLElement && document.activeElement !== input.current) back.current = document.activeElement;
      // Focus moves before the character lands, so that it lands in the box.
      input.current?.focus();
      input.current?.select();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [view]);

  const leave = (): void => {
    setTyped('');
    setOpen(false);
    setAt(0);
    input.current?.blur();
    back.current?.focus();
  };
  const choose = (id: string | undefined): void => {
    if (id === undefined) return;
    view.chosen.set(id);
    leave();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setAt((old) => (found.length === 0 ? 0 : (old + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length));
      event.preventDefault();
    } else if (event.key === 'Enter') choose(found[at]?.id);
    else if (event.key === 'Escape') leave();
  };

  return (
    <search className="finder">
      <input
        ref={input} type="text" role="combobox" aria-label="Find an index" aria-expanded={listed} aria-controls="found" aria-autocomplete="list" autoComplete="off" spellCheck={false}
        aria-activedescendant={listed ? `found-${found[at]?.id}` : undefined} placeholder="find an index" maxLength={60} value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
          setAt(0);
        }}
        onKeyDown={onKeyDown} onBlur={() => setOpen(false)}
      />
      <kbd aria-hidden="true">Ctrl K</kbd>
      <div id="found" role="listbox" aria-label="Found indices" hidden={!listed}>
        {found.map((index, position) => (
          <div
            key={index.id} id={`found-${index.id}`} role="option" aria-selected={position === at}
            onPointerDown={(event) => {
              event.preventDefault(); // the box keeps its focus until the choice is made
              choose(index.id);
            }}
          >
            <FoundState id={index.id} /><b>{index.id}</b><span>{index.name}</span>
          </div>
        ))}
      </div>
      {open && typed.trim() !== '' && !listed ? <output className="found-none">no index matches</output> : null}
    </search>
  );
}
