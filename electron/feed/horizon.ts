/** Where the future begins: rows beyond it are never the price. */
import { type IndexId, reverseTime } from '../../shared/rowKey.ts';
import { FUTURE_LIMIT_MS } from '../../shared/state.ts';
import { type EpochMicros, micros } from '../../shared/time.ts';

const FUTURE_MICROS = BigInt(FUTURE_LIMIT_MS) * 1000n;
/** Rows later than this are from the future at desk time `now`. */
export const horizonAt = (now: EpochMicros): EpochMicros => micros(now + FUTURE_MICROS);

/** First key that is not beyond `horizon`. */
export function horizonKey(id: IndexId, horizon: EpochMicros): string {
  // One horizon serves all indices of a request.
  if (horizon !== lastHorizon) [lastHorizon, lastReverse] = [horizon, reverseTime(horizon)];
  return `${id}#${lastReverse}`;
}
let [lastHorizon, lastReverse]: [bigint | null, string] = [null, ''];
