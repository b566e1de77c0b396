/** Keys and signs of the page, on `?`: also the key to every shape in the list. */
import { type ReactNode, useEffect, useRef } from 'react';
import { KeyList } from '../commands/KeyList.tsx';
import { NoteMark } from '../state/NoteMark.tsx';
import { StateShape } from '../state/StateShape.tsx';
import { useCell, usePage } from '../store/hooks.ts';

const SIGNS: readonly (readonly [sign: ReactNode, name: string, meaning: string])[] = [
  [<StateShape key="live" state="live" />, 'live', 'prices come at this index\'s usual pace'],
  [<StateShape key="quiet" state="quiet" />, 'quiet', 'slower than usual, within its limit; or in an auction or halt'],
  [<StateShape key="stalled" state="stalled" />, 'stalled', 'nothing for longer than the limit while its market is open'],
  [<StateShape key="closed" state="closed" />, 'closed', 'its exchange does not trade now: the last price and its time'],
  [<StateShape key="disconnected" state="disconnected" />, 'disconnected', 'its reads fail: the last good price and its age'],
  [<StateShape key="nodata" state="nodata" />, 'no data', 'nothing read yet, or no row in the table'],
  [<NoteMark key="note" notes={[{ words: '', bad: false }]} />, 'note', 'worth knowing: corrected, settling, judged without a calendar'],
  [<NoteMark key="care" notes={[{ words: '', bad: true }]} />, 'care', 'clocks disagree, a row from the future, a print out of session'],
];

/** Handles the keys of commands; fields and menus keep theirs. */
function usePageKeys(): void {
  const { commands } = usePage();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || (event.target instanceof HTMLElement && event.target.closest('input, select, textarea, [contenteditable]'))) return;
      if (commands.press(event)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [commands]);
}

export function Help() {
  const { view } = usePage();
  const open = useCell(view.help);
  const dialog = useRef<HTMLDialogElement>(null);
  usePageKeys();
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="help" aria-labelledby="help-title" onClose={() => view.help.set(false)}>
      {/* its shapes are of no value: they exist only while they are read */}
      {open ? (
        <>
          <div className="help-head"><h2 id="help-title">Keys and signs</h2><button type="button" className="icon-button" aria-label="Close the help" onClick={() => view.help.set(false)}>✕</button></div>
          <div className="help-columns">
            <KeyList />
            <dl>{SIGNS.map(([sign, name, meaning]) => <div key={name}><dt>{sign} {name}</dt><dd>{meaning}</dd></div>)}</dl>
          </div>
        </>
      ) : null}
    </dialog>
  );
}

export function HelpButton() {
  const { view } = usePage();
  return <button type="button" className="icon-button help-button" aria-label="Keys and signs" title="Keys and signs (?)" onClick={() => view.help.set(true)}>?</button>;
}
