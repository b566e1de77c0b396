/** The indices that the product knows by itself; a registry row `!index#ID` overrides them. */
import { exchangeOf } from './calendar/exchange.ts';
import type { IndexInfo, Region } from './quote.ts';
import { type IndexId, indexIdOf } from './rowKey.ts';

const AMERICAS: ReadonlySet<string> = new Set(['XNYS', 'XNAS', 'XCBO', 'XTSE', 'BVMF', 'XMEX']);
const ASIA_PACIFIC: ReadonlySet<string> = new Set(['XTKS', 'XHKG', 'XSHG', 'XKRX', 'XNSE', 'XASX']);

/** Region of an exchange; `Other` where the calendar doesn't know it. */
export function regionOf(mic: string | null): Region {
  if (mic === null || exchangeOf(mic) === null) return 'Other';
  return AMERICAS.has(mic) ? 'Americas' : ASIA_PACIFIC.has(mic) ? 'Asia Pacific' : 'Europe';
}

// id, name, mic, currency, decimals
const BUILT_IN = [
  ['SPX', 'S&P 500', 'XNYS', 'USD', 2],
  ['DJI', 'Dow Jones Industrial', 'XNYS', 'USD', 2],
  ['NDX', 'Nasdaq-100', 'XNAS', 'USD', 2],
  ['COMP', 'Nasdaq Composite', 'XNAS', 'USD', 2],
  ['RUT', 'Russell 2000', 'XNYS', 'USD', 2],
  ['VIX', 'Cboe Volatility Index', 'XCBO', 'USD', 2],
  ['SPTSX', 'S&P/TSX Composite', 'XTSE', 'CAD', 2],
  ['IBOV', 'Ibovespa', 'BVMF', 'BRL', 0],
  ['IPC', 'S&P/BMV IPC', 'XMEX', 'MXN', 2],
  ['UKX', 'FTSE 100', 'XLON', 'GBP', 2],
  ['DAX', 'DAX 40', 'XETR', 'EUR', 2],
  ['CAC', 'CAC 40', 'XPAR', 'EUR', 2],
  ['SX5E', 'EURO STOXX 50', 'XEUR', 'EUR', 2],
  ['SMI', 'Swiss Market Index', 'XSWX', 'CHF', 2],
  ['AEX', 'AEX', 'XAMS', 'EUR', 2],
  ['IBEX', 'IBEX 35', 'XMAD', 'EUR', 2],
  ['FTSEMIB', 'FTSE MIB', 'XMIL', 'EUR', 2],
  ['OMXS30', 'OMX Stockholm 30', 'XSTO', 'SEK', 2],
  ['NKY', 'Nikkei 225', 'XTKS', 'JPY', 2],
  ['TPX', 'TOPIX', 'XTKS', 'JPY', 2],
  ['HSI', 'Hang Seng', 'XHKG', 'HKD', 2],
  ['SHCOMP', 'SSE Composite', 'XSHG', 'CNY', 2],
  ['KOSPI', 'KOSPI', 'XKRX', 'KRW', 2],
  ['NIFTY', 'NIFTY 50', 'XNSE', 'INR', 2],
  ['XJO', 'S&P/ASX 200', 'XASX', 'AUD', 1],
] as const;

function builtIn([id, name, mic, currency, decimals]: (typeof BUILT_IN)[number]): IndexInfo {
  return { id: indexIdOf(id), name, mic, zone: exchangeOf(mic)?.zone ?? 'UTC', region: regionOf(mic), currency, decimals, delayMs: 0, label: null };
}

/** The 25 indices known without a registry, by id. */
export const builtInIndices: ReadonlyMap<string, IndexInfo> = new Map(BUILT_IN.map((row) => [row[0], builtIn(row)]));

/** What is known of an id; one that nobody described has no calendar, shows a price's own digits and stands under `Other`. */
export function infoFor(id: IndexId): IndexInfo {
  return builtInIndices.get(id) ?? { id, name: id, mic: null, zone: 'UTC', region: 'Other', currency: null, decimals: null, delayMs: 0, label: null };
}
