/** Lines over the series: averages and VWAP of what is at hand, and compared indices, as path text of one view. Pure. */
import type { Candle } from './candles.ts';
import type { Companion } from './companions.ts';
import { baseAt } from './cursor.ts';
import type { Frame, Plot } from './frame.ts';
import { createLinePath } from './linePath.ts';
import { exponentialAverage, overlayName, rebasedTo, sessionVwap, simpleAverage } from './overlays.ts';
import type { Points } from './points.ts';
import { yOf } from './priceScale.ts';
import type { Overlay } from './settings.ts';

export interface OverlayLine {
  readonly name: string;
  readonly path: string;
  /** Newest value in view; null where there is none. */
  readonly value: number | null;
  /** Change in percent since the base of a comparison; null on averages. */
  readonly percent: number | null;
  /** Why there is no line, in words. */
  readonly problem: string | null;
}

interface Series {
  /** Milliseconds. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

export interface OverlayRequest {
  readonly frame: Frame;
  readonly plot: Plot;
  readonly points: Points;
  readonly bars: readonly Candle[] | null;
  readonly overlays: readonly Overlay[];
}

function seriesOf({ points, bars }: OverlayRequest): Series {
  if (bars) return { times: bars.map(({ start, end }) => (start + end) / 2), values: bars.map(({ close }) => close) };
  return { times: points.times.map((micros) => micros / 1000), values: points.values };
}

/** Path of a series in view; breaks where it has no value. */
function pathOf({ frame, plot }: Pick<OverlayRequest, 'frame' | 'plot'>, times: readonly number[], values: readonly (number | null)[]): { readonly path: string; readonly value: number | null } {
  const line = createLinePath();
  const place = frame.scale.copy().range([plot.x, plot.x + plot.width]);
  const { timeline } = frame.scale;
  let joined = false;
  let stretch = -1;
  let value: number | null = null;
  for (let at = 0; at < times.length; at++) {
    const time = times[at] ?? 0;
    if ((times[at + 1] ?? Number.POSITIVE_INFINITY) < frame.from) continue;
    const here = values[at] ?? null;
    if (here === null) {
      joined = false;
      continue;
    }
    const session = timeline.daily ? 0 : timeline.stretchOf(time);
    line.add(place(time), yOf(frame.prices, plot, here), joined && session === stretch);
    [joined, stretch] = [true, session];
    if (time > frame.to) break;
    value = here;
  }
  return { path: line.body().join('') + line.tail(), value };
}

/** A line for each average, and VWAP where bars have volume. */
export function averageLines(request: OverlayRequest): OverlayLine[] {
  const { overlays, bars, frame } = request;
  const wanted = overlays.filter((overlay) => overlay === 'vwap' || /^[se]ma/.test(overlay));
  if (wanted.length === 0) return [];
  const { times, values } = seriesOf(request);
  return wanted.map((overlay) => {
    const name = overlayName(overlay);
    const none = (problem: string): OverlayLine => ({ name, path: '', value: null, percent: null, problem });
    if (overlay === 'vwap') {
      if (frame.daily) return none('within a day only');
      if (!bars || bars.every(({ volume }) => volume === null)) return none('no volume');
      const { timeline } = frame.scale;
      const dates = timeline.stretches.map(({ date }) => date);
      const session = (time: number): number => dates.indexOf(dates[timeline.stretchOf(time)] ?? '');
      const vwap = sessionVwap(bars.map(({ high, low, close, volume, start }) => ({ high, low, close, volume: volume === null ? null : Number(volume), session: session(start) })));
      return { name, ...pathOf(request, times, vwap), percent: null, problem: null };
    }
    const length = Number(overlay.slice(3));
    const averaged = overlay.startsWith('sma') ? simpleAverage(values, length) : exponentialAverage(values, length);
    return { name, ...pathOf(request, times, averaged), percent: null, problem: values.length < length ? `fewer than ${length} points` : null };
  });
}

/** A line for each compared index, as if it had begun with this one at `since` (milliseconds) with `base`. */
export function comparedLines(request: Pick<OverlayRequest, 'frame' | 'plot'>, companions: readonly Companion[], since: number, base: number | null): OverlayLine[] {
  return companions.map(({ id, points, problem }) => {
    const own = baseAt(points, since);
    if (own === null || base === null) return { name: id, path: '', value: null, percent: null, problem: problem ?? 'no prices here' };
    const rebased = points.values.map((value) => rebasedTo(value, base, own));
    const { path, value } = pathOf(request, points.times.map((micros) => micros / 1000), rebased);
    return { name: id, path, value, percent: value === null ? null : (value / base - 1) * 100, problem };
  });
}
