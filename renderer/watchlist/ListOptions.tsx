/** All that can be set on a list, in one dialog: name, members, groups, density, trend lines, columns, companions. */
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { useCell, usePage } from '../store/hooks.ts';
import { COLUMN_IDS, columnOf } from './columns.ts';
import { companionOf } from './listItems.ts';
import { addIndices, currentList, DENSITIES, editList, GROUPINGS, LIST_LIMITS, moveColumn, pairIndex, renameList, toggleColumn, TREND_WINDOWS } from './lists.ts';

const isId = (text: string): boolean => /^[A-Z0-9^._-]{1,24}$/.test(text);

function Choice<T extends string>({ title, names, value, onChoose }: { readonly title: string; readonly names: readonly T[]; readonly value: T; readonly onChoose: (name: T) => void }) {
  const group = useId();
  return (
    <fieldset className="choice">
      <legend>{title}</legend>
      {names.map((name) => <label key={name}><input type="radio" name={group} checked={name === value} onChange={() => onChoose(name)} /> {name}</label>)}
    </fieldset>
  );
}

function Name() {
  const { watchlist } = usePage();
  const list = currentList(useCell(watchlist.lists));
  const [text, setText] = useState(list.name);
  return (
    <form className="line" onSubmit={(event) => { event.preventDefault(); watchlist.edit((all) => renameList(all, text), `Renamed ${list.name}`); }}>
      <label>Name <input type="text" value={text} maxLength={LIST_LIMITS.name} onChange={(event) => setText(event.target.value)} /></label>
      <button type="submit" className="tab">Rename</button>
    </form>
  );
}

function Members() {
  const { watchlist, desk } = usePage();
  const list = currentList(useCell(watchlist.lists));
  const indices = useCell(desk.indices) ?? [];
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState('');
  const known = useId();
  if (list.all) return <p className="dim">This list holds every index of the desk. Make a new list to choose some.</p>;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const ids = text.toUpperCase().split(/[\s,;]+/).filter((id) => id !== '');
    const bad = ids.filter((id) => !isId(id));
    const unknown = ids.filter((id) => isId(id) && !indices.some((index) => index.id === id));
    setWrong([bad.length > 0 ? `No id: ${bad.join(', ').slice(0, 80)}.` : '', unknown.length > 0 ? `Not on this desk: ${unknown.join(', ').slice(0, 80)}.` : ''].join(' ').trim());
    const found = ids.filter((id) => isId(id) && !unknown.includes(id));
    if (found.length > 0) watchlist.edit((all) => addIndices(all, found), `Added ${found.join(', ').slice(0, 80)}`);
    setText(bad.concat(unknown).join(' '));
  };
  return (
    <form className="line" onSubmit={onSubmit}>
      <label>Add <input type="text" list={known} value={text} placeholder="SPX DAX NKY" autoComplete="off" spellCheck={false} maxLength={2000} onChange={(event) => setText(event.target.value)} /></label>
      <datalist id={known}>{indices.slice(0, 500).filter(({ id }) => !list.ids.includes(id)).map(({ id, name }) => <option key={id} value={id}>{name}</option>)}</datalist>
      <button type="submit" className="tab">Add</button>
      <output className="note bad">{wrong}</output>
    </form>
  );
}

function Columns() {
  const { watchlist } = usePage();
  const { columns } = currentList(useCell(watchlist.lists));
  const fitting = useCell(watchlist.fitting);
  const rest = COLUMN_IDS.filter((id) => !columns.includes(id));
  return (
    <fieldset className="choice columns">
      <legend>Columns, left to right</legend>
      {[...columns, ...rest].map((id) => {
        const at = columns.indexOf(id);
        const { name } = columnOf(id);
        return (
          <div key={id}>
            <label><input type="checkbox" checked={at >= 0} onChange={() => watchlist.edit((all) => toggleColumn(all, id))} /> {name}</label>
            {at >= 0 && !fitting.some((column) => column.id === id) ? <span className="dim">does not fit</span> : null}
            {at < 0 ? null : (
              <span>
                <button type="button" className="icon-button" aria-label={`${name}: further left`} disabled={at === 0} onClick={() => watchlist.edit((all) => moveColumn(all, id, -1))}>↑</button>
                <button type="button" className="icon-button" aria-label={`${name}: further right`} disabled={at === columns.length - 1} onClick={() => watchlist.edit((all) => moveColumn(all, id, 1))}>↓</button>
              </span>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

/** Which id stands under the index shown while that is closed. */
function Companion() {
  const { watchlist, desk, selected } = usePage();
  const id = useCell(selected);
  const { pairs } = useCell(watchlist.lists);
  const [text, setText] = useState(() => (id === null ? '' : (companionOf(id, watchlist.lists.get().pairs, desk.info.get(id)) ?? '')));
  if (id === null) return null;
  const wanted = text.trim().toUpperCase();
  return (
    <form className="line" onSubmit={(event) => { event.preventDefault(); if (wanted === '' || isId(wanted)) watchlist.edit((all) => pairIndex(all, id, wanted), `Set what trades while ${id} is closed`); }}>
      <label>While {id} is closed, show <input type="text" className="short" value={text} placeholder="none" autoComplete="off" spellCheck={false} maxLength={24} onChange={(event) => setText(event.target.value)} /></label>
      <button type="submit" className="tab">Set</button>
      {Object.hasOwn(pairs, id) ? <button type="button" className="tab" onClick={() => { watchlist.edit((all) => pairIndex(all, id, null), `Forgot the companion of ${id}`); setText(desk.info.get(id)?.companion ?? ''); }}>As the registry says</button> : null}
    </form>
  );
}

export function ListOptions() {
  const { watchlist, commands } = usePage();
  const open = useCell(watchlist.options);
  const all = useCell(watchlist.lists);
  const list = currentList(all);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="help list-options" aria-labelledby="list-title" onClose={() => watchlist.options.set(false)}>
      {open ? (
        <>
          <div className="help-head"><h2 id="list-title">List: {list.name}</h2><button type="button" className="icon-button" aria-label="Close the options" onClick={() => watchlist.options.set(false)}>✕</button></div>
          <Name key={`name ${list.id} ${list.name}`} />
          <Members key={`members ${list.id}`} />
          <div className="line">
            <button type="button" className="tab" onClick={() => commands.run('list.copyAs')}>New list of these</button>
            {list.all ? null : <button type="button" className="tab" onClick={() => commands.run('list.delete')}>Delete this list</button>}
            <button type="button" className="tab" onClick={() => commands.run('list.copyAll')}>Copy as a table</button>
          </div>
          <div className="help-columns">
            <div>
              <Choice title="Groups" names={GROUPINGS} value={list.group} onChoose={(group) => watchlist.edit((old) => editList(old, { group }))} />
              <label className="line"><input type="checkbox" checked={list.pinTrouble} onChange={() => watchlist.edit((old) => editList(old, { pinTrouble: !list.pinTrouble }))} /> Trouble pinned on top</label>
              <Choice title="Density" names={DENSITIES} value={all.density} onChoose={(density) => watchlist.edit((old) => ({ ...old, density }))} />
              <Choice title="Trend lines" names={TREND_WINDOWS} value={list.trend} onChoose={(trend) => watchlist.edit((old) => editList(old, { trend }))} />
              <Companion />
            </div>
            <Columns />
          </div>
          <ListSaidInside />
        </>
      ) : null}
    </dialog>
  );
}

/** The page behind a dialog can't be heard. */
function ListSaidInside() {
  const said = useCell(usePage().watchlist.said);
  return <p className="dim" role="status">{said?.text ?? ''}</p>;
}
