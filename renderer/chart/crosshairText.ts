/** What the crosshair says of a point or bar: exact figures in words. Made once per position; a walk back finds it again. */
import { parseDecimal, subtract } from '../../shared/decimal.ts';
import { type EpochMicros, fromMillis } from '../../shared/time.ts';
import type { ChartModel } from './chartModel.ts';
import type { Gap } from './gaps.ts';
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
  /** The bar's figures, a line each; empty on a line. */
  readonly figures: string;
  /** All of it a line each, the price first; with the day the change from the position before, with its sign and shape. */
  readonly readout: string;
  /** On the time axis. */
  readonly tag: string;
}

export interface CrosshairTexts {
  /** Exact, as its producer wrote it. */
  price(on: Track, at: number): string;
  of(on: Track, at: number): PointText;
  /** Call when something was drawn or came in. */
  begin(daily: boolean): void;
  forget(): void;
}

/** `no data 12 min` where an instant (milliseconds) lies in a gap or at its edge, else empty. */
export function gapTextAt(gaps: readonly Gap[], time: number): string {
  for (const gap of gaps) if (gap.from <= time && time <= gap.to) return gapText(gap);
  return '';
}

const MOST_KEPT = 2_000;
const FAR = 300 * 86_400_000;

export function createCrosshairTexts({ points, span }: Pick<ChartModel, 'points' | 'span'>, { zone, decimals, locale }: CrosshairText): CrosshairTexts {
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
    const own = { price: shown(price(on, at)), day };
    const lines = (when: string, figures: string): string => [own.price, when, `${day}   ${stepText(price(on, at - 1), price(on, at))}`, figures].filter((line) => line !== '').join('\n');
    const start = bar?.start ?? on.time(at);
    const tag = daily ? dayLabel(zone, fromMillis(start)) : clockLabel(zone, start, true);
    if (!bar) {
      const whole = daily && points.historyStep === 86_400_000 && (points.times[at] ?? 0) <= points.historyUntil;
      const clock = whole ? 'day' : `${exactClockLabel(zone, time)} ${offsetLabel(zone, time)}`;
      return { ...own, tag, time: clock, figures: '', readout: lines(clock, '') };
    }
    const figures = [`O ${shown(bar.texts.open)}`, `H ${shown(bar.texts.high)}`, `L ${shown(bar.texts.low)}`, `C ${own.price}`, ...(bar.volume === null ? [] : [`V ${exactPrice(bar.volume, 0, locale)}`])].join('\n');
    const clock = daily ? '' : `${clockLabel(zone, bar.start, true)} ${offsetLabel(zone, time)}`;
    return { ...own, tag, time: clock, figures, readout: lines(clock, figures) };
  }

  return {
    price,
    begin(daily) {
      const { from = 0, to = 0 } = span() ?? {};
      const [far, { revision }] = [to - from > FAR, points];
      if (keptOf.revision === revision && keptOf.daily === daily && keptOf.far === far && kept.size < MOST_KEPT) return;
      kept.clear();
      keptOf = { revision, daily, far };
    },
    of(on, at) {
      let text = kept.get(at);
      if (text === undefined) {
        text = make(on, at, keptOf.daily, keptOf.far);
        if (on.bar(at) === null && kept.size < MOST_KEPT) kept.set(at, text); // a bar may still grow
      }
      return text;
    },
    forget: () => kept.clear(),
  };
}
