/** What stands where rows would: connecting, or a table without indices and the way to fill it. */
import { useCell, usePage } from '../store/hooks.ts';

export function WatchlistEmpty() {
  const { desk } = usePage();
  const indices = useCell(desk.indices);
  const { total } = useCell(desk.arrangement);
  const host = useCell(desk.host);
  const health = useCell(desk.health);
  if (total > 0) return null;
  return <p className="list-empty">{emptyWords(host.kind === 'lost', indices === null || health === null || health.link === 'connecting', health !== null && (health.problem !== null || health.link === 'broken'))}</p>;
}

function emptyWords(silent: boolean, waiting: boolean, broken: boolean): string {
  if (silent) return 'No word from Frontrow.';
  if (broken) return 'No index could be read yet.';
  return waiting ? 'Reading the front rows…' : 'No indices in this table yet.';
}
