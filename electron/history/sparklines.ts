/** The session's shape of many indices, small: from minute bars where the table has them, else from the newest ticks. */
import type { Requests } from '../../shared/channels.ts';
import { inLanes } from '../../shared/lanes.ts';
import { ok, type Result } from '../../shared/result.ts';
import { isIndexId, type IndexId } from '../../shared/rowKey.ts';
import { phaseAt, tradingWindows } from '../../shared/sessions.ts';
import { DAY, type EpochMicros, HOUR, micros } from '../../shared/time.ts';
import type { HistoryOptions } from './history.ts';
import { barPages, gather, tickPages } from '../bigtable/pages.ts';
import { barPoint, type Point, reduce, tickPoint } from './points.ts';

const READS_IN_FLIGHT = 16;
const MAX_INDICES = 1_000;
const MAX_POINTS = 500;
const TICK_CAP = 2_000;
const BAR_CAP = 1_440;
const WEEK_CAP = 10_080;
/** Many pages ask for the same lines at about the same time. */
const KEPT_MS = 20_000;
const MAX_KEPT = 2_000;

type Window = Requests['sparklines']['request']['window'];
type Line = Requests['sparklines']['answer'][number];

export function createSparklines(options: HistoryOptions): (request: Requests['sparklines']['request']) => Promise<Result<readonly Line[]>> {
  const kept = new Map<string, { readonly at: number; readonly line: Promise<Result<Line>> }>();

  function line(index: IndexId, points: number, window: Window): Promise<Result<Line>> {
    const key = `${index} ${points} ${window ?? ''}`;
    const at = options.clock.elapsed();
    const known = kept.get(key);
    if (known && at - known.at < KEPT_MS) return known.line;
    if (kept.size >= MAX_KEPT) kept.clear();
    const made = readLine(options, index, points, window);
    kept.set(key, { at, line: made });
    // A failure is not worth keeping.
    return made.then((result) => {
      if (!result.ok && kept.get(key)?.line === made) kept.delete(key);
      return result;
    });
  }

  return async ({ indices, points, window }) => {
    const ids = [...new Set(indices)].filter(isIndexId).slice(0, MAX_INDICES);
    const most = Math.max(2, Math.min(MAX_POINTS, Math.floor(points)));
    return inLanes(ids, READS_IN_FLIGHT, (id) => line(id, most, window));
  };
}

async function readLine(options: HistoryOptions, index: IndexId, most: number, window: Window): Promise<Result<Line>> {
  const now = options.clock.now();
  const { mic } = options.info(index);
  const { from, to } = window === '1W' ? { from: micros(now - 7n * DAY), to: now } : window === '1h' ? recentHour(mic, now) : recentSession(mic, now);
  let bars = await gather(barPages(options, { index, resolution: window === '1W' ? '1h' : '1m', from, to, limit: BAR_CAP }));
  // A vendor's minutes may be all there is of a week.
  if (window === '1W' && bars.ok && bars.value.length < 2) bars = await gather(barPages(options, { index, resolution: '1m', from, to, limit: WEEK_CAP }));
  if (!bars.ok) return bars;
  let points: Point[] = bars.value.map((bar) => barPoint(bar, now)).reverse();
  if (points.length < 2) {
    const ticks = await gather(tickPages(options, { index, from, to, limit: TICK_CAP }));
    if (!ticks.ok) return ticks;
    points = ticks.value.map(tickPoint).reverse();
  }
  // Over the points themselves: an index that printed for a minute has a shape too.
  const [first, last] = [points[0], points.at(-1)];
  const drawn = first && last && points.length > most ? reduce(points, micros(first.time), micros(last.time), Math.floor(most / 2) - 1).slice(-most) : points;
  return ok({ index, times: drawn.map((point) => String(point.time)), prices: drawn.map((point) => point.price) });
}

/** The hour up to now; of a market that is closed the last one it traded. */
function recentHour(mic: string | null, now: EpochMicros): { from: EpochMicros; to: EpochMicros } {
  const last = mic === null ? undefined : tradingWindows(mic, micros(now - 14n * DAY), now).findLast((window) => window.open <= now);
  const to = last && last.close < now ? last.close : now;
  return { from: micros(to - HOUR), to };
}

/** The current session up to now; the last day where no calendar tells. */
function recentSession(mic: string | null, now: EpochMicros): { from: EpochMicros; to: EpochMicros } {
  const { session } = phaseAt(mic, now);
  const windows = mic === null || session === null ? [] : tradingWindows(mic, micros(now - 14n * DAY), now).filter((window) => window.date === session);
  const first = windows[0];
  return { from: first ? first.open : micros(now - 24n * HOUR), to: now };
}
