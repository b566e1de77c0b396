/** Above the list: which one it is, and the way to everything that can be set on it. */
import { useCell, usePage } from '../store/hooks.ts';
import { currentList } from './lists.ts';

export function ListBar({ left, edge }: { readonly left: number; readonly edge: boolean }) {
  const { watchlist, commands } = usePage();
  const all = useCell(watchlist.lists);
  const list = currentList(all);
  return (
    <div className="list-bar">
      <select aria-label="List" value={list.id} onChange={(event) => watchlist.edit((old) => ({ ...old, current: event.target.value }))}>
        {all.lists.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
      </select>
      <button type="button" className="icon-button" aria-label="New list" title="New list" onClick={() => commands.run('list.new')}>+</button>
      {left === 0 ? null : <span className="dim list-left" title="Columns that do not fit: make the list wider or choose fewer">+{left} hidden</span>}
      <span className="list-rest" />
      {edge ? <button type="button" className="icon-button" aria-label="The watchlist as a pane" title="As a pane: to move, tab or pop out" onClick={() => commands.run('pane.watchlist')}><svg viewBox="0 0 14 14" width="13" height="13" aria-hidden="true" focusable="false" className="list-sign"><path d="M1.5 2.5h11v9h-11zM6 2.5v9" /></svg></button> : null}
      <button type="button" className="icon-button list-more" aria-label="List options" title="Name, members, columns, groups" aria-haspopup="dialog" onClick={() => watchlist.options.set(true)}>⋯</button>
    </div>
  );
}

/** What was done last, and its way back. */
export function ListSaid() {
  const { watchlist, commands } = usePage();
  const said = useCell(watchlist.said);
  return (
    <div className="list-said" role="status" hidden={said === null}>
      {said === null ? null : <><span>{said.text}</span>{said.undo ? <button type="button" onClick={() => commands.run('list.undo')}>Undo</button> : null}</>}
    </div>
  );
}
