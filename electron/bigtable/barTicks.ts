/**
 * Ticks of indices that have none of a time but bars: a replay shows what is stored, whatever was kept of it. A minute bar becomes four ticks at
 * seconds 0, 15, 40 and 59, as `frontrow replay` writes them; a longer one its open and, in its last second, its close. Real prices, none invented.
 */
import { compare } from '../../shared/decimal.ts';
import type { Bar } from '../../shared/quote.ts';
import type { Problem } from '../../shared/result.ts';
import { type IndexId, type KeyRange, type Resolution, reverseTime, tickKey, tickRange } from '../../shared/rowKey.ts';
import { type EpochMicros, floorDiv, micros, MIN_MICROS, MINUTE, SECOND } from '../../shared/time.ts';
import { decodeBar, decodeTick } from './decode.ts';
import { lengthOf } from './pages.ts';
import type { Cell, Reader, ReadOutcome, ReadRequest, Row } from './reader.ts';

type Kind = 'ticks' | BarKind;
type BarKind = Extract<Resolution, '1m' | '5m' | '1h'>;
const BARS = ['1m', '5m', '1h'] as const;
const MINUTE_SECONDS = [0n, 15n, 40n, 59n] as const;
/** What an index has now is looked up again after so long, and with each new minute while it brings nothing new. */
const KEPT_MS = 30_000;
const MAX_KEPT = 5_000;
/** In `q:s` of such ticks. */
export const barSource = (resolution: string): string => `${resolution} bars`;

export interface BarTicks {
  readonly reader: Reader;
  /** The clock jumped: what each index has must be looked up anew. */
  forget(): void;
}

interface Known {
  readonly at: number;
  /** Of desk time. */
  readonly minute: bigint;
  readonly kind: Promise<Kind | Problem>;
  newest: string | null;
  /** The last read brought nothing newer. */
  quiet: boolean;
}

const TICKS = /^([A-Z0-9^._-]{1,24})#(\d{19})?/;

/** `asOf` null: passes everything on to `reader`, which knows all rows; else answers for that instant. */
export function barTickReader(reader: Reader, asOf: () => EpochMicros | null, elapsed: () => number): BarTicks {
  const kinds = new Map<IndexId, Known>();

  /** Bars where the newest of them is newer than the newest tick: else ticks. */
  async function look(id: IndexId, now: EpochMicros, request: ReadRequest): Promise<Kind | Problem> {
    const common = { limit: 1, deadlineMs: request.deadlineMs, ...(request.signal ? { signal: request.signal } : {}) };
    const ticks = await reader.read({ ranges: [{ start: `${id}#${reverseTime(now)}`, end: tickRange(id).end }], families: ['q', 'h'], ...common });
    if (!ticks.ok) return ticks.error;
    const tick = ticks.rows[0] === undefined ? undefined : decodeTick(ticks.rows[0]);
    for (const resolution of BARS) {
      const bars = await reader.read({ ranges: [{ start: `${id}@${resolution}#${reverseTime(now)}`, end: `${id}@${resolution}$` }], families: ['b', 'v'], ...common });
      if (!bars.ok) return bars.error;
      const bar = bars.rows[0] === undefined ? undefined : decodeBar(bars.rows[0]);
      if (bar?.ok !== true) continue;
      // A tick within the bar: the bar was made from it, or says no more.
      if (ticks.rows[0] === undefined || (tick?.ok === true && tick.value.time < bar.value.start)) return resolution;
      return 'ticks';
    }
    return 'ticks';
  }

  async function kindOf(id: IndexId, now: EpochMicros, request: ReadRequest): Promise<Kind | Problem> {
    const minute = floorDiv(now, MINUTE);
    const known = kinds.get(id);
    if (known && elapsed() - known.at < KEPT_MS && (known.minute === minute || !known.quiet)) return known.kind;
    if (kinds.size >= MAX_KEPT) kinds.clear();
    const kind = look(id, now, request);
    kinds.set(id, { at: elapsed(), minute, kind, newest: known?.newest ?? null, quiet: true });
    const found = await kind;
    // A failure is not worth keeping.
    if (typeof found !== 'string' && kinds.get(id)?.kind === kind) kinds.delete(id);
    return found;
  }

  /** Takes note of which indices brought a row that is newer than all before. */
  function noted(outcome: ReadOutcome, ids: readonly IndexId[]): ReadOutcome {
    const first = new Map<string | null, string>();
    for (const { key } of outcome.rows) {
      const id = idIn(key);
      if (!first.has(id)) first.set(id, key);
    }
    for (const id of ids) {
      const [known, key] = [kinds.get(id), first.get(id)];
      if (!known) continue;
      known.quiet = key === undefined || (known.newest !== null && key >= known.newest);
      if (!known.quiet) known.newest = key ?? null;
    }
    return outcome;
  }

  async function read(request: ReadRequest, now: EpochMicros): Promise<ReadOutcome> {
    const started = performance.now();
    const asked = request.ranges.map((range) => ({ range, id: idOf(range) }));
    const ids = [...new Set(asked.flatMap(({ id }) => id ?? []))];
    const found = new Map<IndexId, Kind>();
    for (const [at, kind] of (await Promise.all(ids.map((id) => kindOf(id, now, request)))).entries()) {
      const id = ids[at];
      if (typeof kind !== 'string') return { ok: false, error: kind, rows: [], scannedTo: null, elapsedMs: performance.now() - started };
      if (id !== undefined) found.set(id, kind);
    }
    const plain: KeyRange[] = [];
    const bars: KeyRange[] = [];
    for (const { range, id } of asked) {
      const kind = id === null ? 'ticks' : (found.get(id) ?? 'ticks');
      if (kind === 'ticks' || id === null) plain.push(range);
      else bars.push(barsOf(id, kind, range, now));
    }
    if (bars.length === 0) return noted(await reader.read(request), ids);
    const { known, limit = 0, ...rest } = request;
    const own = known?.filter((row) => found.get(idIn(row.key) ?? ('' as IndexId)) === 'ticks');
    const [fromTicks, fromBars] = await Promise.all([
      plain.length === 0 ? null : reader.read({ ...rest, limit, ranges: plain, ...(own ? { known: own } : {}) }),
      reader.read({ ...rest, ranges: bars.sort(byStart), families: ['b', 'v'], ...(limit > 0 ? { limit: limit + 1 } : {}) }),
    ]);
    const elapsedMs = performance.now() - started;
    for (const outcome of [fromTicks, fromBars]) if (outcome?.ok === false) return { ok: false, error: outcome.error, rows: [], scannedTo: null, elapsedMs };
    const ranges = request.ranges.toSorted(byStart);
    const virtual = fromBars.rows.flatMap(ticksOf).filter((row) => within(ranges, row.key) && row.key >= `${idIn(row.key) ?? ''}#${reverseTime(now)}`);
    const rows = [...(fromTicks?.rows ?? []), ...virtual].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return noted({ ok: true, rows: limit > 0 ? rows.slice(0, limit) : rows, elapsedMs }, ids);
  }

  return {
    reader: {
      read(request) {
        const now = asOf();
        return now === null || request.families?.includes('h') === false ? reader.read(request) : read(request, now);
      },
      renew: () => reader.renew(),
      close: () => reader.close(),
    },
    forget: () => kinds.clear(),
  };
}

