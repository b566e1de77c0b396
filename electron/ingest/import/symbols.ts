/** A vendor's symbol to an index id. */
import { builtInIndices } from '../../../shared/indices.ts';
import { type IndexId, isIndexId } from '../../../shared/rowKey.ts';

const KNOWN: Readonly<Record<string, string>> = {
  '^GSPC': 'SPX', '^IXIC': 'COMP', '^GDAXI': 'DAX', '^FTSE': 'UKX', '^FCHI': 'CAC', '^STOXX50E': 'SX5E', '^SSMI': 'SMI', '^IBEX': 'IBEX', '^AEX': 'AEX',
  '^N225': 'NKY', '^NKX': 'NKY', N225: 'NKY', '^HSI': 'HSI', '^KS11': 'KOSPI', '^NSEI': 'NIFTY', NIFTY50: 'NIFTY', '^AXJO': 'XJO', '^BVSP': 'IBOV', '^MXX': 'IPC', '^GSPTSE': 'SPTSX',
};

/** `^SPX`, `I:SPX`, `^GSPC` and `spx` are all SPX; an unknown symbol is its own id where the grammar allows it. */
export function indexOf(symbol: string): IndexId | null {
  const text = symbol.trim().toUpperCase().replace(/^I:/, '');
  const known = Object.hasOwn(KNOWN, text) ? KNOWN[text] : undefined;
  const bare = text.replace(/^\^/, '');
  const id = known ?? (builtInIndices.has(bare) ? bare : text);
  return id !== undefined && isIndexId(id) ? id : null;
}

/** Of our own exports, where an id is one already. */
export function exactId(text: string): IndexId | null {
  const id = text.trim();
  return isIndexId(id) ? id : null;
}
