/** One chart's series: the finest resolution that a width can show, from what the table has. */
import type { HistoryAnswer, HistoryRequest } from '../../shared/channels.ts';
import type { Bar, Tick } from '../../shared/quote.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { type IndexId, isIndexId, ticksBetween } from '../../shared/rowKey.ts';
import { type EpochMicros, micros, parseMicros } from '../../shared/time.ts';
import { decodeTick } from '../bigtable/decode.ts';
import { barPages, lengthOf, type PageContext, retainedParts, rowPages, tickPages } from './pages.ts';
import { answerOf, barPoint, type Point, pointsFor, reduce, tickPoint } from './points.ts';

/** Most ticks that a chart without bars reads; older columns are sampled. */
const TICK_CAP = 60_000;
const BAR_CAP = 20_000;
const SAMPLES_IN_FLIGHT = 16;
const BAR_RESOLUTIONS = ['1m', '5m', '1h', '1d'] as const;
type ChartBar = (typeof BAR_RESOLUTIONS)[number];

interface Span {
  readonly index: IndexId;
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  readonly pixels: number;
}

export async function chartHistory(context: PageContext, request: HistoryRequest, signal?: AbortSignal): Promise<Result<HistoryAnswer>> {
  const span = spanOf(request);
  if (!span.ok) return span;
  switch (request.resolution) {
    case 'auto':
      return automatic(context, span.value, signal);
    case 'tick':
      return byTicks(context, span.value, signal);
    case '1m': case '5m': case '1h': case '1d':
      return byBars(context, span.value, request.resolution, signal);
  }
}

