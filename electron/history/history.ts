/** Everything that lies behind the newest price: charts, sparklines, the tape, spans for export. */
import type { HistoryAnswer, HistoryRequest, Requests, SessionsRequest, SessionWindow, TickView } from '../../shared/channels.ts';
import type { Bar, IndexInfo, Tick } from '../../shared/quote.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { isIndexId } from '../../shared/rowKey.ts';
import { calendarRange, tradingWindows } from '../../shared/sessions.ts';
import { FUTURE_LIMIT_MS } from '../../shared/state.ts';
import { micros, MIN_MICROS, parseMicros } from '../../shared/time.ts';
import { chartHistory } from './chart.ts';
import { barPages, type BarsRequest, gather, type PageContext, tickPages, type TicksRequest } from '../bigtable/pages.ts';
import { createReferences } from './references.ts';
import { createSparklines } from './sparklines.ts';

export type { BarsRequest, TicksRequest } from '../bigtable/pages.ts';

export interface HistoryOptions extends PageContext {
  readonly info: (id: string) => IndexInfo;
}

export interface History {
  history(request: HistoryRequest, signal?: AbortSignal): Promise<Result<HistoryAnswer>>;
  sparklines(request: Requests['sparklines']['request']): Promise<Result<Requests['sparklines']['answer']>>;
  references(request: Requests['references']['request']): Promise<Result<Requests['references']['answer']>>;
  tape(request: Requests['tape']['request']): Promise<Result<readonly TickView[]>>;
  sessions(request: SessionsRequest): Promise<Result<readonly SessionWindow[]>>;
  /** Pages of ticks with from <= time <= to; ends after a failed page. */
  ticks(request: TicksRequest): AsyncIterable<Result<Tick[]>>;
  /** Pages of bars that overlap [from, to]; ends after a failed page. */
  bars(request: BarsRequest): AsyncIterable<Result<Bar[]>>;
}

const MAX_TAPE = 1_000;
const FUTURE_MICROS = BigInt(FUTURE_LIMIT_MS) * 1000n;

export function createHistory(options: HistoryOptions): History {
  const [sparklines, references] = [createSparklines(options), createReferences(options)];
  return {
    history: (request, signal) => chartHistory(options, request, signal),
    sparklines,
    references,
    async tape({ index, limit }) {
      if (!isIndexId(index)) return failed(problem('BAD_INPUT', `not an index id: ${index.slice(0, 40)}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -'));
      // Rows from the future are not on the tape before their time.
      const to = micros(options.clock.now() + FUTURE_MICROS);
      const ticks = await gather(tickPages(options, { index, from: MIN_MICROS, to, limit: Math.max(1, Math.min(MAX_TAPE, Math.floor(limit))) }));
      return ticks.ok ? ok(ticks.value.map(tickView)) : ticks;
    },
    async sessions({ mic, fromMicros, toMicros }) {
      try {
        const firm = calendarRange(mic)?.firm ?? [];
        const projected = (date: string): boolean => firm.every(([first, last]) => date < first || date > last);
        return ok(tradingWindows(mic, parseMicros(fromMicros), parseMicros(toMicros)).map(({ date, open, close, note, own, unknownBefore }) => ({
          date, openMicros: String(open), closeMicros: String(close), note, ...(own?.includes(date) !== true && projected(date) ? { projected: true } : {}), ...(own ? { own } : {}), ...(unknownBefore ? { unknownBefore } : {}),
        })));
      } catch (error) {
        return failed(problem('BAD_INPUT', error instanceof Error ? error.message : 'not a span of sessions', 'ask for a shorter span'));
      }
    },
    ticks: (request) => tickPages(options, request),
    bars: (request) => barPages(options, request),
  };
}

const tickView = (tick: Tick): TickView => ({
  eventMicros: String(tick.time), sequence: tick.sequence, price: tick.price, volume: tick.volume, source: tick.source, ingestMicros: tick.ingest === null ? null : String(tick.ingest),
});
