/** Where a new table is cut from the start: indices come to nodes of their own at once, not only after the first busy hour. Pure. */
import { type IndexId, tickRange } from '../../shared/rowKey.ts';

/** More cuts than this at the start help nobody: the service moves them anyway. */
const MOST = 100;

/** Keys where ticks of an index begin, in key order, each once; of very many indices evenly spread ones. */
export function splitKeys(ids: Iterable<IndexId>): string[] {
  const keys = [...new Set(ids)].map((id) => tickRange(id).start).sort();
  return keys.length <= MOST ? keys : Array.from({ length: MOST }, (_, at) => keys[Math.floor((at * keys.length) / MOST)] ?? '').filter((key) => key !== '');
}
