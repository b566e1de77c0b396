/** Ticks and bars as lines of CSV or JSON, whatever the machine's language: instants in microseconds, prices as exact decimal text, unknown empty or null. */
import type { Bar, Tick } from '../../shared/quote.ts';
import { ok, type Result } from '../../shared/result.ts';
import { decodeTick } from '../bigtable/decode.ts';
import { barPages, type PageContext, tickPagesAs } from '../bigtable/pages.ts';
import type { Row } from '../bigtable/reader.ts';
import { type IndexId, type Resolution, RESOLUTIONS } from '../../shared/rowKey.ts';
import type { EpochMicros } from '../../shared/time.ts';
import { tickLine } from './tickLine.ts';

export type Format = 'csv' | 'json';

export interface Span {
  readonly index: IndexId;
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  /** 0: all. */
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  readonly signal: AbortSignal;
}

export interface PrintedPage {
  readonly rows: number;
  /** The names of the columns, of CSV. */
  readonly header: string;
  /** One line a row, without the last line end. */
  readonly text: string;
}

/** `auto`: the ticks where there are any, else the finest bars that there are. Ends after a failure; yields no empty page. */
export async function* printedPages(context: PageContext, span: Span, resolution: Resolution | 'tick' | 'auto', format: Format): AsyncGenerator<Result<PrintedPage>> {
  const kinds = resolution === 'auto' ? (['tick', ...RESOLUTIONS] as const) : [resolution];
  const request = { ...span, bulk: true };
  for (const kind of kinds) {
    const pages = kind === 'tick' ? printed(tickPagesAs(context, request, format === 'csv' ? rowCsv : rowJson), TICK_COLUMNS, asItIs) : printed(barPages(context, { ...request, resolution: kind }), BAR_COLUMNS, format === 'csv' ? barCsv : barJson);
    let any = false;
    for await (const page of pages) {
      any = true;
      yield page;
    }
    if (any) return;
  }
}

async function* printed<T>(pages: AsyncIterable<Result<readonly T[]>>, header: string, line: (item: T) => string): AsyncGenerator<Result<PrintedPage>> {
  for await (const page of pages) {
    if (!page.ok) yield page;
    else if (page.value.length > 0) yield ok({ rows: page.value.length, header, text: page.value.map(line).join('\n') });
  }
}

const TICK_COLUMNS = 'eventMicros,sequence,price,volume,source,ingestMicros';
const BAR_COLUMNS = 'eventMicros,resolution,open,high,low,close,volume,ticks,kind';

const asItIs = (line: string): string => line;
function rowCsv(row: Row): Result<string> {
  const line = tickLine(row);
  if (line !== null) return ok(line);
  const tick = decodeTick(row);
  return tick.ok ? ok(tickCsv(tick.value)) : tick;
}
function rowJson(row: Row): Result<string> {
  const tick = decodeTick(row);
  return tick.ok ? ok(tickJson(tick.value)) : tick;
}

export const tickCsv = (tick: Tick): string => `${tick.time},${tick.sequence},${tick.price},${tick.volume ?? ''},${tick.source === null ? '' : quoted(tick.source)},${tick.ingest ?? ''}`;
const barCsv = (bar: Bar): string => `${bar.start},${bar.resolution},${bar.open},${bar.high},${bar.low},${bar.close},${bar.volume ?? ''},${bar.ticks ?? ''},${bar.kind}`;

/** A source is the one column that may hold any text (RFC 4180). An empty one is quoted, to be told from none. */
const quoted = (text: string): string => (text === '' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const tickRecord = (tick: Tick): Readonly<Record<string, string | number | null>> => ({
  eventMicros: String(tick.time), sequence: tick.sequence, price: tick.price, volume: tick.volume, source: tick.source, ingestMicros: tick.ingest === null ? null : String(tick.ingest),
});
const tickJson = (tick: Tick): string => JSON.stringify(tickRecord(tick));

const barJson = (bar: Bar): string => JSON.stringify({
  eventMicros: String(bar.start), resolution: bar.resolution, open: bar.open, high: bar.high, low: bar.low, close: bar.close, volume: bar.volume, ticks: bar.ticks, kind: bar.kind,
});
