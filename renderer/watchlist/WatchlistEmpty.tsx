/** What stands where rows would: connecting, a table without indices and the way to fill it, or a list that holds none yet. */
import { useCell, usePage } from '../store/hooks.ts';
import { currentList } from './lists.ts';

export function WatchlistEmpty() {
  const { desk, watchlist } = usePage();
  const indices = useCell(desk.indices);
  const { total } = useCell(desk.arrangement);
  const host = useCell(desk.host);
  const health = useCell(desk.health);
  const items = useCell(watchlist.shown.items);
  const list = currentList(useCell(watchlist.lists));
  if (items.length > 0) return null;
  if (total > 0 && !list.all) {
    return <p className="list-empty">{list.name} is empty. <button type="button" onClick={() => watchlist.options.set(true)}>Add indices</button></p>;
  }
  if (total > 0) return null;
  return <p className="list-empty">{emptyWords(host.kind === 'lost', indices === null || health === null || health.link === 'connecting', health !== null && (health.problem !== null || health.link === 'broken'))}</p>;
}

function emptyWords(silent: boolean, waiting: boolean, broken: boolean): string {
  if (silent) return 'No word from Frontrow.';
  if (broken) return 'No index could be read yet.';
  return waiting ? 'Reading the front rows…' : 'No indices in this table yet.';
}
