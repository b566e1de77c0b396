/** Where the future begins: rows beyond it are never the price. */
import { type IndexId, reverseTime } from '../../shared/rowKey.ts';
import { FUTURE_LIMIT_MS } from '../../shared/state.ts';
import { type EpochMicros, micros } from '../../shared/time.ts';

const FUTURE_MICROS = BigInt(FUTURE_LIMIT_MS) * 1000n;
/** Rows later than this are from the future at desk time `now`. */
export const horizonAt = (now: EpochMicros): EpochMicros => micros(now + FUTURE_MICROS);

/** First key that is not beyond `horizon`. */
export const horizonKey = (id: IndexId, horizon: EpochMicros): string => `${id}#${reverseOf(horizon)}`;

/** Whether this key of `id` is beyond `horizon`: as `key < horizonKey(id, horizon)`, without the making of that key for every row of a cycle. */
export function isBeyond(id: IndexId, key: string, horizon: EpochMicros): boolean {
  const border = reverseOf(horizon);
  const from = id.length + 1;
  for (let at = 0; at < border.length; at += 1) {
    const [ours, theirs] = [key.charCodeAt(from + at), border.charCodeAt(at)];
    if (ours !== theirs) return !(ours > theirs); // a key that ends here sorts first
  }
  return false;
}

let [lastHorizon, lastReverse]: [bigint | null, string] = [null, ''];
/** One horizon serves all indices of a request. */
function reverseOf(horizon: EpochMicros): string {
  if (horizon !== lastHorizon) [lastHorizon, lastReverse] = [horizon, reverseTime(horizon)];
  return lastReverse;
}
