/** What the crosshair says of a point or bar: exact figures in words. Made once per position; a walk back finds it again. */
import { parseDecimal, subtract } from '../../shared/decimal.ts';
import { type EpochMicros, fromMillis } from '../../shared/time.ts';
import type { ChartModel } from './chartModel.ts';
import { gapText } from './markPlaces.ts';
import { exactPrice } from './priceText.ts';
import { clockLabel, dateLabel, dayLabel, exactClockLabel, fullDateLabel, offsetLabel } from './timeLabels.ts';
import type { Track } from './track.ts';

export interface CrosshairText {
  readonly zone: string;
  readonly decimals: number | null;
  readonly locale: string | undefined;
}

export interface PointText {
  readonly price: string;
  /** Empty on a daily bar; `day` on a daily point. */
  readonly time: string;
  readonly day: string;
  /** The day, and the change from the position before with its sign and shape. */
  readonly dayAndStep: string;
  /** The bar's figures, a line each; empty on a line. */
  readonly figures: string;
  /** On the time axis. */
  readonly tag: string;
}

export interface CrosshairTexts {
  /** Exact, as its producer wrote it. */
  price(on: Track, at: number): string;
  of(on: Track, at: number): PointText;
  /** `no data 12 min` where an instant (milliseconds) lies in a gap or at its edge, else empty. */
  gap(time: number): string;
  forget(): void;
}

const MOST_KEPT = 2_000;
const FAR = 300 * 86_400_000;

export function createCrosshairTexts({ points, seen, span }: Pick<ChartModel, 'points' | 'seen' | 'span'>, { zone, decimals, locale }: CrosshairText): CrosshairTexts {
  /** By position, of points that did not move since. */
  const kept = new Map<number, PointText>();
  let keptOf = { revision: -1, daily: false, far: false };
  const shown = (text: string): string => exactPrice(text, decimals, locale);
  const price = (on: Track, at: number): string => on.bar(at)?.texts.close ?? points.texts[at] ?? '';

  function stepText(from: string, to: string): string {
    const [before, here] = [parseDecimal(from), parseDecimal(to)];
    if (before === undefined || here === undefined) return '';
    const step = subtract(here, before);
    return `${step.startsWith('-') ? '▼ −' : step === '0' ? '' : '▲ +'}${shown(step.replace('-', ''))}`;
  }

  function make(on: Track, at: number, daily: boolean, far: boolean): PointText {
    const bar = on.bar(at);
    const time = BigInt(Math.floor(bar ? bar.start * 1000 : (points.times[at] ?? 0))) as EpochMicros;
    const day = daily || far ? fullDateLabel(zone, time) : dateLabel(zone, time);
    const own = { price: shown(price(on, at)), day, dayAndStep: `${day}   ${stepText(price(on, at - 1), price(on, at))}` };
    const start = bar?.start ?? on.time(at);
    const tag = daily ? dayLabel(zone, fromMillis(start)) : clockLabel(zone, start, true);
    if (!bar) {
      const whole = daily && points.historyStep === 86_400_000 && (points.times[at] ?? 0) <= points.historyUntil;
      return { ...own, tag, time: whole ? 'day' : `${exactClockLabel(zone, time)} ${offsetLabel(zone, time)}`, figures: '' };
    }
    const figures = [`O ${shown(bar.texts.open)}`, `H ${shown(bar.texts.high)}`, `L ${shown(bar.texts.low)}`, `C ${own.price}`, ...(bar.volume === null ? [] : [`V ${exactPrice(bar.volume, 0, locale)}`])].join('\n');
    return { ...own, tag, time: daily ? '' : `${clockLabel(zone, bar.start, true)} ${offsetLabel(zone, time)}`, figures };
  }

  return {
    price,
    of(on, at) {
      const daily = seen().frame?.daily === true;
      const { from = 0, to = 0 } = span() ?? {};
      const far = to - from > FAR;
      if (on.bar(at)) return make(on, at, daily, far); // it may still grow
      if (keptOf.revision !== points.revision || keptOf.daily !== daily || keptOf.far !== far || kept.size >= MOST_KEPT) {
        kept.clear();
        keptOf = { revision: points.revision, daily, far };
      }
      let text = kept.get(at);
      if (text === undefined) {
        text = make(on, at, daily, far);
        kept.set(at, text);
      }
      return text;
    },
    gap(time) {
      for (const gap of seen().gaps) if (gap.from <= time && time <= gap.to) return gapText(gap);
      return '';
    },
    forget: () => kept.clear(),
  };
}