const idIn = (key: string): IndexId | null => (TICKS.exec(key)?.[1] ?? null) as IndexId | null;

/** The index whose ticks the range asks for; null for any other range. */
function idOf({ start, end }: KeyRange): IndexId | null {
  const id = idIn(start);
  return id !== null && end <= tickRange(id).end ? id : null;
}

const byStart = (a: KeyRange, b: KeyRange): number => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0);
const within = (ranges: readonly KeyRange[], key: string): boolean => ranges.some(({ start, end }) => key >= start && key < end);

/** The bars whose ticks may lie in the range. */
function barsOf(id: IndexId, resolution: BarKind, range: KeyRange, now: EpochMicros): KeyRange {
  const prefix = `${id}@${resolution}#`;
  const [newest, from, to] = [reverseTime(now), TICKS.exec(range.start)?.[2], TICKS.exec(range.end)?.[2]];
  const start = from === undefined || from < newest ? newest : from;
  const oldest = (2n ** 63n - 1n) - MIN_MICROS;
  const reached = to === undefined ? oldest : BigInt(to) + lengthOf(resolution);
  return { start: `${prefix}${start}`, end: to === undefined || reached > oldest ? `${prefix.slice(0, -1)}$` : `${prefix}${String(reached).padStart(19, '0')}$` };
}

function ticksOf(row: Row): Row[] {
  const bar = decodeBar(row);
  if (!bar.ok) return [];
  const version = [...row.cells.values()].reduce((newest, cell) => (cell.version > newest ? cell.version : newest), 0n);
  return pricesOf(bar.value).map(({ time, price }): Row => {
    const cell = (text: string): Cell => ({ value: Buffer.from(text), version });
    return { key: tickKey(bar.value.index, time), cells: new Map([['q:p', cell(price)], ['q:s', cell(barSource(bar.value.resolution))]]) };
  });
}

function pricesOf({ start, resolution, open, high, low, close }: Bar): { readonly time: EpochMicros; readonly price: string }[] {
  const falls = compare(close, open) < 0;
  if (resolution === '1m') return [open, falls ? high : low, falls ? low : high, close].map((price, nth) => ({ time: micros(start + (MINUTE_SECONDS[nth] ?? 0n) * SECOND), price }));
  return [{ time: start, price: open }, { time: micros(start + lengthOf(resolution) - SECOND), price: close }];
}
