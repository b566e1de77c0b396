/**
 * One chart's series. `auto` takes the finest resolution whose answer has at most two points per pixel: ticks where they are few; bars where
 * they are enough for the width and reach as far as the ticks; else the ticks page by page, each column's minimum and maximum; and only where
 * ticks are far too many and no bars help, as-of samples, said so.
 */
import type { HistoryAnswer, HistoryRequest } from '../../shared/channels.ts';
import type { Bar, Tick } from '../../shared/quote.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { isIndexId } from '../../shared/rowKey.ts';
import { micros, parseMicros } from '../../shared/time.ts';
import { barPages, gather, lengthOf, type PageContext, tickPages } from '../bigtable/pages.ts';
import { type FiguresContext, figuresHistory } from './figures.ts';
import { answerOf, barPoint, type Point, pointsFor, reduce, tickPoint } from './points.ts';
import { samples, type Span } from './samples.ts';

/** Most ticks that a chart reads; older columns are sampled. */
const TICK_CAP = 60_000;
const BAR_CAP = 20_000;
const BAR_RESOLUTIONS = ['1m', '5m', '1h', '1d'] as const;
type ChartBar = (typeof BAR_RESOLUTIONS)[number];
/** Bars further apart than this show less than the ticks between them would. */
const PIXELS_PER_BAR = 12;
/** Fewer bars than this are no picture: where there are ticks, they stay. */
const FEWEST_BARS = 12;
/** Ticks that begin later than this share of the span leave room for bars before them. */
const LATE_BEGIN = 8n;

