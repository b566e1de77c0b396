/**
 * Own bars as rows of family `b`, and how a stored one differs from what the ticks say. `b:q` is the number of ticks that are under
 * retention; only the maker writes it, so a row without it is someone else's and never erased. `b:oc` and family `v` are never touched.
 */
import { type BarFigures, barLength, type MadeBar, MADE_RESOLUTIONS, type MadeResolution, type MinutePart } from '../../../shared/bars.ts';
import { parseDecimal } from '../../../shared/decimal.ts';
import { barKey, decodeKey, type IndexId } from '../../../shared/rowKey.ts';
import { type Market, marketDate, sessionDay, sessionDayAt } from '../../../shared/sessionDay.ts';
import { type EpochMicros, micros } from '../../../shared/time.ts';
import type { Row, WriteRow } from '../../bigtable/reader.ts';

export interface StoredBar {
  readonly key: string;
  readonly resolution: MadeResolution;
  readonly start: EpochMicros;
  /** Texts of family `b` by qualifier. */
  readonly columns: ReadonlyMap<string, string>;
  /** Newest version time of its cells. */
  readonly version: bigint;
}

/** What must be written so that a row says what the ticks say. */
export interface Difference {
  readonly resolution: MadeResolution;
  /** The instants whose ticks it holds: [from, to). */
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  readonly kind: 'made' | 'changed' | 'erased';
  readonly row: WriteRow;
  /** Newest version time of what is replaced. */
  readonly version: bigint;
}

const FIGURES = ['o', 'h', 'l', 'c', 'v', 'k', 'q'] as const;

export function storedBar(row: Row): StoredBar | undefined {
  const key = decodeKey(row.key);
  const resolution = key?.kind === 'bar' ? MADE_RESOLUTIONS.find((one) => one === key.resolution) : undefined;
  if (key?.kind !== 'bar' || resolution === undefined) return undefined;
  const columns = new Map<string, string>();
  let version = 0n;
  for (const [column, cell] of row.cells) {
    if (!column.startsWith('b:')) continue;
    columns.set(column.slice(2), cell.value.toString('latin1'));
    if (cell.version > version) version = cell.version;
  }
  return { key: row.key, resolution, start: key.time, columns, version };
}

/** A stored minute as the part that other bars are joined from; undefined where its figures can't be read. */
export function partOf(market: Market, { start, columns }: StoredBar): MinutePart | undefined {
  const price = (qualifier: string) => parseDecimal(columns.get(qualifier) ?? '');
  const [open, high, low, close] = [price('o'), price('h'), price('l'), price('c')];
  const volume = columns.has('v') ? price('v') : null;
  if (open === undefined || high === undefined || low === undefined || close === undefined || volume === undefined) return undefined;
  return { start, date: sessionDayAt(market, start)?.date ?? null, open, high, low, close, volume, ticks: countOf(columns.get('k')), expiring: countOf(columns.get('q')) };
}

const countOf = (text: string | undefined): number => (text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0);

/** The instants whose ticks a bar holds. */
export function extentOf(market: Market, { resolution, start, date }: Pick<MadeBar, 'resolution' | 'start' | 'date'>): { readonly from: EpochMicros; readonly to: EpochMicros } {
  return resolution === '1d' && date !== null ? sessionDay(market, date) : { from: start, to: micros(start + barLength(resolution)) };
}

/** A day goes by its start: its `b:d` is text that anyone may have written. */
export const extentOfStored = (market: Market, { resolution, start }: StoredBar): { readonly from: EpochMicros; readonly to: EpochMicros } =>
  extentOf(market, { resolution, start, date: resolution === '1d' ? marketDate(market, start) : null });

/** Whether a bar must stay as it is: part of its range is beyond the retention, and ticks of it may be gone. */
export const isFrozen = (from: EpochMicros, retained: EpochMicros, stored: StoredBar | undefined, made: BarFigures | undefined): boolean =>
  from < retained && (countOf(stored?.columns.get('q')) > 0 || (made?.expiring ?? 0) > 0);

/** Null where the row says already what the ticks say. `made` undefined: there are no ticks. */
export function difference(index: IndexId, market: Market, stored: StoredBar | undefined, made: MadeBar | undefined): Difference | null {
  if (made !== undefined) {
    const wanted: Readonly<Record<string, string | null>> = {
      o: made.open, h: made.high, l: made.low, c: made.close, v: made.volume, k: String(made.ticks), q: String(made.expiring), d: made.date,
    };
    if (stored && Object.entries(wanted).every(([qualifier, text]) => (stored.columns.get(qualifier) ?? null) === text)) return null;
    const removed = Object.entries(wanted).flatMap(([qualifier, text]) => (text === null && stored?.columns.has(qualifier) === true ? [{ family: 'b', qualifier } as const] : []));
    const cells = Object.entries(wanted).flatMap(([qualifier, value]) => (value === null ? [] : [{ family: 'b', qualifier, value } as const]));
    const row = { key: barKey(index, made.resolution, made.start), cells, ...(removed.length > 0 ? { removed } : {}) };
    return { ...extentOf(market, made), resolution: made.resolution, kind: stored?.columns.has('c') === true ? 'changed' : 'made', row, version: stored?.version ?? 0n };
  }
  if (!stored?.columns.has('q')) return null;
  // The date stays with an official close that stands in the same row.
  const gone = FIGURES.filter((qualifier) => stored.columns.has(qualifier));
  const removed = [...gone, ...(stored.columns.has('oc') || !stored.columns.has('d') ? [] : ['d'])].map((qualifier) => ({ family: 'b', qualifier }) as const);
  return { ...extentOfStored(market, stored), resolution: stored.resolution, kind: 'erased', row: { key: stored.key, cells: [], removed }, version: stored.version };
}
