/** Which index a vendor's symbol means, and the zone of that vendor's stamps for it. */
import { infoFor } from '../../shared/indices.ts';
import { type IndexId, indexIdOf, isIndexId } from '../../shared/rowKey.ts';

/** Lean's market hours database: stamps are in its market's zone, SPX in Chicago's (Cboe), the OANDA contracts in UTC. */
const LEAN: ReadonlyMap<string, { readonly id: string; readonly zone: string }> = new Map([
  ['SPX', { id: 'SPX', zone: 'America/Chicago' }],
  ['VIX', { id: 'VIX', zone: 'America/Chicago' }],
  ['N225', { id: 'NKY', zone: 'Asia/Tokyo' }],
  ['SX5E', { id: 'SX5E', zone: 'Europe/Berlin' }],
  ['NIFTY50', { id: 'NIFTY', zone: 'Asia/Kolkata' }],
  ['HSI', { id: 'HSI', zone: 'Asia/Hong_Kong' }],
  ['DE30EUR', { id: 'DE30', zone: 'UTC' }],
  ['SPX500USD', { id: 'SPX500', zone: 'UTC' }],
]);

/** Zone null: not known, the user must say it. */
export function leanSymbol(symbol: string): { readonly id: IndexId; readonly zone: string | null } | undefined {
  const known = LEAN.get(symbol);
  if (known) return { id: indexIdOf(known.id), zone: known.zone };
  if (!isIndexId(symbol)) return undefined;
  const info = infoFor(symbol);
  return { id: symbol, zone: info.mic === null ? null : info.zone };
}