export async function chartHistory(context: FiguresContext, request: HistoryRequest, signal?: AbortSignal): Promise<Result<HistoryAnswer>> {
  const span = spanOf(request);
  if (!span.ok) return span;
  switch (request.resolution) {
    case 'auto':
      return automatic(context, span.value, signal);
    case 'tick':
      return byTicks(context, span.value, signal);
    case '1m': case '5m': case '1h': case '1d':
      return request.figures === true ? figuresHistory(context, span.value, request.resolution, signal) : byBars(context, span.value, request.resolution, signal);
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
  const many = newest.value.length > most;
  const useful = Math.max(2, Math.ceil(span.pixels / PIXELS_PER_BAR));
  let tooMany: ChartBar | null = null;
  if (many) {
    const found = await fittingBars(context, span, newest.value, { least: useful, fits: continues }, signal);
    if (!found.ok) return found;
    if (found.value.bars) return barsAnswer(context, span, found.value.bars, newest.value);
    ({ tooMany } = found.value);
  }
  const ticks = many ? await allTicks(context, span, TICK_CAP, signal) : newest;
  if (!ticks.ok) return ticks;
  if (ticks.value.length >= TICK_CAP) return tooMany === null ? sampled(context, span, ticks.value, signal) : byBars(context, span, tooMany, signal);
  if (!beginsLate(span, ticks.value)) return ticksAnswer(span, ticks.value);
  // The last resort is a bar or two, but never in the place of ticks.
  const behind = await fittingBars(context, span, ticks.value, { least: ticks.value.length === 0 ? 1 : FEWEST_BARS, fits: (bars) => reachesBehind(span, bars, ticks.value) }, signal);
  if (!behind.ok) return behind;
  if (behind.value.bars) return barsAnswer(context, span, behind.value.bars, ticks.value);
  return ticks.value.length === 0 && behind.value.tooMany !== null ? byBars(context, span, behind.value.tooMany, signal) : ticksAnswer(span, ticks.value);
}

interface Fit {
  readonly least: number;
  readonly fits: (bars: readonly Bar[], ticks: readonly Tick[], resolution: ChartBar) => boolean;
}

/** The finest bars, newest first, that the width can show and that fit; `tooMany`: the coarsest that it can't. */
async function fittingBars(
  context: PageContext, span: Span, ticks: readonly Tick[], { least, fits }: Fit, signal?: AbortSignal,
): Promise<Result<{ readonly bars: readonly Bar[] | null; readonly tooMany: ChartBar | null }>> {
  const most = pointsFor(span.pixels);
  let tooMany: ChartBar | null = null;
  for (const resolution of BAR_RESOLUTIONS) {
    // Not worth asking where even an unbroken row of them would be too few.
    if ((span.to - span.from) / lengthOf(resolution) + 2n < BigInt(least)) break;
    const bars = await allBars(context, span, resolution, most + 1, signal);
    if (!bars.ok) return bars;
    if (bars.value.length > most) tooMany = resolution;
    else if (bars.value.length >= least && fits(bars.value, ticks, resolution)) return ok({ bars: bars.value, tooMany });
  }
  return ok({ bars: null, tooMany });
}

const beginsLate = (span: Span, ticks: readonly Tick[]): boolean => (ticks.at(-1)?.time ?? span.to) - span.from > (span.to - span.from) / LATE_BEGIN;

/** Bars that tell of a good part of the span which no tick tells of. Newest first, as the ticks. */
function reachesBehind(span: Span, bars: readonly Bar[], ticks: readonly Tick[]): boolean {
  const [first, oldest] = [bars.at(-1), ticks.at(-1)];
  return first !== undefined && (oldest === undefined || oldest.time - (first.start < span.from ? span.from : first.start) > (span.to - span.from) / LATE_BEGIN);
}

/** Whether bars reach from before the newest ticks up to them: else they end somewhere, and a chart of them would end too. Newest first. */
function continues(bars: readonly Bar[], ticks: readonly Tick[], resolution: ChartBar): boolean {
  const [last, first, oldest] = [bars[0], bars.at(-1), ticks.at(-1)];
  return last !== undefined && first !== undefined && oldest !== undefined && first.start < oldest.time && last.start + lengthOf(resolution) >= oldest.time;
}

/** Bars, then the ticks since the last of them. A bar that still grows gives way to its ticks where all of them are there. */
function barsAnswer({ clock }: PageContext, span: Span, bars: readonly Bar[], ticks: readonly Tick[]): Result<HistoryAnswer> {
  const [last] = bars;
  if (last === undefined || last.resolution === '1s') return ticksAnswer(span, ticks);
  const now = clock.now();
  const end = last.start + lengthOf(last.resolution);
  const grows = end > now && (ticks.at(-1)?.time ?? end) <= last.start;
  const [closed, since] = grows ? [bars.slice(1), last.start] : [bars, end];
  const points: Point[] = [...closed.map((bar) => barPoint(bar, now)).reverse(), ...ticks.filter((tick) => tick.time >= since).map(tickPoint).reverse()];
  return answer(span, points, { resolution: last.resolution, kind: last.kind, rows: bars.length + ticks.length, truncated: false });
}

const ticksAnswer = (span: Span, ticks: readonly Tick[]): Result<HistoryAnswer> =>
  answer(span, ticks.map(tickPoint).reverse(), { resolution: 'tick', kind: 'tick', rows: ticks.length, truncated: false });

async function byBars(context: PageContext, span: Span, resolution: ChartBar, signal?: AbortSignal): Promise<Result<HistoryAnswer>> {
  const bars = await allBars(context, span, resolution, BAR_CAP, signal);
  if (!bars.ok) return bars;
  const now = context.clock.now();
  return answer(span, bars.value.map((bar) => barPoint(bar, now)).reverse(), { resolution, kind: bars.value[0]?.kind ?? 'own', rows: bars.value.length, truncated: bars.value.length >= BAR_CAP });
}

async function byTicks(context: PageContext, span: Span, signal?: AbortSignal): Promise<Result<HistoryAnswer>> {
  const ticks = await allTicks(context, span, TICK_CAP, signal);
  if (!ticks.ok) return ticks;
  return ticks.value.length < TICK_CAP ? ticksAnswer(span, ticks.value) : sampled(context, span, ticks.value, signal);
}

/** The newest ticks, and samples of all that lies before them. */
async function sampled(context: PageContext, span: Span, ticks: readonly Tick[], signal?: AbortSignal): Promise<Result<HistoryAnswer>> {
  const oldest = ticks.at(-1);
  if (oldest === undefined || oldest.time <= span.from) return ticksAnswer(span, ticks);
  const older = await samples(context, span, micros(oldest.time - 1n), signal);
  if (!older.ok) return older;
  const points = [...older.value, ...ticks.map(tickPoint).reverse()];
  return answer(span, points, { resolution: 'tick', kind: 'sampled', rows: points.length, truncated: true });
}

/** Reduced to the width that the points themselves take: a span may begin long before them. Points oldest first. */
function answer(span: Span, points: readonly Point[], about: Parameters<typeof answerOf>[2]): Result<HistoryAnswer> {
  const first = points[0]?.time ?? span.from;
  const from = first > span.from && first - span.from > (span.to - span.from) / 4n ? micros(first) : span.from;
  return ok(answerOf(span.index, reduce(points, from, span.to, span.pixels), about));
}

const allTicks = (context: PageContext, { index, from, to }: Span, limit: number, signal?: AbortSignal): Promise<Result<Tick[]>> =>
  gather(tickPages(context, { index, from, to, limit, ...(signal ? { signal } : {}) }));

const allBars = (context: PageContext, { index, from, to }: Span, resolution: ChartBar, limit: number, signal?: AbortSignal): Promise<Result<Bar[]>> =>
  gather(barPages(context, { index, resolution, from, to, limit, ...(signal ? { signal } : {}) }));
