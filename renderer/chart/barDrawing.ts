/** Candles and OHLC bars as path text: all but the newest bar is written once, so that a tick rewrites one bar. */
import type { Candle, Candles } from './candles.ts';
import type { Drawing } from './drawing.ts';
import type { Frame, Plot } from './frame.ts';
import { learnSilence, type Silence } from './gaps.ts';
import type { Points } from './points.ts';
import { yOf } from './priceScale.ts';

/** Share of the plot's height that the highest volume takes. */
export const VOLUME_SHARE = 0.18;
/** Narrower candles are a stroke from high to low. */
const NARROWEST = 2.5;
const WIDEST = 24;

export interface BarSource {
  readonly points: Points;
  readonly read: (frame: Frame, limit: number) => ReturnType<Candles['read']>;
}

interface Piece {
  readonly up: boolean;
  readonly text: string;
  readonly volume: string;
}

const px = (value: number): string => String(Math.round(value * 10) / 10);

/** First bar that ends after `time`. */
export function firstCandle(list: readonly Candle[], time: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.end ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function createBarDrawing({ points, read }: BarSource, style: 'candles' | 'bars'): Drawing {
  let held: { frame: Frame; plot: Plot; list: readonly Candle[]; length: number; most: number } | null = null;
  let [upBody, downBody, volumeBody] = ['', '', ''];
  let silence: Silence = { history: 0, tail: 0 };
  let place = (time: number): number => time;

  function piece(candle: Candle, frame: Frame, plot: Plot, most: number): Piece & { readonly x: number; readonly y: number } {
    const [left, right] = [place(candle.start), place(candle.end)];
    const x = Math.round((left + right) / 2) + 0.5;
    const half = Math.max(0.5, Math.min(WIDEST, (right - left) * 0.36));
    const y = (value: number): number => yOf(frame.prices, plot, value);
    const [open, high, low, close] = [y(candle.open), y(candle.high), y(candle.low), y(candle.close)];
    const up = candle.close >= candle.open;
    const narrow = right - left < NARROWEST;
    const bottom = plot.y + plot.height;
    const volume = candle.volume === null || most <= 0 ? '' : `M${px(x - half)},${bottom}V${px(bottom - (Number(candle.volume) / most) * plot.height * VOLUME_SHARE)}H${px(x + half)}V${bottom}Z`;
    let text: string;
    if (style === 'bars') text = `M${px(x)},${px(high)}V${px(low)}${narrow ? '' : `M${px(x - half)},${px(open)}H${px(x)}M${px(x)},${px(close)}H${px(x + half)}`}`;
    else if (narrow) text = `M${px(x)},${px(high)}V${px(low === high ? low + 1 : low)}`;
    else {
      const [top, under] = [Math.min(open, close), Math.max(open, close)];
      text = `M${px(x - half)},${px(top)}H${px(x + half)}V${px(under)}H${px(x - half)}ZM${px(x)},${px(high)}V${px(top)}M${px(x)},${px(under)}V${px(low)}`;
    }
    return { up, text, volume, x, y: close };
  }

  return {
    draw(frame, plot, limit) {
      const { list, rebuilt, count } = read(frame, limit);
      const first = firstCandle(list, frame.from);
      let end = list.length;
      while (end > first && (list[end - 1]?.start ?? 0) > frame.to) end--;
      let joints = false;
      const newestVolume = Number(list[end - 1]?.volume ?? 0);
      const fresh = held === null || rebuilt || held.frame !== frame || held.plot !== plot || held.list !== list || newestVolume > held.most;
      let from = held?.length ?? first;
      let most = held?.most ?? 0;
      if (fresh) {
        [upBody, downBody, volumeBody] = ['', '', ''];
        place = frame.scale.copy().range([plot.x, plot.x + plot.width]);
        if (rebuilt || held?.frame !== frame) silence = learnSilence(points, frame.scale.timeline);
        joints = true;
        from = first;
        most = 0;
        for (let i = first; i < end; i++) most = Math.max(most, Number(list[i]?.volume ?? 0));
      }
      const [ups, downs, volumes]: [string[], string[], string[]] = [[], [], []];
      for (; from < end - 1; from++) {
        const candle = list[from];
        if (!candle) continue;
        const { up, text, volume } = piece(candle, frame, plot, most);
        (up ? ups : downs).push(text);
        if (volume !== '') volumes.push(volume);
      }
      if (ups.length > 0) upBody += ups.join('');
      if (downs.length > 0) downBody += downs.join('');
      if (volumes.length > 0) volumeBody += volumes.join('');
      if (!fresh && held && from !== held.length) joints = true;
      held = { frame, plot, list, length: Math.max(first, end - 1), most };
      const newest = list[end - 1];
      const tail = end > first && newest ? piece(newest, frame, plot, most) : null;
      return {
        ink: { kind: 'bars', upBody, downBody, volumeBody, upTail: tail?.up === true ? tail.text : '', downTail: tail?.up === false ? tail.text : '', volumeTail: tail?.volume ?? '' },
        last: tail ? { index: lastPoint(points, count, frame.to), x: tail.x, y: tail.y } : null, count, joints, silence,
      };
    },
  };
}

/** Newest of the first `count` points at or before the right edge. */
function lastPoint(points: Points, count: number, to: number): number {
  let index = count - 1;
  while (index > 0 && (points.times[index] ?? 0) > to * 1000) index--;
  return index;
}
