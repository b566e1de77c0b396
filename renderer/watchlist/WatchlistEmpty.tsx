/** What stands where rows would: connecting, or a table without indices and the way to fill it. */
import { useCell, usePage } from '../store/hooks.ts';

export function WatchlistEmpty() {
  const { desk } = usePage();
  const indices = useCell(desk.indices);
  const { total } = useCell(desk.arrangement);
  const host = useCell(desk.host);
  if (total > 0) return null;
  if (indices === null) return <p className="list-empty">{host.kind === 'lost' ? 'No word from Frontrow.' : 'Reading the front rows…'}</p>;
  return <p className="list-empty">No indices in this table yet.</p>;
}