function spanOf(request: HistoryRequest): Result<Span> {
  if (!isIndexId(request.index)) return failed(problem('BAD_INPUT', `not an index id: ${request.index.slice(0, 40)}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -'));
  try {
    const [from, to] = [parseMicros(request.fromMicros), parseMicros(request.toMicros)];
    if (from > to) return failed(problem('BAD_INPUT', 'the span ends before it begins', 'give from before to'));
    return ok({ index: request.index, from, to, pixels: request.pixels });
  } catch (error) {
    return failed(problem('BAD_INPUT', error instanceof Error ? error.message : 'not a span', 'give microseconds since 1970'));
  }
}

async function automatic(context: PageContext, span: Span, signal?: AbortSignal): Promise<Result<HistoryAnswer>> {
  const most = pointsFor(span.pixels);
  const newest = await allTicks(context, span, most + 1, signal);
  if (!newest.ok) return newest;
  const ticks = newest.value;
  if (ticks.length <= most) return ok(answerOf(span.index, ticks.map(tickPoint).reverse(), { resolution: 'tick', kind: 'tick', rows: ticks.length, truncated: false }));
  let rows = ticks.length;
  for (const resolution of BAR_RESOLUTIONS) {
    const bars = await allBars(context, span, resolution, most + 1, signal);
    if (!bars.ok) return bars;
    rows += bars.value.length;
    if (bars.value.length > most || !continues(bars.value, ticks, resolution)) continue;
    return ok(answerOf(span.index, reduce(withTail(bars.value, ticks, resolution), span.from, span.to, span.pixels), { resolution, kind: bars.value[0]?.kind ?? 'own', rows, truncated: false }));
  }
  return byTicks(context, span, signal);
}

/** Whether bars reach from before the newest ticks up to them: else they end somewhere, and a chart of them would end too. Newest first. */
function continues(bars: readonly Bar[], ticks: readonly Tick[], resolution: ChartBar): boolean {
  const [last, first, newest, oldest] = [bars[0], bars.at(-1), ticks[0], ticks.at(-1)];
  return last !== undefined && first !== undefined && newest !== undefined && oldest !== undefined && first.start < oldest.time && last.start + lengthOf(resolution) >= oldest.time;
}

/** Bars, then the ticks since the last of them. Oldest first. */
function withTail(bars: readonly Bar[], ticks: readonly Tick[], resolution: ChartBar): Point[] {
  const end = (bars[0]?.start ?? 0n) + lengthOf(resolution);
  return [...bars.map(barPoint).reverse(), ...ticks.filter((tick) => tick.time >= end).map(tickPoint).reverse()];
}

async function byBars(context: PageContext, span: Span, resolution: ChartBar, signal?: AbortSignal): Promise<Result<HistoryAnswer>> {
  const bars = await allBars(context, span, resolution, BAR_CAP, signal);
  if (!bars.ok) return bars;
  const points = bars.value.map(barPoint).reverse();
  return ok(answerOf(span.index, reduce(points, span.from, span.to, span.pixels), { resolution, kind: bars.value[0]?.kind ?? 'own', rows: points.length, truncated: points.length >= BAR_CAP }));
}

async function byTicks(context: PageContext, span: Span, signal?: AbortSignal): Promise<Result<HistoryAnswer>> {
  const ticks = await allTicks(context, span, TICK_CAP, signal);
  if (!ticks.ok) return ticks;
  const points = ticks.value.map(tickPoint).reverse();
  const oldest = points[0];
  if (points.length < TICK_CAP || oldest === undefined || oldest.time <= span.from) {
    return ok(answerOf(span.index, reduce(points, span.from, span.to, span.pixels), { resolution: 'tick', kind: 'tick', rows: points.length, truncated: false }));
  }
  const sampled = await samples(context, span, micros(oldest.time - 1n), signal);
  if (!sampled.ok) return sampled;
  const all = [...sampled.value, ...points];
  return ok(answerOf(span.index, reduce(all, span.from, span.to, span.pixels), { resolution: 'tick', kind: 'sampled', rows: all.length, truncated: true }));
}

/** The newest tick of each pixel column from `from` to `until`: one read of one row each, bounded by its column. Oldest first. */
async function samples(context: PageContext, span: Span, until: EpochMicros, signal?: AbortSignal): Promise<Result<Point[]>> {
  const columns = pointsFor(span.pixels) / 2;
  const width = (span.to - span.from) / BigInt(columns) + 1n;
  const starts: EpochMicros[] = [];
  for (let start: bigint = span.from; start <= until; start += width) starts.push(micros(start));
  const found: (Point | undefined)[] = [];
  let next = 0;
  let trouble: Result<never> | null = null;
  const worker = async (): Promise<void> => {
    for (let at = next; at < starts.length && trouble === null; at = next) {
      next += 1;
      const start = starts[at] ?? span.from;
      const end = start + width - 1n < until ? micros(start + width - 1n) : until;
      const parts = retainedParts(span.index, ticksBetween(span.index, start, end), context.clock.now(), context.retentionDays);
      for await (const page of rowPages(context, parts, 1, signal)) {
        if (!page.ok) trouble = page;
        else {
          const tick = page.value[0] === undefined ? undefined : decodeTick(page.value[0]);
          if (tick?.ok) found[at] = tickPoint(tick.value);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(SAMPLES_IN_FLIGHT, starts.length) }, worker));
  return trouble ?? ok(found.flatMap((point) => point ?? []));
}

async function allTicks(context: PageContext, { index, from, to }: Span, limit: number, signal?: AbortSignal): Promise<Result<Tick[]>> {
  return gather(tickPages(context, { index, from, to, limit, ...(signal ? { signal } : {}) }));
}

async function allBars(context: PageContext, { index, from, to }: Span, resolution: ChartBar, limit: number, signal?: AbortSignal): Promise<Result<Bar[]>> {
  return gather(barPages(context, { index, resolution, from, to, limit, ...(signal ? { signal } : {}) }));
}

/** All items of a bounded read. */
export async function gather<T>(pages: AsyncIterable<Result<readonly T[]>>): Promise<Result<T[]>> {
  const all: T[] = [];
  for await (const page of pages) {
    if (!page.ok) return page;
    for (const item of page.value) all.push(item);
  }
  return ok(all);
}
